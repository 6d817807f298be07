"""English words for numbers and operations -> formulas: "half of 46" -> (1/2)*46, "5 squared" -> 5^2."""

from __future__ import annotations

import re

from sau_solver.equations.expressions import print_number
from sau_solver.text.numbers import find_numbers

_OPERAND = r"(-?[0-9][0-9.,/]*%?|[A-Za-z](?![A-Za-z])|\([^()]*\))"
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_REPLACEMENTS = tuple(
    (re.compile(pattern, re.IGNORECASE), by)
    for pattern, by in (
        (r"\b(?:percent|per\s+cent|pct)\b", "%"),
        (r"%\s*of\s+(?:the\s+number\s+)?", "%*"),
        (r"(?<=[0-9)])\s+of\s+(?=[-0-9(A-Za-z])", "*"),
        (rf"(?:the\s+)?square\s+root\s+of\s+{_OPERAND}", r"sqrt(\1)"),
        (rf"(?:the\s+)?cube\s+root\s+of\s+{_OPERAND}", r"(\1)^(1/3)"),
        (rf"(?:the\s+)?(?:fourth|4th)\s+root\s+of\s+{_OPERAND}", r"(\1)^(1/4)"),
        (rf"(?:the\s+)?square\s+of\s+{_OPERAND}", r"(\1)^2"),
        (rf"(?:the\s+)?cube\s+of\s+{_OPERAND}", r"(\1)^3"),
        (rf"(?:the\s+)?absolute\s+value\s+of\s+{_OPERAND}", r"abs(\1)"),
        (rf"(?:the\s+)?reciprocal\s+of\s+{_OPERAND}", r"1/(\1)"),
        (rf"(?:the\s+)?(?:opposite|negative)\s+of\s+{_OPERAND}", r"-(\1)"),
        (rf"{_OPERAND}\s+less\s+than\s+{_OPERAND}", r"(\2)-(\1)"),
        (rf"{_OPERAND}\s+(?:more|greater)\s+than\s+{_OPERAND}", r"(\2)+(\1)"),
        (rf"{_OPERAND}\s+factorial\b", r"(\1)!"),
        (r"\s+squared\b", "^2"),
        (r"\s+cubed\b", "^3"),
        (r"\s+(?:raised\s+)?to\s+the\s+power\s+(?:of\s+)?", "^"),
        (r"\s+(?:raised\s+)?to\s+the\s+([0-9]+)(?:st|nd|rd|th)(?:\s+power)?", r"^\1"),
        (r"\s+(?:plus|added\s+to|add)\s+", "+"),
        (r"\s+(?:minus|take\s+away|takeaway|less|subtract)\s+", "-"),
        (r"\s+(?:times|multiplied\s+by|multiply\s+by|multiply)\s+", "*"),
        (r"\s+(?:divided\s+by|divide\s+by|over)\s+", "/"),
        (r"\b(?:negative|minus)\s+(?=[0-9(])", "-"),
        (r"\b(?:twice|double)\s+", "2*"),
        (r"\b(?:triple|thrice)\s+", "3*"),
    )
)
_PART = re.compile(rf"\b(?:(?:a|one)\s+)?({'|'.join(_PARTS)})\s+of\s+", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z]{2,}")


def as_formula(text: str) -> str:
    """Return the text with signs and digits in place of words, as far as they are known."""
    if not _WORD.search(text):
        return text
    text = _PART.sub(lambda part: f"(1/{_PARTS[part[1].lower()]})*", text)
    text = _in_digits(text)
    for pattern, replacement in _REPLACEMENTS:
        text = pattern.sub(replacement, text)
    return text


def _in_digits(text: str) -> str:
    """Return the text with digits for number words: twelve -> 12."""
    for number in reversed(find_numbers(text, "en")):
        if number.text.replace("-", "").replace(" ", "").isalpha() and len(number.text) > 2:
            text = f"{text[: number.start]}{print_number(number.value)}{text[number.end :]}"
    return text
