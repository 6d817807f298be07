"""Map a Chinese or English text to words and number slots with exact values and positions."""

from sau_solver.text.language import detect_language
from sau_solver.text.numbers.compounds import joined
from sau_solver.text.numbers.forms import FORMS, form_of, shown_words
from sau_solver.text.numbers.hmwp import restore_hmwp
from sau_solver.text.numbers.mapped import NUMBER_WORD, MappedText, NumberSlot
from sau_solver.text.numbers.mapping import find_numbers, map_text, map_words

__all__ = [
    "FORMS", "NUMBER_WORD", "MappedText", "NumberSlot", "detect_language", "find_numbers", "form_of", "joined",
    "map_text",
    "map_words", "restore_hmwp", "shown_words",
]  # fmt: skip
