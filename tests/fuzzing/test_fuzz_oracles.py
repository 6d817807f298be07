"""The oracles of the fuzzer notice defects: each is shown one, and must object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import fuzzing.planted_equations
import fuzzing.planted_systems
import fuzzing.printed_equations
from fuzzing.real_counts import count_real
from fuzzing.residues import latex_residue, mathml_residue, residue
from fuzzing.sturm import Roots, product
from fuzzing.target import InvalidSpecError, WrongError, random_of
from fuzzing.targets import TARGETS
from sau_solver.equations.expressions import Statements
from sau_solver.equations.notation import latex, mathml
from sau_solver.equations.parser import parse_expression
from sau_solver.solving import Solved, solve_statements
from sau_solver.solving.conditions import under_conditions
from sau_solver.text.numbers import find_numbers

TINY = Fraction(1, 10**40)


def without_last(solved: Solved) -> Solved:
    """A defect: the last of several solutions is lost."""
    return replace(solved, solutions=solved.solutions[:-1]) if len(solved.solutions) > 1 else solved


def moved(solved: Solved) -> Solved:
    """A defect: rational solutions are wrong in the fortieth decimal."""
    solutions = tuple(
        {name: value + TINY if isinstance(value, Fraction) else value for name, value in one.items()}
        for one in solved.solutions
    )
    return replace(solved, solutions=solutions)


def breaks(name: str, inputs: int) -> set[str]:
    """Return the rules that some inputs of a target break."""
    target, rules = TARGETS[name](), set()
    for index in range(inputs):
        try:
            target.check(target.draw(random_of(3, name, index)))
        except WrongError as wrong:
            rules.add(wrong.rule)
        except InvalidSpecError:
            continue
    return rules


@pytest.mark.parametrize(
    ("module", "name", "defect", "rule"),
    [
        (fuzzing.planted_equations, "polynomials", without_last, "number of real roots"),
        (fuzzing.planted_equations, "polynomials", moved, "solutions satisfy their equations"),
        (fuzzing.planted_equations, "radicals", without_last, "solved is complete"),
        (fuzzing.planted_systems, "polynomial systems", without_last, "number of real solutions"),
        (fuzzing.planted_systems, "polynomial systems", moved, "solutions satisfy their equations"),
        (fuzzing.planted_systems, "linear systems", moved, "solution satisfies its equation"),
    ],
)
def test_defects_of_the_solver_are_noticed(
    module: Any, name: str, defect: Callable[[Solved], Solved], rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve = module.solve
    monkeypatch.setattr(module, "solve", lambda equations: defect(solve(equations)))
    assert rule in breaks(name, 30)


def test_lost_solutions_under_conditions_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = "fuzzing.planted_conditions.solve_statements"
    monkeypatch.setattr(found, lambda stated: without_last(solve_statements(stated)))
    assert any(rule.startswith("roots under") for rule in breaks("conditions", 60))


def test_lost_curves_under_conditions_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_curves(stated: Statements) -> Solved:
        solved = solve_statements(Statements(stated.equations))
        return under_conditions(replace(solved, families=solved.determined), stated.conditions)

    monkeypatch.setattr("fuzzing.planted_curves.solve_statements", without_curves)
    assert "planted point denied" in breaks("curves", 300)


def test_conditions_that_are_not_applied_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = "fuzzing.planted_curves.solve_statements"
    monkeypatch.setattr(found, lambda stated: solve_statements(Statements(stated.equations)))
    assert "contradictory conditions are met" in breaks("curves", 30)


def test_wrong_numbers_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzzing.number_texts.find_numbers", lambda *given: find_numbers(*given)[:1])
    assert breaks("number mapping", 60)


def test_a_wrong_notation_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzzing.printed_equations, "latex", lambda shown: latex(shown).replace(r"\left(", "{", 1))
    assert breaks("printing", 30)


@pytest.mark.parametrize("text", ["2*(x+1)/3-x^2", "-x*(3-y)", "2^(x+1)*sin(y)-abs(x-3)", "(1/3)*x-0.5", "(x-y)^0.5"])
def test_notations_have_the_residue_of_their_expression(text: str) -> None:
    node = parse_expression(text)
    assert latex_residue(latex(node)) == mathml_residue(mathml(node)) == residue(node)
    assert residue(parse_expression(f"({text})+1")) != residue(node)


def test_real_roots_are_counted() -> None:
    one, two = [Fraction(-1), Fraction(1)], [Fraction(-2), Fraction(0), Fraction(1)]
    roots = Roots(product(one, one, two, [Fraction(1), Fraction(0), Fraction(1)]))  # (x-1)²(x²-2)(x²+1)
    assert len(roots) == 3
    assert [roots.sign(one, place) for place in range(3)] == [-1, 0, 1]


def test_real_solutions_of_systems_are_counted() -> None:
    import sympy

    x, y = sympy.symbols("x y")
    assert count_real([x**2 + y**2 - 25, x * y - 12], [x, y]) == 4
    assert count_real([x**2 + y**2 - 1, x - y - 5], [x, y]) == 0
    assert count_real([(x - 1) ** 2 + (y - 2) ** 2, x - 1], [x, y]) == 1
