"""A wrong quotient such as 38/7 agreed with the annotated answer 5, as if 5 were rounded.

`sau errors` then called the mistake a root choice, and the wrong label was learned from.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.answering.candidates import Candidate
from sau_solver.data.checking import after_rounding, tree_agrees
from sau_solver.data.prepared.examples import prepare
from sau_solver.equations.uet import Uet
from sau_solver.experiments.error_causes import cause_of
from sau_solver.problem import Problem

SHARED = Problem(
    "1", "38 pens and 7 boxes: 3 pens are lost, and the others are packed. How many pens are in a box?", "en",
    ("x=(38-3)/7",), (Fraction(5),),
)  # fmt: skip
WRONG = Uet.from_text("= x / N0 N1")


def test_a_quotient_does_not_agree_with_a_whole_number_nearby() -> None:
    one = prepare(SHARED, "raw")
    assert not tree_agrees(SHARED, WRONG, one.numbers)
    assert cause_of(one, Candidate(WRONG, 0.0, outcome="solved")) != "root choice"


@pytest.mark.parametrize(
    ("value", "answer", "rounded"),
    [
        ("38/7", "5", False),
        ("1/2", "1", False),
        ("1/10000", "0", False),
        ("41/40", "1.03", True),
        ("0.0513", "0.05", True),  # with decimals, the last one counts
        ("0.0613", "0.05", False),
        ("5.8875", "6", True),
        ("188.8889", "189", True),
        ("-72.0288", "-72", True),
        ("1000.6", "1000", False),
    ],
)
def test_a_whole_number_is_rounded_only_if_it_is_within_two_percent(value: str, answer: str, rounded: bool) -> None:
    assert after_rounding(Fraction(value), Fraction(answer)) == rounded
