"""Read numbers written with digits as exact fractions: 12.5, 48,000, 25%, (1/2), 3(1/4), 3又1/4, 3 1/2, 3½."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

MOST_DIGITS = 60  # a longer run of digits is not a quantity

_VALUES = "1/2 1/3 2/3 1/4 3/4 1/5 2/5 3/5 4/5 1/6 5/6 1/8 3/8 5/8 7/8"
VULGAR = dict(zip("½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞", map(Fraction, _VALUES.split()), strict=True))
MINUS = "-−－﹣"
PERCENT = {"%": 100, "％": 100, "﹪": 100, "‰": 1000}

# Possessive quantifiers keep every pattern linear: a run of digits is scanned once, without backtracking.
WHOLE = r"(?:[0-9]{1,3}(?:(?:,[0-9]{3})++|(?: 000)++)(?![0-9])|[0-9]++)"  # 48,000 and 30 000, not 3,4,5
NUMBER = WHOLE + r"(?:\.[0-9]++)?+"
_VULGAR = f"[{''.join(VULGAR)}]"
_FRACTION = r"[0-9]++ ?[/／] ?(?=0*[1-9])[0-9]++(?!\.[0-9]| ?[/／] ?[0-9])"
_MIXED = rf"[0-9]++(?: ?又 ?{_FRACTION}| {_FRACTION}|[(（]{_FRACTION}[)）]| ?{_VULGAR})"
FORM = (
    rf"(?:{_MIXED}|(?<![/／]){_FRACTION}|[(（]{_FRACTION}[)）]|{_VULGAR}"
    rf"|{NUMBER}(?: ?[{''.join(PERCENT)}])?+|(?<![\w.)）])\.[0-9]++)"
)
# A minus is a sign at the start, after an opening mark, "is" or a space, but not in 10-5, 10 -5 and x -5.
_BEFORE_MINUS = (
    r"(?<![\s\S])|(?<=[(（，,。；：:、=＝<＜>＞≤≥“\"是为到于得从至达在])|(?<=\s)(?<![0-9)）%]\s)(?<![\s(=+][A-Za-z]\s)"
)
SIGN = rf"(?:(?:{_BEFORE_MINUS})[{MINUS}](?=[0-9]))"
# Not inside G20, H1N1, m3 or an exponent.
FREE = r"(?<![A-Za-z0-9^_])(?<!\^ )(?<![0-9]\.)"

_WIDE = re.compile("[０-９．]")
_WIDE_POINT = re.compile("(?<=[０-９])．(?=[０-９])")
_MIXED_POINT = re.compile("(?<=[0-9０-９])．(?=[0-9０-９])")
_WIDE_STOP = re.compile("．(?![0-9０-９])|[/：:][0-9]+．")  # ． also ends sentences: 人数比是6:5:4．3个组共有…
_TO_ASCII = str.maketrans("０１２３４５６７８９", "0123456789")
_RUN = re.compile("[0-9]+")


def ascii_digits(text: str) -> str:
    """Replace full-width digits and decimal points by ASCII. The length of the text stays the same."""
    if not _WIDE.search(text):
        return text
    point = _WIDE_POINT if _WIDE_STOP.search(text) else _MIXED_POINT
    return point.sub(".", text).translate(_TO_ASCII)


@lru_cache(maxsize=16384)
def read_digits(surface: str) -> Fraction | None:
    """Return the value of a surface that FORM matches, with an optional sign, or None if it is too long."""
    sign = -1 if surface[0] in MINUS else 1
    body = surface.lstrip(MINUS)
    if any(len(run) > MOST_DIGITS for run in _RUN.findall(body.replace(",", ""))):
        return None
    if body[-1] in VULGAR:
        return sign * (int(body[:-1].strip() or "0") + VULGAR[body[-1]])
    if "/" in body or "／" in body:
        *whole, numerator, denominator = (int(run) for run in _RUN.findall(body))
        return sign * (sum(whole) + Fraction(numerator, denominator))
    scale = PERCENT.get(body[-1], 1)
    return sign * Fraction(body.rstrip("".join(PERCENT) + " ").replace(",", "").replace(" ", "")) / scale
