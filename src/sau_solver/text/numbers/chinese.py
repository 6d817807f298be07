"""Read Chinese numerals of any size as integers: 一千二百三十四万五千, 二〇一〇, 两百, 廿五, 壹佰."""

from __future__ import annotations

from functools import lru_cache

DIGITS = {
    c: n
    for n, row in enumerate(("零〇", "一壹", "二贰", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖"))
    for c in row
}
DIGITS["两"] = 2
TENS = {"廿": 20, "卅": 30}
UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
NUMERALS = "".join((*DIGITS, *TENS, *UNITS, *MYRIADS))
STARTERS = "".join((*DIGITS, *TENS, "十", "拾"))  # 百 千 万 alone are not numbers: 百货, 千米, 万元

MOST_CHARACTERS = 60  # a longer run of numerals is not read as a number


@lru_cache(maxsize=8192)
def split_numerals(run: str) -> tuple[tuple[int, int, int], ...]:
    """Return the numbers (start, end, value) that follow each other in a run of numeral characters."""
    if len(run) > MOST_CHARACTERS:
        return ()
    if len(run) >= 2 and all(c in DIGITS and c != "两" for c in run) and _is_digit_string(run):
        return ((0, len(run), int("".join(str(DIGITS[c]) for c in run))),)
    found: list[tuple[int, int, int]] = []
    position = 0
    while position < len(run):
        weight = run[position] == "两" and position > 0 and run[position - 1] in UNITS  # 三百两: tael, not 2
        if weight or run[position] not in STARTERS:
            position += 1
            continue
        value, end = read_numeral(run, position)
        found.append((position, end, value))
        position = end
    return tuple(found)


def _is_digit_string(run: str) -> bool:
    """Return whether bare digits are one number, 二〇一〇, and not a list, 七八年级."""
    return len(run) >= 4 or (run[0] not in "零〇" and any(c in "零〇" for c in run))


def read_numeral(run: str, start: int) -> tuple[int, int]:
    """Return the value and the end of the longest number at `start`, which must be one of STARTERS."""
    whole = 0  # the sum of the sections closed by 亿 and 万
    section = 0  # the part below the next 万 or 亿
    digit: int | None = None  # a digit whose unit has not been read yet
    unit = 10**4  # the last unit in the section; the next must be smaller
    myriad = 10**16  # the last 万 or 亿; the next must be smaller
    last = 0  # the unit directly before `digit`, without 零 between them, for 一百五 = 150
    position = start
    while position < len(run):
        c = run[position]
        if c in DIGITS:
            if digit is not None or not _may_follow(run, start, position):
                break
            digit = DIGITS[c]
            if digit == 0:
                if position == start and not (position + 1 < len(run) and run[position + 1] in MYRIADS):
                    return 0, position + 1
                digit, last = None, 0
        elif c in TENS:
            if digit is not None or unit <= 10:
                break
            section, unit, last = section + TENS[c], 10, 0
        elif c in UNITS:
            size = UNITS[c]
            if size >= unit or (digit is None and (size != 10 or (position > start and last == 10))):
                break
            section, unit, last, digit = section + (digit or 1) * size, size, size, None
        else:
            size = MYRIADS[c]
            amount = section + (digit or 0)
            if size > myriad and myriad == 10**4 and (amount or run[position - 1] in "万萬"):
                whole = (whole + amount) * size  # 三十五万八千亿, 三万亿
            elif amount and size < myriad:
                whole += amount * size
            else:
                break
            section, unit, myriad, last, digit = 0, 10**4, size, size, None
        position += 1
    if digit is not None and _breaks_before_unit(run, position, unit):
        digit, position = None, position - 1
    while run[position - 1] in "零〇" and position - 1 > start:
        position -= 1
    if digit is not None and last >= 100:
        digit *= last // 10
    return whole + section + (digit or 0), position


def _may_follow(run: str, start: int, position: int) -> bool:
    """Return whether 零 is followed by a digit or 十, and 两 inside a number by a unit (三百两 is 300 taels)."""
    c = run[position]
    following = run[position + 1] if position + 1 < len(run) else ""
    if c in "零〇":
        return position == start or (following != "" and (following in DIGITS or following in "十拾廿卅"))
    return c != "两" or position == start or (following != "" and following in UNITS)


def _breaks_before_unit(run: str, position: int, unit: int) -> bool:
    """Return whether a last digit belongs to the next number, as in 三十二十, because its own unit follows."""
    return position < len(run) and run[position] in UNITS and UNITS[run[position]] >= unit
