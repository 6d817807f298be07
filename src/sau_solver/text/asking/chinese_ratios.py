"""Chinese questions for a ratio -> the two things they compare: 甲是乙的几倍, 甲占总数的百分之几, 甲与乙的个数比."""

from __future__ import annotations

import re

from sau_solver.text.asking.thing import RatioAsked
from sau_solver.text.questions import Question

_OF = re.compile(r"^(?P<first>.+?)(?:是|占|相当于|为|等于)了?(?P<second>[^，]+?)的?(?:百分之)?$")
_AND = re.compile(
    r"^(?P<first>.+?)[与和跟、及](?P<second>.+?)(?:的|之|[两二]\w)(?:\w{0,4}的)?\w{0,3}?(?<!百分)比(?:值|例)?(?:是|为|等于|应该?是)?$"
)
_CONTENT = re.compile(r"含(?P<what>盐|糖|酒精|药|蜜|铜|银|金)[率量]?.{0,3}$")
_LEAD = re.compile(r"^(?:[(（]\s*[\d一二三]\s*[)）]|[①②③④]|那么?|则|请?问|[请试]?求出?|这时|此时|现在|\s)+")
ALL = "全部"


def ratio_asked(question: Question) -> RatioAsked | None:
    """Return what a question compares by division, or None if it does not."""
    before = _LEAD.sub("", question.before)
    if question.word == "几" and question.after.startswith("倍") and (found := _OF.match(before)):
        return RatioAsked(found["first"], found["second"], times=True)
    if question.word == "多少" and question.after.startswith("倍") and (found := _OF.match(before)):
        return RatioAsked(found["first"], found["second"], times=True)
    percent = question.word == "百分之几" or (question.word in ("多少", "几") and before.endswith("百分之"))
    percent = percent or (question.word == "多少" and question.after[:1] in ("%", "％"))
    if (question.word == "几分之几" or percent) and (found := _OF.match(before)):
        return RatioAsked(found["first"], found["second"], part=True, percent=percent)
    listed = _LEAD.sub("", question.after) if question.word == "求" else before
    if (question.word in ("求", "多少", "=") or question.after.startswith("比")) and (found := _AND.match(listed)):
        return RatioAsked(found["first"], found["second"])
    if (
        question.word in ("求", "多少")
        and (found := _CONTENT.search(re.sub(r"[是为]$", "", listed)))
        and "率" in found[0]
    ):
        return RatioAsked(found["what"], ALL, part=True, percent=True)
    return None


def repeats(question: Question) -> bool:
    """Return whether a question word is the second one of 几比几."""
    return question.word == "几" and question.before.endswith("几比")
