"""Numbers that SymPy found -> text in our notation with certified bounds, if they are proven to be solutions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from sau_solver.equations.expressions import Equation
from sau_solver.equations.parser import parse_expression
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.solving.budget import ROOT_BITS
from sau_solver.solving.exact_values import exact_value
from sau_solver.solving.reals import NoValueError, UndecidedError
from sau_solver.solving.root_isolation import Root
from sau_solver.solving.sympy_notation import build, expression_of, shown
from sau_solver.solving.values import ClosedForm
from sau_solver.solving.verification import satisfies


class Proof:
    """Proofs by SymPy that two numbers are equal."""

    @staticmethod
    def of(left: Any, right: Any) -> bool:
        """Return whether SymPy proves that two numbers are equal; False if it cannot tell."""
        if left.has(sympy.nan, sympy.zoo) or right.has(sympy.nan, sympy.zoo):
            return False
        if left.is_positive and right.is_positive:  # as logarithms, powers such as (1/2)^(x/5730) stay small
            difference = sympy.expand_log(sympy.log(left), force=True) - sympy.expand_log(sympy.log(right), force=True)
            if sympy.simplify(difference) == 0:
                return True
        return (left - right).equals(0) is True


def fraction_of(value: Fraction) -> dict[str, Any]:
    """Return a rational number as JSON."""
    return {"exact": f"{value.numerator}/{value.denominator}", "rational": True}


def value_of(shown: dict[str, Any]) -> Fraction | ClosedForm:
    """Return the number of its JSON."""
    if shown["rational"]:
        return Fraction(shown["exact"])
    return ClosedForm.from_json(shown)


def named(
    value: Any, equation: Equation | None, name: str, symbols: dict[str, Any], root: Root | None = None
) -> dict[str, Any] | None:
    """Return a number that SymPy found as JSON; None if it is not real, or not proven to satisfy the equation.

    The printed text is read back and proven, so the printed number is the proven one. With `root`, it must be that
    root.
    """
    if not value.is_number or value.is_real is False:
        return None
    if value.is_Rational:
        fraction = Fraction(int(value.p), int(value.q))
        exact: Fraction | ClosedForm = fraction
        answer, bounds = fraction_of(fraction), (fraction, fraction)
    else:
        text = shown(value)
        try:
            try:
                read = parse_expression(text)
            except TooLargeError:  # a number has more digits than may be typed
                read = expression_of(value)
            bounds = exact_value(read, {}).bounds(ROOT_BITS)
        except (EquationError, NoValueError, UndecidedError):
            return None  # LambertW(2) is not in our notation
        exact = ClosedForm.between(text, *bounds)
        answer = exact.as_json()
    if root is not None and not (root.low <= bounds[1] and bounds[0] <= root.high):
        return None
    if equation is None:
        return answer
    verdict = satisfies({name: exact}, equation)
    if verdict is None:
        place = {symbols[name]: value}
        left, right = build(equation.left, symbols).subs(place), build(equation.right, symbols).subs(place)
        verdict = Proof.of(left, right)
    return answer if verdict else None
