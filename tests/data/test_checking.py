"""Labels that contradict each other, or that cannot be read, are listed; none of them stops the check of a corpus."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.data import Corpus
from sau_solver.data.checking import check
from sau_solver.problem import AskedFor, Problem

TEXT = "There are 130 rolls, 12 on each tray. How many trays are full?"


def corpus(*asks: AskedFor) -> Corpus:
    problems = [
        Problem(str(place), TEXT, "en", ("x=130/12",), (one.answer,), asked=(one.answer,), asks=(one,))
        for place, one in enumerate(asks)
    ]
    return Corpus("rolls", tuple(problems), (), ())


def test_what_is_asked_agrees_with_the_solution_after_its_rounding() -> None:
    found = check(
        corpus(
            AskedFor("x", Fraction(10), rounding="down"),
            AskedFor("130/12", Fraction(10), rounding="remainder"),
            AskedFor("12*x", Fraction(130)),
        )
    )
    assert (found.agreeing, found.disagreements) == (3, [])


@pytest.mark.parametrize(
    "label",
    [
        AskedFor("x", Fraction(11), rounding="down"),
        AskedFor("y", Fraction(10)),  # the equations have no y
        AskedFor("x+", Fraction(10)),
        AskedFor("", Fraction(10)),
        AskedFor("x", Fraction(10), rounding="remainder"),  # of which division?
        AskedFor("130/0", Fraction(10), rounding="remainder"),
    ],
    ids=str,
)
def test_a_bad_label_is_listed_and_the_next_problem_is_checked(label: AskedFor) -> None:
    found = check(corpus(label, AskedFor("x", Fraction(10), rounding="down")))
    assert (found.problems, found.agreeing) == (2, 1)
    assert [(one.id, one.kind) for one in found.disagreements] == [("0", "other")]
