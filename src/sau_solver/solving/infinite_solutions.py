"""Infinitely many solutions under conditions -> infinitely many, finitely many, none, or undecided; each with a proof.

Infinitely many solutions meet the conditions if one of them has a neighborhood or a ray of such solutions
(`neighborhoods`, `rays`). None does if the conditions contradict each other or the equations on every box
(`contraction`, `linear_conditions`). Where the conditions leave an unknown one value, that value is put in.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

from flint import fmpq, fmpq_poly

from sau_solver.equations.expressions import (
    Condition,
    Equation,
    Equations,
    Expression,
    Function,
    Number,
    Operation,
    Unknown,
    unknowns_of,
)
from sau_solver.equations.parser import parse_expression
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.solving.angles import substituted
from sau_solver.solving.conditions import meets, under_conditions, unmet_reason
from sau_solver.solving.contraction import Box, Relations, contracted, relations_of
from sau_solver.solving.exact_values import real_of
from sau_solver.solving.intervals import REALS, EmptyError, Interval
from sau_solver.solving.linear_conditions import contradict
from sau_solver.solving.neighborhoods import proven_around
from sau_solver.solving.outcomes import (
    Assignment,
    DividesByZeroError,
    NotPolynomialError,
    Outcome,
    Reason,
    Solved,
    TooHardError,
)
from sau_solver.solving.rays import ONE, NoRayError, eventually, names_of, proven_on_ray
from sau_solver.solving.reals import NoValueError, UndecidedError, expect_time
from sau_solver.solving.rewriting import factored
from sau_solver.solving.values import Periodic
from sau_solver.solving.verification import satisfies

MAX_BOXES = 12
MAX_POINTS = 24  # solutions that are tried, of one box
MAX_FIXED = 60  # values that are put in, one after the other
MAX_CASES = 30  # values of one whole unknown that are put in, one after the other
SEARCH_ROUNDS = 3  # of narrowing a box after a value was put in
MAX_DEPTH = 3  # of cases in cases
_IDENTITIES = ("always_true", "true_where_defined")
_TRIED = tuple(
    Fraction(k, d) for k, d in ((1, 1), (-1, 1), (2, 1), (0, 1), (1, 2), (-3, 1), (7, 2), (10, 1), (-100, 1))
)

ExactSolver = Callable[[Equations], Solved | None]


@dataclass(frozen=True, slots=True)
class Conditioned:
    """Equations with infinitely many solutions, and how equations with more values put in are solved."""

    equations: Equations
    solve: ExactSolver
    depth: int = 0

    def decided(self, solved: Solved, conditions: tuple[Condition, ...]) -> Solved:
        """Return the outcome under conditions that no family violates with its fixed values."""
        conditions = self._without_definitions(conditions)
        names = unknowns_of(self.equations)
        left: list[Assignment] = []
        finite: list[Assignment] = []
        undecided: dict[Condition, None] = {}
        proven = False
        for family in solved.families or ({},):
            waiting = tuple(one for one in conditions if meets(family, one) is not True)
            if names and all(name in family and not isinstance(family[name], Periodic) for name in names):
                finite.append(family)
                continue
            verdict: bool | tuple[Assignment, ...] | None = True
            if waiting:
                verdict = None
                with suppress(UndecidedError, TooHardError):
                    verdict = self._of_family(solved, family, conditions, waiting)
            if isinstance(verdict, tuple):
                finite += verdict
            elif verdict is not False:
                left.append(family)
                proven |= verdict is True
                undecided |= dict.fromkeys(waiting)
        if not left:
            found = tuple({tuple(one.items()): one for one in finite}.values())
            if not found:
                reason, unmet = unmet_reason(conditions), solved.determined
                return replace(solved, outcome=Outcome.NONE, families=(), reason=reason, unmet=unmet)
            listed = replace(solved, outcome=Outcome.SOLVED, solutions=found, families=(), reason=None)
            return under_conditions(listed, conditions)
        shown = ", ".join(map(str, undecided))
        if not proven:
            reason = Reason.of("undecided_family", conditions=shown)
            return replace(solved, outcome=Outcome.TOO_HARD, families=(), reason=reason)
        why = Reason.of("infinitely_many_meet", conditions=shown) if shown else solved.reason
        return replace(solved, families=(*left, *finite), reason=why)

    def _without_definitions(self, conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
        """Return the conditions without those that only define an unknown, such as r in `r = s%9`."""

        def defines(condition: Condition) -> bool:
            match condition:
                case Condition("=", Unknown(name), Function("mod", (argument, Number(modulus)))) if modulus:
                    others = [names_of(other) for other in conditions if other is not condition]
                    known = (*unknowns_of(self.equations), *unknowns_of((Equation(argument, argument),)))
                    return name not in known and all(name not in used for used in others)
            return False

        return tuple(one for one in conditions if not defines(one))

    # --- one family --------------------------------------------------------------------------------------------------

    def _of_family(
        self, solved: Solved, family: Assignment, conditions: tuple[Condition, ...], waiting: tuple[Condition, ...]
    ) -> bool | tuple[Assignment, ...] | None:
        """Return True if infinitely many solutions of a family meet the conditions, False if none does.

        Return the solutions if they are finitely many, and None if that could not be decided.
        """
        stated = relations_of(self.equations, conditions)
        relations = (*stated, *filter(None, map(_factored, stated)))
        try:
            whole = contracted(relations, _box_of(family))
        except EmptyError:
            return False
        if contradict(relations):
            return False
        repeats = [name for name, value in family.items() if isinstance(value, Periodic)]
        if repeats:
            return True if len(family) == 1 and _repeats(family, waiting) else None
        cases = _cases(whole, conditions, [name for name in unknowns_of(self.equations) if name not in family])
        if cases and self.depth < MAX_DEPTH:
            return self._of_cases(cases, conditions)
        identities = solved.reason is not None and solved.reason.code in _IDENTITIES
        pending = [whole]
        for _ in range(MAX_BOXES):
            if not pending:
                return False
            box = pending.pop(0)
            try:
                box = contracted(relations, box)
            except EmptyError:
                continue
            for order in (1, -1):
                names = tuple(dict.fromkeys((*unknowns_of(self.equations), *box)))[::order]
                # What the family determines is solved for, not put in.
                names = tuple(sorted(names, key=lambda name: name in family))
                for point in islice(self._points(self.equations, names, {}, box, relations), MAX_POINTS):
                    expect_time()
                    if self._is_proof(point, conditions, identities):
                        return True
            pending += _halves(box, [name for name in box if name not in family])
        return None

    def _is_proof(self, point: Assignment, conditions: tuple[Condition, ...], identities: bool) -> bool:
        """Return whether a solution proves that infinitely many meet the conditions."""
        # Identities only have to be defined, which `proven_around` checks on the whole neighborhood.
        open_equations = () if identities else [one for one in self.equations if one.left != one.right]
        if not all(satisfies(point, equation) for equation in open_equations):
            return False
        verdicts = [meets(point, condition) for condition in conditions]
        if all(verdicts) and proven_around(self.equations, conditions, point, identities):
            return True
        plain = all(one.relation in ("<", "<=", ">", ">=", "!=") for one in conditions)
        return not plain and proven_on_ray(() if identities else self.equations, conditions, point)

    def _of_cases(
        self, cases: list[dict[str, Fraction]], conditions: tuple[Condition, ...]
    ) -> bool | tuple[Assignment, ...] | None:
        """Decide a family in which the conditions leave some unknowns only these values."""
        verdicts = []
        for values in cases:
            expect_time()
            verdicts.append(self._with_values(values, conditions))
            if verdicts[-1] is True:
                return True
        if None in verdicts:
            return None
        return tuple(one for verdict in verdicts if isinstance(verdict, tuple) for one in verdict) or False

    def _with_values(
        self, values: dict[str, Fraction], conditions: tuple[Condition, ...]
    ) -> bool | tuple[Assignment, ...] | None:
        """Decide the solutions with given values of some unknowns."""
        equations = (*self.equations, *(Equation(Unknown(name), Number(value)) for name, value in values.items()))
        solved = self.solve(equations)
        if solved is None:
            if set(values) < set(unknowns_of(self.equations)):
                return None
            verdicts = [satisfies(values, equation) for equation in self.equations]
            if None in verdicts:
                return None
            solved = Solved(Outcome.SOLVED, (values,)) if all(verdicts) else Solved(Outcome.NONE)
        found = under_conditions(solved, conditions, Conditioned(equations, self.solve, self.depth + 1).decided)
        match found.outcome:
            case Outcome.SOLVED:
                return found.solutions
            case Outcome.NONE:
                return False
            case Outcome.INFINITE:
                return True
        return None

    # --- solutions in a box ------------------------------------------------------------------------------------------

    def _points(
        self, equations: Equations, names: tuple[str, ...], fixed: dict[str, Fraction], box: Box, relations: Relations
    ) -> Iterator[Assignment]:
        """Yield exact solutions in a box: values are put in until the equations determine the rest."""
        expect_time()
        found = self.solve(equations)
        if found is not None and found.outcome is Outcome.NONE:
            return
        starts: list[Assignment] = [{}]
        if found is not None and found.solutions:
            starts = list(found.solutions)
        for start in starts:
            known = {**start, **fixed}
            rest = [name for name in names if name not in known]
            if not rest:
                yield known
                continue
            if len(fixed) >= MAX_FIXED:
                return
            name = rest[0]
            for value in _values_in(box.get(name, REALS)):
                point = Interval.of(value, value)
                try:
                    inner = contracted(relations, {**box, name: point}, SEARCH_ROUNDS)
                except EmptyError:
                    continue
                left = substituted(equations, {Unknown(name): Number(value)})
                yield from self._points(left, names, {**fixed, name: value}, inner, relations)


def _cases(box: Box, conditions: tuple[Condition, ...], names: list[str]) -> list[dict[str, Fraction]]:
    """Return all values that a box and conditions such as is_digit(x) leave unknowns, if they are few."""
    single = {name: box[name].low for name in names if name in box and box[name].low == box[name].high}
    if single:
        return [{name: Fraction(value) for name, value in single.items()}]
    for condition in conditions:
        match condition:
            case Condition("integer" | "digit" | "odd" | "even" | "prime", Unknown(name)) if name in names:
                low, high = box[name].low, box[name].high
                if isinstance(low, Fraction) and isinstance(high, Fraction) and high - low <= MAX_CASES:
                    return [{name: Fraction(value)} for value in range(math.ceil(low), math.floor(high) + 1)]
    return []


def _repeats(family: Assignment, conditions: tuple[Condition, ...]) -> bool:
    """Return whether infinitely many members of a family such as 30+360*k are proven to meet the conditions."""
    ((name, value),) = family.items()
    assert isinstance(value, Periodic)
    starts: list[tuple[Fraction, Fraction]] = [(Fraction(0), Fraction(1))]
    if isinstance(value.base, Fraction) and isinstance(value.period, Fraction):
        starts = [(value.base + k * value.period, value.period) for k in range(12)]
    elif any(one.relation not in ("<", "<=", ">", ">=", "!=") for one in conditions):
        return False
    for base, period in starts:
        for sign in (1, -1):
            way = {name: (fmpq_poly([_rational(base), _rational(sign * period)]), ONE)}
            with suppress(NoRayError):
                if eventually(conditions, way):
                    return True
    return False


def _box_of(family: Assignment) -> Box:
    """Return bounds of the values that a family fixes."""
    box = {}
    for name, value in family.items():
        with suppress(UndecidedError, NoValueError):
            low, high = (value, value) if isinstance(value, Fraction) else real_of(value).bounds(64)
            box[name] = Interval.of(low, high)
    return box


def _factored(relation: tuple[Expression, str, Expression]) -> tuple[Expression, str, Expression] | None:
    """Return the same relation between a product and 0, whose bounds are often narrower: x^2-2*x+1 is (x-1)^2."""
    left, sign, right = relation
    if sign.isalpha():
        return None
    try:
        return parse_expression(factored(Operation("-", left, right))), sign, Number(Fraction(0))
    except (NotPolynomialError, DividesByZeroError, TooHardError, EquationError, TooLargeError):
        return None


def _values_in(interval: Interval) -> list[Fraction]:
    """Return a few simple numbers in an interval, the ones most likely to be ordinary points first."""
    low, high = interval.low, interval.high
    found: list[Fraction] = []
    if isinstance(low, Fraction) and isinstance(high, Fraction):
        middle, width = (low + high) / 2, high - low
        found += [middle.limit_denominator(max(1, math.ceil(8 / width)))] if width else []
        found += [Fraction(math.floor(middle)), low + width / 3, low + width * 9 / 10]
    elif isinstance(low, Fraction):
        found += [Fraction(math.floor(low) + k) for k in (1, 2, 7, 100)]
    elif isinstance(high, Fraction):
        found += [Fraction(math.ceil(high) - k) for k in (1, 2, 7, 100)]
    else:
        found += _TRIED
    return [one for one in dict.fromkeys(found) if one in interval][:5]


def _halves(box: Box, names: list[str]) -> list[Box]:
    """Return two boxes that make up one, divided where an unknown is least known."""
    if not names:
        return []

    def width(name: str) -> Fraction | float:
        return box[name].high - box[name].low

    name = max(names, key=width)
    one = box[name]
    if not width(name):
        return [box]
    if isinstance(one.low, Fraction) and isinstance(one.high, Fraction):
        middle = (one.low + one.high) / 2
    elif isinstance(one.low, Fraction):
        middle = max(one.low * 4, one.low + 10)
    elif isinstance(one.high, Fraction):
        middle = min(one.high * 4, one.high - 10)
    else:
        middle = Fraction(0)
    parts = []
    for low, high, low_open, high_open in (
        (one.low, middle, one.low_open, False),
        (middle, one.high, False, one.high_open),
    ):
        with suppress(EmptyError):
            parts.append({**box, name: Interval.of(low, high, low_open, high_open)})
    return parts


def _rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)
