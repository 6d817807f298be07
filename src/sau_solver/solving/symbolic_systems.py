"""Equations in several unknowns that are not polynomial -> verified solutions by SymPy, and whether they are all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy

from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Unknown,
    unknowns_of,
    walk_equations,
)
from sau_solver.equations.parser import parse_expression
from sau_solver.solving.angles import substituted
from sau_solver.solving.closed_forms import Proof, named, value_of
from sau_solver.solving.linear_reals import Determined, determined
from sau_solver.solving.real_points import count_real
from sau_solver.solving.sympy_notation import UNDEFINED, build
from sau_solver.solving.verification import satisfies

Answer = dict[str, Any]
MAX_NODES = 2_000  # of equations after a substitution


@dataclass(frozen=True, slots=True)
class Definition:
    """An equation name = expression whose expression does not contain the name."""

    name: str
    expression: Expression


def definition_in(equations: Equations) -> tuple[Definition, Equations] | None:
    """Return a definition and the other equations after its substitution, or None if there is none."""
    for place, one in enumerate(equations):
        for left, right in ((one.left, one.right), (one.right, one.left)):
            if isinstance(left, Unknown) and left.name not in unknowns_of((Equation(right, right),)):
                others = substituted(equations[:place] + equations[place + 1 :], {left: right})
                small = sum(1 for _ in walk_equations(others)) <= MAX_NODES
                return (Definition(left.name, right), others) if small else None
    return None


def completed(answer: Answer, definition: Definition, equations: Equations, symbols: dict[str, Any]) -> Answer:
    """Return the answer to the other equations with the unknown that was defined."""
    if "error" in answer or answer.get("infinite"):
        return answer
    solutions, expression = [], build(definition.expression, symbols)
    for solution in answer["solutions"]:
        values = {name: value_of(one) for name, one in solution.items()}
        if any(str(one).startswith("root(") for one in values.values()):
            return {"error": "no_method"}  # the value of the unknown has no expression
        place = {symbols[name]: build(parse_expression(str(one)), {}) for name, one in values.items()}
        shown = named(expression.subs(place), None, "", {})
        found = {name: solution.get(name, shown) for name in symbols}
        if shown is None or _disproven(equations, found):
            return {"error": "unproven"}
        solutions.append(found)
    return {**answer, "solutions": solutions}


def linear(equations: Equations, symbols: dict[str, Any]) -> Answer:
    """Solve linear equations with irrational coefficients, whose zeros are decided and not assumed."""
    rank = determined(equations, tuple(symbols))
    if rank is Determined.NONE:
        return {"solutions": [], "reason": "contradiction"}
    if rank is Determined.FREE:
        return {"solutions": [], "infinite": True}
    for solution in candidates_of(equations, symbols):
        shown = {name: named(solution[symbol], None, name, {}) for name, symbol in symbols.items()}
        if all(shown.values()) and _proven(equations, solution, symbols, shown):
            return {"solutions": [shown]}
    return {"error": "unproven"}


def nonlinear(equations: Equations, symbols: dict[str, Any]) -> Answer:
    """Solve equations by SymPy, and tell whether the solutions are all."""
    solutions, infinite, unproven = [], False, False
    for assignment in candidates_of(equations, symbols):
        values: list[Any] = [assignment.get(symbol) for symbol in symbols.values()]
        if any(value is None or value.free_symbols for value in values):
            infinite |= _is_family(equations, assignment, symbols)
            unproven |= not infinite
            continue
        if any(value.is_real is False for value in values):
            continue
        shown = {name: named(assignment[symbol], None, name, {}) for name, symbol in symbols.items()}
        if all(shown.values()) and _proven(equations, assignment, symbols, shown):
            solutions.append(shown)
        elif not all(shown.values()) or not _disproven(equations, shown):
            unproven = True
    if infinite:
        return {"solutions": [], "infinite": True}
    complete = not unproven and _all_of_them(equations, symbols, len(solutions))
    if not solutions and not complete:
        return {"error": "unproven" if unproven else "none_unproven"}
    return {"solutions": solutions, "complete": complete}


def _proven(equations: Equations, assignment: dict[Any, Any], symbols: dict[str, Any], shown: dict[str, Any]) -> bool:
    values = {name: value_of(one) for name, one in shown.items()}
    for equation in equations:
        verdict = satisfies(values, equation)
        if verdict is False:
            return False
        left, right = build(equation.left, symbols), build(equation.right, symbols)
        if verdict is None and not Proof.of(left.subs(assignment), right.subs(assignment)):
            return False
    return True


def _disproven(equations: Equations, shown: dict[str, Any]) -> bool:
    values = {name: value_of(one) for name, one in shown.items()}
    return any(satisfies(values, equation) is False for equation in equations)


def _is_family(equations: Equations, assignment: dict[Any, Any], symbols: dict[str, Any]) -> bool:
    """Return whether unknowns that are free lead to real solutions near some point, and so to infinitely many."""
    free = [symbol for symbol in symbols.values() if symbol not in assignment]
    for start in ("3/2", "1/20", "-7/5", "31/3", "-1/300"):
        point = {symbol: sympy.Rational(3 * k + 7, 7) * sympy.Rational(start) for k, symbol in enumerate(free)}
        values = {**{symbol: value.subs(point) for symbol, value in assignment.items()}, **point}
        shown = {name: named(values[symbol], None, name, {}) for name, symbol in symbols.items()}
        # Roots of positive numbers only: then the values stay real nearby.
        inner = [
            power.base for value in assignment.values() for power in value.atoms(sympy.Pow) if not power.exp.is_Integer
        ]
        open_set = all(base.subs(point).is_positive for base in inner) and all(shown.values())
        if open_set and _proven(equations, values, symbols, shown):
            return True
    return False


def candidates_of(equations: Equations, symbols: dict[str, Any]) -> list[dict[Any, Any]]:
    """Return possible solutions, found with symbols in place of irrational numbers.

    SymPy spends seconds trying to simplify tan(38).
    """
    residuals = [build(one.left, symbols) - build(one.right, symbols) for one in equations]
    if any(residual.has(*UNDEFINED) for residual in residuals):
        return []
    constants: dict[Any, Any] = {}

    def symbolized(node: Any) -> Any:
        if node.is_number and not node.is_Rational:
            return constants.setdefault(node, sympy.Dummy(real=True, positive=node.is_positive))
        return node.func(*map(symbolized, node.args)) if node.args else node

    unknowns = list(symbols.values())
    plain = [symbolized(residual) for residual in residuals]
    rational = all(residual.is_rational_function(*unknowns) for residual in plain)
    if not rational:
        plain, constants = residuals, {}
    found = sympy.solve(plain, unknowns, dict=True)
    values = {symbol: constant for constant, symbol in constants.items()}
    return [{symbol: value.subs(values) for symbol, value in one.items()} for one in found]


def _all_of_them(equations: Equations, symbols: dict[str, Any], count: int) -> bool:
    """Return whether polynomial equations have no more real solutions than those that were found."""
    residuals = [build(one.left, symbols) - build(one.right, symbols) for one in equations]
    numerators = [sympy.fraction(sympy.together(residual))[0] for residual in residuals]
    if not all(one.is_polynomial(*symbols.values()) and one.is_rational is not False for one in numerators):
        return False
    if any(not node.is_Rational for one in numerators for node in one.atoms(sympy.Number, sympy.NumberSymbol)):
        return False
    if any(one.atoms(sympy.Function) for one in numerators):
        return False
    return count_real(numerators, list(symbols.values())) == count
