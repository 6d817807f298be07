"""The unit of what an English question asks for: the things that it counts, or the measure that its words imply."""

from __future__ import annotations

import re
from dataclasses import replace

from sau_solver.text.asking.measures import english_unit
from sau_solver.text.asking.thing import Relation
from sau_solver.text.questions import Question
from sau_solver.text.units import counted_things, unit_in_question

_NUMBERED = re.compile(
    r"(?<![\w.])\d[\d,.]*(?:\s+(?:more|new|different|red|blue|green))?\s+"
    r"(?P<noun>(?!dollars|cents|euros|points|times|seconds|minutes|hours|days|weeks|months|years)[a-z]+s|people"
    r"|children|sheep|fish|men|women)\b"
)
_POINTS = re.compile(r"(?<![\w.])\d[\d,.]*\s+(?P<noun>points|seconds|minutes|hours|days|weeks|months|years)\b")
_ANY_NOUN = re.compile(
    r"(?:more |fewer |other |of (?:the|his|her|their|these|its) )?(?:(?:whole|full|new|red|blue|green|old) )?"
    r"(?P<noun>(?!does|is|was|has|this|his|pass|less|across)[a-z-]+s|[a-z]*fish|people|children|sheep|men|women|mm|cm|km|kg|m|g)\b"
)


_OTHER_MEASURE = re.compile(  # the length of a rectangle whose area is 35 square meters
    r"\b(?:whose|(?:that has|which has|with|having) an?) (?:area|perimeter|volume|diagonal|circumference|surface)\b.*$",
    re.IGNORECASE | re.DOTALL,
)


def unit_asked(question: Question, whole: str, text: str, relation: Relation) -> str:
    """Return the unit of a question, or an empty string; `whole` is the question with its first word."""
    question = replace(question, after=_OTHER_MEASURE.sub("", question.after))
    whole = _OTHER_MEASURE.sub("", whole)
    if (
        relation == "difference"
        and question.word == "how many"
        and (
            noun := re.match(
                r"(?:more|fewer|less) (?P<noun>(?!does|is|was|has)[a-z]+s|people|children)\b", question.after
            )
        )
    ):
        return noun["noun"]
    if relation == "difference" and (noun := re.match(r"(?P<noun>[a-z]+s) (?:more|fewer|less)\b", question.after)):
        return noun["noun"]
    stated = unit_in_question(question, text, "en")
    if stated and question.word == "how many":
        head = counted_things(question).split()
        return (
            head[-1]
            if len(head) > 1 and stated.split()[-1] == head[-1] and not stated.startswith(("square", "cubic"))
            else stated
        )
    if not stated and question.word == "how many":
        noun = re.match(
            r"(?:more |fewer |of (?:the|his|her|their) )?(?P<noun>(?:[a-z-]+ ){0,2}?(?:[A-Za-z-]+s"
            r"|people|children))\b(?=\s*(?:do|does|did|are|were|is|was|will|can|could|in|of|has|have"
            r"|had|\?|$|must|should|would|to|for|walk|went|go|remain|fit))",
            question.after,
        )
        if noun and not re.match(r"(?:does|is|was|has|his|this|times)\b", noun["noun"]):
            return noun["noun"].split()[-1]
        if re.match(
            r"(?:more |fewer |of them |are |were |is |was |did |does |do |remain|have |has |will |can |could |$)",
            question.after,
        ):
            return _numbered(text)
        if noun := _ANY_NOUN.match(question.after):
            return noun["noun"]
        if named := _numbered(text):
            return named
    if relation == "difference" and not question.word.startswith("how"):
        return stated or english_unit(question.after, text)
    if number_of := re.search(
        r"\bnumber of (?:\$?\d[\d.]*\s+|[a-z]+ ){0,2}?(?P<noun>[A-Za-z-]+s|people|children)\b", question.after
    ):
        return number_of["noun"]
    return stated or english_unit(whole.lower() if question.word != "find" else question.after, text)


def _numbered(text: str) -> str:
    """Return the first things that a text gives a number of; spans of time and points only if there are no others."""
    noun = _NUMBERED.search(text) or _POINTS.search(text)
    return noun["noun"] if noun else ""
