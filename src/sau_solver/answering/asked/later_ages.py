"""English questions for an age at another time -> the age now and the years until then: x+5 for "in 5 years"."""

from __future__ import annotations

import re
from fractions import Fraction

from sau_solver.equations.expressions import (
    Equations,
    Expression,
    Number,
    Operation,
    Unknown,
    numbers_of,
    walk_equations,
)
from sau_solver.text.asking import Reading, Thing
from sau_solver.text.numbers import find_numbers

_LATER = re.compile(r"^how old will\b.*\b(?:in|after) (?P<years>\S+) years?(?:['’]? time)?\W*$", re.IGNORECASE)
_EARLIER = re.compile(r"^how old (?:was|were)\b.* (?P<years>\S+) years? (?:ago|earlier|before)\W*$", re.IGNORECASE)


def age_asked(thing: Thing, reading: Reading, equations: Equations, now: Expression) -> Expression:
    """Return the age that a question asks for, given the expression of the age now.

    The years must be a number that the equations do not use, or that they add to an unknown or take from it, so that
    the unknown is the age now. Otherwise the equations may already be about the other time.
    """
    later = _LATER.search(thing.question)
    found = later or _EARLIER.search(thing.question)
    if reading.language != "en" or found is None:
        return now
    numbers = find_numbers(found["years"], "en")
    if len(numbers) != 1:
        return now
    years = Number(Fraction(numbers[0].value))
    used = years.value in numbers_of(equations)
    moved = [n for n in walk_equations(equations) if isinstance(n, Operation) and n.operator in "+-"]
    if used and not any(isinstance(node.left, Unknown) and node.right == years for node in moved):
        return now
    return Operation("+" if later else "-", now, years)
