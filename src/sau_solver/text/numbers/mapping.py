"""Map a text: find its numbers, then segment the text between them into words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sau_solver.problem import Language
from sau_solver.text.language import detect_language
from sau_solver.text.numbers.chinese_text import find_chinese
from sau_solver.text.numbers.digits import NUMBER, ascii_digits, read_digits
from sau_solver.text.numbers.english_text import find_english
from sau_solver.text.numbers.mapped import NUMBER_WORD, MappedText, NumberSlot
from sau_solver.text.numbers.segment import words_between


def find_numbers(text: str, language: Language) -> list[NumberSlot]:
    """Return the numbers of a text in order, with exact values and positions."""
    return find_chinese(text) if language == "zh" else find_english(text)


def map_text(text: str, language: Language | None = None, numbers: Sequence[NumberSlot] | None = None) -> MappedText:
    """Map a text as a user types it.

    The language is detected unless it is given. Pass `numbers` if `find_numbers` has already been called on the text.
    """
    language = language or detect_language(text)
    if numbers is None:
        numbers = find_numbers(text, language)
    words: list[str] = []
    spans: list[tuple[int, int]] = []
    positions: list[int] = []
    place = 0
    for number in (*numbers, None):
        end = number.start if number else len(text)
        for word, start, stop in words_between(text, place, end, language):
            words.append(word)
            spans.append((start, stop))
        if number:
            positions.append(len(words))
            words.append(NUMBER_WORD)
            spans.append((number.start, number.end))
            if number.unit:
                words += (word for word, _, _ in words_between(number.unit, 0, len(number.unit), language))
                spans += [(number.end, number.end)] * (len(words) - len(spans))
            place = number.end
    return MappedText(text, language, tuple(words), tuple(spans), tuple(numbers), tuple(positions))


# The protocol of the paper for segmented text: a token that begins like this is a number.
_TOKEN_NUMBER = re.compile(rf"(?:[0-9]++)?+\([0-9]++/(?=0*[1-9])[0-9]++\)|{NUMBER}%?+|\.[0-9]++")
_DROPPED = frozenset(",.?!;")


def map_words(words: Sequence[str], language: Language) -> MappedText:
    """Map a segmented text by the protocol of the paper.

    The tokens `, . ? ! ;` are dropped. A token that begins with a number is split into the number and the rest. Number
    words (一, two) stay words. `text` is the tokens joined by spaces.
    """
    text = " ".join(words)
    kept: list[str] = []
    spans: list[tuple[int, int]] = []
    numbers: list[NumberSlot] = []
    positions: list[int] = []
    place = 0
    for word in words:
        start, end = place, place + len(word)
        place = end + 1
        if not word or word in _DROPPED or word.isspace():
            continue
        match = _TOKEN_NUMBER.match(ascii_digits(word))
        value = read_digits(match[0]) if match else None
        if match and value is not None:
            stop = start + match.end()
            numbers.append(NumberSlot(value, text[start:stop], start, stop))
            positions.append(len(kept))
            kept.append(NUMBER_WORD)
            spans.append((start, stop))
            start = stop
        if start < end:
            rest = text[start:end]
            kept.append(rest.lower() if rest == NUMBER_WORD else rest)
            spans.append((start, end))
    return MappedText(text, language, tuple(kept), tuple(spans), tuple(numbers), tuple(positions))
