"""The solver reports the moves that it made, and they lead to its solutions."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sau_solver.equations.parser import parse
from sau_solver.solving import Outcome, solve
from sau_solver.solving.outcomes import Move


def written(*moves: tuple[str, str]) -> list[Move]:
    """Return moves that show an equation."""
    return [Move.of(code, equation=equation) for code, equation in moves]


def substituted(equation: str, result: str, *left: str) -> list[Move]:
    express = Move.of("solve_for", equation=equation, result=result)
    return [express, Move.of("substitute_all", equations="; ".join(left))] if left else [express]


MOVES: dict[str, list[Move]] = {
    "2*x+4*(20-x)=50": [*written(("collect", "2*x=30")), Move.of("divide", factor="2", equation="x=15")],
    "x+2=5": written(("collect", "x=3")),
    "x*(50-2*x)=300": written(("collect", "x^2-25*x+150=0"), ("square", "(x-25/2)^2=25/4")),
    "x^2=-4": [*written(("collect", "x^2+4=0")), Move.of("negative_square", value="-4")],
    "x^3-6*x^2+11*x-6=0": written(("collect", "x^3-6*x^2+11*x-6=0"), ("factor", "(x-2)*(x-3)*(x-1)=0")),
    "x^2=4; x^2=2*x": written(("collect", "x^2-4=0"), ("collect", "x^2-2*x=0"), ("common_factor", "x-2=0")),
    "(x^2-1)/(x-1)=0": [Move.of("denominators", divisors="x-1≠0"), *written(("collect", "x^2-1=0"))],
    "2*x+4*y=50; x+y=20": substituted("x+y-20=0", "x=-y+20", "y-5=0") + substituted("y-5=0", "y=5"),
    "p=w-6; 2*w+2*p=100": substituted("p-w+6=0", "p=w-6", "w-28=0") + substituted("w-28=0", "w=28"),
    "y=x+18; 2*x+18=96": substituted("2*x-78=0", "x=39", "y-57=0") + substituted("y-57=0", "y=57"),
    "6*y+3*x=27; 6*y+5*x=37": substituted("6*y+3*x-27=0", "x=-2*y+9", "y-2=0") + substituted("y-2=0", "y=2"),
    "x+y=1; x+y=2": substituted("x+y-1=0", "x=-y+1", "1=0"),
    "x^2+y^2=25; x^2-y^2=7": [
        Move.of("eliminate", unknown="y", equation="x^4-32*x^2+256=0"),
        *written(("factor", "(x-4)*(x+4)=0")),
    ],
    "sqrt(x)=3": [
        Move.of("radical", name="r1", equation="r1^2=x, r1≥0"),
        *substituted("r1-3=0", "r1=3", "x-9=0"),
        *substituted("x-9=0", "x=9"),
    ],
    "2^x=8": [Move("symbolic")],
    "9^9^9^9=x": [],
}


@pytest.mark.parametrize(("text", "moves"), MOVES.items(), ids=MOVES)
def test_the_solver_reports_its_moves(text: str, moves: list[Move]) -> None:
    assert list(solve(parse(text)).moves) == moves


def test_a_case_with_solutions_of_its_own_is_reported() -> None:
    solved = solve(parse("x*y=2*x; x^2+y^2=13"))
    assert len(solved.solutions) == 4
    assert any(move.code == "case" for move in solved.moves)


def test_a_large_linear_system_is_solved_by_a_matrix() -> None:
    text = "; ".join(f"a{k}+a{(k + 1) % 13}={k}" for k in range(13))
    solved = solve(parse(text))
    assert solved.outcome is Outcome.SOLVED
    assert solved.moves == (Move("matrix"),)


small = st.integers(-5, 5)


@given(st.lists(st.lists(small, min_size=5, max_size=5), min_size=1, max_size=5))
def test_substitution_and_the_matrix_agree(rows: list[list[int]]) -> None:
    from flint import fmpq

    from sau_solver.solving.budget import Budget
    from sau_solver.solving.linear import by_matrix, by_substitution

    assume(any(map(any, rows)))
    table = [[fmpq(entry) for entry in row] for row in rows]
    assert by_substitution(table, [], Budget()) == by_matrix(table, Budget())


@given(st.lists(small, min_size=3, max_size=3), st.data())
def test_the_last_substitutions_give_the_solution(values: list[int], data: st.DataObject) -> None:
    rows = [data.draw(st.lists(small, min_size=3, max_size=3)) for _ in values]
    text = "; ".join(
        "+".join(f"({k})*{name}" for k, name in zip(row, "xyz", strict=True))
        + f"={sum(k * v for k, v in zip(row, values, strict=True))}"
        for row in rows
    )
    solved = solve(parse(text))
    assume(solved.outcome is Outcome.SOLVED and len(solved.solutions[0]) == 3)
    last = solved.moves[-1]
    assert last.code == "solve_for"
    name, _, value = str(dict(last.values)["result"]).partition("=")
    assert value.strip("()") in (str(solved.solutions[0][name]), f"-({str(solved.solutions[0][name])[1:]})".strip("()"))
