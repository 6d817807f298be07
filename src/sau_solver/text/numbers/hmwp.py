"""Restore the published texts of HMWP to natural text.

The authors segmented each text and moved the numeral of every word, as a digit, in front of the rest of the word:
一共 became "1 共", 统一 "1 统", 三角形 "3 角形", 一艘 "1 艘". Other words are restored; counts stay digits.
CM17K, by the same authors, mostly keeps the digit in its place: 同一 became "同 1".
"""

from __future__ import annotations

import re
from functools import cache

from sau_solver.text.numbers.chinese import DIGITS, NUMERALS, UNITS, split_numerals
from sau_solver.text.numbers.lexicon import words_with_numerals

_DIGIT_TOKEN = re.compile("[0-9]{1,4}")
_GLUES = re.compile(r"[A-Za-z0-9.%]")  # two adjacent ones would read as one name or number
_NUMERAL_RUN = re.compile(f"[{NUMERALS}]+")
_SINGLE_DIGITS = str.maketrans({c: str(n) for c, n in DIGITS.items()})
_LOOK_BACK = 8  # characters before a digit that are considered; no word of the list is longer
_ORDINALS = {str(number): numeral for number, numeral in enumerate("一二三四五六七八九十", start=1)}
# First characters of words whose numeral is the second character and was moved to the front.
_MOVED_HEADS = "统初高同之其唯单专逐找清"
_FEAST = re.compile("国际|劳动|儿童|节|期间|长假|小长假|假期|黄金周|”")  # tells 五一 from 51
_VERY = re.compile("分(?:重|抢|着急|喜|高兴|畅|火|受|方便|关|便|严|迫|丰|可|有|美|繁|热|感|生|困|满|不|明)")  # 十分
_TOGETHER = re.compile("同(?:走|去|前往|出发|参|到|来|乘|坐|回|游|购|从)")  # 一同; otherwise "1 同" was 同一
_FRACTION = re.compile("分之(?![0-9一二三四五六七八九十几多])")
_SPLIT_FRACTION = re.compile("分([0-9])之")

Split = tuple[str, str, str]  # the word, its part before the digits, its part after them
Repair = tuple[int, str, int]  # characters to drop before, text to write, characters to skip after


@cache
def _splits() -> dict[str, tuple[Split, ...]]:
    """Return, for each token of digits, the words that it may come from, the longest first."""
    splits: dict[str, list[Split]] = {}
    for word in words_with_numerals():
        for run in _NUMERAL_RUN.finditer(word):
            before, behind = word[: run.start()], word[run.end() :]
            if word in ("一一", "万一"):  # only numerals: cannot be distinguished from 11 and 1
                continue
            rows = splits.setdefault(_as_digits(run[0]), [])
            rows.append((word, before, behind))
            if (later := behind.translate(_SINGLE_DIGITS)) != behind:  # 一元二次方程 became "1 元 2 次方程"
                rows.append((word, before, later))
            if word[0] in _MOVED_HEADS:  # 统一 became "1 统"
                rows.append((word, "", before + behind))
    return {digits: tuple(sorted(rows, key=lambda row: -len(row[0]))) for digits, rows in splits.items()}


def _as_digits(run: str) -> str:
    if all(c in DIGITS for c in run):
        return run.translate(_SINGLE_DIGITS)
    numerals = split_numerals(run)
    return str(numerals[0][2] if numerals else UNITS.get(run, 10**4))  # 百 of 百货 is not a number, but became 100


def restore_hmwp(text: str) -> str:
    """Return the text without spaces, with split words restored and counts as digits."""
    tokens = text.split()
    written: list[str] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if _DIGIT_TOKEN.fullmatch(token):
            before = "".join(written[-_LOOK_BACK:])[-_LOOK_BACK:]
            if repair := _repair(before, token, tokens, at):
                dropped, token, used = repair
                _drop(written, dropped)
                at = _consume(tokens, at, used)
        if written and _GLUES.match(written[-1][-1]) and _GLUES.match(token[0]):
            written.append(" ")
        written.append(token)
    return "".join(written)


def _repair(before: str, digits: str, tokens: list[str], at: int) -> Repair | None:
    ahead = "".join(tokens[at : at + 6])
    following = tokens[at] if at < len(tokens) else ""
    for word, left, right in _splits().get(digits, ()):
        if not left and not right:
            if len(digits) > 1 and (before.endswith("“") or _FEAST.match(ahead)):
                return 0, word, 0
        elif not left and word[0] in _MOVED_HEADS:  # moved; the rest of the word must be a separate token
            if following == right:
                return 0, word, len(right)
        elif word == "一同" and not _TOGETHER.match(ahead):
            continue
        elif before.endswith(left) and ahead.startswith(right):
            return len(left), word, len(right)
    return _repair_ordinal(before, digits, ahead) or _repair_form(digits, following, ahead)


def _repair_ordinal(before: str, digits: str, ahead: str) -> Repair | None:
    """Restore 第一 and 周六. A digit in its place, as in 第 3, stays, because most texts are typed like that."""
    numeral = _ORDINALS.get(digits)
    if numeral is None:
        return None
    if before.endswith("第") and digits in "12":
        return 0, numeral, 0
    if ahead.startswith("第") and not re.match(f"第[0-9{NUMERALS}]", ahead):
        return 0, "第" + numeral, 1
    if before.endswith("周") and not re.search(f"[0-9每{NUMERALS}]周$", before) and int(digits) <= 6:
        return None if re.match("[次共个千百十样起]", ahead) else (0, numeral, 0)
    return None


def _repair_form(digits: str, following: str, ahead: str) -> Repair | None:
    if digits == "1" and re.match("半(?![圆径球])", ahead):
        return 0, "一半", 1
    if digits == "10" and _VERY.match(ahead):
        return 0, "十分", 1
    if digits == "2" and following == "11":
        return 0, "双十一", 2
    if digits == "11" and _FEAST.match(ahead):
        return 0, "十一", 0
    if len(digits) == 2 and _FRACTION.match(ahead):
        return 0, f"{digits[0]}分之{digits[1]}", 2  # 四分之一 became "41 分之"
    if split := _SPLIT_FRACTION.match(ahead):
        return 0, f"{digits}分之{split[1]}", 3
    if re.fullmatch("[A-Z]", following):  # B两 became "2 B", G20 "20 G"
        return 0, f"{following} {digits}" if digits in "23" else following + digits, 1
    return None


def _drop(written: list[str], characters: int) -> None:
    while characters:
        last = written.pop()
        if len(last) > characters:
            written.append(last[: len(last) - characters])
            return
        characters -= len(last)


def _consume(tokens: list[str], at: int, characters: int) -> int:
    """Skip characters of the tokens from `at` and return the next token, which may be the rest of one."""
    while characters:
        if len(tokens[at]) > characters:
            tokens[at] = tokens[at][characters:]
            return at
        characters -= len(tokens[at])
        at += 1
    return at
