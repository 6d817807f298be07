"""English words for numbers and operations -> formulas: "half of 46" -> (1/2)*46, "5 squared" -> 5^2."""

from __future__ import annotations

import re

from sau_solver.equations.expressions import print_number
from sau_solver.text.numbers import find_numbers

_OPERAND = r"(-?(?:[0-9]+\s+(?=[0-9]+/))?[0-9][0-9.,/]*%?|(?<![A-Za-z])[A-Za-z](?![A-Za-z])|\([^()]*\))"
_ALONE = r"(?!\s*[0-9A-Za-z(^/!])"  # the operand of "square root of" ends here
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_TIMES = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5}
_REPLACEMENTS = tuple(
    (re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE), by)
    for pattern, by in (
        (r"\b(?:percent|per cent|pct)\b", "%"),
        (r"(?<=/[0-9])(?:th|rd)s?\b", ""),
        (r"\s*%\s*of (?:the number )?", "%*"),
        (r"(?<=[0-9)]) of (?=[-0-9(A-Za-z])", "*"),
        (r" squared\b", "^2"),
        (r" cubed\b", "^3"),
        (r" (?:raised )?to the power (?:of )?(?:negative |minus )([0-9]+)", r"^(-\1)"),
        (r" (?:raised )?to the power (?:of )?", "^"),
        (r" (?:raised )?to the ([0-9]+)(?:st|nd|rd|th)(?: power)?", r"^\1"),
        (rf"{_OPERAND} divided by (?:negative |minus ){_OPERAND}", r"((\1)/(-\2))"),
        (rf"{_OPERAND} (?:divided by|divide by|over) {_OPERAND}", r"((\1)/(\2))"),
        (r" (?:plus|add) ", "+"),
        (r" (?:minus|take away|takeaway|less(?! than)|subtract) ", "-"),
        (r" (?:times|multiplied by|multiply by|multiply) ", "*"),
        (r" (?:divided by|divide by|over) ", "/"),
        (rf"(?:the )?square root of {_OPERAND}{_ALONE}", r"sqrt(\1)"),
        (rf"(?:the )?cube root of {_OPERAND}{_ALONE}", r"(\1)^(1/3)"),
        (rf"(?:the )?(?:fourth|4th) root of {_OPERAND}{_ALONE}", r"(\1)^(1/4)"),
        (rf"(?:the )?square of {_OPERAND}{_ALONE}", r"(\1)^2"),
        (rf"(?:the )?cube of {_OPERAND}{_ALONE}", r"(\1)^3"),
        (rf"(?:the )?absolute value of {_OPERAND}{_ALONE}", r"abs(\1)"),
        (rf"(?:the )?reciprocal of {_OPERAND}{_ALONE}", r"1/(\1)"),
        (rf"(?:the )?(?:opposite|negative) of {_OPERAND}{_ALONE}", r"-(\1)"),
        (rf"{_OPERAND} factorial\b", r"(\1)!"),
        (r"\b(?:negative|minus) (?=[0-9(])", "-"),
        (r"\b(?:twice|double) ", "2*"),
        (r"\b(?:triple|thrice) ", "3*"),
    )
)
# "15 more than A": everything after the words is the base; "15 % more than A" adds a share of it.
_MORE = re.compile(r"(.+?)\s+(?P<word>more\s+than|greater\s+than|added\s+to|less\s+than|over)\s+(.+)", re.IGNORECASE)
_PART = re.compile(rf"\b(?:({'|'.join(_TIMES)})[\s-]+)?({'|'.join(_PARTS)})s?\s+of\s+(?:the\s+)?", re.IGNORECASE)
_OF_FRACTION = re.compile(r"\bof\s+([0-9]+/[0-9]+)(?![0-9./])", re.IGNORECASE)  # half of 3/4
_WORD = re.compile(r"[A-Za-z]{2,}")


def as_formula(text: str) -> str:
    """Return the text with signs and digits in place of words, as far as they are known."""
    if not _WORD.search(text):
        return text
    text = _PART.sub(_part, _OF_FRACTION.sub(r"of (\1)", text))
    text = _in_digits(text)
    if found := _MORE.fullmatch(text.strip()):
        part, base = as_formula(found[1]), as_formula(found[3])
        sign = "-" if found["word"].lower().startswith("less") else "+"
        if part.rstrip().endswith("%"):
            return f"({base})*(1{sign}{part})"
        if not found["word"].lower().startswith("over"):
            return f"({base}){sign}({part})"
    for pattern, replacement in _REPLACEMENTS:
        text = pattern.sub(replacement, text)
    return text


def _part(found: re.Match[str]) -> str:
    return f"({_TIMES[(found[1] or 'a').lower()]}/{_PARTS[found[2].lower()]})*"


def _in_digits(text: str) -> str:
    """Return the text with digits for number words: twelve -> 12."""
    for number in reversed(find_numbers(text, "en")):
        if number.text.replace("-", "").replace(" ", "").isalpha() and len(number.text) > 2:
            text = f"{text[: number.start]}{print_number(number.value)}{text[number.end :]}"
    return text
