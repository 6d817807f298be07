"""Equations edited by hand and solved by POST /v1/equation."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect


def edit(page: Page, text: str) -> None:
    page.click("#edit")
    page.fill("#equation-text", text)


def test_the_editor_holds_the_equations_of_the_problem(solved: Page) -> None:
    solved.click("#edit")
    expect(solved.locator("#equation-text")).to_be_focused()
    assert solved.input_value("#equation-text") == "x+y=300\n8*x+5*y=1950"
    expect(solved.locator("#preview math")).to_have_count(2)
    solved.click("#edit")
    expect(solved.locator("#equations")).to_be_visible()


def test_an_edited_equation_is_solved_by_the_server(solved: Page, asked: list[str]) -> None:
    edit(solved, "x*(50-2*x)=300")
    solved.press("#equation-text", "Control+Enter")
    roots = solved.locator("#equation-result .by-hand-root")
    expect(roots).to_have_text(["x=10", "x=15"])
    expect(solved.locator("#equation-result .step").first).to_contain_text("Solve")
    assert asked == ["/v1/equation"]


def test_what_was_written_by_hand_stays(solved: Page) -> None:
    edit(solved, "x=1")
    solved.locator("#reading input").nth(1).fill("1800")
    solved.click("#language-zh")
    assert solved.input_value("#equation-text") == "x=1"


@pytest.mark.parametrize(
    ("typed", "outcome"),
    [("x=x+1", "No solution"), ("x+y=3", "Infinitely many solutions"), ("2x+4y=50\nx+y=20", "Solved")],
)
def test_the_outcome_is_said_in_words(solved: Page, typed: str, outcome: str) -> None:
    edit(solved, typed)
    solved.click("#solve-equation")
    expect(solved.locator("#equation-result .outcome")).to_have_text(outcome)


def test_what_cannot_be_read_is_said_at_the_editor(solved: Page) -> None:
    edit(solved, "x+=3")
    expect(solved.locator("#preview")).to_be_empty()
    solved.click("#solve-equation")
    expect(solved.locator("#equation-error [role=alert]")).to_contain_text("These equations cannot be read.")
    pointed = solved.locator("#equation-error .pointed")
    assert pointed.text_content() == "  x+=3\n    ^"
    assert pointed.inner_text() == "  x+=3\n    ^"  # as it is seen: the mark stands under what is wrong
    solved.fill("#equation-text", "x+1=3")
    solved.click("#solve-equation")
    expect(solved.locator("#equation-error")).to_be_empty()
    expect(solved.locator("#equation-result")).to_contain_text("x=2")
