"""The answer key names answers as the labels of an exercise do."""

from __future__ import annotations

from fractions import Fraction

from sau_solver.curriculum.answer_key import solution_of
from sau_solver.problem import AskedFor, Problem

TICKETS = "In all 20 tickets are sold for $78: adult tickets for $5 and child tickets for $3."
EQUATIONS = ("x+y=20", "5*x+3*y=78")


def ask(question: str, *asks: AskedFor) -> Problem:
    return Problem("1", f"{TICKETS} {question}", "en", EQUATIONS, tuple(one.answer for one in asks), asks=asks)


def test_several_answers_have_the_names_of_the_labels() -> None:
    adults, children = (
        AskedFor("x", Fraction(9), "tickets", "adults"),
        AskedFor("y", Fraction(11), "tickets", "children"),
    )
    solution = solution_of(ask("How many of each were sold?", adults, children))
    assert solution.display == "adults: 9 tickets, children: 11 tickets"


def test_one_of_several_unknowns_needs_no_name() -> None:
    solution = solution_of(ask("How many child tickets were sold?", AskedFor("y", Fraction(11), "tickets")))
    assert solution.display == "11 tickets"
    assert solution_of(ask("How much were they?", AskedFor("3*y", Fraction(33), "dollars"))).display == "$33"
