"""Questions that ask for the same thing more than once, or list the sizes of one thing -> those that are answered.

"Find the numbers. What is the larger number? What is the smaller number?" asks for two numbers, not for four.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sau_solver.problem import Language
from sau_solver.text.asking import Thing

_LISTS = re.compile(r"\b(?:are the|are its|are their|each|both|respectively)\b|各|分别|依次", re.IGNORECASE)
_SINGLE = ("value", "larger", "smaller")


def asked_once(things: Sequence[Thing], unknowns: int, language: Language) -> dict[int, Thing]:
    """Return the things to answer by their places; those that repeat other ones are left out.

    `unknowns` is how many unknowns the equations have. If there is one question "each" for every unknown, as in "How
    much is each pen? How much is each book?", each of them asks for one unknown.
    """
    every = [place for place, thing in enumerate(things) if thing.relation == "every"]
    kept = dict(enumerate(things))
    if language != "en" or not every or unknowns < 2 or len(things) < 2:
        return kept
    single = [place for place, thing in enumerate(things) if thing.relation in _SINGLE]
    if len(single) >= unknowns:
        return {place: thing for place, thing in kept.items() if place not in every}
    if len(every) + len(single) == len(things) == unknowns and all("each" in things[place].words for place in every):
        return {place: replace(thing, relation="value") if place in every else thing for place, thing in kept.items()}
    return {place: thing for place, thing in kept.items() if place not in every[1:]}


def merged(things: Sequence[Thing]) -> Thing | None:
    """Return the only thing that a question asks for if its list has known sizes: a base of 9 m and a height of 4 m."""
    if len({thing.question for thing in things}) > 1 or not things[0].question or _LISTS.search(things[0].question):
        return None
    return replace(things[0], quantity="", words=" ".join(thing.words for thing in things))
