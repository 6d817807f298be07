"""Equations -> the unknown that they only work out from the other ones. A question usually asks for it.

In 4*u=20; t=u*u the unknown t is made of u, and no other equation needs it.
"""

from __future__ import annotations

from sau_solver.equations.expressions import Equations, Unknown, unknowns_of, walk
from sau_solver.problem import Language
from sau_solver.text.asking import Thing

_RELATIONS = ("value", "sum", "product", "area", "perimeter")


def final_unknown(thing: Thing, language: Language, equations: Equations) -> Unknown | None:
    """Return the only unknown that one equation sets equal to an expression with others and no other equation has."""
    if language != "en" or thing.relation not in _RELATIONS or len(equations) < 2:
        return None
    names = [set(unknowns_of((equation,))) for equation in equations]
    found = []
    for place, equation in enumerate(equations):
        elsewhere = set().union(*names[:place], *names[place + 1 :])
        for one, other in ((equation.left, equation.right), (equation.right, equation.left)):
            if isinstance(one, Unknown) and one.name not in elsewhere and one not in walk(other):
                found.append((one, names[place] - {one.name}))
    return found[0][0] if len(found) == 1 and found[0][1] else None
