"""Read Chinese fractions, percentages, discounts and scales: 三分之二, 百分之五, 八五折, 三成五, 1.5万, 两个半."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from sau_solver.text.numbers.chinese import DIGITS, MOST_CHARACTERS, MYRIADS, NUMERALS, UNITS, split_numerals
from sau_solver.text.numbers.digits import FORM, NUMBER, SIGN, read_digits

_DIGITS_ONLY = re.compile(f"{SIGN}?+{FORM}")
_NUMERALS_ONLY = re.compile(f"[{NUMERALS}]++")
_SCALED = re.compile(f"({NUMBER})([十百千]?)([万亿]?)")
_PARTS = {"百": 100, "千": 1000, "万": 10000}
_HALF = Fraction(1, 2)


@lru_cache(maxsize=16384)
def numbers_in(surface: str) -> tuple[tuple[int, int, Fraction], ...]:
    """Return the numbers (start, end, value) of a surface: none, one, or several adjacent numerals."""
    if surface not in ("百", "千") and _NUMERALS_ONLY.fullmatch(surface):
        return tuple((start, end, Fraction(value)) for start, end, value in split_numerals(surface))
    value = read_digits(surface) if _DIGITS_ONLY.fullmatch(surface) else _read_form(surface)
    return () if value is None else ((0, len(surface), value),)


def _read_form(surface: str) -> Fraction | None:
    if surface in ("半", "一半", "对折"):
        return _HALF
    if surface == "双":
        return Fraction(2)
    if surface in UNITS:
        return Fraction(UNITS[surface])
    if surface.endswith("折"):
        return _discount(surface[:-1])
    if "成" in surface:
        return _tenths(surface)
    if surface.endswith("个半"):
        whole = _scalar(surface[:-2])
        return None if whole is None else whole + _HALF
    if "分之" in surface:
        return _fraction(surface)
    return _scalar(surface)


def _discount(body: str) -> Fraction | None:
    """Return the share of a price: 0.8 for 八折 and 8折, 0.85 for 八五折 and 85折. HMWP also writes 0.8 折."""
    if all(c in DIGITS for c in body):
        rate: Fraction | None = Fraction("".join(str(DIGITS[c]) for c in body))
    else:
        rate = _scalar(body)
    if rate is None or rate >= 100:
        return None
    return rate if rate < 1 else rate / 10 if rate < 10 else rate / 100


def _tenths(surface: str) -> Fraction | None:
    """Return the share of 三成 (0.3), 三成五 (0.35) and 三成半."""
    before, _, after = surface.partition("成")
    tenths = _scalar(before)
    hundredths = Fraction(5) if after == "半" else Fraction(0) if not after else _scalar(after)
    return None if tenths is None or hundredths is None else tenths / 10 + hundredths / 100


def _fraction(surface: str) -> Fraction | None:
    denominator, _, numerator = surface.partition("分之")
    whole, mixed, rest = denominator.rpartition("又")
    below: Fraction | int | None = _PARTS[rest] if rest in _PARTS else _scalar(rest)
    above, added = _scalar(numerator), _scalar(whole) if mixed else Fraction(0)
    if not below or above is None or added is None:
        return None
    return added + above / below


def _scalar(body: str) -> Fraction | None:
    """Read digits, one numeral, a numeral with 点, or digits followed by 十 百 千 万 亿."""
    if len(body) > 2 * MOST_CHARACTERS:
        return None
    whole, point, decimals = body.partition("点")
    if point:
        before = _scalar(whole)
        if before is None or not all(c in DIGITS for c in decimals):
            return None
        return before + Fraction(int("".join(str(DIGITS[c]) for c in decimals)), 10 ** len(decimals))
    if _NUMERALS_ONLY.fullmatch(body):
        numerals = split_numerals(body)
        return Fraction(numerals[0][2]) if len(numerals) == 1 and numerals[0][:2] == (0, len(body)) else None
    if scaled := _SCALED.fullmatch(body):
        value = read_digits(scaled[1])
        return None if value is None else value * UNITS.get(scaled[2], 1) * MYRIADS.get(scaled[3], 1)
    return None
