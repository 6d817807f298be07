"""Chinese texts that say how exact the answer must be -> the number of decimals: 得数保留一位小数, 精确到0.01."""

from __future__ import annotations

import re

from sau_solver.problem import Language

_COUNTS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4}
_PLACES = {"个": 0, "十分": 1, "百分": 2, "千分": 3, "万分": 4}
_ZH = re.compile(
    r"(?:保留|取)(?:到)?(?:(?P<count>[1-4一二两三四])位小数|(?P<whole>整数|整元))"
    r"|(?:精确|四舍五入|保留)到(?:小数点后第?(?P<after>[1-4一二两三四])位|(?P<step>1|0\.0{0,3}1)(?P<percent>[%％])?(?!\d)"
    r"|(?P<place>个|十分|百分|千分|万分)位|(?P<unit>整数))"
)
_OF_PERCENT = re.compile(r"百分号前|百分数(?:的)?(?:小数|结果)")
_EN = re.compile(r"\b(?:to|with|at|rounded) (?:only )?[1-4] (?:decimal|d\.?p\b)", re.IGNORECASE)


def decimals_asked(text: str) -> int | None:
    """Return how many decimals a Chinese text wants the answer to have, or None if it does not say.

    For a percentage these are the decimals of the share: 0.1 % has three.
    """
    found = _ZH.search(text)
    if found is None:
        return None
    of_percent = 2 if found["percent"] or _OF_PERCENT.search(text) else 0
    if written := found["count"] or found["after"]:
        return (_COUNTS.get(written) or int(written)) + of_percent
    if found["step"]:
        return len(found["step"].partition(".")[2]) + of_percent
    return (_PLACES[found["place"]] if found["place"] else 0) + of_percent


def tells_decimals(text: str, language: Language, start: int, end: int) -> bool:
    """Return whether a number of the text only tells how to round: the 0.01 of 精确到0.01."""
    found = (_ZH if language == "zh" else _EN).search(text)
    return found is not None and found.start() <= start and end <= found.end()
