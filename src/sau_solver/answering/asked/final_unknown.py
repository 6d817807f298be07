"""Equations -> the unknown that they themselves mark as what a question asks for.

In 4*u=20; t=u*u the unknown t is worked out from u, and no other equation needs it. A network may also have learned to
call x what is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from sau_solver.equations.expressions import Equations, Unknown, unknowns_of, walk
from sau_solver.equations.symbols import UNKNOWN_NAMES
from sau_solver.problem import Language
from sau_solver.text.asking import Thing

# What a network has learned to call x: nothing in particular, the unknown that alone is asked for, or also an
# expression that is asked for, which then has an equation of its own: x=y-z.
AskedFirst = Literal["", "unknowns", "expressions"]
FIRST = Unknown(UNKNOWN_NAMES[0])

_RELATIONS = ("value", "sum", "product", "area", "perimeter")


def asked_first_of(data: Mapping[str, Any]) -> AskedFirst:
    """Return what the network of a checkpoint calls x."""
    if not data.get("asked_first"):
        return ""
    return "expressions" if data.get("asked_expressions") else "unknowns"


def final_unknown(thing: Thing, language: Language, equations: Equations) -> Unknown | None:
    """Return the unknown that is only worked out from the other ones, if the question may ask for it."""
    if language != "en" or thing.relation not in _RELATIONS:
        return None
    return worked_out(equations)


def worked_out(equations: Equations) -> Unknown | None:
    """Return the only unknown that one equation sets equal to an expression with others and no other equation has."""
    if len(equations) < 2:
        return None
    names = [set(unknowns_of((equation,))) for equation in equations]
    found = []
    for place, equation in enumerate(equations):
        elsewhere = set().union(*names[:place], *names[place + 1 :])
        for one, other in ((equation.left, equation.right), (equation.right, equation.left)):
            if isinstance(one, Unknown) and one.name not in elsewhere and one not in walk(other):
                found.append((one, names[place] - {one.name}))
    return found[0][0] if len(found) == 1 and found[0][1] else None
