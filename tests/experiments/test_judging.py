"""Candidates are solved and compared with gold; the first solved one is the model's answer."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.answering.candidates import UNFILLABLE, Candidate
from sau_solver.data.prepared.examples import Prepared, prepare
from sau_solver.equations.uet import Uet
from sau_solver.experiments.judging import METRICS, Judged, judge_problem, shares, shares_by, unreadable
from sau_solver.problem import Problem

RECTANGLE = Problem(
    "1", "A rectangle has 10 metres of fence on two sides and 24 square metres. How wide is the longer side?", "en",
    ("x*(10-x)=24",), (Fraction(6),),
)  # fmt: skip


def judged(problem: Problem, *trees: str) -> Judged:
    return judge_problem(ready(problem), [Candidate(Uet.from_text(tree), -float(k)) for k, tree in enumerate(trees)])


def ready(problem: Problem) -> Prepared:
    return prepare(problem, "raw")


def right(one: Judged) -> set[str]:
    return {metric for metric in METRICS if one.right(metric)}


def test_the_gold_tree_is_right_by_every_metric() -> None:
    assert right(judged(RECTANGLE, str(ready(RECTANGLE).tree))) == set(METRICS)


def test_a_missing_root_passes_the_reference_protocol_alone() -> None:
    found = judged(RECTANGLE, "= x 4")
    assert right(found) == {"reference", "first", "candidates_oracle"}


def test_the_paper_counts_the_first_candidate_even_if_it_does_not_solve() -> None:
    found = judged(RECTANGLE, "= x / 1 0", str(ready(RECTANGLE).tree))
    assert right(found) == set(METRICS) - {"first"}


def test_a_candidate_that_does_not_solve_ranks_below_one_that_does() -> None:
    found = judged(RECTANGLE, "= x / 1 0", "= x N9", "= * x - N0 x 24")
    assert [one.outcome for one in found.candidates] == ["none", "not_filled", "solved"]
    assert found.right("strict")


def test_the_first_that_solves_is_judged_and_the_oracle_looks_at_all() -> None:
    found = judged(RECTANGLE, "= x N0", "= * x - N0 x 24")
    assert right(found) == {"candidates_oracle"}


def test_an_output_that_is_no_tree_is_wrong_and_told() -> None:
    outputs = [Candidate(UNFILLABLE, -1.0, "x = ( N0"), Candidate(Uet.from_text("= * x - N0 x 24"), -2.0)]
    found = judge_problem(ready(RECTANGLE), outputs)
    assert [one.outcome for one in found.candidates] == ["unreadable", "solved"]
    assert found.right("strict")  # by the first solved candidate
    alone = judge_problem(ready(RECTANGLE), outputs[:1])
    assert right(alone) == set()
    assert unreadable([found, alone, judged(RECTANGLE, "= x N0"), judged(RECTANGLE)]) == 2


def test_a_problem_without_candidates_is_wrong() -> None:
    assert right(judged(RECTANGLE)) == set()


def test_where_gold_cannot_be_read_only_the_annotated_answer_counts() -> None:
    broken = Problem("1", "3 hens and 4 cows", "en", ("x=(3+4",), (Fraction(7),))
    found = judged(broken, "= x + N0 N1")
    assert right(found) == {"answer", "annotated"}
    assert found.size == "unreadable"


def test_slots_of_equal_value_make_equal_trees() -> None:
    twice = Problem("1", "5 hens, 3 cows and 5 pigs: how many hens and cows?", "en", ("x=5+3",), (Fraction(8),))
    assert judged(twice, "= x + N2 N1").right("equation")


def test_shares_are_counted_over_all_and_by_group() -> None:
    good, bad = judged(RECTANGLE, "= * x - N0 x 24"), judged(RECTANGLE, "= x N0")
    assert shares([good, bad, bad, bad])["strict"] == 0.25
    assert shares([]) == {}
    by_type = shares_by([good, bad], "type", ["linear-one", "non-linear-one"])
    assert list(by_type) == ["non-linear-one"]
    assert by_type["non-linear-one"]["problems"] == 2
    assert by_type["non-linear-one"]["reference"] == pytest.approx(0.5)
