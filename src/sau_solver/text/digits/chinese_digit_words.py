"""Chinese texts about digits -> the same text with a letter for each quantity, so that few patterns suffice."""

from __future__ import annotations

import re

from sau_solver.text.common_stories.told_stories import told
from sau_solver.text.digits.digit_reading import PLACES

_PLACE = re.compile(r"([个十百千])位(?:数(?!字)|上面|上)?(?:的)?(?:数字|数码|数值|数)?(?!数)")
_PLACE_OF = dict(zip("个十百千", PLACES, strict=True))
_KNOWN = {
    "最大的?一位数": "9",
    "最小的?(?:质数|素数)": "2",
    "最小的?合数": "4",
    "最小的?奇质数": "3",
    "最小的?(?:正整数|奇数)": "1",
}
_THIS = r"(?:(?:这个|那个|该|此|原来的?|原先的?|原有的?|原|所求的?|满足条件的|这样的|1个|某个?|这)*)"
_EACH = r"(?:这|它的|N的)?(?:各位|各个数位|每个数位|各数位|各个位|每1位|\d个数位|各位数|每位)(?:上)?(?:的)?(?:数字|数)?"
_SUM, _PRODUCT = r"(?:之和|的和|相加的和|和)", r"(?:之积|的积|的乘积|相乘的积|积)"

# In order; the text has its numbers in digits, letters for single digits and no spaces.
_REPLACEMENTS: tuple[tuple[str, str], ...] = (
    (r"对换|调换|互换|互调|交换", "对调"),
    (r"新(?:的)?(?:\d位数|数)", "R"),
    (rf"{_THIS}\d位数(?!字)", "N"),
    (r"原数|(?:这个|该|此|原来的?|那个|某个)数(?!字)", "N"),
    (r"(?:所得到?的?|得到的?|得出的?|组成的?|形成的?)?(?:1个)?(?:新的?N|R)", "R"),
    (r"它(?:们)?的(?=[OTHK各两数\d每])|N(?:中|里)?的?(?=[OTHK])", ""),
    (r"它(?=各)", ""),
    (r"它", "N"),
    (rf"{_EACH}{_SUM}|(?:这|N的|它的)?\d个数字(?:相加)?{_SUM}|(?:这|N的)?数字{_SUM}", "S"),
    (rf"{_EACH}{_PRODUCT}|(?:这|N的|它的)?\d个数字{_PRODUCT}|(?:这|N的)?数字{_PRODUCT}", "P"),
    (rf"(?:这|新旧|前后)2个?数{_SUM}", "N与R的和"),
    (r"N的(?=[SP])", ""),
    (r"(?:N|这|此)?(?:的)?(?:\d个|各位|所有)数字(?=对调|颠倒|都?相同|的位置)", "两数字"),
    (r"(?:这|此)?2个?数(?=对调)", "两数字"),
    (r"(?:所得到?的?|得到的?|得出的?|变成的?|组成的?|形成的?)(?:N|数)", "G"),
    (r"所得结果|所得的?和|所得的?差|结果", "G"),
    (r"(?:每个|各个?)数位上的数字(?=都?相同)", "两数字"),
    (r"把(?:每个|各个?)数位上的数字相加$|把(?:每个|各个?)数位上的数字相加，(?:所得的)?和", "S"),
    (r"([比与的])原来(?=[大小多少的，。]|$)", r"\1N"),
    (r"(?:原来|现在)?N与R", "N与R"),
    (r"[和跟同及](?=[NROTHKGS])", "与"),
    (r"(?<=[OTHK])、(?=[OTHK])", "与"),
    (r"([OTHK])的值", r"\1"),
    (r"同时是|既是", "是"),
    (r"(?:恰好|正好|刚好|恰恰|恰|就|又|也|还|都|却|要|则)(?=[比是等为能成大小])", ""),
)
_COMPILED = [(re.compile(pattern), new) for pattern, new in _REPLACEMENTS]
_NAMED = re.compile(r"(?:^|[。，])(?P<name>[\u4e00-\u9fff]{2,18}|我)是N(?=[，。])")


def chinese_digits_told(text: str) -> str | None:
    """Return a text without spaces, with its numbers in digits and a letter for each digit; None if it has letters."""
    plain = re.sub(r"\s+", "", text)
    if re.search(r"[A-Za-z]", plain):
        return None
    for pattern, digit in _KNOWN.items():
        plain = re.sub(pattern, digit, plain)
    plain = _PLACE.sub(lambda found: _PLACE_OF[found[1]], plain)
    plain = re.sub(r"[“”\"‘’《》]", "", plain)
    written = told(plain, "zh", whole=False)
    return written.text if written else None


def chinese_letters(text: str) -> str:
    """Return a text with a letter for each quantity."""
    for pattern, new in _COMPILED:
        text = pattern.sub(new, text)
    if named := _NAMED.search(text):
        name = named["name"]
        if name.endswith("的年龄"):
            text = re.sub(rf"{name[:-3]}(?:今年|现在)?(?:多少|几)岁", "N是多少", text)
        text = text.replace(f"{name}的", "").replace(name, "N").replace("N是N", "N", 1)
    return text
