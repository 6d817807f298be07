"""Each wrong answer of `sau solve` has one cause, also where a corpus has answers but no equations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

from sau_solver.answering.candidates import Candidate
from sau_solver.data.prepared.examples import prepare
from sau_solver.equations.uet import Uet
from sau_solver.experiments.answer_causes import ErrorGroup, WrongAnswer, by_skill, wrong_answers
from sau_solver.models.base import BEAM
from sau_solver.models.loading import Model
from sau_solver.problem import Language, Lesson, Problem
from sau_solver.text.numbers import MappedText
from tests.by_heart import CHICKENS, ByHeart, pens

TRAMS = "A tram leaves every 4 minutes and a bus every 6 minutes. In how many minutes do both leave together again?"
BUSES = "A bus holds 24 pupils. 165 pupils ride by bus. What is the number of buses?"
DAYS = "A bus uses 24 liters a day. How long does it drive with 165 liters?"
THREE = "A shelf holds 6 books. There are 4 shelves and 5 tables. How many books are there?"


@dataclass(frozen=True)
class Fixed:
    """Proposes the same trees for every text, the first as the most probable."""

    trees: tuple[str, ...]
    name: str = "fixed"

    def predict(self, texts: Sequence[MappedText], beam: int = BEAM) -> list[list[Candidate]]:
        return [
            [Candidate(Uet.from_text(tree), math.log(0.6 / 2**place)) for place, tree in enumerate(self.trees)]
            for _ in texts
        ]


def problem(text: str, answer: str, equation: str = "", unneeded: tuple[int, ...] = ()) -> Problem:
    lesson = Lesson("packing", 3, unneeded=tuple(map(Fraction, unneeded))) if unneeded else None
    language: Language = "zh" if text == CHICKENS else "en"
    answers = tuple(map(Fraction, answer.split()))
    return Problem("one", text, language, (equation,) if equation else (), answers, lesson=lesson)


def only(wrong: Problem, *trees: str) -> WrongAnswer:
    (found,) = wrong_answers(Model(Fixed(trees)), [wrong])
    return found


@pytest.mark.parametrize(
    ("wrong", "trees", "cause"),
    [
        pytest.param(problem("How are you?", "3"), ["* N0 N1"], "text refused", id="not a problem"),
        pytest.param(problem("What is 25% of 80?", "21"), ["* N0 N1"], "read as mathematics", id="a calculation"),
        pytest.param(problem(TRAMS, "6"), ["* N0 N1"], "read as mathematics", id="a story about a common multiple"),
        pytest.param(problem(pens(5, 3), "8"), ["= x + x N0"], "unsolvable", id="no solution"),
        pytest.param(problem(pens(5, 3), "8"), [], "unsolvable", id="no candidate"),
        pytest.param(problem(CHICKENS, "5"), ["; = + x y N0 = + * 2 x * 4 y N1"], "root choice", id="one of two"),
        pytest.param(problem(BUSES, "7"), ["/ N1 N0"], "rounding", id="up to a whole number"),
        pytest.param(problem(DAYS, "6.88"), ["/ N1 N0"], "rounding", id="to two decimals"),
        pytest.param(problem(pens(5, 3), "8"), ["* N0 N1", "+ N0 N1"], "not chosen", id="the second is right"),
        pytest.param(problem(pens(5, 3), "0.15"), ["* N0 N1"], "unit or percent", id="a hundredth"),
        pytest.param(problem(pens(5, 3), "900"), ["* N0 N1"], "unit or percent", id="seconds for minutes"),
        pytest.param(problem(THREE, "26", unneeded=(5,)), ["* N0 N2"], "unneeded number", id="told unneeded"),
        pytest.param(problem(THREE, "26"), ["* N0 N2"], "number left out", id="two of three"),
        pytest.param(problem(THREE, "26", unneeded=(5,)), ["* N0 N1"], "other", id="the third is unneeded"),
        pytest.param(problem(pens(5, 3), "8"), ["* N0 N1"], "other", id="both numbers are used"),
    ],
)
def test_answers_alone_have_causes(wrong: Problem, trees: list[str], cause: str) -> None:
    assert only(wrong, *trees).cause == cause


@pytest.mark.parametrize(
    ("wrong", "trees", "cause"),
    [
        pytest.param(problem(pens(5, 3), "8", "x=5+3"), ["* N0 N1"], "wrong operator", id="as of stored results"),
        pytest.param(
            problem(pens(5, 3), "8", "x=5+3"), ["* N0 N1", "+ N0 N1"], "wrong operator", id="even in the beam"
        ),
        pytest.param(problem(THREE, "20", "x=4*5"), ["* N0 N1"], "wrong number", id="another number"),
        pytest.param(problem(pens(5, 3), "16", "x=5*3"), ["* N0 N1"], "label wrong", id="the equations of gold"),
        pytest.param(problem(pens(17, 5), "2", "17/5=3 r2"), ["* N0 N1"], "other", id="gold gives something else"),
        pytest.param(problem(pens(5, 3), "8", "5+*3"), ["* N0 N1", "+ N0 N1"], "not chosen", id="unreadable gold"),
        pytest.param(problem(BUSES, "7", "x=165/24"), ["/ N1 N0"], "rounding", id="rounded by the corpus"),
    ],
)
def test_equations_decide_where_they_give_the_answers(wrong: Problem, trees: list[str], cause: str) -> None:
    assert only(wrong, *trees).cause == cause


def test_right_answers_are_not_listed_and_model_names_do_not_matter() -> None:
    problems = [problem(pens(5, 3), "15"), problem(pens(6, 3), "19"), problem(pens(7, 3), "21")]
    for name in ("", "by heart"):
        (found,) = wrong_answers(Model(ByHeart(), name=name), problems)
        assert (found.problem, found.cause) == (problems[1], "other")
        assert (found.predicted, found.given) == ("x=6*3", ("18",))


def test_a_refusal_shows_its_reason() -> None:
    found = only(problem("How are you?", "3"), "* N0 N1")
    assert found.predicted == ""
    assert found.given != ("",)


def test_traits_tell_of_the_beam_and_of_numbers() -> None:
    assert only(problem(pens(5, 3), "8"), "* N0 N1", "+ N0 N1").traits == {"right in beam"}
    assert only(problem(pens(5, 3), "8"), "* N0 N1").traits == frozenset()
    swapped = only(problem(THREE, "20", "x=4*5"), "* N0 N1", "* N1 N2")
    assert swapped.traits == {"right in beam", "needed number left out", "unneeded number used"}
    assert only(problem(THREE, "20", "x=4*5"), "* N0 * N1 N2").traits == {"unneeded number used"}


def test_groups_are_skills_types_or_counts() -> None:
    problems = [
        replace(problem(THREE, "26", unneeded=(5,)), id="lesson"),
        replace(problem(THREE, "26", "x=6*4+2"), id="operations"),
        replace(problem(pens(5, 3), "8"), id="sum", kind="Addition"),
        replace(problem(pens(6, 3), "18"), id="right", kind="Addition"),
        replace(problem(pens(8, 3), "25"), id="numbers"),
    ]
    wrong = wrong_answers(Model(Fixed(("* N0 N1",))), problems)
    groups = by_skill([prepare(one, "raw") for one in problems], wrong)
    assert groups == {
        "skill": {"packing": ErrorGroup(1, 1, {"other": 1})},
        "operations": {"2": ErrorGroup(1, 1, {"missing constant": 1})},
        "numbers in the text": {
            "2": ErrorGroup(1, 1, {"other": 1}),
            "3": ErrorGroup(1, 1, {"missing constant": 1}),
        },
        "type": {"Addition": ErrorGroup(2, 1, {"other": 1})},
    }
