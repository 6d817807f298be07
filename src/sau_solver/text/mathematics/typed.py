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
_TIMES = re.compile(r"(?<=[0-9)\]])\s+[xX]\s+(?=[0-9])|(?<=[0-9])[xX](?=[0-9])")
_TIMES_BRACKET = re.compile(r"(?<=[0-9)\]])\s+[xX]\s+(?=[(\[])")
_BLANK = re.compile(r"=?\s*(?:_{2,}|\(\s*\)|\[\s*\]|□|\?+)\s*\.?$|=[\s()/]*$")
_CALCULATION_END = re.compile(r"=\s*(?:\?|_+|\(\s*\))?\s*(?:[;,\n]|\s+|$)|[;\n]")
_GAP = re.compile(r"_{2,}|\(\s*\)|[□▢○◯]")
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
_COEFFICIENT = re.compile(r"[0-9]([A-Za-z])(?![A-Za-z])")
# Words that are never a product of letters.
_SHORT_WORDS = frozenset(
    """
    is of in at if do by to an as it be or on up us we he me my no so go am the and for are was has had how who out all
    any one two six ten can did get its let new not now off old our own put say see she too use way why yes you
    """.split()  # noqa: SIM905  # a list of words
)
_FORMULA = re.compile(r"[0-9A-Za-zα-ωΑ-Ωπ√⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞\s.,;:+\-*/^%!|()\[\]{}=<>≤≥≠_']*")
_MEANT = re.compile(r"[0-9A-Za-zα-ωπ½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]")
RELATION = re.compile(r"[=<>≤≥≠]")


def unified(text: str) -> str:
    """Return the text with ASCII signs, brackets and punctuation; exponents and roots stay."""
    plain = text.translate(_FULL_WIDTH).translate(_SIGNS).replace("°", "")
    if "\\" in plain or "^{" in plain or "$" in plain:
        for pattern, replacement in _LATEX:
            plain = pattern.sub(replacement, plain)
    plain, times = _TIMES.subn("*", _LIST_MARKS.sub("; ", plain))
    return (_TIMES_BRACKET.sub("*", plain) if times else plain).strip()


def without_blank(text: str) -> str:
    """Return a text without the place for its answer: `=?`, `= ____`, `=( )`."""
    return _BLANK.sub("", text.strip()).strip()


def calculations_in(text: str) -> list[str]:
    """Return the calculations of a text that has one after the other: 3+5= 12-4= 6*7=."""
    return [part for part in _CALCULATION_END.split(text) if part.strip()]


def with_unknown_blank(text: str) -> str:
    """Return an equation with x in place of its blank, as in 3+□=8."""
    return _GAP.sub("x", text) if "x" not in text and len(_GAP.findall(text)) == 1 else text


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


def letters_of(text: str) -> frozenset[str]:
    """Return the letters that stand alone or after a number: x and y in 2x+y."""
    return frozenset({*_LETTER.findall(text), *_COEFFICIENT.findall(text)})


def with_products(text: str, letters: frozenset[str]) -> str:
    """Return a formula with products of letters written out: x*y^2 for xy^2."""
    return _WORD.sub(lambda word: "*".join(word[0]) if _is_product(word[0], letters) else word[0], text)


def _is_product(word: str, letters: frozenset[str]) -> bool:
    return word not in FUNCTIONS and word not in _SHORT_WORDS and all(letter in letters for letter in word)


def is_formula(text: str, letters: frozenset[str] = frozenset()) -> bool:
    """Return whether a text has only signs, numbers, single letters, products of them such as xy, and functions."""
    if len(text) > MAX_FORMULA or not _MEANT.search(text) or not _FORMULA.fullmatch(text):
        return False
    known = letters | letters_of(text)
    return all(word in FUNCTIONS or word in ("pi", "and") or _is_product(word, known) for word in _WORD.findall(text))
