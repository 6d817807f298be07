"""Mathematics in the box: equations, systems, expressions and common divisors are solved like problems."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from scripts.browsing import ask
from tests.server.page.test_page_accessibility import violations

SOLVED = [
    ("2x+3=11", ["x = 4"]),
    ("x²+5x+6=0", ["x = −3", "or x = −2"]),
    ("x+y=20, 2x+4y=50", ["x = 15, y = 5"]),
    ("3+5*2", ["13"]),
    ("25% of 80", ["20"]),
    ("Find the greatest common divisor of 24 and 36.", ["12"]),
]


@pytest.mark.parametrize(("text", "answers"), SOLVED)
def test_mathematics_is_solved_exactly(page: Page, asked: list[str], text: str, answers: list[str]) -> None:
    ask(page, text)
    lines = page.locator("#big-answer > .asked")
    expect(lines).to_have_count(len(answers))
    shown = [lines.nth(place).text_content() or "" for place in range(len(answers))]
    assert ["".join(line.split()) for line in shown] == [answer.replace(" ", "") for answer in answers]
    expect(page.locator("#confidence")).to_have_text("Calculated exactly.")
    expect(page.locator("#reading .number")).to_have_count(0)  # the text has no fields and no unused numbers
    expect(page.locator("#steps .step").first).to_be_visible()
    assert "sau equation" not in page.locator("main").inner_text()
    assert asked == ["/v1/solve"]


def test_equations_of_several_lines_are_one_system(page: Page) -> None:
    ask(page, "x+y=20\n2x+4y=50")
    expect(page.locator("#big-answer > .asked")).to_have_count(1)
    expect(page.locator("#big-answer")).to_contain_text("15")


@pytest.mark.parametrize(
    ("text", "words"), [("x=x+1", "No solution"), ("x+y=3", "Infinitely many solutions")], ids=["none", "infinite"]
)
def test_equations_without_one_solution_are_explained(page: Page, text: str, words: str) -> None:
    ask(page, text)
    expect(page.locator("#big-answer")).to_have_text(words)
    expect(page.locator("#steps")).to_be_visible()
    assert violations(page) == []


def test_axe_finds_nothing_on_mathematics(page: Page) -> None:
    ask(page, "x²+5x+6=0")
    page.click("#all-steps")
    assert violations(page) == []


def test_the_equations_of_the_box_can_be_edited(page: Page) -> None:
    ask(page, "2x+3=11")
    page.click("#edit")
    assert page.input_value("#equation-text") == "2*x+3=11"
    page.fill("#equation-text", "2x+3=13")
    expect(page.locator("#equation-result .by-hand-root")).to_have_text("x=5")
