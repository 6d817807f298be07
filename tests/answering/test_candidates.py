"""Candidates with equal answers form a group; plausible groups come before doubtful ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.answering.candidates import SERVING, Candidate
from sau_solver.answering.ranking import Ranked, equal_answers, log_sum, rank
from sau_solver.equations.expressions import Equations
from sau_solver.equations.parser import parse
from sau_solver.equations.symbols import Slot
from sau_solver.equations.uet import Uet
from sau_solver.solving import Solved, Value, solve, solve_each
from sau_solver.solving.symbolic import SymbolicAnswer, SymbolicWorker
from sau_solver.text.numbers import map_text
from tests.predictors import proposed

CHICKENS = "鸡兔同笼，上有20个头，下有50条腿，鸡有多少只？"


def ranked(text: str, *proposals: tuple[str, float]) -> Ranked:
    mapped = map_text(text)
    return rank(mapped, proposed(mapped, proposals))


def test_probabilities_of_equal_answers_add_up_and_decide() -> None:
    found = ranked(CHICKENS, ("x=20-50/10", 0.3), ("x=50-20", 0.4), ("x=(20*4-50)/2", 0.2))
    assert [group.answers for group in found.groups] == [(Fraction(15),), (Fraction(30),)]
    assert found.groups[0].members == (0, 2)
    assert math.exp(found.groups[0].log_probability) == pytest.approx(0.5)
    assert found.best is found.candidates[0]


@pytest.mark.parametrize(
    ("text", "doubtful", "reason"),
    [
        (CHICKENS, "x=20-50", "negative"),
        (CHICKENS, "x=50/20", "fractional"),
        (CHICKENS, "x=20-20", "zero"),
        ("一桶油重20千克，用去5千克，还剩多少千克？", "x=5-20+16", "overdrawn"),
        ("20人中有5人请假，请假的占几分之几？", "x=20/5", "over_whole"),
        ("一块地面积是20平方米，另一块是5平方米，边长多少米？", "x^2=20", "irrational"),
        ("Tom has 20 apples and gives 5 away. How many apples has he left?", "x=5-20", "negative"),
        ("A bag holds 20 balls, 5 of them red. What is the probability of red?", "x=20/5", "over_whole"),
    ],
)
def test_what_cannot_be_ranks_behind_what_can(text: str, doubtful: str, reason: str) -> None:
    likely = "x=5/20" if reason == "over_whole" else "x=20+5*3"
    found = ranked(text, (doubtful, 0.8), (likely, 0.01))
    assert found.candidates[0].doubt == reason
    assert [found.candidates[group.members[0]].doubt for group in found.groups] == ["", reason]
    assert found.best is found.candidates[1]


def test_a_doubtful_answer_is_still_given_where_there_is_no_other() -> None:
    found = ranked(CHICKENS, ("x=20-50", 0.8))
    assert found.groups[0].answers == (Fraction(-30),)


def test_negative_answers_are_plausible_where_bare_numbers_are_asked_for() -> None:
    assert ranked("两个数的和是5，差是20，求这两个数。", ("x+y=5;x-y=20", 0.5)).candidates[0].doubt == ""


def test_candidates_that_do_not_solve_are_in_no_group() -> None:
    found = ranked(CHICKENS, ("x=x+20", 0.5), ("0*x=0", 0.3), ("x=50/(20-20)", 0.1))
    assert not found.groups
    assert found.best is None
    assert [one.outcome for one in found.candidates] == ["none", "infinite", "none"]


def test_a_slot_without_a_number_is_said_and_not_raised() -> None:
    mapped = map_text(CHICKENS)
    found = rank(mapped, [Candidate(Uet((Slot(7),)), -0.1)])
    assert found.candidates[0].outcome == "not_filled"
    assert not found.groups


def test_no_candidates_make_no_groups() -> None:
    assert rank(map_text(CHICKENS), []) == Ranked(map_text(CHICKENS), (), ())


def test_equal_trees_are_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[Equations] = []

    def counting(systems: Sequence[Equations], deadline: float, worker: SymbolicWorker) -> list[Solved]:
        solved.extend(systems)
        return solve_each(systems, deadline, worker)

    monkeypatch.setattr("sau_solver.answering.candidates.solve_each", counting)
    ranked(CHICKENS, ("x=20+50", 0.5), ("x=20+50", 0.3), ("x=50+20", 0.1))
    assert len(solved) == 2


def test_the_symbolic_solver_is_asked_for_few_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Equations] = []

    def counting(equations: Equations, names: tuple[str, ...], deadline: float) -> SymbolicAnswer:
        asked.append(equations)
        return SymbolicAnswer([{"x": Fraction(19)}])

    monkeypatch.setattr(SymbolicWorker.shared(), "solve", counting)
    found = ranked("本金20元，利率5%，几年后有50元？", *((f"20*1.05^x={goal}", 0.2) for goal in (50, 60, 70, 80)))
    assert len(asked) == SERVING.candidates
    assert [one.outcome for one in found.candidates] == ["solved", "solved", "too_hard", "too_hard"]


def test_irrational_answers_are_equal_by_value_and_rational_ones_exactly() -> None:
    (surd,) = solve(parse("x^2=2")).solutions[-1:]
    root: Value = surd["x"]
    assert equal_answers((root, Fraction(1)), (Fraction(1), root))
    assert not equal_answers((Fraction(1000),), (Fraction(10001, 10),))
    assert not equal_answers((Fraction(1),), (Fraction(1), Fraction(1)))


@given(st.lists(st.floats(-500, 0), min_size=1, max_size=8))
def test_a_sum_of_probabilities_is_at_least_its_largest(logarithms: list[float]) -> None:
    total = log_sum(logarithms)
    assert max(logarithms) <= total <= max(logarithms) + math.log(len(logarithms)) + 1e-9


@given(st.permutations([("x=20+50", 0.3), ("x=50-20", 0.3), ("x=70", 0.2), ("x=20-50", 0.1)]))
def test_the_groups_do_not_depend_on_the_order_of_candidates(proposals: list[tuple[str, float]]) -> None:
    found = ranked(CHICKENS, *proposals)
    assert [group.answers[0] for group in found.groups] == [70, 30, -30]
