"""A network may have learned to call x what is asked for: that settles what words and equations do not."""

from __future__ import annotations

import pytest

from sau_solver.answering.asked.final_unknown import AskedFirst, asked_first_of, worked_out
from sau_solver.equations.expressions import Unknown
from sau_solver.equations.parser import parse
from tests.answering.given_equations import asked

THINGS = "Two things add up to 30, and two of one of them are 9 more than the other. How big is the blue one?"
SHELVES = (
    "Two shelves hold 130 files. The upper one holds 18 more than the lower one. 9 files are then moved down. "
    "How many files does the upper shelf hold in the end?"
)
FARM = "A farm has 30 ducks and goats with 86 legs in total. How many {} are there?"


@pytest.mark.parametrize(
    ("equations", "text", "asked_first", "unknown"),
    [
        ("x+y=30; 2*x=y+9", THINGS, "unknowns", ["x"]),
        ("x+y=30; 2*x=y+9", THINGS, "expressions", ["x"]),
        ("x+y=30; 2*x=y+9", THINGS, "", ["x", "y"]),
        ("x+y=30; 2*x+4*y=86", FARM.format("goats"), "unknowns", ["y"]),  # words that settle it come first
        ("x+y=30; 2*x+4*y=86", FARM.format("goats"), "expressions", ["y"]),
        ("y+z=130; y-z=18; x=y-9", SHELVES, "expressions", ["x"]),
        ("y+z=30; 2*y+4*z=86; x=z-y", FARM.format("more goats than ducks"), "expressions", ["x"]),
    ],
)
def test_x_is_the_answer_where_nothing_else_settles_it(
    equations: str, text: str, asked_first: AskedFirst, unknown: list[str]
) -> None:
    assert [one.unknown for one in asked(equations, text, "en", asked_first)] == unknown


def test_an_answer_that_only_the_network_names_is_not_certain() -> None:
    (guessed,) = asked("x+y=30; 2*x=y+9", THINGS, "en", "unknowns")
    (worked,) = asked("y+z=130; y-z=18; x=y-9", SHELVES, "en", "expressions")
    assert not guessed.certain
    assert worked.certain


def test_chinese_questions_are_answered_by_what_the_network_works_out() -> None:
    text = "书架上下两层共放130本书，上层比下层多18本。又从上层取走9本放到下层，现在上层有多少本？"
    (entry,) = asked("y+z=130; y-z=18; x=y-9", text, "zh", "expressions")
    assert (entry.unknown, str(entry.answer)) == ("x", "65")


@pytest.mark.parametrize(
    ("equations", "unknown"),
    [
        ("y+z=130; y-z=18; x=y-9", "x"),
        ("x+y=30; x-y=4", None),  # both equations need both
        ("x=3*y; y-4=8; z=2*y", None),  # two are only worked out
        ("x=3*4", None),  # from no other unknown
    ],
)
def test_an_unknown_that_only_one_equation_defines_is_worked_out(equations: str, unknown: str | None) -> None:
    assert worked_out(parse(equations)) == (Unknown(unknown) if unknown else None)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({}, ""),
        ({"asked_first": True}, "unknowns"),
        ({"asked_first": True, "asked_expressions": True}, "expressions"),
    ],
)
def test_a_checkpoint_says_what_its_network_calls_x(data: dict[str, bool], expected: str) -> None:
    assert asked_first_of(data) == expected
