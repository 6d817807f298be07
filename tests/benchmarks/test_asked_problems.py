"""The labels of benchmarks/asked agree with their equations, which SymPy solves independently of this package."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy

FOLDER = Path(__file__).parents[2] / "benchmarks" / "asked"
NAMES = {"gcd": sympy.igcd, "lcm": sympy.ilcm} | {letter: sympy.Symbol(letter, real=True) for letter in "xyz"}


def problems(name: str) -> list[dict[str, Any]]:
    """Read the problems of one file."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def expression(text: str) -> Any:
    """Read an expression with exact numbers."""
    return sympy.S(sympy.sympify(text, locals=NAMES, rational=True))  # sympify leaves gcd(4,6) a plain int


def solutions(equations: list[str]) -> list[dict[Any, Any]]:
    """Return all real solutions; one empty one where there are no equations."""
    if not equations:
        return [{}]
    sides = [equation.split("=") for equation in equations]
    found = sympy.solve([expression(left) - expression(right) for left, right in sides], dict=True)
    return [dict(solution) for solution in found]


def remainder(unknown: str, equations: list[str]) -> Any:
    """Return the remainder of the division that the equation of `unknown` writes."""
    (quotient,) = (right for left, right in (equation.split("=") for equation in equations) if left == unknown)
    dividend, _, divisor = quotient.rpartition("/")
    return expression(dividend) % expression(divisor)


def value(asked: dict[str, Any], equations: list[str], solution: dict[Any, Any]) -> Any:
    """Return what `asked` is worth in one solution."""
    exact = expression(asked["unknown"]).subs(solution)
    match asked["rounding"]:
        case "up":
            return sympy.ceiling(exact)
        case "down":
            return sympy.floor(exact)
        case "remainder":
            return remainder(asked["unknown"], equations)
    return exact


@pytest.mark.slow
@pytest.mark.parametrize("name", ["en-dev", "en-test", "zh-dev", "zh-test"])
def test_one_solution_of_the_equations_gives_every_answer(name: str) -> None:
    wrong = []
    for problem in problems(name):
        answered = [asked for asked in problem["asked"] if asked["answer"] is not None]
        expected = [sympy.Rational(asked["answer"]) for asked in answered]
        found = [
            [value(asked, problem["equations"], solution) for asked in answered]
            for solution in solutions(problem["equations"])
        ]
        if expected not in found:
            wrong.append((problem["id"], expected, found))
    assert wrong == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_both_parts_have_100_problems_and_the_same_kinds(language: str) -> None:
    dev, test = problems(f"{language}-dev"), problems(f"{language}-test")
    assert [problem["id"] for problem in dev] == [f"{language}-{number:03}" for number in range(1, 201, 2)]
    assert [problem["id"] for problem in test] == [f"{language}-{number:03}" for number in range(2, 201, 2)]
    assert Counter(problem["kind"] for problem in dev) == Counter(problem["kind"] for problem in test)
    assert len({problem["text"] for problem in dev + test}) == 200


@pytest.mark.parametrize("name", ["en-dev", "en-test", "zh-dev", "zh-test"])
def test_entries_are_complete(name: str) -> None:
    for problem in problems(name):
        assert set(problem) == {"id", "kind", "text", "equations", "asked", "note"}, problem["id"]
        for asked in problem["asked"]:
            assert set(asked) == {"quantity", "unknown", "answer", "unit", "rounding"}, problem["id"]
            assert asked["rounding"] in {"", "up", "down", "remainder"}, problem["id"]
            assert (asked["answer"] is None) == (asked["unknown"] == ""), problem["id"]
            assert asked["answer"] is None or str(Fraction(asked["answer"])) == asked["answer"], problem["id"]
