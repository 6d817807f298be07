"""What a program writes, and which protocols count it as right."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from sau_solver.experiments.benchmark.replies import Reply, gold_of, read_reply, verdicts
from sau_solver.problem import Problem

HENS = Problem(
    "hens",
    "A farmer has 20 hens and cows. They have 50 legs. How many hens does he have?",
    "en",
    ("x+y=20", "2*x+4*y=50"),
    (Fraction(15), Fraction(5)),
    asked=(Fraction(15),),
)
ROOT = Problem(
    "root", "The area of a square is 8. How long is its side?", "en", ("x*x=8",), (Fraction(2_828_427, 1_000_000),)
)


def right(fields: dict[str, object], problem: Problem = HENS) -> set[str]:
    return set(verdicts(problem, read_reply(fields, problem.language), gold_of(problem)))


def test_equations_alone_are_judged_by_every_protocol() -> None:
    assert right({"equations": ["a+b=20", "2*a+4*b=50"]}) == {"reference", "strict", "answer", "annotated"}
    assert right({"equations": "x+y=20; 2*x+4*y=50"}) >= {"reference", "strict"}
    assert right({"equations": ["x=20-5"]}) >= {"reference"}
    assert "strict" not in right({"equations": ["x=20-5"]})


def test_answers_alone_are_judged_by_what_is_asked_and_annotated() -> None:
    assert right({"answers": ["15"]}) == {"answer"}
    assert right({"answers": [15, 5]}) == {"annotated"}
    assert right({"answer": 14}) == set()


def test_answers_beside_equations_are_what_the_system_says() -> None:
    assert right({"equations": ["x+y=20", "2*x+4*y=50"], "answers": ["5"]}) == {"reference", "strict", "annotated"}


@pytest.mark.parametrize("given", ["2*sqrt(2)", "2.828427", Decimal("2.828427")])
def test_an_answer_may_be_irrational_or_rounded(given: object) -> None:
    assert "answer" in right({"answers": [given]}, ROOT)


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"answers": ["many"]}, "an answer must be a number, got 'many'"),
        ({"equations": ["x+=3"]}, "x+=3"),
        ({"answers": ["8"], "confidence": 3}, "confidence must be between 0 and 1, got 3"),
        ({"answers": ["8"], "confidence": True}, "confidence must be a number between 0 and 1, got True"),
        ({"answers": ["8"], "abstained": "no"}, "abstained must be true or false, got 'no'"),
    ],
)
def test_what_cannot_be_read_is_named(fields: dict[str, object], fault: str) -> None:
    assert fault in read_reply(fields, "en").fault


def test_no_reply_is_wrong() -> None:
    assert verdicts(HENS, Reply(), gold_of(HENS)) == frozenset()
    assert right({}) == set()
