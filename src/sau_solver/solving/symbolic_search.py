"""Equations that are not polynomial -> verified real solutions, and whether they are all.

In one unknown, all roots are first enclosed by interval arithmetic where that is possible, and SymPy names them. In
several unknowns, linear equations with irrational coefficients are decided by elimination with exact zero tests, and
SymPy solves the rest. A solution counts only if it is proven by substitution.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from typing import Any

import sympy

from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Operation,
    Unknown,
    unknowns_of,
)
from sau_solver.equations.parser import parse_expression
from sau_solver.solving.angles import substituted
from sau_solver.solving.closed_forms import Proof, fraction_of, named, value_of
from sau_solver.solving.exact_values import exact_value
from sau_solver.solving.exponential_sums import IdentityError, all_roots, vanishes_at
from sau_solver.solving.inverse_functions import NotInvertibleError, inverted
from sau_solver.solving.periods import families_of
from sau_solver.solving.reals import TINY, NoValueError, UndecidedError
from sau_solver.solving.root_isolation import NotIsolatedError, Root, between, isolate, slope_of
from sau_solver.solving.symbolic_systems import candidates_of, completed, definition_in, linear, nonlinear
from sau_solver.solving.sympy_notation import UNDEFINED, build
from sau_solver.solving.values import ClosedForm, decimal_of
from sau_solver.solving.verification import satisfies, with_rational_constants

Answer = dict[str, Any]
NAMING_SHARE = 0.7  # of the time, for SymPy to name roots that are enclosed already
SIMPLE = tuple(Fraction(k, 2) for k in range(-8, 9))  # tried in any case
MAX_SIMPLE = 3
MAX_SOLUTIONS = 200
DECIMAL_ERROR = Fraction(1, 2**50)  # of the decimal of a root, relative to the root
SEARCHED = Fraction(1_000)  # how far from 0 roots are looked for that SymPy may have missed


class TimeUpError(Exception):
    """SymPy has used its share of the time."""


def search(equations: Equations, names: tuple[str, ...], seconds: float) -> Answer:
    """Return the answer as JSON: solutions, families, whether there may be others, or an error."""
    equations = with_rational_constants(equations)
    if not names:
        return _statements(equations)
    try:
        decided = _decided_constants(equations)
    except NoValueError:
        return {"solutions": []}
    answer = _with_unknowns(equations, names, seconds)
    if decided or "error" in answer:
        return answer
    return {**answer, "complete": False} if answer["solutions"] else {"error": "unproven"}


def _decided_constants(equations: Equations) -> bool:
    """Return whether the signs of all constants are known, without which SymPy may take one for 0.

    Raise NoValueError if a constant such as ln(-1) has no real value.
    """
    pending = [side for one in equations for side in (one.left, one.right)]
    decided = True
    while pending:
        node = pending.pop()
        if unknowns_of((Equation(node, node),)):
            pending += (node.left, node.right) if isinstance(node, Operation) else getattr(node, "arguments", ())
            continue
        try:
            exact_value(node, {}).sign()
        except UndecidedError:
            decided = False
    return decided


def _with_unknowns(equations: Equations, names: tuple[str, ...], seconds: float) -> Answer:
    symbols = {name: sympy.Symbol(name, real=True) for name in names}
    if len(names) == 1:
        return _one_unknown(equations, names[0], symbols, seconds)
    with suppress(NotIsolatedError, UndecidedError, NoValueError):
        return linear(equations, symbols)
    split = _split(equations, names, seconds)
    if split is not None:
        return split
    found = definition_in(equations)
    if found is not None:
        definition, others = found
        if set(unknowns_of(others)) | {definition.name} == set(names):  # otherwise an unknown is free
            answer = search(others, unknowns_of(others), seconds)
            return completed(answer, definition, equations, symbols)
    return nonlinear(equations, symbols)


def _split(equations: Equations, names: tuple[str, ...], seconds: float) -> Answer | None:
    """Solve an equation with one unknown first, and the others for each of its solutions; None if there is none."""
    single = next((one for one in equations if len(unknowns_of((one,))) == 1), None)
    if single is None:
        return None
    (name,) = unknowns_of((single,))
    answer = _one_equation(single, name, {name: sympy.Symbol(name, real=True)}, seconds)
    if "error" in answer or answer.get("infinite"):
        return None
    others = tuple(one for one in equations if one is not single)
    solutions: list[Answer] = []
    complete = answer.get("complete", True)
    for solution in answer["solutions"]:
        text = str(value_of(solution[name]))
        if text.startswith("root("):
            return None
        left = substituted(others, {Unknown(name): parse_expression(text)})
        if set(unknowns_of(left)) | {name} != set(names):  # an unknown is free
            return None
        rest = search(left, unknowns_of(left), seconds)
        if "error" in rest or rest.get("infinite") or len(solutions) > MAX_SOLUTIONS:
            return rest if rest.get("infinite") and not rest.get("families") else None
        complete = complete and rest.get("complete", True)
        solutions += [{one: {**other, **solution}[one] for one in names} for other in rest["solutions"]]
    return {"solutions": solutions, "complete": complete}


def _statements(equations: Equations) -> Answer:
    """Decide equations without unknowns."""
    verdicts = []
    for equation in equations:
        verdict = satisfies({}, equation)
        if verdict is None:
            left, right = build(equation.left, {}), build(equation.right, {})
            verdict = True if Proof.of(left, right) else None
        verdicts.append(verdict)
    if False in verdicts:
        return {"solutions": [], "reason": "false_statement"}
    return {"error": "unproven"} if None in verdicts else {"solutions": [], "infinite": True}


# --- one unknown -----------------------------------------------------------------------------------------------------


def _one_unknown(equations: Equations, name: str, symbols: dict[str, Any], seconds: float) -> Answer:
    first, *others = equations
    answer = _one_equation(first, name, symbols, seconds)
    if not others or "error" in answer or answer.get("families") or answer.get("infinite"):
        return answer if not others or "error" in answer else {"error": "no_method"}
    kept = []
    for solution in answer["solutions"]:
        value = value_of(solution[name])
        verdicts = [satisfies({name: value}, other) for other in others]
        if all(verdicts):
            kept.append(solution)
        elif False not in verdicts:
            return {"error": "unproven"}
    return {**answer, "solutions": kept}


def _one_equation(equation: Equation, name: str, symbols: dict[str, Any], seconds: float) -> Answer:
    try:
        roots = all_roots(equation, name)
        found = [(root, _rational(equation, name, root)) for root in roots]
    except IdentityError:
        return {"solutions": [], "infinite": True, "reason": "true_where_defined", "values": {"unknown": name}}
    except (NotIsolatedError, UndecidedError, NoValueError):
        with suppress(NotInvertibleError, UndecidedError):
            return _named_all(inverted(equation, name), equation, name, symbols)
        return _by_sympy(equation, name, symbols)
    candidates: list[Any] = []
    if any(value is None for _, value in found):
        with suppress(TimeUpError, NotImplementedError, *_FAILURES), _at_most(seconds * NAMING_SHARE):
            candidates = _names(equation, symbols[name], symbols)
    solutions = []
    for root, value in found:
        if value is not None:
            if satisfies({name: value}, equation):  # it may make a divisor zero
                solutions.append({name: fraction_of(value)})
            continue
        shown = next(filter(None, (named(one, equation, name, symbols, root) for one in candidates)), None)
        try:
            solutions.append({name: shown or _unnamed(equation, root)})
        except UndecidedError:
            return {"error": "unproven"}
    return {"solutions": solutions}


def _named_all(values: list[Expression], equation: Equation, name: str, symbols: dict[str, Any]) -> Answer:
    """Return the constants that are all solutions of an equation."""
    shown = [named(build(value, {}), equation, name, symbols) for value in values]
    return {"error": "unproven"} if None in shown else {"solutions": [{name: one} for one in shown]}


def _names(equation: Equation, unknown: Any, symbols: dict[str, Any]) -> list[Any]:
    """Return closed forms that may be roots."""
    residual = build(equation.left, symbols) - build(equation.right, symbols)
    if not residual.is_rational_function(unknown):
        found = sympy.solveset(residual, unknown, sympy.S.Reals)
        if isinstance(found, sympy.FiniteSet):
            return list(found)
    return [one[unknown] for one in candidates_of((equation,), symbols) if unknown in one]


def _rational(equation: Equation, name: str, root: Root) -> Fraction | None:
    """Return the root of the cleared equation if it is a simple fraction, and None if it is another number.

    Raise UndecidedError if the root may be outside the domain of the equation.
    """
    middle = (root.low + root.high) / 2
    for limit in (1, 1_000, 1_000_000):
        simple = middle.limit_denominator(limit)
        if root.low <= simple <= root.high:
            verdict = satisfies({name: simple}, equation)
            # Near the root is not at the root: 0 is near the root of x=exp(-100).
            if verdict or (verdict is False and vanishes_at(equation, name, simple)):
                return simple
    value, _ = slope_of(Operation("-", equation.left, equation.right), name)(between(root.low, root.high))
    if not value.is_finite():
        raise UndecidedError
    return None


def _unnamed(equation: Equation, root: Root) -> dict[str, Any]:
    """Return a root without a closed form; raise UndecidedError if its decimal is not certain."""
    size = max(abs(root.low), abs(root.high))
    if root.high - root.low > size * DECIMAL_ERROR and size > TINY:
        raise UndecidedError
    function = Operation("-", equation.left, equation.right)
    middle = decimal_of((root.low + root.high) / 2)
    return ClosedForm.between(f"root({function}, {middle:.10g})", root.low, root.high).as_json()


def _by_sympy(equation: Equation, name: str, symbols: dict[str, Any]) -> Answer:
    """Solve an equation whose roots could not be enclosed; `solveset` lists all real roots, `solve` may miss some."""
    unknown = symbols[name]
    residual = build(equation.left, symbols) - build(equation.right, symbols)
    if residual.has(*UNDEFINED):
        return {"solutions": [], "reason": "divides_by_zero"}
    found = sympy.solveset(residual, unknown, sympy.S.Reals)
    if ranges := _ranges(found, equation, name):
        return {"solutions": [], "infinite": True, "reason": "range", "values": {"ranges": ranges}}
    periodic = families_of(found, equation, name, symbols)
    if periodic is not None:
        return {"solutions": [], "infinite": True, "families": [{name: one} for one in periodic], "reason": "periodic"}
    complete = isinstance(found, sympy.FiniteSet) or found is sympy.S.EmptySet
    values = list(found) if complete else _perhaps(residual, unknown)
    solutions, unproven = [], False
    for value in values:
        if value.is_real is False:
            continue
        shown = named(value, equation, name, symbols)
        unproven |= shown is None and not _refuted(value, equation, name)
        if shown is not None:
            solutions.append({name: shown})
    known = [value_of(one[name]) for one in solutions]
    simple = [one for one in SIMPLE if one not in known and satisfies({name: one}, equation)]
    if len(simple) > MAX_SIMPLE:  # whole ranges of solutions, as of floor(x)=x
        return {"error": "no_method"}
    solutions += [{name: fraction_of(one)} for one in simple]
    complete = complete and not simple
    missed, searched = _missed(equation, name, [value_of(one[name]) for one in solutions])
    # SymPy's lists are not always complete, so they count only together with our own search.
    complete = complete and searched and not unproven and not missed
    for root in missed:
        exact = _simple_in(root, equation, name)
        with suppress(UndecidedError):  # the list is not complete in any case
            solutions.append({name: _unnamed(equation, root) if exact is None else fraction_of(exact)})
    if not solutions and not complete:
        return {"error": "unproven" if unproven else "none_unproven"}
    return {"solutions": solutions, "complete": complete}


def _ranges(found: Any, equation: Equation, name: str) -> str:
    """Return intervals of solutions as text, if points in them satisfy the equation; "" if there are none."""
    shown = []
    for part in found.args if isinstance(found, sympy.Union) else (found,):
        if not isinstance(part, sympy.Interval):
            continue
        low, high = (Fraction(str(end)) if end.is_Rational else None for end in (part.start, part.end))
        first = low if low is not None else (high or 0) - 10
        width = (high - first if high is not None else Fraction(10)) / 7
        if not all(satisfies({name: first + k * width}, equation) for k in range(1, 7)):
            return ""
        left = "" if low is None else f"{low}{'<' if part.left_open else '<='}"
        right = "" if high is None else f"{'<' if part.right_open else '<='}{high}"
        shown.append(left + name + right)
    return ", ".join(shown)


def _perhaps(residual: Any, unknown: Any) -> list[Any]:
    try:
        return [one[unknown] for one in sympy.solve(residual, unknown, dict=True)]
    except NotImplementedError:
        return []


def _refuted(value: Any, equation: Equation, name: str) -> bool:
    """Return whether a candidate certainly does not satisfy the equation."""
    shown = named(value, None, name, {})
    return shown is not None and satisfies({name: value_of(shown)}, equation) is False


def _missed(equation: Equation, name: str, known: list[Fraction | ClosedForm]) -> tuple[list[Root], bool]:
    """Return roots near 0 that are not among the known ones, and whether all roots there could be enclosed."""
    try:
        function = slope_of(Operation("-", equation.left, equation.right), name)
        roots = isolate(function, -SEARCHED, SEARCHED + Fraction(1, 7))
    except NotIsolatedError:
        return [], False
    bounds = [one.bounds if isinstance(one, ClosedForm) else (one, one) for one in known]
    return [root for root in roots if not any(one and root.overlaps(between(*one)) for one in bounds)], True


def _simple_in(root: Root, equation: Equation, name: str) -> Fraction | None:
    """Return the simple fraction in an enclosure, if it satisfies the equation."""
    simple = ((root.low + root.high) / 2).limit_denominator(1_000_000)
    return simple if root.low <= simple <= root.high and satisfies({name: simple}, equation) else None


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise TimeUpError after that many seconds, where the system has a timer."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, frame: object) -> None:
        raise TimeUpError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


_FAILURES = (ArithmeticError, ValueError, TypeError, AttributeError, KeyError, IndexError)
