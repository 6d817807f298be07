"""Families such as 30+360*k under conditions such as 0<x<360 -> their members between the bounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from sau_solver.equations.expressions import Condition, Unknown
from sau_solver.solving.exact_values import exact_value, real_of
from sau_solver.solving.outcomes import Assignment
from sau_solver.solving.reals import NoValueError, Real, UndecidedError
from sau_solver.solving.values import ClosedForm, Periodic, Value

MAX_MEMBERS = 1_000


def within(families: Sequence[Assignment], conditions: Iterable[Condition]) -> tuple[Assignment, ...] | None:
    """Return all members between the bounds, and perhaps some beyond them; None if there are no bounds or too many."""
    members: list[Assignment] = []
    for family in families:
        match list(family.items()):
            case [(name, Periodic() as periodic)]:
                low, high = _bounds(name, conditions)
                if low is None or high is None:
                    return None
                try:
                    first = ((low - real_of(periodic.base)) / real_of(periodic.period)).floor()
                    last = ((high - real_of(periodic.base)) / real_of(periodic.period)).floor() + 1
                except (NoValueError, UndecidedError):
                    return None
                if last - first > MAX_MEMBERS:
                    return None
                members += [{name: _member(periodic, k)} for k in range(first, last + 1)]
            case _:
                return None
    decimals = {id(one): float(value) for one in members for value in one.values()}
    return tuple(sorted(members, key=lambda one: decimals[id(one)])) if families else None


def _bounds(name: str, conditions: Iterable[Condition]) -> tuple[Real | None, Real | None]:
    """Return a lower and an upper bound that conditions such as x>0 and 360>=x give."""
    low: Real | None = None
    high: Real | None = None
    for condition in conditions:
        for own, other, less in ((condition.left, condition.right, "<"), (condition.right, condition.left, ">")):
            if own != Unknown(name) or condition.relation not in ("<", "<=", ">", ">="):
                continue
            try:
                bound = exact_value(other, {})
            except (NoValueError, UndecidedError):
                continue
            if condition.relation[0] == less:
                high = bound if high is None or (bound - high).sign() < 0 else high
            else:
                low = bound if low is None or (bound - low).sign() > 0 else low
    return low, high


def _member(family: Periodic, k: int) -> Value:
    """Return base + period * k."""
    if isinstance(family.base, Fraction) and isinstance(family.period, Fraction):
        return family.base + family.period * k
    if k == 0:
        return family.base
    text = f"{family.base}+({family.period})*({k})"
    return ClosedForm(text, float(family.base) + float(family.period) * k)
