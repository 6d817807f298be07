"""A solution in a shell and in a notebook: short, readable, typeset, and safe for any text."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given

import sau_solver as sau
from sau_solver.sheets.one_solution import notebook_html, notebook_latex, plain_text, short_text
from tests import by_heart
from tests.sheets.latex_lint import check_latex
from tests.sheets.test_sheets import HOSTILE, TEXTS, Page, hostile

GARDEN = by_heart.solver().solve(by_heart.GARDEN)
DOUBTFUL = by_heart.solver().solve(by_heart.DOUBTFUL)
NOTHING = by_heart.solver().solve("How many apples does he have?")


def test_a_repr_is_one_short_line() -> None:
    assert repr(GARDEN) == f"<Solution: 7 meters, confidence {GARDEN.confidence:.2f}>"
    assert repr(DOUBTFUL).startswith("<Solution: guess 21 pens, confidence 0.3")
    assert repr(NOTHING) == "<Solution: no answer>"
    assert len(repr([GARDEN] * 3)) < 200


def test_print_shows_problem_equations_steps_and_answer() -> None:
    printed = str(GARDEN)
    for part in (by_heart.GARDEN, "x(x + 5) = 84", "1. ", "Answer\n  7 meters", "Confidence"):
        assert part in printed
    assert printed.index("Steps") < printed.index("Answer\n")
    assert "\x1b" not in str(by_heart.solver().solve("A box\u202e holds 5 pens. How many pens are in 3 boxes?"))


def test_a_guess_is_called_one() -> None:
    assert "No confident answer" in str(DOUBTFUL)
    assert "Best guess: 21 pens" in str(DOUBTFUL)
    assert "Best guess: 21 pens" in DOUBTFUL._repr_html_()
    assert "Answer" not in DOUBTFUL._repr_html_()


def test_a_notebook_shows_equations_tree_and_steps() -> None:
    shown = GARDEN._repr_html_()
    page = Page(shown)
    assert {"math", "img", "ol", "details"} <= set(page.tags)
    picture = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', shown)
    assert picture
    assert ElementTree.fromstring(base64.b64decode(picture[1])).tag.endswith("svg")
    assert "<style" not in shown  # a style would change the whole notebook
    latex = GARDEN._repr_latex_()
    assert latex is not None
    assert r"x\left(x+5\right)=84" in latex
    assert "7 meters" in latex


def test_a_solution_without_equations_is_shown_without_them() -> None:
    assert NOTHING._repr_latex_() is None
    assert "no number" in NOTHING._repr_html_()
    assert "no number" in str(NOTHING)


def test_chinese_solutions_have_chinese_headings() -> None:
    chickens = by_heart.solver().solve(by_heart.CHICKENS)
    assert "答案" in str(chickens)
    assert "步骤" in chickens._repr_html_()
    assert "Steps" in by_heart.solver().solve(by_heart.CHICKENS, reader="en")._repr_html_()


def test_confidence_is_never_100_percent() -> None:
    assert "100 %" not in str(replace(GARDEN, confidence=0.9999))


@given(TEXTS)
def test_no_text_is_html(text: str) -> None:
    plain, page = Page(notebook_html(hostile("x"), "en")), Page(notebook_html(hostile(text), "en", text))
    assert set(page.tags) <= {
        *plain.tags,
        "br",
        "img",
        "details",
        "math",
        "mrow",
        "mi",
        "mn",
        "mo",
        "mfrac",
        "msup",
        "msqrt",
    }
    assert page.attributes <= plain.attributes | {"display", "xmlns", "alt", "src", "open", "style"}


@given(TEXTS)
def test_no_text_is_a_latex_command(text: str) -> None:
    latex = notebook_latex(hostile(text))
    assert latex is not None
    inside = latex.replace(r"\begin{aligned}", "").replace(r"\end{aligned}", "").replace("& ", "")
    check_latex(f"% checked\n{inside}")


@given(TEXTS)
def test_no_text_reaches_the_terminal_as_control_characters(text: str) -> None:
    for shown in (short_text(hostile(text)), plain_text(hostile(text), "en")):
        assert all(char.isprintable() or char == "\n" for char in shown)
    assert "\n" not in short_text(hostile(text))


def test_a_hostile_problem_is_shown_as_it_is() -> None:
    solution = by_heart.solver().solve(f"{HOSTILE} How many pens are 3 times 5?")
    assert "<script" not in solution._repr_html_()
    assert "&lt;script&gt;" in solution._repr_html_()


def test_a_solver_says_what_it_has_loaded() -> None:
    solver = by_heart.solver()
    assert repr(solver) == "<Solver: Chinese (not loaded yet), English (not loaded yet)>"
    solver.solve(by_heart.GARDEN)
    assert "English (by heart)" in repr(solver)
    assert repr(sau.load("en")) == "<Solver: English (not loaded yet)>"


@pytest.mark.parametrize("name", ["_repr_html_", "_repr_latex_"])
def test_notebooks_find_the_methods(name: str) -> None:
    assert callable(getattr(GARDEN, name))


def test_mathematics_is_exact_and_a_missing_solution_is_the_answer() -> None:
    solved, unsolved = by_heart.solver().solve("2x+3=11"), by_heart.solver().solve("x+1=x")
    assert repr(solved) == "<Solution: x = 4>"
    assert "onfidence" not in str(solved)
    assert "No confident answer" not in str(unsolved)
    assert unsolved.reason in str(unsolved)
