"""`Thing`: one thing that a text asks for, as its words say. Nothing is known about equations yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# What has to be done with the unknowns to answer the question.
#   value       the question names a quantity, which is an unknown
#   every       it asks for all quantities at once: how many of each, 各多少
#   larger      the larger one of them, smaller the smaller one
#   difference, sum, product, ratio, area, perimeter   a function of the unknowns
#   made        another expression that the equations compute with
#   gcd, lcm    named in the text and computed from its numbers
#   none        no quantity: a reason, a proof, an opinion
Relation = Literal[
    "value",
    "every",
    "larger",
    "smaller",
    "difference",
    "sum",
    "product",
    "ratio",
    "area",
    "perimeter",
    "made",
    "gcd",
    "lcm",
    "none",
]
Rounding = Literal["", "up", "down", "remainder"]  # `Asked.rounding` may also be "missing", "nearest" or "estimate"


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing that a question asks for.

    `words` are the words that tell it from other things of the text, `other` those of the second thing of a difference
    or ratio ("how many more A than B").
    """

    question: str  # as quoted from the text
    quantity: str  # in the text's words; empty if they are not known
    unit: str = ""
    relation: Relation = "value"
    words: str = ""
    other: str = ""
    rounding: Rounding = ""
    counted: bool = False  # it is counted in whole things: how many buses, 几辆
    count: int = 0  # how many things `every` stands for, or a question lists; 0 if the text does not say
    part: bool = False  # a ratio that is a part of something: what percent of B is A
    times: bool = False  # a ratio that says how many times one goes into the other


@dataclass(frozen=True, slots=True)
class RatioAsked:
    """The words of the two things whose quotient a question asks for.

    `times` and `part` are as in `Thing`; `percent` is set if the quotient is wanted as a percentage.
    """

    first: str
    second: str
    times: bool = False
    part: bool = False
    percent: bool = False
