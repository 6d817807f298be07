"""Conditions such as `x>0`, `is_digit(a)` and `n%7=0` -> whether a solution meets them, decided exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from sau_solver.equations.expressions import Condition, Unknown
from sau_solver.solving.exact_values import exact_value, real_of
from sau_solver.solving.outcomes import Assignment, Outcome, Reason, Solved, TooHardError
from sau_solver.solving.reals import NoValueError, Real, UndecidedError, expect_time
from sau_solver.solving.repeating import within
from sau_solver.solving.values import Value
from sau_solver.solving.whole_numbers import is_prime

Decide = Callable[[Solved, tuple[Condition, ...]], Solved]

MAX_SHOWN = 60  # characters of a value in a reason

_COMPARISONS: dict[str, Callable[[int], bool]] = {
    "=": lambda sign: sign == 0, "!=": lambda sign: sign != 0, "<": lambda sign: sign < 0,
    "<=": lambda sign: sign <= 0, ">": lambda sign: sign > 0, ">=": lambda sign: sign >= 0,
}  # fmt: skip


def meets(assignment: Mapping[str, Value], condition: Condition) -> bool | None:
    """Return whether a solution meets a condition, or None if that cannot be decided within the limits.

    A condition on an expression without a real value, such as `sqrt(x)>1` at x=-3, is not met.
    """
    try:
        expect_time()
        known = {name: real_of(value) for name, value in assignment.items()}
        left = exact_value(condition.left, known)
        if condition.relation in _COMPARISONS:
            return _COMPARISONS[condition.relation]((left - exact_value(condition.right, known)).sign())
        return _is(condition.relation, left)
    except NoValueError:
        return False
    except (UndecidedError, TooHardError):
        return None


def under_conditions(solved: Solved, conditions: tuple[Condition, ...], decide: Decide | None = None) -> Solved:
    """Return the solutions that meet every condition; `too_hard` names a condition that cannot be decided.

    `decide` judges infinitely many solutions under conditions on free unknowns.
    """
    if not conditions:
        return solved
    if solved.outcome is Outcome.INFINITE:
        members = within(solved.families, conditions)
        if members is None:
            return _of_infinitely_many(solved, conditions, decide)
        solved = replace(solved, outcome=Outcome.SOLVED, solutions=members, families=(), reason=None)
    if not solved.solutions:
        return replace(solved, outcome=Outcome.NONE, reason=unmet_reason(conditions)) if not solved.reason else solved
    kept, unmet = [], []
    for solution in (with_remainders(one, conditions) for one in solved.solutions):
        violated, undecided = _judged(solution, conditions)
        if violated:
            unmet.append(solution)
        elif undecided is not None:
            shown = ", ".join(
                f"{name} = {text}" if len(text := str(value)) <= MAX_SHOWN else name for name, value in solution.items()
            )
            reason = Reason.of("undecided_condition", solution=shown, condition=str(undecided))
            return replace(solved, outcome=Outcome.TOO_HARD, solutions=(), reason=reason)
        else:
            kept.append(solution)
    if kept:
        return replace(solved, solutions=tuple(kept), unmet=tuple(unmet))
    if solved.outcome is Outcome.PARTIAL:  # one that was not found may meet them
        return replace(solved, outcome=Outcome.TOO_HARD, solutions=(), reason=Reason("none_unproven"))
    return replace(solved, outcome=Outcome.NONE, solutions=(), reason=unmet_reason(conditions), unmet=tuple(unmet))


def _judged(solution: Assignment, conditions: Iterable[Condition]) -> tuple[bool, Condition | None]:
    """Return whether a solution violates a condition; if not, also the first condition that cannot be decided."""
    undecided: Condition | None = None
    for condition in conditions:
        verdict = meets(solution, condition)
        if verdict is False:
            return True, None
        if verdict is None and undecided is None:
            undecided = condition
    return False, undecided


def unmet_reason(conditions: tuple[Condition, ...]) -> Reason:
    """Return why no solution is left under the conditions."""
    return Reason.of("unmet_conditions", conditions=", ".join(map(str, conditions)))


def _of_infinitely_many(solved: Solved, conditions: tuple[Condition, ...], decide: Decide | None) -> Solved:
    """Drop the families whose fixed values violate a condition, and let `decide` judge the rest."""
    families: list[Assignment] = []
    undecided: dict[Condition, None] = {}
    for family in solved.families or ({},):
        verdicts = {condition: meets(family, condition) for condition in conditions}
        if False not in verdicts.values():
            families.append(family)
            undecided |= {condition: None for condition, verdict in verdicts.items() if verdict is None}
    if not families:
        return replace(
            solved, outcome=Outcome.NONE, families=(), reason=unmet_reason(conditions), unmet=solved.determined
        )
    if decide is not None:
        return decide(replace(solved, families=tuple(families)), conditions)
    if not undecided:
        return replace(solved, families=tuple(families))
    reason = Reason.of("undecided_family", conditions=", ".join(map(str, undecided)))
    return replace(solved, outcome=Outcome.TOO_HARD, families=(), reason=reason)


def _is(relation: str, value: Real) -> bool:
    number = value.whole()
    if number is None:
        return False
    match relation:
        case "digit":
            return 0 <= number <= 9
        case "odd":
            return number % 2 == 1
        case "even":
            return number % 2 == 0
        case "prime":
            return is_prime(number)
    return True


def with_remainders(assignment: Mapping[str, Value], conditions: tuple[Condition, ...]) -> Mapping[str, Value]:
    """Return the solution with the unknowns that conditions define, such as r in `r = s%9`."""
    extended = dict(assignment)
    for condition in conditions:
        if condition.relation == "=" and isinstance(condition.left, Unknown) and condition.left.name not in extended:
            try:
                known = {name: real_of(value) for name, value in extended.items()}
                value = exact_value(condition.right, known).rational
            except (NoValueError, UndecidedError):
                continue
            if value is not None:
                extended[condition.left.name] = value
    return extended
