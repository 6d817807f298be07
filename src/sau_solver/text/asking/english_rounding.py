"""English questions whose answer must be whole: at least how many buses, how many full boxes, how many are left."""

from __future__ import annotations

import re

from sau_solver.text.asking.thing import Rounding
from sau_solver.text.questions import Question

_UP = re.compile(
    r"\b(?:at least|no fewer than)\b|\b(?:least|minimum|smallest|fewest)\b|\bneed(?:s|ed)?\b|\brequired?\b"
    r"|\bmust\b|\bshould\b|\bha(?:s|ve|d) to\b|\bnecessary\b|\benough\b|\bun?till?\b",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:at most|no more than|full|fully|complete|completely|entire)\b|\b(?:greatest|largest|maximum|most"
    r"|highest)\b|\bcan\b|\bcould\b|\bable to\b|^whole\b|\bfit\b",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"\b(?:is|are) the rest\b|\bstays? over\b|\bbeyond the\b|\bminutes more$"
    r"|\bleft ?over\b|\bleftover\b|\bleft\b|\bkeeps?$|\bremain\w*|\bextra\b|\bunused\b"
    r"|\bnot (?:be )?(?:used|packed|filled|needed)\b",
    re.IGNORECASE,
)
_TIME = re.compile(r"(?:days?|weeks?|months?)\b", re.IGNORECASE)
_WORK = re.compile(
    r"\b(?:work(?:s|ed|ing)? (?:on it )?together|(?:do|does|did|complet\w+|finish\w*) (?:it(?! (?:take|need)s?\b)"
    r"|the (?:same )?(?:work|job))"
    r"|\d+ (?:men|women|persons|people|workers)\b.*\bcomplete)\b",
    re.IGNORECASE,
)
# What is the average of the remaining 6 numbers? It asks for something about the rest, not for the rest.
_OF_THE_REST = re.compile(
    r"\b(?:of|in|for|to|from|by|during|over|among) (?:the |his |her |its |their )?(?:remaining|leftover|extra)\b"
    r"|\b(?:rate|average|mean|speed|percent\w*|probability|fraction|price|cost)\b.*\b(?:remain\w*|left)\b",
    re.IGNORECASE,
)
_CAN_BE_MEASURED = re.compile(
    r"^(?:more |total |full |whole )?(?:(?:centi|milli|deci)met(?:er|re)s?|hectares?|hours?"
    r"|minutes?|seconds?|miles?|cents?|tonnes?|gallons?|lit(?:er|re)s?"
    r"|millilit(?:er|re)s?|pounds?|grams?|ounces?|kilo\w*|feet|inches|met(?:er|re)s?"
    r"|quarts?|pints?|cups?|cm|ml|mL|m|km|kg|yards?|percent|acres?|tons?|years?|dollars?|square|cubic"
    r"|degrees|teaspoons?|tablespoons?)\b",
    re.IGNORECASE,
)
_NEVER_LEFT = ("how deep", "how fast", "how tall", "how high", "how wide", "how old")  # how deep is the water left in A
_WITH_INCOMPLETE = re.compile(
    r"\b(?:with|including|counting) the (?:smaller|last|incomplete|unfinished)(?: (?:one|group))?$", re.IGNORECASE
)


def english_rounding(question: Question, whole: str) -> Rounding:
    """Return how the words of a question round its answer; `whole` is the question with its first word."""
    lead = question.before[-40:]
    if _LEFT.search(question.after) and not _OF_THE_REST.search(whole):
        return "" if question.word in _NEVER_LEFT else "remainder"
    if question.word == "which" and re.match(r"(?:day|trip|week|month|round|load|bus|page|box)\b", question.after):
        return "up"
    if not is_counted(question) and not re.match(r"(?:whole|full)\b", question.after):
        return ""
    if _TIME.match(question.after) and _WORK.search(f"{question.before} {whole}"):
        return ""  # two pumps together fill the tank in 2.4 days
    if re.search(r"\bfor\s+$", lead, re.IGNORECASE) and (
        re.search(r"\benough\b", question.after) or re.search(r"\benough for\s+$", lead)
    ):
        return "down"  # for how many wreaths are the cones enough
    if _WITH_INCOMPLETE.search(question.after):
        return "up"
    if re.search(r"\b(?:after|in|from)\s+$", lead, re.IGNORECASE) and re.match(
        r"(?:full |whole )?\w+s\b", question.after
    ):
        return "up"
    if re.search(r"\bat least\b", lead, re.IGNORECASE) or (
        _UP.search(re.split(r"\bbefore\b", question.after)[0]) and not re.search(r"\bat most\b", lead)
    ):
        return "up" if not re.search(r"\b(?:greatest|largest|maximum|most) number\b", whole) else "down"
    if re.search(r"\bat most\b", lead, re.IGNORECASE) or _DOWN.search(question.after):
        return "down"
    return ""


def is_counted(question: Question) -> bool:
    """Return whether the answer must be a whole number: how many buses, not how many liters."""
    if question.word == "how often":
        return True
    if question.word == "how many":
        return not _CAN_BE_MEASURED.match(question.after)
    asks = question.word in ("what", "what's", "find", "determine")
    return asks and re.search(r"\bnumber of\b", question.after) is not None
