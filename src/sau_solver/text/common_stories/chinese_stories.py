"""Chinese texts that may tell a story about a common divisor or multiple: their numbers and their questions."""

from __future__ import annotations

import re

from sau_solver.text.common_stories.chinese_cues import AGAIN, ASKED, LEAST, MOST, asked_clause
from sau_solver.text.common_stories.chinese_divisors import DIVISOR_RULES
from sau_solver.text.common_stories.chinese_multiples import MULTIPLE_RULES
from sau_solver.text.common_stories.story_languages import StoryLanguage
from sau_solver.text.common_stories.told_stories import Told

MAX_ASKS = 3

_OTHER_ASKED = re.compile(
    r"面积|周长|体积|[元钱]|平均每|比.*[多少]|相差|几时|几点|什么时[候间]|何时|几月|星期几|速度|百分|总长|几分之|年龄|积是|之和|的和|的差|第几"
)
_RATE = re.compile(
    r"[元%％]|每[秒分时][钟]?[^0-9]{0,3}[行走跑]|每小时[行走跑做加生]|相距|相向|工程|倍|完成|原来|几分之|小数|质数|合数"
)
_SENTENCE = re.compile(r"(?<=[。？！?!；;])")


_EVERY = re.compile(r"每隔?\s*$")
_THING = re.compile(r"[根跟条盏种辆个位名人路棵面]")
_NAMED = re.compile(r"\s*(?:路|号|[)）]\s*班|月\s*\d|:\d)")
_IN_BRACKETS = re.compile(r"[(（]\s*$|\d月\s*$")
_CLOCK = re.compile(r"\s*[时点](?!\d|间)")
_CLOCK_TAIL = re.compile(r"\s*点|\s*时[整，两它他同]")
_CLOCK_LEAD = re.compile(r"(?:上午|下午|早上|晚上|中午|凌晨|傍晚|清晨|[从在于])\s*$")


def _essential(story: Told) -> Told:
    """Leave out numbers that only count (两根, 一次), names (3路车, 五(1)班) and clock times."""
    digits = [place for place, fact in enumerate(story.facts) if not fact.spelled]
    dropped = set()
    for place, fact in enumerate(story.facts):
        lead, tail = story.lead(place), story.tail(place)
        few = fact.spelled and len(digits) > 1 and fact.value <= 5
        counts = few and (not _EVERY.search(lead) or _THING.match(tail))  # 每两棵之间
        opens = place == 0 and fact.value == len(digits) - 1 > 1 and _THING.match(tail)
        clock = _CLOCK.match(tail) and (_CLOCK_LEAD.search(lead) or _CLOCK_TAIL.match(tail))
        named = _NAMED.match(tail) or _IN_BRACKETS.search(lead) or (fact.spelled and tail[:1] in ("(", "（"))
        school_class = re.match(r"班(?!次)", tail) and re.search(r"[一二三四五六年级]\s*$", lead)
        if fact.value == 1 or counts or opens or clock or named or school_class:
            dropped.add(place)
    return story.without(dropped)


def _asked(text: str) -> list[str]:
    """Return the clauses that ask, each with the clauses of its sentence before it; nothing if they are too many."""
    found = []
    for sentence in _SENTENCE.split(text):
        parts = re.split(r"(?<=[，,])", sentence)
        begin = 0
        for place, part in enumerate(parts):
            if ASKED.search(part):
                found.append(
                    "".join(parts[begin : place + 1])
                    if place + 1 < len(parts) and any(map(ASKED.search, parts[place + 1 :]))
                    else "".join(parts[begin:])
                )
                begin = place + 1
    return found if len(found) <= MAX_ASKS else []


def _asks_other(ask: str) -> bool:
    return bool(_OTHER_ASKED.search(asked_clause(ask)))


CHINESE = StoryLanguage(
    "zh", (MOST, LEAST, AGAIN), _RATE, _asks_other, _essential, _asked, (*MULTIPLE_RULES, *DIVISOR_RULES)
)
