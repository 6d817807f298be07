"""benchmarks/questions.py tells a model that reads the question from one that does not."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from benchmarks.questions import Share, Stays, contrast_groups, cut_out, measure, swapped_texts
from sau_solver.answering.candidates import Candidate
from sau_solver.models.base import BEAM
from sau_solver.models.loading import Model
from sau_solver.problem import Lesson, Problem
from sau_solver.solver import Solver
from sau_solver.text.numbers import MappedText
from tests.predictors import proposed

TOLD = "Ann has {} red and {} green pens."


def group(name: str, first: int, second: int) -> list[Problem]:
    """Return a contrast group: a base problem, another question, and the base problem in other words."""
    sum_, difference = Fraction(first + second), Fraction(first - second)
    made = [
        ("base", "How many pens does she have altogether?", f"x={first}+{second}", sum_),
        ("other question", "How many more red pens are there?", f"x={first}-{second}", difference),
        ("one word changes it", "How many pens is that?", f"x={first}+{second}", sum_),
    ]
    return [
        Problem(
            f"{name}-{contrast}",
            f"{TOLD.format(first, second)} {question}",
            "en",
            (equation,),
            (answer,),
            lesson=Lesson("part-whole", 2, name, contrast),
        )
        for contrast, question, equation, answer in made
    ]


SCHOOL = [*group("a", 9, 4), *group("b", 7, 2)]


class Reader:
    """Adds, unless it is asked `how many more` and reads that."""

    name = "reader"

    def __init__(self, reads: bool) -> None:
        self.reads = reads

    def predict(self, texts: Sequence[MappedText], beam: int = BEAM) -> list[list[Candidate]]:
        found = []
        for text in texts:
            first, second = (number.value for number in text.numbers)
            sign = "-" if self.reads and "more" in text.text else "+"
            found.append(proposed(text, [(f"x={first}{sign}{second}", 0.9)]))
        return found


def solver(reads: bool) -> Solver:
    """Return a solver with a reader as its model."""
    return Solver({"en": lambda: Model(Reader(reads), name="reader")})


def test_the_tree_of_a_model_that_reads_the_question_changes_with_it() -> None:
    figures = measure(solver(reads=True), SCHOOL, most=300)
    assert figures.right == Share(6, 6)
    assert figures.removed == Stays(6, 4, 4)  # without a question it adds
    assert figures.swapped == figures.swapped_of_right == Stays(6, 0, 0)
    assert (figures.groups, figures.pairs) == (Share(2, 2), Share(2, 2))


def test_the_tree_of_a_model_that_does_not_read_it_stays() -> None:
    figures = measure(solver(reads=False), SCHOOL, most=300)
    assert figures.right == Share(4, 6)
    assert figures.removed == figures.swapped == Stays(6, 6, 6)
    assert figures.swapped_of_right == Stays(4, 4, 4)
    assert (figures.groups, figures.pairs) == (Share(0, 2), Share(0, 2))
    assert measure(solver(reads=False), SCHOOL, most=2).removed == Stays(2, 2, 2)


def test_a_question_of_school_is_swapped_for_one_that_is_computed_differently() -> None:
    cuts = [cut for problem in SCHOOL if (cut := cut_out(problem))]
    swapped = {problem.id: text for problem, text in swapped_texts(cuts, contrast_groups(SCHOOL), seed=0)}
    assert swapped["a-base"] == swapped["a-one word changes it"] == SCHOOL[1].text
    assert swapped["b-other question"] in (SCHOOL[3].text, SCHOOL[5].text)


def test_other_corpora_take_any_other_question_and_have_no_groups() -> None:
    told = Problem("1", "Ann has 9 pens and loses 4. How many are left?", "en", answers=(Fraction(5),))
    other = Problem("2", "Ben buys 3 pens and 8 pads. How many things did he buy?", "en", answers=(Fraction(11),))
    cuts = [cut for problem in (told, other) if (cut := cut_out(problem))]
    assert dict(swapped_texts(cuts, [], seed=0))[told] == "Ann has 9 pens and loses 4. How many things did he buy?"
    figures = measure(solver(reads=True), [told, other], most=300)
    assert (figures.swapped, str(figures.groups)) == (Stays(2, 2, 2), "–")


def test_a_question_with_numbers_is_left_alone() -> None:
    assert cut_out(Problem("1", "A pen costs 3 dollars. How much do 4 pens cost?", "en")) is None
