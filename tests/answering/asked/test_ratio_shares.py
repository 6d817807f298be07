"""Every share of a whole that is divided in a ratio is answered, even if the equations compute only some of them."""

from __future__ import annotations

import pytest

from sau_solver.problem import Language
from tests.answering.given_equations import chosen

SHARED = "Three friends share $75 in the ratio 2:3:5. How much does each get?"
CONCRETE = "水泥、沙子、石子的比是2:3:5，要配制20吨混凝土，需要水泥、沙子、石子各多少吨？"


@pytest.mark.parametrize(
    ("equations", "text", "language", "answers"),
    [
        ("x=75*2/(2+3+5)", SHARED, "en", ["15", "45/2", "75/2"]),
        ("x=5*75/(5+3+2)", SHARED, "en", ["15", "45/2", "75/2"]),
        ("x=75/(2+3+5)", SHARED, "en", ["15", "45/2", "75/2"]),
        ("x=75*2/(2+3+5); y=75*5/(2+3+5)", SHARED, "en", ["15", "45/2", "75/2"]),
        ("x=75*2/(2+3+5); y=75*3/(2+3+5); z=75*5/(2+3+5)", SHARED, "en", ["15", "45/2", "75/2"]),
        ("x=20*2/(2+3+5); y=20*5/(2+3+5)", CONCRETE, "zh", ["4", "6", "10"]),
        ("x=180*4/(4+5)", "把180本书按4：5分给两个年级，每个年级各分得多少本？", "zh", ["80", "100"]),
    ],
)
def test_every_share_is_answered(equations: str, text: str, language: Language, answers: list[str]) -> None:
    assert list(map(str, chosen(equations, text, language).answers)) == answers


@pytest.mark.parametrize(
    ("equations", "text", "language", "answers"),
    [
        ("x=72*5/(3+4+5)", "72棵树苗按3:4:5分给四、五、六年级，六年级分到多少棵？", "zh", ["30"]),
        ("x=75*2/(2+3+5)", "Ann, Bo and Cy share $75 in the ratio 2:3:5. How much does Ann get?", "en", ["15"]),
        ("x=75*2/(2+3)", "Three friends share $75 in the ratio 2:3:5. How much does each get?", "en", ["30"]),
        ("x=30/(2+3)", "Ann has 2 pens, Bo has 3 and they cost $30. What does each cost?", "en", ["6"]),
    ],
)
def test_nothing_else_is_taken_for_a_share(equations: str, text: str, language: Language, answers: list[str]) -> None:
    assert list(map(str, chosen(equations, text, language).answers)) == answers
