"""Text -> a request for the exact solver, or None for a word problem.

A text is mathematics only if every word of it belongs to a known wording, so a single noun makes it a word problem.
That is checked first, in one pass over the text.
"""

from __future__ import annotations

import re
from dataclasses import replace

from sau_solver.equations.lexer import FUNCTIONS
from sau_solver.errors import TooLargeError
from sau_solver.text.mathematics import chinese_terms, chinese_wording, english_commands, english_terms, english_wording
from sau_solver.text.mathematics.chinese_wording import read_chinese
from sau_solver.text.mathematics.english_wording import read_english
from sau_solver.text.mathematics.request import NotMathematicsError, Reader, Request
from sau_solver.text.mathematics.typed import (
    MAX_FORMULA,
    RELATION,
    calculations_in,
    letters_of,
    unified,
    with_unknown_blank,
    without_blank,
)

MAX_SENTENCE = 800  # characters of a text with words

_NUMBERED = re.compile(r"(?:\(\d{1,2}\)|\d{1,2}[.、)])\s*(?=[A-Za-z\u4e00-\u9fff]{2})")
_SUBJECT = re.compile(r"[0-9A-Za-zα-ωπ½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞零一二两三四五六七八九十百千万]")
_OPERATED = re.compile(r"[-+*/^=<>≤≥≠!|%√²³:]|[0-9][A-Za-z(]|[a-z]\(")
_SIGN = re.compile(r"[-+*/^%!√]")
_ASKED = re.compile(r",\s*[A-Za-z]\s*(?:\([^()]*\))?\s*=\s*\??\s*$")
_QUOTIENT = re.compile(r"(.+)/([^/=]+)=\s*(?:\(\s*\))?\s*(?:…+|\.{3,})\s*(?:\(\s*\))?")
_COMMON = re.compile(r"(gcd|lcm)\s*\(([^()]*)\)")
_CLOCK = re.compile(r"[0-9]:[0-5][0-9]\b.*[-+]|[-+].*[0-9]:[0-5][0-9]\b")  # 3:30 + 1:20 is not a ratio
_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z]{2,}")
_LONG_WORD = re.compile(r"[A-Za-z]{4,}")


def _sources(*modules: object) -> str:
    """Return all patterns of some modules as one text."""
    found: list[str] = []
    for module in modules:
        for value in vars(module).values():
            entries = value if isinstance(value, tuple) else (value,)
            for entry in entries:
                one = entry[0] if isinstance(entry, tuple) and entry else entry
                found.append(one.pattern if isinstance(one, re.Pattern) else "")
    return " ".join(found)


def _words(patterns: str) -> frozenset[str]:
    """Return the words of English patterns; `roots?` has two."""
    found = re.findall(r"[a-z]{2,}\??", re.sub(r"\\[a-zA-Z]", " ", patterns).lower())
    return frozenset({word.removesuffix("?") for word in found} | {word[:-2] for word in found if word.endswith("?")})


_MORE_WORDS = """
satisfy satisfies factorise factorize primes rounded rounding numbers zero one two three four five six seven eight nine
ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy
eighty ninety hundred thousand million half third quarter units tens hundreds thousands tenths hundredths thousandths
integer whole tenth hundredth thousandth frac dfrac tfrac cdot left right quad
"""
_ENGLISH = _words(_sources(english_commands, english_terms, english_wording)) | set(_MORE_WORDS.split())
_CHINESE = frozenset(re.findall(r"[\u4e00-\u9fff]", _sources(chinese_terms, chinese_wording))) | set(
    "零〇一二两三四五六七八九十百千万亿点个分位"
)


def recognize(text: str) -> Request | None:
    """Return what a mathematical text asks for, or None if the text is not mathematics."""
    if len(text) > MAX_FORMULA or not _SUBJECT.search(text):
        return None
    if any(character not in _CHINESE for character in _HAN.findall(text)):
        return None
    if any(word not in _ENGLISH and word not in FUNCTIONS for word in _LONG_WORD.findall(text.lower())):
        return None
    plain = unified(text)
    if numbered := _NUMBERED.match(plain):
        plain = plain[numbered.end() :]
    worded = _HAN.search(plain) is not None or any(
        word.lower() in _ENGLISH and word not in FUNCTIONS for word in _WORD.findall(plain)
    )
    if worded and len(text) > MAX_SENTENCE:
        return None
    try:
        if _HAN.search(plain):
            request = read_chinese(plain, Reader(True, letters_of(plain)))
        else:
            reader = Reader(not worded, letters_of(plain))
            request = read_english(plain, reader) if worded else _bare(plain, reader)
    except (NotMathematicsError, TooLargeError, RecursionError):
        return None
    return replace(request, text=text)


def _bare(text: str, reader: Reader) -> Request:
    """Read a text without words: equations, an expression, or several calculations."""
    if not _OPERATED.search(text) or (_CLOCK.search(text) and "=" not in text):
        raise NotMathematicsError
    if divided := _QUOTIENT.fullmatch(text):
        return Request("division", (reader.expression(divided[1]), reader.expression(divided[2])))
    if common := _COMMON.fullmatch(text.rstrip(" .?=")):
        return Request("gcd" if common[1] == "gcd" else "lcm", reader.items(common[2]))
    plain = without_blank(text.rstrip(" .?"))
    parts = calculations_in(text)
    if len(parts) > 1 and not re.search(r"[A-Za-zα-ω]", plain) and all(map(_SIGN.search, parts)):
        return Request("expression", tuple(map(reader.expression, parts)))
    if RELATION.search(plain):
        plain = with_unknown_blank(plain)
        return read_english(text, reader) if _ASKED.search(text) else _equations(plain, reader)
    return Request("expression", (reader.expression(plain),))


def _equations(text: str, reader: Reader) -> Request:
    reader.define(text)
    return reader.completed(Request("equation"), None)
