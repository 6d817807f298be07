"""Chinese stories about a greatest common divisor: one rule for each kind of story."""

from __future__ import annotations

import re
from dataclasses import replace

from sau_solver.text.common_stories.chinese_cues import (
    LEAST,
    LENGTH,
    MEASURE,
    MOST,
    NOTHING_LEFT,
    TIME,
    asked_clause,
    asks_length,
    is_rectangle,
    length_unit,
    of_squares,
)
from sau_solver.text.common_stories.told_stories import Ask, CommonStory, Told, all_asks, story_of

_SAME = re.compile(r"同样|一样|相同|相等|平均|等长|等距|完全相?同|等分")


def _is_box(story: Told) -> bool:
    """Return whether the facts are the length, the width and the height of a cuboid."""
    return len(story.facts) == 3 and all(
        re.search(rf"{side}(?:是|为)?\s*$", story.before(place)) for place, side in enumerate("长宽高")
    )


_FEWEST = re.compile(r"(?:至少|最少)[^，。]{0,8}(?:多少|几)[个块张片段根条]")


def _divides(story: Told) -> bool:
    """Return whether something is to be as large or as many as possible that depends on parallel numbers."""
    return bool(
        2 <= len(story.facts) <= 4 and MOST.search(story.text) and not LEAST.search(story.text) and _are_parallel(story)
    )


def _are_parallel(story: Told) -> bool:
    """Return whether the facts say the same of several things: 96块巧克力和72块奶糖, 长36米和48米."""
    if re.search(r"每[^，。]{0,4}$|分[成给]\s*$|边长[^，。]{0,2}$", story.lead(0)):
        return False
    return all(
        re.search(r"[，、和与,及]|[1一]根|宽|^厘?米$", between)
        and not re.search(r"每|分成|分给|[。？]|剪成|如果|边长|用去|卖|比|剩", between)
        and len(between) < 30
        for between in (story.after(place, 60) for place in story.places[:-1])
    )


def _squares(story: Told, asks: list[str]) -> CommonStory | None:
    """A rectangle is divided into the largest equal squares, or a cuboid into cubes."""
    if not (_divides(story) or (_FEWEST.search(story.text) and not re.search(r"[拼铺摆围排砌]成", story.text))):
        return None
    if not (is_rectangle(story) and re.search(r"正方形|方砖", story.text)) and not (
        _is_box(story) and re.search(r"[正立]方体", story.text)
    ):
        return None
    whole = re.search(r"铺满|整块|铺地|[划]?分成[^，。]{0,4}(?:相同|相等|同样|一样)", story.text)
    if not (_SAME.search(story.text) or whole or "若干" in story.text) or not (
        NOTHING_LEFT.search(story.text) or whole
    ):
        return None
    return story_of("gcd", "squares", story.facts, of_squares(asks, length_unit(story)), length_unit(story) or "")


def _lengths(story: Told, asks: list[str]) -> CommonStory | None:
    """Ropes are cut into the longest equal pieces."""
    fewest = _FEWEST.search(story.text) and _are_parallel(story) and not MOST.search(story.text)
    if not (_divides(story) or fewest) or is_rectangle(story) or "方体" in story.text:
        return None
    if re.search(r"接起来|接成|连接|拼接|接在一起", story.text):  # they become one
        return None
    if not _SAME.search(story.text) or not NOTHING_LEFT.search(story.text):
        return None
    unit = length_unit(story)
    if not re.search(r"[剪截锯切裁分]", story.text) or not unit:
        return None

    def asked(ask: str) -> Ask | None:
        clause = asked_clause(ask)
        if asks_length(clause, unit) and re.search(r"长|段", ask):
            return Ask("common")
        return Ask("sum") if re.search(r"(?:多少|几)[段根条块个]", clause) and not MOST.search(clause) else None

    return story_of("gcd", "lengths", story.facts, all_asks(asks, asked), unit)


def _spaced(story: Told, asks: list[str]) -> CommonStory | None:
    """Trees stand around a rectangle at the greatest equal distance."""
    if len(asks) != 1 or not _divides(story) or not is_rectangle(story) or not re.search(r"角|顶点", story.text):
        return None
    if not _SAME.search(story.text) and "等距" not in story.text:
        return None
    clause = asked_clause(asks[0])
    unit = length_unit(story)
    if unit is None or not re.search(r"距离|间隔|相[隔距]", asks[0]) or not re.search(rf"(?:多少|几)\s*{unit}", clause):
        return None
    return story_of("gcd", "lengths", story.facts, (Ask("common"),), unit)


def _groups(story: Told, asks: list[str]) -> CommonStory | None:
    """Things of several kinds go into the greatest number of identical groups."""
    text = story.text
    if not _divides(story) or not _SAME.search(text):
        return None
    if not (
        NOTHING_LEFT.search(text)
        or re.search(r"(?:相同|相等|一样|同样)[^。]{0,16}(?:相同|相等|一样|同样)", text)
        or re.search(r"每[组列排][^，。]{0,8}(?:相同|相等|一样)", text)
    ):
        return None
    if any(re.match(rf"\s*({LENGTH}|{TIME})", story.tail(place)) for place in story.places):
        return None
    items = [
        re.split(r"[，。；、和与,]|参加|分|平均|装|放|扎|做", re.sub(rf"^\s*{MEASURE}", "", story.after(place)))[0]
        for place in story.places
    ]
    wanted = all_asks(asks, lambda ask: _of_groups(ask, text, items))
    made = story_of("gcd", "rows" if _is_unmixed(text) else "groups", story.facts, wanted)
    return replace(made, names=tuple(items)) if made and all(items) else made


def _is_unmixed(text: str) -> bool:
    """Return whether each group has things of one kind only, and all groups are equally large."""
    equal = re.search(
        r"每[组列排行][^，。]{0,8}(?:人数|数)[^，。]{0,4}(?:相同|相等|一样)|人数(?:相同|相等)的[小组列队]", text
    )
    return bool(equal) and not re.search(r"[男女]生人?数", text)


def _of_groups(ask: str, text: str, items: list[str]) -> Ask | None:
    """Return what one question about identical groups asks for."""
    clause = asked_clause(ask)
    unmixed = _is_unmixed(text)
    own = [
        place
        for place, item in enumerate(items)
        if len(item) > 1 and item[-2:] in clause and sum(item[-2:] == other[-2:] for other in items) == 1
    ]
    if len(re.findall(r"多少|几", clause)) > 1 and len(own) == len(items):
        return Ask("quotients", tuple(own))
    if own and re.search(r"每|各", ask):
        return Ask("quotients", tuple(own)) if not MOST.search(clause) and len(own) == 1 else None
    if MOST.search(clause):
        inside = re.search(r"每[组列排行桌盘份个名位人]", clause)
        return None if inside and not unmixed else Ask("common")
    if re.search(r"各[^，]{0,4}(?:多少|几)", clause):
        return None
    if unmixed and re.search(r"[一1]?共[^，]{0,6}(?:多少|几)[组列排行]", clause):
        return Ask("sum")
    return None


DIVISOR_RULES = (_squares, _lengths, _spaced, _groups)
