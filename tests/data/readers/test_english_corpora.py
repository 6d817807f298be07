"""The steps of GSM8K are joined to one equation whose exact value is the answer, or to none."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.data.answers import evaluate, evaluate_text
from sau_solver.data.readers.english_corpora import MAX_NODES, join_steps
from sau_solver.equations.expressions import walk
from sau_solver.equations.parser import parse


@pytest.mark.parametrize(
    ("steps", "answer", "text", "joined"),
    [
        (["48/2=24", "48+24=72"], "72", "48 clips", "x=48+48/2"),
        (["60*1/2=30", "30*1/2=15", "30-15=15"], "15", "$60", "x=60*1/2-60*1/2*1/2"),
        (["5*2=10", "100-10=90"], "90", "100 coins, 10 trays of 5", "x=100-5*2"),
        (["2*3=6", "6*4=24", "24+6=30"], "30", "6 boxes", "x=2*3*4+6"),
        (["20%*50=10", "50-10=40"], "40", "", "x=50-0.2*50"),
        (["1+1=2", "3*3=9", "7-2=5"], "5", "", "x=7-(1+1)"),
        (["4+4=8", "8*9=72", "72/2=36"], "72", "", "x=(4+4)*9"),
        (["1,000*2=2,000"], "2000", "", "x=1000*2"),
    ],
)
def test_steps_join(steps: list[str], answer: str, text: str, joined: str) -> None:
    assert join_steps(steps, Fraction(answer), text) == joined


@pytest.mark.parametrize(
    ("steps", "answer"),
    [
        ([], "5"),
        (["2+3=5"], "6"),
        (["10/3=3.33", "3.33*3=9.99"], "9.99"),
        (["2+3=6"], "6"),
        (["x+1=2"], "2"),
        (["560//10=56"], "56"),
        (["5/0=5"], "5"),
        (["nonsense"], "5"),
    ],
)
def test_steps_that_do_not_give_the_answer_do_not_join(steps: list[str], answer: str) -> None:
    assert join_steps(steps, Fraction(answer), "") is None


def test_results_used_twice_do_not_grow_without_limit() -> None:
    steps = [f"{2**n}+{2**n}={2 ** (n + 1)}" for n in range(40)]
    assert join_steps(steps, Fraction(2**40), "") is None


@given(st.lists(st.tuples(st.sampled_from("+-*"), st.integers(1, 99)), min_size=1, max_size=6), st.integers(1, 99))
def test_a_chain_of_exact_steps_has_the_value_of_its_answer(chain: list[tuple[str, int]], start: int) -> None:
    value, steps = Fraction(start), []
    for operator, operand in chain:
        left = f"{value}{operator}{operand}"
        value = evaluate_text(left)
        steps.append(f"{left}={value}")
    joined = join_steps(steps, value, "")
    if joined is not None:  # not joined if a step has a negative number after an operator, which cannot be parsed
        (equation,) = parse(joined)
        assert evaluate(equation.right) == value
        assert sum(1 for _ in walk(equation.right)) <= MAX_NODES
