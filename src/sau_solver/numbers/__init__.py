"""Text to MappedText: words, number slots with exact values, and where each stands (Chinese and English)."""

from sau_solver.numbers.forms import FORMS, form_of, shown_words
from sau_solver.numbers.hmwp import restore_hmwp
from sau_solver.numbers.language import detect_language
from sau_solver.numbers.mapped import NUMBER_WORD, MappedText, NumberSlot
from sau_solver.numbers.mapping import find_numbers, map_text, map_words

__all__ = [
    "FORMS",
    "NUMBER_WORD",
    "MappedText",
    "NumberSlot",
    "detect_language",
    "find_numbers",
    "form_of",
    "map_text",
    "map_words",
    "restore_hmwp",
    "shown_words",
]
