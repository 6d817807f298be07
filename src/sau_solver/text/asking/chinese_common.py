"""Chinese stories about common divisors and multiples: 两车同时发车, 剪成同样大的正方形, 平均分给若干人."""

from __future__ import annotations

import re
from dataclasses import replace

from sau_solver.text.asking.common_stories import MAX_FACTS, Ask, CommonStory, Told, story_of, told

_TIME = r"(秒钟?|分钟|分|个?小时|时|天|日|个?星期|周|个?月|年)"
_LENGTH = r"(厘米|分米|毫米|千米|公里|米|cm|dm|mm|m)"
_MEASURE = r"[个只朵块支枝本名人辆颗粒件条张根棵盒瓶把双包袋份副套面束盆筐箱位片头架斤束枚]"
_MOST = re.compile(r"最[多大长高]|尽(?:可能|量)地?[多大长]")
_LEAST = re.compile(r"至少|最[少小短]|起码|尽(?:可能|量)[少小短]")
_SAME = re.compile(r"同样|一样|相同|相等|平均|等长|等距|完全相?同|等分")
_NOTHING_LEFT = re.compile(
    r"[没不无][许能可]?[允]?[有再]?(?:任何)?(?:剩余|浪费|多余)|没有?剩|不剩|无剩余|正好|恰好|刚好|整块|[没不]能?有?余|全部[用分装打摆]|都[分装摆用放]完"
    r"|不多不少|一个不多"
)
_TOGETHER = re.compile(r"同时|一起|一同|一齐|相遇|重合|都|再次|共同|碰面|见面|对准|相会|同一天|同一时")
_AGAIN = re.compile(r"又|再|下[一]?[1]?次|第[1一2二]次|重合|下回|会同时|才能?同时|能同时|将同时|首次")
_OTHER_ASKED = re.compile(
    r"面积|周长|体积|[元钱]|平均每|比.*[多少]|相差|几时|几点|什么时[候间]|何时|几月|星期几|速度|百分|总长|几分之|年龄|积是|之和|的和|的差|第几"
)
_RATE = re.compile(
    r"[元%％]|每[秒分时][钟]?[^0-9]{0,3}[行走跑]|每小时[行走跑做加生]|相距|相向|工程|倍|完成|原来|几分之|小数|质数|合数"
)
_SENTENCE = re.compile(r"(?<=[。？！?!；;])")
_CLAUSE = re.compile(r"[，。？！,?!；;：:、]")
_ASKED = re.compile(r"多少|几(?!何)")
_NAMED = re.compile(
    r"\s*(?:路|号|班级?|年级|[)）]\s*班|月\d|日|[点时](?!\d*[^，。]{0,4}一?1?次)(?:整|半|钟)?|:\d\d|楼|层)"
)
_CHARACTERS = re.compile(r"[\u4e00-\u9fff]")


def chinese_story(text: str) -> CommonStory | None:
    """Return the story about a common divisor or multiple that a Chinese text tells; None if it tells another."""
    if not (_MOST.search(text) or _LEAST.search(text) or _AGAIN.search(text)) or _RATE.search(text):
        return None
    story = told(text, "zh")
    if story is None:
        return None
    story = _essential(story)
    if not 2 <= len(story.facts) <= MAX_FACTS:
        return None
    asks = _asked(story.text)
    if not 1 <= len(asks) <= 3 or any(_OTHER_ASKED.search(_clause(ask)) for ask in asks):
        return None
    for rule in (_events, _gears, _tiles, _packs, _arrangements, _squares, _lengths, _spaced, _groups):
        if found := rule(story, asks):
            return found
    return None


_EVERY = re.compile(r"每隔?\s*$")
_CLOCK_LEAD = re.compile(r"(?:上午|下午|早上|晚上|中午|凌晨|傍晚|清晨|[从在于])\s*$")
_ROUTE = re.compile(r"(?:路|号线?|班(?!次)|年级)")


def _essential(story: Told) -> Told:
    """Leave out numbers that only count (两根, 一次), names (3路车, 五(1)班) and clock times."""
    digits = [place for place, fact in enumerate(story.facts) if not fact.spelled]
    dropped = set()
    for place, fact in enumerate(story.facts):
        lead, tail = story.lead(place), story.tail(place)
        if fact.value == 1 or (fact.spelled and (len(digits) > 1 and fact.value <= 5 and not _EVERY.search(lead))):
            dropped.add(place)
        elif fact.spelled and len(digits) > 1 and re.match(r"棵|根|个|面|盏", tail):  # 每两棵之间
            dropped.add(place)
        elif (
            re.match(r"\s*(?:路|号|[)）]\s*班|月\s*\d|:\d)", tail)
            or re.search(r"[(（]\s*$|\d月\s*$", lead)
            or (fact.spelled and tail[:1] in "(（")
        ):
            dropped.add(place)
        elif re.match(r"\s*[时点](?!\d|间)", tail) and (
            _CLOCK_LEAD.search(lead) or re.match(r"\s*点|\s*时[整，两它他它同]", tail)
        ):
            dropped.add(place)
        elif place == 0 and fact.value == len(digits) - 1 > 1 and re.match(r"[根跟条盏种辆个位名人路]", tail):
            dropped.add(place)
        elif re.match(r"班(?!次)", tail) and re.search(r"[一二三四五六年级]\s*$", lead):
            dropped.add(place)
    return story.without(dropped)


def _asked(text: str) -> list[str]:
    """Return the clauses that ask, each with the clauses of its sentence before it."""
    found = []
    for sentence in _SENTENCE.split(text):
        parts = re.split(r"(?<=[，,])", sentence)
        begin = 0
        for place, part in enumerate(parts):
            if _ASKED.search(part):
                found.append(
                    "".join(parts[begin : place + 1])
                    if place + 1 < len(parts) and any(map(_ASKED.search, parts[place + 1 :]))
                    else "".join(parts[begin:])
                )
                begin = place + 1
    return found


def _clause(ask: str) -> str:
    """Return the clause of a question that has 多少 or 几."""
    return next((part for part in re.split(r"[，,。？！?!；;]", ask) if _ASKED.search(part)), ask)


def _listed(story: Told) -> list[list[int]]:
    lists: list[list[int]] = []
    between = re.compile(
        rf"\s*(?:{_TIME}|{_LENGTH}|{_MEASURE})?\s*(?:、\s*(?:或者?|和)?|[，,]?\s*(?:或者?|还是|和|与|及|以及))\s*(?:[放装站分]?)"
    )
    for place in range(len(story.facts)):
        every = lists and re.search(r"每次\s*$", story.lead(lists[-1][0]))
        if lists and (
            between.fullmatch(story.before(place)) or (every and re.fullmatch(rf"{_MEASURE}[，,]", story.before(place)))
        ):
            lists[-1].append(place)
        else:
            lists.append([place])
    return lists


_INTERVAL = re.compile(rf"\s*({_TIME}|{_LENGTH})")
_LAP = re.compile(r"[1一](?:圈|周|趟|遍|个来回)[^，。\d]{0,6}\s*$|一?1?步[^，。\d]{0,4}$|每步[^，。\d]{0,4}$")
_UNITS = {
    "分": "分钟",
    "时": "小时",
    "个小时": "小时",
    "秒钟": "秒",
    "日": "天",
    "个月": "月",
    "个星期": "周",
    "星期": "周",
    "公里": "千米",
    "cm": "厘米",
    "dm": "分米",
    "mm": "毫米",
    "m": "米",
}
_ALL = re.compile(r"(?<!\d)[34][人盏位名只路辆种条车艘]|都|所有")
_SPAN = re.compile(r"(?:接下来|此后|以后|之后)的?\s*$")


def _unit(name: str) -> str:
    return _UNITS.get(name, name)


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
        span, span_unit = int(story.facts[last].value), _unit(found[1])
        story = story.without({last})
    elif not _AGAIN.search(ask) or re.search(r"(?:多少|几)次", ask):
        return None
    units = set()
    for places in _listed(story):
        lead, tail = story.lead(places[0]), story.tail(places[-1])
        named = _INTERVAL.match(tail)
        every = re.search(r"每隔?\s*$", lead)
        around = re.compile(rf"\s*{_TIME}[跑走转绕行]?[\u4e00-\u9fff]{{0,2}}[1一][圈周]").match(tail)
        if not named or not (every or around or _LAP.search(lead)):
            return None
        if every and every[0].startswith("每隔") and _unit(named[1]) in ("天", "周", "月", "年"):
            return None  # 每隔3天 means every 4 days to some and every 3 days to others
        if every and not re.match(
            rf"[^，。]{{0,12}}[1一][次班辆趟个列回下]|[^，。]{{0,10}}(?:[、，]|和)", tail[len(named[0]) :]
        ):
            return None
        units.add(_unit(named[1]))
    if len(units) != 1:
        return None
    (unit,) = units
    if len(story.facts) > 2 and not _ALL.search(story.text):  # 爸爸和妈妈 may meet without 小红
        return None
    if span:
        made = story_of("lcm", "events", story.facts, (Ask("times"),), unit)
        return replace(made, span=span) if made and span_unit == unit and span >= made.common else None
    asked = re.search(rf"(?:多少|几)\s*({_TIME}|{_LENGTH})", ask)
    if not asked or _unit(asked[1]) != unit:
        return None
    return story_of("lcm", "events", story.facts, (Ask("common"),), unit)


def _gears(story: Told, asks: list[str]) -> CommonStory | None:
    """Marked teeth of two gears meet again after some teeth, or after some turns of one gear."""
    if len(asks) != 1 or len(story.facts) != 2 or not re.search(r"再|又|第[2二]次|下[1一]?次", story.text):
        return None
    if not all(re.match(r"\s*个?齿", story.tail(place)) for place in (0, 1)):
        return None
    ask = _clause(asks[0])
    if re.search(r"(?:多少|几)个?齿", ask):
        return story_of("lcm", "gears", story.facts, (Ask("common"),))
    turned = re.search(r"([大小主从甲乙])[动齿]?[动]?[齿]?轮[^，]{0,8}(?:多少|几)[圈周转]", ask)
    if not turned:
        return None
    places = [place for place in (0, 1) if re.search(rf"{turned[1]}动?齿?轮[^轮]{{0,8}}$", story.before(place))]
    return story_of("lcm", "gears", story.facts, (Ask("quotients", tuple(places)),)) if len(places) == 1 else None


def _is_rectangle(story: Told) -> bool:
    """Return whether the facts are the length and the width of a rectangle."""
    if len(story.facts) != 2:
        return False
    first, second = story.lead(0), story.after(0, 100)
    if len(story.facts) != 2:
        return False
    return bool(
        (
            re.search(r"长(?:是|为|有)?\s*$", first)
            and re.fullmatch(rf"\s*{_LENGTH}?\s*[，、,和]?\s*宽(?:是|为|有)?\s*", second)
        )
        or (
            re.search(r"宽(?:是|为|有)?\s*$", first)
            and re.fullmatch(rf"\s*{_LENGTH}?\s*[，、,和]?\s*长(?:是|为|有)?\s*", second)
        )
        or (re.search(r"长[和、]?宽分别[是为]?\s*$", first) and re.fullmatch(rf"\s*{_LENGTH}?\s*[，、,和]\s*", second))
    )


def _is_box(story: Told) -> bool:
    """Return whether the facts are the length, the width and the height of a cuboid."""
    return len(story.facts) == 3 and all(
        re.search(rf"{side}(?:是|为)?\s*$", story.before(place)) for place, side in enumerate("长宽高")
    )


def _length_unit(story: Told) -> str | None:
    """Return the unit of length that all facts have, or an empty string if they have none; None if units differ."""
    found = [re.match(rf"\s*{_LENGTH}", story.tail(place)) for place in range(len(story.facts))]
    units = {_unit(one[1]) for one in found if one}
    return None if len(units) > 1 else next(iter(units), "")


def _asks_length(clause: str, unit: str) -> bool:
    """Return whether a clause asks for a length in this unit, or in no unit."""
    asked = re.search(rf"(?:多少|几)\s*{_LENGTH}", clause)
    return _unit(asked[1]) == unit if asked else bool(re.search(r"长[^，]{0,6}(?:多少|几)(?![段根条块个张])", clause))


def _of_squares(asks: list[str], unit: str | None) -> tuple[Ask, ...]:
    """Return what questions about the sides or the number of squares ask for; nothing if one asks for more."""
    if unit is None:
        return ()
    found = []
    for ask in asks:
        clause = _clause(ask)
        if _asks_length(clause, unit):
            found.append(Ask("common"))
        elif re.search(r"(?:多少|几)[个块张片幅]", clause):
            found.append(Ask("product"))
        else:
            return ()
    return tuple(found)


def _tiles(story: Told, asks: list[str]) -> CommonStory | None:
    """Rectangles form the smallest square."""
    if not _is_rectangle(story) or not _LEAST.search(story.text) or _MOST.search(story.text):
        return None
    if not re.search(r"[拼铺摆围排砌]成?[^，。]{0,8}正方形|正方形[^，。]{0,12}[拼铺]成", story.text):
        return None
    return story_of("lcm", "tiles", story.facts, _of_squares(asks, _length_unit(story)))


_PACK = re.compile(r"每([袋包盒箱捆筐打罐])(?:有|装)?\s*$|[1一]([袋包盒箱捆筐打罐])(?:有|装)?\s*$")
_EQUAL = re.compile(r"数量?[^，。]{0,4}(?:相等|相同|一样)|同样多|一样多|相等|相同数量|数[相][等同]")


def _packs(story: Told, asks: list[str]) -> CommonStory | None:
    """Things come in packs of different sizes, and as many of one are wanted as of the other."""
    if not _EQUAL.search(story.text) or not _LEAST.search(story.text) or not 2 <= len(story.facts) <= 3:
        return None
    items = []
    for place in range(len(story.facts)):
        found = _PACK.search(story.lead(place))
        if not found:
            return None
        items.append(re.split(r"[，。；]", story.before(place))[-1][: -len(found[0])])
    if not all(len(item) > 1 for item in items):
        return None
    wanted = []
    for ask in asks:
        clause = _clause(ask)
        if re.search(r"各[^，]{0,4}(?:多少|几)[袋包盒箱捆筐打罐]", clause):
            wanted.append(Ask("quotients", tuple(range(len(items)))))
        elif re.search(r"(?:多少|几)[袋包盒箱捆筐打罐]", clause):
            named = tuple(place for place, item in enumerate(items) if item[-2:] in clause)
            if len(named) != 1:
                return None
            wanted.append(Ask("quotients", named))
        elif re.search(r"[和与]|共|总", clause.split("多少")[0].split("几")[0][-8:]):
            return None
        else:
            wanted.append(Ask("common"))
    return story_of("lcm", "packs", story.facts, tuple(wanted))


_LEFT = re.compile(r"(?:剩下?|余下?|多出?)\s*(\d+)|(?:少|缺|差)\s*(\d+)")
_SIZE = re.compile(rf"每[^，。、\d]{{0,6}}$|(?:分给|分成|站成|排成|分|站)\s*$|[，、。：是按]\s*$|(?:或者?|还是|和)\s*$")


def _arrangements(story: Told, asks: list[str]) -> CommonStory | None:
    """Things can be arranged in groups of several sizes, with none or always as many left over."""
    if len(asks) != 1 or not _LEAST.search(asks[0]) or _MOST.search(story.text) or not re.search(r"多少|几", asks[0]):
        return None
    if re.search(r"[需要用买]\S{0,3}(?:多少|几)", _clause(asks[0])):
        return None
    shifts = set()
    rest = set()
    left = len(_LEFT.findall(story.text))
    for found in _LEFT.finditer(story.text):
        shifts.add(int(found[1]) if found[1] else -int(found[2]))
        rest |= {place for place, fact in enumerate(story.facts) if found.start() <= fact.start < found.end()}
    if len(shifts) > 1 or not (shifts or _NOTHING_LEFT.search(story.text)):
        return None
    counted = {place for place in range(1, len(story.facts)) if place not in rest and _is_repeated(story, place)}
    sizes = story.without(rest | counted)
    if not 2 <= len(sizes.facts) <= 4:
        return None
    if left not in (0, 1, len(sizes.facts)) or (left and re.search(r"正好(?![剩余多少缺差])", story.text)):
        return None
    if left == 1 and not re.search(r"都|总|均", story.text):
        return None
    for places in _listed(sizes):
        if not _is_size(sizes, places, bool(counted)):
            return None
    made = story_of("lcm", "arrangements", sizes.facts, (Ask("common"),))
    shift = next(iter(shifts), 0)
    return replace(made, shift=shift) if made and abs(shift) < min(made.numbers) else None


def _is_repeated(story: Told, place: int) -> bool:
    """Return whether a fact repeats the one before: 4个4个地数."""
    return story.facts[place].value == story.facts[place - 1].value and bool(
        re.fullmatch(rf"\s*{_MEASURE}\s*", story.before(place))
    )


def _is_size(story: Told, places: list[int], repeated: bool) -> bool:
    lead, tail = story.lead(places[0], 12), story.tail(places[-1], 12)
    if repeated and re.match(rf"\s*{_MEASURE}\d", tail):
        return True
    if re.search(r"每(?:[排行组列份堆袋盒包箱筐队束捆次桌盘]|人|个[\u4e00-\u9fff]{1,3})[^，。、\d]{0,3}$", lead):
        return True
    if re.search(r"(?:分给|分成|站成|排成|分)\s*$|或者?\s*$", lead) and re.match(
        rf"\s*(?:{_MEASURE}|[行列排组队堆])", tail
    ):
        return True
    return bool(re.match(rf"\s*{_MEASURE}人?[装编站排分]?成?[1一](?:份|堆|组|排|行|袋|盒|包|箱|列|队|数)", tail))


_FEWEST = re.compile(r"(?:至少|最少)[^，。]{0,8}(?:多少|几)[个块张片段根条]")


def _divides(story: Told) -> bool:
    return bool(
        2 <= len(story.facts) <= 4
        and _MOST.search(story.text)
        and not _LEAST.search(story.text)
        and _are_parallel(story)
    )


def _are_parallel(story: Told) -> bool:
    """Return whether the facts say the same of several things: 96块巧克力和72块奶糖, 长36米和48米."""
    if re.search(r"每[^，。]{0,4}$|分[成给]\s*$|边长[^，。]{0,2}$", story.lead(0)):
        return False
    return all(
        re.search(r"[，、和与,及]|[1一]根|宽|^厘?米$", between)
        and not re.search(r"每|分成|分给|[。？]|剪成|如果|边长|用去|卖|比|剩", between)
        and len(between) < 30
        for between in (story.after(place, 60) for place in range(len(story.facts) - 1))
    )


def _squares(story: Told, asks: list[str]) -> CommonStory | None:
    """A rectangle is divided into the largest equal squares, or a cuboid into cubes."""
    if not (_divides(story) or (_FEWEST.search(story.text) and not re.search(r"[拼铺摆围排砌]成", story.text))):
        return None
    if not (_is_rectangle(story) and re.search(r"正方形|方砖", story.text)) and not (
        _is_box(story) and re.search(r"[正立]方体", story.text)
    ):
        return None
    whole = re.search(r"铺满|整块|铺地|[划]?分成[^，。]{0,4}(?:相同|相等|同样|一样)", story.text)
    if not (_SAME.search(story.text) or whole or "若干" in story.text) or not (
        _NOTHING_LEFT.search(story.text) or whole
    ):
        return None
    return story_of("gcd", "squares", story.facts, _of_squares(asks, _length_unit(story)))


def _lengths(story: Told, asks: list[str]) -> CommonStory | None:
    """Ropes are cut into the longest equal pieces."""
    fewest = _FEWEST.search(story.text) and _are_parallel(story) and not _MOST.search(story.text)
    if not (_divides(story) or fewest) or _is_rectangle(story) or "方体" in story.text:
        return None
    if not _SAME.search(story.text) or not _NOTHING_LEFT.search(story.text):
        return None
    unit = _length_unit(story)
    if not re.search(r"[剪截锯切裁分]", story.text) or not unit:
        return None
    wanted = []
    for ask in asks:
        clause = _clause(ask)
        if _asks_length(clause, unit) and re.search(r"长|段", ask):
            wanted.append(Ask("common"))
        elif re.search(r"(?:多少|几)[段根条块个]", clause) and not _MOST.search(clause):
            wanted.append(Ask("sum"))
        else:
            return None
    return story_of("gcd", "lengths", story.facts, tuple(wanted))


def _spaced(story: Told, asks: list[str]) -> CommonStory | None:
    """Trees stand around a rectangle at the greatest equal distance."""
    if len(asks) != 1 or not _divides(story) or not _is_rectangle(story) or not re.search(r"角|顶点", story.text):
        return None
    if not _SAME.search(story.text) and "等距" not in story.text:
        return None
    clause = _clause(asks[0])
    unit = _length_unit(story)
    if unit is None or not re.search(r"距离|间隔|相[隔距]", asks[0]) or not re.search(rf"(?:多少|几)\s*{unit}", clause):
        return None
    return story_of("gcd", "lengths", story.facts, (Ask("common"),))


def _groups(story: Told, asks: list[str]) -> CommonStory | None:
    """Things of several kinds go into the greatest number of identical groups."""
    text = story.text
    if not _divides(story) or not _SAME.search(text):
        return None
    if not (
        _NOTHING_LEFT.search(text)
        or re.search(r"(?:相同|相等|一样|同样)[^。]{0,16}(?:相同|相等|一样|同样)", text)
        or re.search(r"每[组列排][^，。]{0,8}(?:相同|相等|一样)", text)
    ):
        return None
    if any(re.match(rf"\s*({_LENGTH}|{_TIME})", story.tail(place)) for place in range(len(story.facts))):
        return None
    items = [
        re.split(r"[，。；、和与,]|参加|分|平均|装|放|扎|做", re.sub(rf"^\s*{_MEASURE}", "", story.after(place)))[0]
        for place in range(len(story.facts))
    ]
    wanted: list[Ask] = []
    for ask in asks:
        found = _of_groups(ask, text, items)
        if found is None:
            return None
        wanted.append(found)
    return story_of("gcd", "groups", story.facts, _merged(wanted))


def _merged(wanted: list[Ask]) -> tuple[Ask, ...]:
    return tuple(wanted)


def _of_groups(ask: str, text: str, items: list[str]) -> Ask | None:
    """Return what one question about identical groups asks for."""
    clause = _clause(ask)
    unmixed = re.search(
        r"每[组列排行][^，。]{0,8}(?:人数|数)[^，。]{0,4}(?:相同|相等|一样)|人数(?:相同|相等)的[小组列队]", text
    ) and not re.search(r"[男女]生人?数", text)
    own = [
        place
        for place, item in enumerate(items)
        if len(item) > 1 and item[-2:] in clause and sum(item[-2:] == other[-2:] for other in items) == 1
    ]
    if len(re.findall(r"多少|几", clause)) > 1 and len(own) == len(items):
        return Ask("quotients", tuple(own))
    if own and re.search(r"每|各", ask):
        return Ask("quotients", tuple(own)) if not _MOST.search(clause) and len(own) == 1 else None
    if _MOST.search(clause):
        inside = re.search(r"每[组列排行桌盘份个名位人]", clause)
        return None if inside and not unmixed else Ask("common")
    if re.search(r"各[^，]{0,4}(?:多少|几)", clause):
        return None
    if unmixed and re.search(r"[一1]?共[^，]{0,6}(?:多少|几)[组列排行]", clause):
        return Ask("sum")
    return None
