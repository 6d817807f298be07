"""Chinese stories about a least common multiple: one rule for each kind of story."""

from __future__ import annotations

import re
from dataclasses import replace

from sau_solver.text.common_stories.chinese_cues import (
    AGAIN,
    LEAST,
    LENGTH,
    MEASURE,
    MOST,
    NOTHING_LEFT,
    TIME,
    asked_clause,
    full_unit,
    is_rectangle,
    length_unit,
    of_squares,
)
from sau_solver.text.common_stories.told_stories import Ask, CommonStory, Scene, Told, all_asks, story_of

_TOGETHER = re.compile(r"同时|一起|一同|一齐|相遇|重合|碰面|见面|相会|同一[天时]")


_BETWEEN = re.compile(
    rf"\s*(?:{TIME}|{LENGTH}|{MEASURE})?\s*(?:、\s*(?:或者?|和)?|[，,]?\s*(?:或者?|还是|和|与|及|以及))\s*(?:[放装站分]?)"
)


def _listed(story: Told) -> list[list[int]]:
    """Return the places of facts in lists: 每2秒、3秒、5秒 is one."""

    def continues(first: int, place: int) -> bool:
        between = story.before(place)
        each_time = re.search(r"每次\s*$", story.lead(first)) and re.fullmatch(rf"{MEASURE}[，,]", between)
        return bool(_BETWEEN.fullmatch(between) or each_time)

    return story.listed(continues)


_INTERVAL = re.compile(rf"\s*({TIME}|{LENGTH})")
_LAP = re.compile(r"1(?:圈|周|趟|遍|个来回)[^，。\d]{0,6}\s*$")
_LAP_TAIL = re.compile(rf"\s*{TIME}[跑走转绕行]?[\u4e00-\u9fff]{{0,2}}1[圈周]")
_AT_START = re.compile(r"起点|出发[点地]|回到|位置|原[地处]|原来的")
_STEP = re.compile(r"[1每]步[^，。\d]{0,4}$")
_ONCE = re.compile(r"[^，。]{0,12}1[次班辆趟个列回下]|[^，。]{0,10}(?:[、，]|和)")
_ALL = re.compile(r"(?<!\d)[34][人盏位名只路辆种条车艘]|都|所有")
_SPAN = re.compile(r"(?:接下来|此后|以后|之后)的?\s*$")


def _events(story: Told, asks: list[str]) -> CommonStory | None:
    """Two events come back at intervals: after how long do they come together again?"""
    if len(asks) != 1 or not _TOGETHER.search(story.text):
        return None
    ask = asks[0]
    last = len(story.facts) - 1
    span, span_unit = 0, ""
    if (
        _SPAN.search(story.lead(last))
        and (found := _INTERVAL.match(story.tail(last)))
        and re.search(r"(?:多少|几)次", ask)
    ):
        span, span_unit = int(story.facts[last].value), full_unit(found[1])
        story = story.without({last})
    elif not (AGAIN.search(ask) and _TOGETHER.search(ask, ask.find(asked_clause(ask)))):
        return None
    unit = _interval_unit(story)
    if unit is None:
        return None
    if span:
        made = story_of("lcm", "events", story.facts, (Ask("times"),), unit)
        return replace(made, span=span) if made and span_unit == unit and span >= made.common else None
    asked = re.search(rf"(?:多少|几)\s*({TIME}|{LENGTH})", ask)
    if re.search(r"(?:多少|几)次", ask) or not asked or full_unit(asked[1]) != unit:
        return None
    scene: Scene = "distances" if re.fullmatch(LENGTH, unit) else "events"
    return story_of("lcm", scene, story.facts, (Ask("common"),), unit)


def _interval_unit(story: Told) -> str | None:
    """Return the unit of time or length if all facts are intervals; None if one is not."""
    units = set()
    for places in _listed(story):
        lead, tail = story.lead(places[0]), story.tail(places[-1])
        named = _INTERVAL.match(tail)
        every = re.search(r"每隔?\s*$", lead)
        lap = (_LAP.search(lead) or _LAP_TAIL.match(tail)) and _AT_START.search(story.text)
        if not named or not (every or lap or _STEP.search(lead)):
            return None
        if every and every[0].startswith("每隔") and full_unit(named[1]) in ("天", "周", "月", "年"):
            return None  # 每隔3天 means every 4 days to some and every 3 days to others
        if every and not _ONCE.match(tail[len(named[0]) :]):
            return None
        units.add(full_unit(named[1]))
    if len(units) != 1 or (len(story.facts) > 2 and not _ALL.search(story.text)):  # 爸爸和妈妈 may meet without 小红
        return None
    return units.pop()


def _gears(story: Told, asks: list[str]) -> CommonStory | None:
    """Marked teeth of two gears meet again after some teeth, or after some turns of one gear."""
    if len(asks) != 1 or len(story.facts) != 2 or not re.search(r"再|又|第[2二]次|下[1一]?次", story.text):
        return None
    if not all(re.match(r"\s*个?齿", story.tail(place)) for place in (0, 1)):
        return None
    ask = asked_clause(asks[0])
    if re.search(r"(?:多少|几)个?齿", ask):
        return story_of("lcm", "gears", story.facts, (Ask("common"),))
    turned = re.search(r"([大小主从甲乙])[动齿]?[动]?[齿]?轮[^，]{0,8}(?:多少|几)[圈周转]", ask)
    if not turned:
        return None
    places = [place for place in (0, 1) if re.search(rf"{turned[1]}动?齿?轮[^轮]{{0,8}}$", story.before(place))]
    return story_of("lcm", "gears", story.facts, (Ask("quotients", tuple(places)),)) if len(places) == 1 else None


def _tiles(story: Told, asks: list[str]) -> CommonStory | None:
    """Rectangles form the smallest square."""
    if not is_rectangle(story) or not LEAST.search(story.text) or MOST.search(story.text):
        return None
    if not re.search(
        r"[拼铺摆围排砌]成?[^，。]{0,8}正方形(?![地瓷方石]?[砖板块片])|正方形[^，。]{0,12}[拼铺]成", story.text
    ):
        return None
    return story_of("lcm", "tiles", story.facts, of_squares(asks, length_unit(story)), length_unit(story) or "")


_PACK = re.compile(r"每([袋包盒箱捆筐打罐])(?:有|装)?\s*$|[1一]([袋包盒箱捆筐打罐])(?:有|装)?\s*$")
_EQUAL = re.compile(r"数量?[^，。]{0,4}(?:相等|相同|一样)|同样多|一样多|相等|相同数量|数[相][等同]")


def _packs(story: Told, asks: list[str]) -> CommonStory | None:
    """Things come in packs of different sizes, and as many of one are wanted as of the other."""
    if re.search(r"同样多[袋包盒箱]|[袋包盒箱]数[^，。]{0,2}(?:相同|相等|一样)", story.text):
        return None  # as many packs of one as of the other: the numbers of things differ
    if not _EQUAL.search(story.text) or not LEAST.search(story.text) or not 2 <= len(story.facts) <= 3:
        return None
    items = []
    for place in story.places:
        found = _PACK.search(story.lead(place))
        if not found:
            return None
        items.append(re.split(r"[，。；]", story.before(place))[-1][: -len(found[0])])
    if not all(len(item) > 1 for item in items):
        return None
    made = story_of("lcm", "packs", story.facts, all_asks(asks, lambda ask: _of_packs(ask, items)))
    return replace(made, names=tuple(items)) if made else None


def _of_packs(ask: str, items: list[str]) -> Ask | None:
    """Return what one question about packs asks for: the things in them, or the packs of one kind or of each."""
    clause = asked_clause(ask)
    if re.search(r"各[^，]{0,4}(?:多少|几)[袋包盒箱捆筐打罐]", clause):
        return Ask("quotients", tuple(range(len(items))))
    if re.search(r"(?:多少|几)[袋包盒箱捆筐打罐]", clause):
        named = tuple(place for place, item in enumerate(items) if item[-2:] in clause)
        return Ask("quotients", named) if len(named) == 1 else None
    several = re.search(r"[和与]|共|总", clause.split("多少")[0].split("几")[0][-8:])
    return None if several else Ask("common")


_LEFT = re.compile(r"(?:剩下?|余下?|(?<![最至不])多出?)\s*(\d+)|(?:(?<![最至多不])少|缺|差)\s*(\d+)")


def _arrangements(story: Told, asks: list[str]) -> CommonStory | None:
    """Things can be arranged in groups of several sizes, with none or always as many left over."""
    if len(asks) != 1 or not LEAST.search(asks[0]) or MOST.search(story.text) or not re.search(r"多少|几", asks[0]):
        return None
    if re.search(r"[需要用买]\S{0,3}(?:多少|几)|(?:多少|几)[行排组列袋盒包箱队堆份]", asked_clause(asks[0])):
        return None
    shifts = set()
    rest = set()
    left = len(_LEFT.findall(story.text))
    for found in _LEFT.finditer(story.text):
        shifts.add(int(found[1]) if found[1] else -int(found[2]))
        rest |= {place for place, fact in enumerate(story.facts) if found.start() <= fact.start < found.end()}
    if len(shifts) > 1 or not (shifts or NOTHING_LEFT.search(story.text)):
        return None
    counted = {place for place in story.places[1:] if place not in rest and _is_repeated(story, place)}
    sizes = story.without(rest | counted)
    if not 2 <= len(sizes.facts) <= 4:
        return None
    if left not in (0, 1, len(sizes.facts)) or (left and re.search(r"正好(?![剩余多少缺差])", story.text)):
        return None
    if left == 1 and not re.search(r"都|总|均", story.text):
        return None
    if not all(_is_size(sizes, places, bool(counted)) for places in _listed(sizes)):
        return None
    made = story_of("lcm", "arrangements", sizes.facts, (Ask("common"),))
    shift = next(iter(shifts), 0)
    return replace(made, shift=shift) if made and abs(shift) < min(made.numbers) else None


def _is_repeated(story: Told, place: int) -> bool:
    """Return whether a fact repeats the one before: 4个4个地数."""
    return story.facts[place].value == story.facts[place - 1].value and bool(
        re.fullmatch(rf"\s*{MEASURE}\s*", story.before(place))
    )


def _is_size(story: Told, places: list[int], repeated: bool) -> bool:
    """Return whether the facts of a list are sizes or numbers of groups: 每排3人、4人, 5人一排, 分给6人或8人."""
    lead, tail = story.lead(places[0], 12), story.tail(places[-1], 12)
    if repeated and re.match(rf"\s*{MEASURE}\d", tail):
        return True
    if re.search(r"每(?:[排行组列份堆袋盒包箱筐队束捆次桌盘]|人|个[\u4e00-\u9fff]{1,3})[^，。、\d]{0,3}$", lead):
        return True
    if re.search(r"(?:分给|分成|站成|排成|分)\s*$|或者?\s*$", lead) and re.match(
        rf"\s*(?:{MEASURE}|[行列排组队堆])", tail
    ):
        return True
    return bool(re.match(rf"\s*{MEASURE}人?[装编站排分]?成?[1一](?:份|堆|组|排|行|袋|盒|包|箱|列|队|数)", tail))


MULTIPLE_RULES = (_events, _gears, _tiles, _packs, _arrangements)
