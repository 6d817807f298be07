"""English questions -> the things that they list: the length and the width, in April and in May, right and wrong."""

from __future__ import annotations

import re

from sau_solver.text.asking.mentions import words_of
from sau_solver.text.questions import Question

VERBS = (
    r"(?:must|should|will|would|can|could|do|does|did|are|were|is|was|has|have|had|may|might|in the"
    r"|there|that|if|when|to|at)\b"
)
VERB = re.compile(rf"\b{VERBS}", re.IGNORECASE)
_RESTRICTED = re.compile(r"\b(?:that|which|who|whose|with|from|between|lie|when)\b")
# How much do 2 shirts and 3 hats cost? One amount is asked for.
_ONE_AMOUNT = re.compile(
    r"(?:do|did|will|would) .* (?:cost|weigh|save|get together)\b(?!.*\b(?:each|respectively)\b)", re.IGNORECASE
)
_UNIT_TOLD = re.compile(r"\s*,\s*in \w+\s*$")  # , in dollars
_INSTRUCTION = re.compile(r"(?:round|correct|give|express|write|show|explain|answer)\b", re.IGNORECASE)
_NAME = r"[\w'’-]+(?: [\w'’-]+){0,2}?"
_SAME_PREPOSITION = re.compile(  # in April and in May; for an adult and for a child
    rf"\b(?P<by>in|on|at|for|by) (?P<first>{_NAME}) and (?P=by) (?P<second>{_NAME})(?: (?:in|at|on) .*)?$",
    re.IGNORECASE,
)
_BOTH_ARE = re.compile(  # hours was the first storm and the second storm
    rf"^\w+(?: \w+)? (?:is|was|are|were) (?P<first>the {_NAME}) and (?P<second>the {_NAME})$", re.IGNORECASE
)
_AS_ONE = re.compile(r"\b(?:together|altogether|total|combined|both|all|more|fewer|less|between)\b", re.IGNORECASE)


def things_listed(question: Question) -> list[str]:
    """Return the things that a question lists, each in its own words; empty if it asks for one thing."""
    after = _UNIT_TOLD.sub("", question.after)
    if not _AS_ONE.search(after) and (two := _two_named(question.word, after)):
        return two
    return _listed(question, after) if question.several or question.word == "how many" else []


def _two_named(word: str, after: str) -> list[str]:
    """Return two things that share the words before them: hours on the bus and on the train."""
    if not word.startswith(("how", "what", "find", "determine")):
        return []
    found = _SAME_PREPOSITION.search(after) or (_BOTH_ARE.match(after) if word == "how many" else None)
    return [f"{found['first']}", f"{found['second']}"] if found else []


def _listed(question: Question, listed: str) -> list[str]:
    """Return the parts of a list: `the length and the width`, `nickels and how many dimes`."""
    if re.match(r"(?:is |was )?the (?:sum|total|difference|product) of\b", listed):
        return []
    if question.word == "how much" and _ONE_AMOUNT.match(listed):
        return []
    if question.word == "how many" or (question.word == "how much" and not VERB.match(listed)):
        listed = VERB.split(listed)[0]
    listed = _RESTRICTED.split(listed)[0]
    listed = re.sub(r"^\s*(?:are|were|is|was|will be)\s+", "", listed)
    parts = [part.strip() for part in re.split(r"\s?,\s+(?:and\s+)?|\s+and\s+", listed) if part.strip()]
    parts = [part for part in parts if not _INSTRUCTION.match(part)]
    if any(re.match(r"(?:each|as)\b", part) for part in parts):  # How many cars, each needing 5 m, fit?
        return []
    return parts if len(parts) > 1 and all(words_of(part, "en") or re.search(r"\d", part) for part in parts) else []
