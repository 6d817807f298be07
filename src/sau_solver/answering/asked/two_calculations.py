"""Two things asked for and two equations that compute an unknown each -> which unknown each thing is.

A text asks for a step before it asks for the result: how long until they meet, and how far one of them got by then. So
x=60*420/(60+80) is the second answer and y=420/(60+80), which it contains, the first one. If 3/5 of a class are girls,
x=45*3/5 is their number and y=45*(1-3/5) that of the boys, whoever is asked for first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

from sau_solver.equations.expressions import Equations, Expression, Number, Operation, Unknown, walk
from sau_solver.equations.structure import has_unknown, operands
from sau_solver.text.asking import Reading, Thing
from sau_solver.text.asking.mentions import words_of

_ONE = Number(Fraction(1))


def two_calculations(things: Sequence[Thing], reading: Reading, equations: Equations) -> list[str]:
    """Return the names of both unknowns in the order of the things; empty if neither equations nor words tell it."""
    made = {one.left.name: one.right for one in equations if isinstance(one.left, Unknown)}
    if not len(things) == len(equations) == len(made) == 2 or any(map(has_unknown, made.values())):
        return []
    if named := _share_and_rest(things, reading, made):
        return named
    return _step_and_result(things, made) if things[0].question != things[1].question else []


def _step_and_result(things: Sequence[Thing], made: Mapping[str, Expression]) -> list[str]:
    (first, one), (second, other) = made.items()
    if _contains(one, other) == _contains(other, one):
        return []
    step, result = (second, first) if _contains(one, other) else (first, second)
    adds = (made[step], False) in operands(made[result], "+-")
    sums = [thing.relation == "sum" for thing in things]
    return [result, step] if adds and sums == [True, False] else [step, result]


def _share_and_rest(things: Sequence[Thing], reading: Reading, made: Mapping[str, Expression]) -> list[str]:
    """Return the names if one unknown is a share, the other one the rest, and words beside the share name a thing."""
    for share, rest in (tuple(made), tuple(made)[::-1]):
        for number in (node for node in walk(made[share]) if isinstance(node, Number)):
            left = Operation("-", _ONE, number)
            if left not in walk(made[rest]) or left in walk(made[share]):
                continue
            first, second = _weights(things, reading, number.value)
            if first != second:
                return [share, rest] if first > second else [rest, share]
    return []


def _weights(things: Sequence[Thing], reading: Reading, value: Fraction) -> list[float]:
    """Return how clearly the words beside a number name each of two things."""
    one, other = (words_of(thing.words or thing.quantity, reading.language) for thing in things)
    near = [mention.near for mention in reading.mentions if mention.number.value == value]
    return [
        max((sum(words.get(word, 0) for word in own) for words in near), default=0.0)
        for own in (one - other, other - one)
    ]


def _contains(whole: Expression, part: Expression) -> bool:
    """Return whether a calculation contains another one, also as factors of a product or terms of a sum."""
    if not isinstance(part, Operation) or whole == part:
        return False
    own: Literal["+-", "*/"] = "*/" if part.operator in "*/" else "+-"
    parts = Counter(operands(part, own))
    return part in walk(whole) or any(len(parts) > 1 and parts <= Counter(operands(node, own)) for node in walk(whole))
