"""Find the numbers of a Chinese text, and skip numerals that are part of a word or a unit."""

from __future__ import annotations

import re
from functools import cache

from sau_solver.text.numbers.chinese import DIGITS, MYRIADS, NUMERALS, STARTERS
from sau_solver.text.numbers.chinese_forms import numbers_in
from sau_solver.text.numbers.digits import FORM, FREE, MINUS, NUMBER, SIGN, VULGAR, ascii_digits
from sau_solver.text.numbers.lexicon import any_of, words_with_numerals
from sau_solver.text.numbers.mapped import NumberSlot

_KILO = "米克瓦卡帕伏赫焦"  # 千米 is a unit, so 两千米 is 2 of them
_NUMERAL = f"(?!千[{_KILO}])[{NUMERALS}]"  # the 千 of 千米 does not continue a numeral
_RUN = f"[{STARTERS}](?:{_NUMERAL})*+"
_ONE = f"(?:{_RUN}|{NUMBER})"
_POINT = f"{_RUN}点[{''.join(DIGITS)}]++(?!{_NUMERAL}|分(?!之))"
_STOP = r"(?=[\s，。．、；：？！,.;:?!的）)”是为用给以后时卖新]|$)"  # 三成是女生; in 二成长 the 成 belongs to 成长
_HALF = r"(?<![上下大多过减对折各前后参夜])半(?=[个天年斤里吨升杯袋桶箱车圈瓶盒斗亩]|小时|分钟|公里|千克|$)"

_HALF_PRICE = "(?<=打)对折"
_DOUBLE = r"双(?=[倍份])|(?<![\s\S])双(?![\s\S])"  # 双倍 is twice; in 一双 and 双方 it is not a number

_PLACE = r"(?<![几数多])[百千](?=位)|(?<![\s\S])[百千](?![\s\S])"  # 百位 is the hundreds digit, 100 in the equation

# Forms that continue after digits or numerals; tried only if one of _GOES_ON follows.
_LONGER = re.compile(
    rf"(?:{_ONE}又)?+{_ONE}分之(?:{_POINT}|{_ONE})"
    rf"|(?:{_POINT}|{_ONE})折(?![叠线返合纸旧断])|{_ONE}成[0-9{''.join(DIGITS)}半]{_STOP}|{_ONE}成{_STOP}|{_ONE}个半(?![圆径球])|一半(?![圆径球])|{_POINT}"
    rf"|{NUMBER}(?:[十百千]?[万亿]|[百千])"
)
_GOES_ON = frozenset("点折成又半百千万亿十")
_GOES_ON_PAIR = frozenset(("分之", "个半"))
_LARGE = frozenset("千仟") | frozenset(MYRIADS)
_NOT_COUNTED = frozenset("的和与或比是了以及多余左后时")  # words that may follow 万 without being counted in 万
_HAN = "[\u4e00-\u9fff]"
_IDEOGRAPH = re.compile(_HAN)

_SCALING = re.compile("的?(?:比例|缩小|放大|地图|图纸|平面图|模型)")

_TIME, _NUMBER = 1, 2


@cache
def _pattern() -> re.Pattern[str]:
    """Return the pattern: words to skip first, then times (group 1), then numbers (group 2)."""
    words = (*words_with_numerals(), *words_with_numerals("words_not_restored.txt"))
    first = "".join(sorted({word[0] for word in words}))
    words_and_names = (
        rf"(?!下一[十百千万])(?:{any_of(words)})|十分(?!钟|之)|[几第][{NUMERALS}]++|(?<!每)周[一二三四五六](?![次共个千百十样起])"
        rf"|(?<![{NUMERALS}])[肆伍陆拾](?![{NUMERALS}元圆角块整])(?:(?<={_HAN}.)|(?={_HAN}))"  # 队伍, 陆地; but 伍元
        r"|十一(?=”|黄金周|长假|小长假|期间|国庆)|4[Ss]店|[2-5][GD](?![A-Za-z])"
    )
    return re.compile(
        rf"(?=[{first}{NUMERALS}第几周半双对0-9.(（{''.join(VULGAR)}{re.escape(MINUS)}])(?:{words_and_names}"
        rf"|{FREE}([0-9]{{1,2}}[:：][0-5][0-9](?![0-9:：]))"
        rf"|({SIGN}?+{FREE}{FORM}|{_RUN}|[百千万]分之(?:{_POINT}|{_ONE})|{_PLACE}|{_HALF}|{_HALF_PRICE}|{_DOUBLE}))"
    )


def find_chinese(text: str) -> list[NumberSlot]:
    """Return the numbers of a Chinese text in order."""
    plain = ascii_digits(text)
    search = _pattern().search
    slots: list[NumberSlot] = []
    position = 0
    while match := search(plain, position):
        kind = match.lastindex
        start, position = match.span()
        if kind is None:
            continue
        surface = match[kind]
        if kind == _TIME:
            if not _is_ratio(plain, start, position):
                continue
            surface = surface.replace("：", ":").partition(":")[0]
        else:
            follower = plain[position : position + 2]
            if follower[:1] in _GOES_ON or follower in _GOES_ON_PAIR or surface[-1] in _LARGE:
                surface = _whole_form(plain, start, surface)
        position = start + len(surface)
        for begin, end, value in numbers_in(surface):
            slots.append(NumberSlot(value, text[start + begin : start + end], start + begin, start + end))
    return slots


def _whole_form(plain: str, start: int, surface: str) -> str:
    """Extend a surface by what continues it (分之, 折, 万), without a final unit (千 of 千米, 万 of 万元)."""
    longer = _LONGER.match(plain, start)
    if longer and numbers_in(longer[0]):
        surface = longer[0]
    end = start + len(surface)
    following = plain[end : end + 1]
    if surface[-1] == "千" and following and following in _KILO:
        return surface[:-1]
    if surface[-1] in MYRIADS and _IDEOGRAPH.match(following) and following not in _NOT_COUNTED:
        # Corpora count in 万元 and 万件: 12.1万件 is 12.1 in 95 of 100 gold equations.
        mantissa = surface.rstrip("".join(MYRIADS))
        if mantissa and not any(c in MYRIADS for c in mantissa):
            return mantissa
    return surface


def _is_ratio(plain: str, start: int, end: int) -> bool:
    """Return whether 3:10 is a ratio and not a time, because 比 precedes it closely or it scales something."""
    return "比" in plain[max(0, start - 10) : start] or bool(_SCALING.match(plain, end))
