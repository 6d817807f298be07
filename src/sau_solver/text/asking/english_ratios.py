"""English questions for a ratio -> the two things they compare: what percent of B is A.

`ratio_asked` returns the words of the first thing, those of the second, and whether the answer counts how many times
one goes into the other. A later stage decides which unknowns the things are, or whether the second thing is all of them
together.
"""

from __future__ import annotations

import re
from dataclasses import replace

from sau_solver.text.asking.thing import RatioAsked
from sau_solver.text.questions import Question

_SHARE = re.compile(
    r"(?:is |was )?(?:the )?(?P<kind>per ?cent(?:age)?|%|fraction|part|share|proportion|portion) of (?P<rest>.+)$",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"times (?:(?:as|more|bigger|larger|greater|longer|older|heavier|faster|taller|higher)\b|(?:the|what|that of)\b"
    r"|(?=[A-Z]))",
)
_TIMES_AS = re.compile(r"times (?P<rest>.+)$")
_RATIO = re.compile(r"(?:is |was |be )?(?:the |their )?ratio (?:of |between )(?P<first>.+?) (?:to|and) (?P<second>.+)$")
_AS_A_RATIO = re.compile(
    r"(?:^|[:,.;] )(?P<first>[^:,.;]+?) to (?P<second>[^:,.;]+?) as a (?:ratio|fraction|quotient)\b", re.IGNORECASE
)
_BE = r"(?:is|are|was|were|does|do|did|has|have|had|will|would|can)"
_SPLIT = re.compile(rf"\s(?:(?<!that )(?<!which )(?<!who ){_BE})\s", re.IGNORECASE)
_AS_OLD_AS = re.compile(r"(?:as|more) \w+ as (?P<second>.+?)\s(?:is|are|was|were|does|do|did|has|have)\s(?P<first>.+)$")
_NOUN = re.compile(r"(?P<second>(?:the|all|all the|his|her|their|its|these) \w+)\s(?P<first>.+)$", re.IGNORECASE)
_VERB_AT_END = re.compile(rf"\s(?:{_BE}|equals?|makes? up|weighs?|costs?|gets?|got|earns?|be)(?:\s(?:only|equal to))?$")
_LEAD = re.compile(r"^.*[,;:]\s+(?:and\s+|so\s+|then\s+)?")


def ratio_asked(question: Question, sentence: str) -> RatioAsked | None:
    """Return what a question compares by division, or None if it does not. `sentence` is the rest of the sentence."""
    before = _LEAD.sub("", question.before.strip())
    if question.word == "how many" and (_TIMES.match(question.after) or question.after == "times"):
        return _times(before, question.after if question.after != "times" else sentence)
    if question.word not in ("what", "what's", "find", "determine", "calculate"):
        return None
    if found := _RATIO.match(question.after):
        return RatioAsked(found["first"], found["second"])
    if found := _SHARE.match(question.after):
        shared = _share(before, found["rest"])
        return shared and replace(shared, percent=bool(re.match(r"per|%", found["kind"], re.IGNORECASE)))
    return None


def stated_ratio(sentence: str) -> RatioAsked | None:
    """Return the ratio that a sentence without a question word wants: white to red as a ratio."""
    found = _AS_A_RATIO.search(sentence)
    return RatioAsked(found["first"], found["second"]) if found else None


def _share(before: str, rest: str) -> RatioAsked | None:
    if before and (verb := _VERB_AT_END.search(before)):  # B's rate is what percent of A's rate
        return RatioAsked(before[: verb.start()], rest, part=True)
    if split := list(_SPLIT.finditer(rest)):
        return RatioAsked(rest[split[-1].end() :], rest[: split[-1].start()], part=True)
    if noun := _NOUN.match(rest):  # what percent of the kids chose pasta
        return RatioAsked(noun["first"], noun["second"], part=True)
    return None


def _times(before: str, after: str) -> RatioAsked:
    rest = found["rest"] if (found := _TIMES_AS.match(after)) else after
    if before and (verb := _VERB_AT_END.search(before)):  # the father weighs how many times what the son weighs
        return RatioAsked(before[: verb.start()], rest, times=True)
    if named := _AS_OLD_AS.match(rest):  # as heavy as an orange is a melon
        return RatioAsked(named["first"], named["second"], times=True)
    if re.match(r"(?:the|that of|what)\b", rest) and (split := list(_SPLIT.finditer(rest))):  # the width is the length
        return RatioAsked(rest[split[-1].end() :], rest[: split[-1].start()], times=True)
    for mark in (r"\bthan\b", r"\bas\b(?!.*\bas\b)", r"\bthat of\b", r"\bthe\b"):
        places = list(re.finditer(mark, rest))
        if places and places[-1].start() > 0:
            return RatioAsked(rest[: places[-1].start()], rest[places[-1].end() :], times=True)
    return RatioAsked(rest, "", times=True)
