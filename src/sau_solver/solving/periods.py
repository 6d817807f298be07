"""Sets of solutions that repeat -> families such as 30+360*k, proven by substitution."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy

from sau_solver.equations.expressions import Equation
from sau_solver.solving.closed_forms import named
from sau_solver.solving.sympy_notation import build

Family = tuple[Any, Any]  # base and period, as SymPy numbers


def families_of(found: Any, equation: Equation, name: str, symbols: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return the families of a set that SymPy found, as JSON; None if it is not periodic or not proven."""
    parts = found.args if isinstance(found, sympy.Union) else (found,)
    families: list[Family] = []
    for part in parts:
        if not isinstance(part, sympy.ImageSet) or part.base_sets != (sympy.S.Integers,):
            return None
        (index,) = part.lamda.variables
        image = sympy.expand(part.lamda.expr)
        period, base = image.coeff(index, 1), image.coeff(index, 0)
        if sympy.expand(image - period * index - base) != 0 or period.is_zero is not False or base.free_symbols:
            return None
        families.append((base, -period if period.is_negative else period))
    proofs = (_proven(merged, equation, name, symbols) for merged in _merged(families))
    return next(filter(None, proofs), None)


def _proven(
    families: list[Family], equation: Equation, name: str, symbols: dict[str, Any]
) -> list[dict[str, Any]] | None:
    """Return the families as JSON if each starts at a solution and its period repeats the equation, up to the sign."""
    unknown = symbols[name]
    residual = sympy.expand_trig(build(equation.left, symbols) - build(equation.right, symbols))
    shown = []
    for base, period in families:
        moved = sympy.expand_trig(residual.subs(unknown, unknown + period))
        if all(sympy.simplify(sympy.expand(moved + sign * residual)) != 0 for sign in (-1, 1)):
            return None
        start, step = named(base, equation, name, symbols), named(period, None, name, symbols)
        if start is None or step is None:
            return None
        shown.append({"base": start, "period": step})
    return shown


def _merged(families: list[Family]) -> Iterator[list[Family]]:
    """Yield the same numbers as fewer and then as more families: 90+180*k is 90+360*k and 270+360*k."""
    periods = {period for _, period in families}
    if len(periods) > 1 or not all(base.is_Rational and period.is_Rational for base, period in families):
        yield families
        return
    (longest,) = (Fraction(str(period)) for period in periods)
    bases = {Fraction(str(base)) % longest for base, _ in families}
    for parts in range(len(bases), 0, -1):
        period = longest / parts
        if {(base + period) % longest for base in bases} == bases:
            starts = sorted({base % period for base in bases})
            yield [(sympy.Rational(str(base)), sympy.Rational(str(period))) for base in starts]
