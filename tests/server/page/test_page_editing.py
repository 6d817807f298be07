"""Equations edited by hand: drawn and solved by the server while they are typed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect


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


def test_an_edited_equation_is_drawn_and_solved_while_it_is_typed(solved: Page, asked: list[str]) -> None:
    edit(solved, "x*(50-2*x)=300")
    expect(solved.locator("#preview math")).to_have_count(1)
    roots = solved.locator("#equation-result .by-hand-root")
    expect(roots).to_have_text(["x=10", "x=15"])
    expect(solved.locator("#equation-result .step").first).to_contain_text("Solve")
    assert asked == ["/v1/equation"]


def test_values_have_a_decimal_if_they_are_not_whole(solved: Page) -> None:
    edit(solved, "x^2=9/16\nx>0")
    expect(solved.locator("#preview math")).to_have_count(2)  # conditions are drawn, too
    root = solved.locator("#equation-result .by-hand-root")
    expect(root.locator("mfrac")).to_have_text("34")
    expect(root.locator(".decimal")).to_have_text("= 0.75")
    solved.fill("#equation-text", "x^2=2")
    expect(root.locator(".decimal")).to_have_text(["≈ −1.41421", "≈ 1.41421"])


def test_equations_written_by_hand_stay(solved: Page) -> None:
    edit(solved, "x=1")
    solved.locator("#reading input").nth(1).fill("1800")
    expect(solved.locator("#big-answer")).to_contain_text("100")
    solved.click("#language-zh")
    assert solved.input_value("#equation-text") == "x=1"


def test_other_numbers_reach_an_editor_that_was_not_used(solved: Page) -> None:
    solved.locator("#reading input").nth(1).fill("1800")
    expect(solved.locator("#big-answer")).to_contain_text("100")
    assert solved.input_value("#equation-text") == "x+y=300\n8*x+5*y=1800"


@pytest.mark.parametrize(
    ("typed", "outcome"),
    [
        ("x=x+1", "No solution"),
        ("x+y=3", "Infinitely many solutions"),
        ("x=9^9^9^9", "Too hard to solve here"),
        ("2x+4y=50\nx+y=20", "Solved"),
    ],
)
def test_the_outcome_is_shown_in_words(solved: Page, typed: str, outcome: str) -> None:
    edit(solved, typed)
    expect(solved.locator("#equation-result .outcome")).to_have_text(outcome)


def test_half_typed_equations_are_no_error_until_they_are_submitted(solved: Page) -> None:
    edit(solved, "x+=3")
    expect(solved.locator("#preview")).to_be_empty()
    expect(solved.locator("#equation-error")).to_be_empty()
    solved.press("#equation-text", "Control+Enter")
    expect(solved.locator("#equation-error [role=alert]")).to_contain_text("These equations cannot be read.")
    pointed = solved.locator("#equation-error .pointed")
    assert pointed.text_content() == "  x+=3\n    ^"
    assert pointed.inner_text() == "  x+=3\n    ^"  # as displayed: the mark is below the mistake
    solved.fill("#equation-text", "x+1=3")
    expect(solved.locator("#equation-error")).to_be_empty()
    expect(solved.locator("#equation-result")).to_contain_text("x=2")


def test_a_change_of_language_translates_the_result(solved: Page) -> None:
    edit(solved, "x^2=9")
    expect(solved.locator("#equation-result .step").first).to_contain_text("Solve")
    solved.click("#language-zh")
    expect(solved.locator("#equation-result .outcome")).to_have_text("已解出")
    expect(solved.locator("#equation-result .step").first).to_contain_text("求")


def test_an_older_answer_does_not_replace_a_newer_one(solved: Page) -> None:
    held: list[Route] = []
    solved.route("**/v1/equation", lambda route: held.append(route))
    edit(solved, "x=1")
    expect(solved.locator("#equation-result")).to_have_class("waiting")
    solved.unroute("**/v1/equation")
    solved.fill("#equation-text", "x=2")
    expect(solved.locator("#equation-result .by-hand-root")).to_have_text("x=2")
