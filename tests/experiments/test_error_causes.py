"""Each wrong prediction has one cause: the first that applies."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.answering.candidates import Candidate
from sau_solver.data.prepared.examples import Prepared, prepare
from sau_solver.equations.uet import Uet
from sau_solver.experiments.error_causes import Mistake, cause_of, label_faults, mistakes
from sau_solver.experiments.judging import Judged, judge_problem
from sau_solver.problem import Problem

BOXES = Problem(
    "boxes", "Ann has 12 apples and buys 3 boxes of 4 apples. How many apples has she?", "en",
    ("x=12+3*4",), (Fraction(24),),
)  # fmt: skip
WEEKS = Problem(
    "weeks", "Bob eats 3 plums a day. How many plums does he eat in two weeks?", "en", ("x=3*14",), (Fraction(42),)
)
FARM = Problem(
    "farm", "Hens and hares have 20 heads and 50 legs. How many hens and how many hares?", "en",
    ("x+y=20", "2*x+4*y=50"), (Fraction(15), Fraction(5)),
)  # fmt: skip
SIDES = Problem(
    "sides", "1个矩形周长为56厘米，面积为180平方厘米，它的一条边为多少？", "zh", ("x*(56/2-x)=180",), (Fraction(18),)
)
ROUNDED = Problem(
    "rounded", "Seven share 10 cakes. How much is one share for 7?", "en", ("x=10/7",), (Fraction("1.43"),)
)
WRONG = Problem("wrong", "Ann has 3 apples and buys 4. How many has she?", "en", ("x=3+4",), (Fraction(8),))
BROKEN = Problem("broken", "Ann has 3 apples and buys 4. How many has she?", "en", ("x=3+*4",), (Fraction(7),))
SILENT = Problem("silent", "Ann has 3 apples and buys 4. How many has she?", "en", ("x=3+4",), ())
DISTANCE = Problem("distance", "How far is 3 from 5?", "en", ("x=abs(3-5)",), (Fraction(2),))


def pair(problem: Problem, *trees: str) -> tuple[Prepared, Judged]:
    prepared = prepare(problem, "raw", level="ordered")
    return prepared, judge_problem(prepared, [Candidate(Uet.from_text(tree), 0.0) for tree in trees])


def only(problem: Problem, *trees: str, protocol: str = "answer") -> Mistake:
    (found,) = mistakes([pair(problem, *trees)], protocol)
    return found


@pytest.mark.parametrize(
    ("problem", "tree", "cause"),
    [
        pytest.param(BOXES, "= x - N0 * N1 N2", "wrong operator", id="another operator"),
        pytest.param(BOXES, "= x + N0 N1", "wrong operator", id="a leaf for an operator"),
        pytest.param(BOXES, "= x + N0 * N1 N1", "wrong number", id="another number"),
        pytest.param(BOXES, "+ N0 * N1 N1", "wrong number", id="plain arithmetic"),
        pytest.param(WEEKS, "= x * N0 2", "missing constant", id="another constant"),
        pytest.param(WEEKS, "= x + N0 N0", "missing constant", id="no constant"),
        pytest.param(FARM, "= + x x N0", "number of equations", id="one equation for two"),
        pytest.param(BOXES, "; = x + N0 N1 = y N2", "number of equations", id="two equations for one"),
        pytest.param(FARM, "; = + x y N0 = + * 2 x * 4 y N0", "wrong number", id="in the second equation"),
        pytest.param(BOXES, "= x + x N0", "unsolvable", id="no solution"),
        pytest.param(BOXES, "= x x", "unsolvable", id="infinitely many"),
        pytest.param(BOXES, "= x + N0 N9", "unsolvable", id="a slot without a number"),
        pytest.param(SIDES, "= * x - / N1 2 x N2", "root choice", id="the equations of gold"),
        pytest.param(WRONG, "= x * N0 N1", "label wrong", id="gold does not have the answer"),
        pytest.param(WRONG, "= x + N0 N1", "label wrong", id="nor has the prediction"),
        pytest.param(BROKEN, "= x * N0 N1", "label wrong", id="gold cannot be read"),
        pytest.param(SILENT, "= x + N0 N1", "label wrong", id="no annotated answer"),
        pytest.param(DISTANCE, "= x + N0 N1", "wrong operator", id="gold has a function"),
    ],
)  # fmt: skip
def test_a_wrong_prediction_has_a_cause(problem: Problem, tree: str, cause: str) -> None:
    assert only(problem, tree).cause == cause


def test_a_rounded_label_is_wrong_only_for_whom_it_makes_wrong() -> None:
    numbers = [str(number) for number in prepare(ROUNDED, "raw").numbers]
    ten, seven = f"N{numbers.index('10')}", f"N{numbers.index('7')}"
    assert label_faults([ROUNDED]) == {"rounded": "rounded"}
    assert only(ROUNDED, f"= x / {ten} {seven}").cause == "label wrong"
    assert only(ROUNDED, f"= x * {ten} {seven}").cause == "wrong operator"


def test_the_order_of_a_sum_and_of_equations_is_no_mistake_of_its_own() -> None:
    assert only(FARM, "; = + * 4 y * 2 x N0 = N0 + y x").cause == "wrong number"


def test_nothing_predicted_is_unsolvable() -> None:
    prepared, judged = pair(BOXES)
    assert judged.chosen() is None
    found = only(BOXES)
    assert (found.cause, found.predicted, found.given) == ("unsolvable", "", ())
    assert cause_of(prepared, None) == "unsolvable"


def test_right_predictions_are_no_mistakes_and_protocols_differ() -> None:
    right = pair(BOXES, "= x + N0 * N1 N2")
    chosen_wrongly = pair(SIDES, "= * x - / N1 2 x N2")
    assert [one.prepared.problem.id for one in mistakes([right, chosen_wrongly], "answer")] == ["sides"]
    assert mistakes([right, chosen_wrongly], "strict") == []


def test_a_mistake_shows_what_was_predicted_and_given() -> None:
    found = only(SIDES, "= * x - / N1 2 x N2")
    assert found.predicted == "x*(56/2-x)=180"
    assert found.given == ("10", "18")
    assert only(BOXES, "= x + N0 N9").predicted == "= x + N0 N9"
