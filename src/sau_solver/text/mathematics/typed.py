"""What people type -> the notation of the parser: signs, brackets, exponents and punctuation in one form."""

from __future__ import annotations

import re

from sau_solver.equations.lexer import FUNCTIONS

MAX_FORMULA = 2_000  # characters of a text that is read as mathematics

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SIGNS = str.maketrans(
    "　\xa0\u2009\u202f\t×·⋅∙•✕✖÷∕⁄−–—﹣。，、；：∶？！‘’“”【】〔〕〈〉",
    "     *******///----.,,;::?!''\"\"[][]()",
)
_TIMES = re.compile(r"(?<=[0-9)])(\s+)[xX](\s+)(?=[0-9(-])|(?<=[0-9])[xX](?=[0-9])")
_BLANK = re.compile(r"=?\s*(?:_{2,}|\(\s*\)|\[\s*\]|□|\?+)\s*\.?$|=\s*$")
_LATEX = (
    (re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"((\1)/(\2))"),
    (re.compile(r"\\sqrt\s*\{([^{}]*)\}"), r"sqrt(\1)"),
    (re.compile(r"\^\s*\{([^{}]*)\}"), r"^(\1)"),
    (re.compile(r"\\(?:times|cdot)\b"), "*"),
    (re.compile(r"\\div\b"), "/"),
    (re.compile(r"\\(?:left|right|displaystyle|quad|,|;|!)|\\?\$"), " "),
)
_DECIMAL_COMMA = re.compile(r"(?<![0-9.,])([0-9]+),([0-9]+)(?![0-9.,])")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9,])")
_LIST_MARKS = re.compile(r"[(\[]?[①②③④⑤⑥⑦⑧⑨⑩][)\]]?")

_WORD = re.compile(r"[A-Za-z]{2,}")
_LETTER = re.compile(r"(?<![A-Za-z])[A-Za-zα-ωΑ-Ω](?![A-Za-z])")
_FORMULA = re.compile(r"[0-9A-Za-zα-ωΑ-Ωπ√⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞\s.,;:+\-*/^%!|()\[\]{}=<>≤≥≠_']*")
_MEANT = re.compile(r"[0-9A-Za-zα-ωπ]")
RELATION = re.compile(r"[=<>≤≥≠]")


def unified(text: str) -> str:
    """Return the text with ASCII signs, brackets and punctuation; exponents and roots stay."""
    plain = text.translate(_FULL_WIDTH).translate(_SIGNS)
    if "\\" in plain or "^{" in plain or "$" in plain:
        for pattern, replacement in _LATEX:
            plain = pattern.sub(replacement, plain)
    plain = _LIST_MARKS.sub("; ", plain)
    return _TIMES.sub("*", plain).strip()


def without_blank(text: str) -> str:
    """Return a text without the place for its answer: `=?`, `= ____`, `=( )`."""
    return _BLANK.sub("", text.strip()).strip()


def with_decimal_points(text: str) -> str:
    """Return a formula with decimal points, if its commas can only be decimal commas: 3,5 + 1,25."""
    if "." in text or "," not in text or ";" in text:
        return text
    parts = text.split(",")
    if len(parts) - 1 != len(_DECIMAL_COMMA.findall(text)) or all(RELATION.search(part) for part in parts):
        return text
    if all(_THOUSANDS.fullmatch(number[0]) for number in _DECIMAL_COMMA.finditer(text)):
        return text
    return _DECIMAL_COMMA.sub(r"\1.\2", text)


def is_formula(text: str, names: frozenset[str] = frozenset()) -> bool:
    """Return whether a text has only signs, numbers, single letters, products of them such as xy, and functions."""
    if len(text) > MAX_FORMULA or not _MEANT.search(text) or not _FORMULA.fullmatch(text):
        return False
    letters = {*_LETTER.findall(text), *names}
    coefficients = re.compile(r"[0-9]([A-Za-z])(?![A-Za-z])").findall(text)
    letters.update(coefficients)
    return all(
        word in FUNCTIONS or word in ("pi", "and") or all(letter in letters for letter in word)
        for word in _WORD.findall(text)
    )
