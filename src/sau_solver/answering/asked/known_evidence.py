"""General knowledge about things -> scores that say which quantity of solved equations a thing is.

Examples: a rabbit has 4 legs. The speed of the wind is both added and subtracted. A fixed fee does not depend on a
number of things. The smaller of two bricks weighs less. Pay per hour is multiplied by hours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.asked.quantities import Quantity
from sau_solver.answering.asked.word_evidence import add_hits, mentions_of_factors, next_noun
from sau_solver.solving import decimal_of
from sau_solver.text.asking.common_knowledge import known_factors
from sau_solver.text.asking.mentions import stem, words_of
from sau_solver.text.asking.reading import Reading
from sau_solver.text.asking.thing import Thing

KNOWN = 3.0
FLOWS = 2.0
FIXED = 2.0
PRICED = 2.5
PER = 2.0
EACH_NOUN = 1.5
SIZE = 1.0
SIZE_NAMED = 2.5  # the heavy boxes are those of 20 kg

_FLOW = {
    "en": re.compile(
        r"\b(?:\w*wind|current|stream|escalator|walkway|river|water(?! still))\b(?!.*\bstill\b)", re.IGNORECASE
    ),
    "zh": re.compile(r"水流|流速|风速|水速|江水|河水|扶梯|传送带"),
}
_MOVER = {
    "en": re.compile(
        r"\bstill\b|\b(?:boat|plane|jet|airplane|kayak|canoe|ship|swimmer|ferry|rower|drone)\b|\b(?:lake|pond|pool)$"
        r"|\b(?:no|without) (?:wind|current)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"静水|船速|船在|船的|飞机|无风"),
}
_BELOW = re.compile(r"\bdenominator\b|分母", re.IGNORECASE)
_ABOVE = re.compile(r"\bnumerator\b|分子", re.IGNORECASE)
_CHASE = re.compile(
    r"(?P<first>[\u4e00-\u9fff]{1,8}?)(?:每\d+[^，。]{1,3})?(?:能|可|就|才)?追上(?P<second>[\u4e00-\u9fff]{1,4})"
    r"|(?P<en>[\w ]{1,20}) (?:overtakes?|catches up with|passes|laps) (?P<two>[\w ]{1,20})"
)
_SPEED = re.compile(r"\bspeed\b|\bfast\b|\bper (?:hour|minute|second)\b|速|每[秒分小时]", re.IGNORECASE)
_LOST = re.compile(
    r"\b(?:broke|broken|breaks?|wrong(?:ly)?|incorrect(?:ly)?|missed|damaged|absent|late)\b|打[破碎坏]|损坏|[答做]错|不合格|缺",
    re.IGNORECASE,
)
_STILL = re.compile(r"\bstill\b|静水|无风")
_FIXED = re.compile(
    r"\b(?:empty|fixed|flat|initial|base|starting|one-time|call-out|membership|basic|monthly fee|entry fee"
    r"|sign-?up|registration|service charge|standing charge|booking fee)\b"
    r"|空[瓶箱桶筐杯盒篮]|[瓶桶筐箱篮][子重]|起步价|底价|固定|基本|月租",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"\b(?:per|each|every|an|a) (?:extra |additional )?(?:mile|hour|minute|day|km|kilometer|gallon|pound|month|person"
    r"|copy|page|night|gigabyte|GB|text|guest|game|ride|class|lesson|visit)\b|\b(?:hourly|daily|nightly)\b"
    r"|每(?:千米|公里|天|月|分钟|小时)",
    re.IGNORECASE,
)
_PRICED = re.compile(
    r"(?P<more>\b(?:more expensive|stronger|dearer|higher[- ](?:rate|priced?|interest)|costlier)\b|[较更]贵"
    r"|[率价度]较?高)"
    r"|\b(?:cheaper|less expensive|weaker|lower[- ](?:rate|priced?|interest))\b|较便宜|[率价度]较?低",
    re.IGNORECASE,
)
_HALF_PRICE = re.compile(
    r"(?P<zh>[\u4e00-\u9fff]{2})票?半价|\b(?P<en>\w+) (?:pay |cost |tickets? )?half(?: the)? price\b"
)
_PER = re.compile(
    r"\b(?:per|an|a|each|every) (?P<en>hour|minute|second|day|week|month|mile|kilometer|km|gallon|pound|page|night)\b"
    r"|\b(?P<adverb>hour|dai|week|month|night)ly\b|每一?个?(?P<zh>秒|分钟?|小?时|天|月|千米|公里|[名位]?人)"
)
_LENGTH_OF = re.compile(r"[边周棱全身]长|长度")
_TIME_WORD = re.compile(r"(?:second|minute|hour|day)s?|[秒分小时天]")
_EACH_NOUN = re.compile(
    r"\b(?:each|every|per) (?P<en>[a-z]+)\b|每(?:(?P<zh>[人户间])|[只个名位条辆](?P<named>[\u4e00-\u9fff]{1,2}))",
    re.IGNORECASE,
)
_PEOPLE = re.compile(r"同学|小朋友|学生|人|孩")
_ADVERBS = {"dai": "day"}
_BIG = re.compile(
    r"\b(?:big|large|heavy|tall|long|thick|wide|bigger|larger|heavier|thicker|taller|longer)\b"
    r"(?! (?:is|was|did|does|do|are|will|would)\b)|粗|厚|长的",
    re.IGNORECASE,
)
_SMALL = re.compile(
    r"\b(?:small|little|light|short|thin|narrow|smaller|lighter|thinner|shorter)\b|细|薄|短的", re.IGNORECASE
)
_ZH_SIZED = re.compile(r"([大小])([\u4e00-\u9fff])")
_ADULT, _CHILD = frozenset({"adult", "成"}), frozenset({"child", "孩"})
_FAST = re.compile(r"\bfast(?:er)?\b|快车|快的", re.IGNORECASE)
_SLOW = re.compile(r"\bslow(?:er)?\b|慢车|慢的", re.IGNORECASE)
_SWAPPED = re.compile(r"\b(?:swap|revers|interchang|exchang|switch)\w*|对调|交换|互换|颠倒", re.IGNORECASE)
_CHANGE = re.compile(
    r"(?P<turned>\boriginal\b[^.,?]{0,25}|原[^，。]{0,6}比[^，。]{0,8})?"
    r"(?:(?P<grows>\b(?:less|more) than (?:twice|thrice|[a-z\d]+ times)\b"
    r"|\b(?:larger|greater|bigger|more|increase[sd]?|higher)\b|大|增加|多(?!少))"
    r"|\b(?:smaller|less|decrease[sd]?|lower)\b|小|减少|少)",
    re.IGNORECASE,
)
_CHANGED_TO_SWAPPED = re.compile(  # if 18 is added to the number, its digits are reversed
    r"(?P<turned>(?!))?(?:(?P<grows>\b(?:added to|plus)\b|加上)|\b(?:subtracted from|minus)\b|减去)[^.。？?]{0,60}?"
    r"(?:\b(?:swap|revers|interchang|exchang)|对调|交换|互换)",
    re.IGNORECASE,
)
_ELDER = re.compile(
    r"\b(?:mother|father|mom|dad|mum|(?:grand)(?:mother|father|ma|pa)|uncle|aunt)\b|爸|妈|父|母|爷|奶|叔|姨|老师",
    re.IGNORECASE,
)
_YOUNG = re.compile(r"\b(?:(?:grand)?(?:son|daughter|child)|nephew|niece|baby)\b|儿|女儿|孙", re.IGNORECASE)
_TIME = re.compile(r"(?:hour|minute|day|week|month|year|second)s?$|小?时|分钟?|天|[年月]")


def add_knowledge(
    scores: list[float], thing: Thing, own: frozenset[str], reading: Reading, quantities: Sequence[Quantity]
) -> None:
    """Add to the scores what general knowledge says about a thing; the text does not have to say it."""
    words, language = thing.words, reading.language
    known = known_factors(words, own, reading.text, language)
    if known:
        add_hits(
            scores, KNOWN, [any(factor.value in known for factor in quantity.role.factors) for quantity in quantities]
        )
    mover = _MOVER[language].search(words)
    flow = None if mover and _STILL.search(words) else _FLOW[language].search(words)
    taken = [quantity.role.subtracted for quantity in quantities]
    if flow or mover:
        add_hits(scores, FLOWS, [subtracted == bool(flow) for subtracted in taken])
    if (below := _BELOW.search(words)) or _ABOVE.search(words):
        add_hits(scores, FLOWS, [quantity.role.divides == bool(below) for quantity in quantities])
    if (chase := _CHASE.search(reading.text)) and _SPEED.search(f"{thing.question} {words}") and len(quantities) == 2:
        _add_chase(scores, chase, own, reading, quantities)
    if _LOST.search(words):
        add_hits(scores, FLOWS, taken)
    fixed, each = bool(_FIXED.search(words)), bool(_EACH.search(words))
    if fixed != each:  # one part does not depend on the number of things, and the other one does
        ones = [all(factor.value == 1 for factor in quantity.role.factors) for quantity in quantities]
        add_hits(scores, FIXED, [fixed == one for one in ones])
    if all(quantity.role.factors for quantity in quantities):
        sizes = [max(factor.value for factor in quantity.role.factors) for quantity in quantities]
        if priced := _PRICED.search(words):
            scores[sizes.index(max(sizes) if priced["more"] else min(sizes))] += PRICED
        half = _HALF_PRICE.search(reading.text)
        if half and own & words_of(half["zh"] or half["en"], language):
            scores[sizes.index(min(sizes))] += PRICED
    elder, young = bool(_ELDER.search(words)), bool(_YOUNG.search(words))
    if thing.unit in ("years", "岁") and elder != young and len(quantities) == 2:
        values = [decimal_of(quantity.value) for quantity in quantities]
        scores[values.index(max(values) if elder else min(values))] += SIZE
    _add_rate(scores, f"{thing.quantity} {words}", reading, quantities)
    _add_each(scores, thing, own, reading, quantities)
    if len(quantities) == 2:
        _add_size(scores, thing, own, reading, quantities)
        longer = own & {"long", "长"} and not own & {"wide", "宽"} and not _LENGTH_OF.search(words)
        wider = own & {"wide", "宽"} and not own & {"long", "长"}
        if longer or wider:
            values = [decimal_of(quantity.value) for quantity in quantities]
            scores[values.index(max(values) if longer else min(values))] += SIZE


def swap_told(reading: Reading) -> re.Match[str] | None:
    """Return the place where a text says how a number changes when its digits are swapped."""
    if changed := _CHANGED_TO_SWAPPED.search(reading.text):
        return changed
    swapped = _SWAPPED.search(reading.text)
    return _CHANGE.search(reading.text, swapped.end()) if swapped else None


def tens_digit(reading: Reading, quantities: Sequence[Quantity]) -> int:
    """Return which of two digits is the tens digit: the smaller one if the number grows when they are swapped."""
    change = swap_told(reading)
    if change is None or quantities[0].value == quantities[1].value:
        return 0
    grows = bool(change["grows"]) != bool(change["turned"])
    values = [decimal_of(quantity.value) for quantity in quantities]
    return values.index(min(values) if grows else max(values))


def _add_rate(scores: list[float], words: str, reading: Reading, quantities: Sequence[Quantity]) -> None:
    """Prefer the quantity that the text multiplies by seconds if the question asks for an amount per second."""
    per = _PER.search(words)
    if per is None:
        if _SPEED.search(words):  # a speed is multiplied by times
            nouns_of = [
                [next_noun(reading.text, m.number.end) for m in mentions_of_factors(reading, q)] for q in quantities
            ]
            add_hits(scores, PER, [any(map(_TIME_WORD.fullmatch, nouns)) for nouns in nouns_of])
        return
    adverb = per["adverb"]
    unit = per["en"] or per["zh"] or _ADVERBS.get(adverb, adverb)
    hits = []
    for quantity in quantities:
        nouns = [next_noun(reading.text, mention.number.end) for mention in mentions_of_factors(reading, quantity)]
        hits.append(any(stem(noun) == unit or (per["zh"] and noun.startswith(unit[0])) for noun in nouns))
    add_hits(scores, PER, hits)


def _add_chase(
    scores: list[float], chase: re.Match[str], own: frozenset[str], reading: Reading, quantities: Sequence[Quantity]
) -> None:
    """Prefer the larger speed for the one who overtakes."""
    first = words_of(chase["first"] or chase["en"], reading.language)
    second = words_of(chase["second"] or chase["two"], reading.language)
    ahead, behind = bool(own & (first - second)), bool(own & (second - first))
    if ahead != behind:
        values = [decimal_of(quantity.value) for quantity in quantities]
        scores[values.index(max(values) if ahead else min(values))] += SIZE


def _add_each(
    scores: list[float], thing: Thing, own: frozenset[str], reading: Reading, quantities: Sequence[Quantity]
) -> None:
    """Prefer the quantity that is multiplied by 4 for children who get 4 sweets each."""
    counted = own | words_of(thing.unit, reading.language)
    hits = []
    for quantity in quantities:
        parts = (_around(reading.text, mention.number.start, mention.number.end)
                 for mention in mentions_of_factors(reading, quantity, quantities))  # fmt: skip
        nouns = [each["en"] or each["zh"] or each["named"] for part in parts for each in _EACH_NOUN.finditer(part)]
        people = "人" in nouns and _PEOPLE.search(f"{thing.words}{thing.unit}")
        hits.append(bool(people) or any(words_of(n, reading.language) & counted or n == thing.unit for n in nouns))
    add_hits(scores, EACH_NOUN, hits)


def _around(text: str, start: int, end: int) -> str:
    """Return the clause of a number, at most 25 characters to each side."""
    before = re.split(r"[,;.，。；]", text[max(0, start - 25) : start])[-1]
    return before + text[start:end] + re.split(r"[,;，。；]|\.(?!\d)", text[end : end + 25])[0]


def _add_size(
    scores: list[float], thing: Thing, own: frozenset[str], reading: Reading, quantities: Sequence[Quantity]
) -> None:
    """Prefer the larger value for the larger thing; if things are counted, prefer the larger number per thing."""
    words = thing.words
    big, small = bool(_BIG.search(words)), bool(_SMALL.search(words))
    fast, slow = bool(_FAST.search(words)), bool(_SLOW.search(words))
    sized = _ZH_SIZED.search(words)  # 大船 and 小船, but not 大豆 and 小麦
    if sized and f"大{sized[2]}" in reading.text and f"小{sized[2]}" in reading.text:
        big, small = big or sized[1] == "大", small or sized[1] == "小"
    if own & _ADULT != own & _CHILD and words_of(reading.text, reading.language) & _ADULT:
        big, small = big or bool(own & _ADULT), small or bool(own & _CHILD)
    if big == small and fast == slow:
        return
    if fast != slow:
        by_factor, more = thing.counted or bool(_TIME.match(thing.unit)), fast
    else:
        by_factor, more = thing.counted, big
    sizes = _sizes(quantities) if by_factor else [decimal_of(quantity.value) for quantity in quantities]
    if len(set(sizes)) == len(quantities):
        adjective = next(filter(None, (pattern.search(words) for pattern in (_BIG, _SMALL, _FAST, _SLOW))), None)
        new = adjective is not None and reading.text.count(adjective[0]) == words.count(adjective[0])
        scores[sizes.index(max(sizes) if more else min(sizes))] += SIZE_NAMED if by_factor and new else SIZE


def _sizes(quantities: Sequence[Quantity]) -> list[float]:
    """Return what multiplies each quantity in the only equation that has different numbers; empty if there is none."""
    found: dict[int, list[Fraction]] = {}
    for quantity in quantities:
        for factor in quantity.role.factors:
            found.setdefault(factor.equation, []).append(factor.value)
    different = [values for values in found.values() if len(set(values)) == len(values) == len(quantities)]
    if len(different) != 1 or len(found) != 1 or any(len(quantity.role.factors) != 1 for quantity in quantities):
        return []
    return [float(next(iter(quantity.role.factors)).value) for quantity in quantities]
