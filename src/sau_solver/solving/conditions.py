"""Conditions such as `x>0`, `is_digit(a)` and `n%7=0` -> whether a solution meets them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction

from sau_solver.equations.expressions import Condition, Unknown
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from sau_solver.solving.values import Value

_COMPARISONS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def meets(assignment: Mapping[str, Value], condition: Condition) -> bool:
    """Return whether a solution meets a condition; a condition that cannot be evaluated counts as met."""
    try:
        left, right = evaluate(condition.left, assignment), evaluate(condition.right, assignment)
    except NotEvaluatedError:
        return True
    match condition.relation:
        case "integer":
            return left.denominator == 1
        case "digit":
            return left.denominator == 1 and 0 <= left <= 9
        case "odd":
            return left % 2 == 1
        case "even":
            return left % 2 == 0
        case "prime":
            from flint import fmpz

            return left.denominator == 1 and bool(fmpz(left.numerator).is_prime())
        case relation:
            return _COMPARISONS[relation](left, right)


def with_remainders(assignment: Mapping[str, Value], conditions: tuple[Condition, ...]) -> Mapping[str, Value]:
    """Return the solution with the unknowns that conditions define, such as r in `r = s%9`."""
    extended = dict(assignment)
    for condition in conditions:
        if condition.relation == "=" and isinstance(condition.left, Unknown) and condition.left.name not in extended:
            try:
                extended[condition.left.name] = evaluate(condition.right, extended)
            except NotEvaluatedError:
                continue
    return extended
