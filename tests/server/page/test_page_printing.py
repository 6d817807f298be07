"""Paper: all steps, no controls, several problems, answers on a page of their own."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.server.page.conftest import show
from tests.server.page.test_page_list import solve

CONTROLS = "button:visible, textarea:visible, select:visible, nav:visible, progress:visible, [role=switch]:visible"


def pages(page: Page, paper: str = "A4") -> int:
    """Print the page and return the number of sheets."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper)))


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_a_problem_is_printed_with_all_steps_on_one_sheet(solved: Page, theater: dict[str, Any], size: str) -> None:
    solved.emulate_media(media="print")
    expect(solved.locator("#steps .step:visible")).to_have_count(sum(kind != "check" for kind in theater["step_kinds"]))
    expect(solved.locator("#check li:visible")).to_have_count(2)
    expect(solved.locator("#steps")).to_contain_text("y=1950")  # the equations are a step
    expect(solved.locator("#candidates-card")).to_be_hidden()
    expect(solved.locator(CONTROLS)).to_have_count(0)
    assert pages(solved, size) == 1


def test_an_abstained_problem_is_printed_without_its_guess(page: Page, theater: dict[str, Any]) -> None:
    show(page, theater | {"abstained": True, "confidence": 0.2})
    page.emulate_media(media="print")
    expect(page.locator("#answer")).to_contain_text("I am not sure about this one.")
    assert "150" not in page.locator("#result").inner_text()


def test_paper_is_white_in_dark_mode(page: Page, theater: dict[str, Any]) -> None:
    page.click("#theme")
    show(page, theater)
    page.emulate_media(media="print")
    colors = "[document.body, document.getElementById('reading')].map((one) => getComputedStyle(one))"
    assert page.evaluate(f"{colors}[0].backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate(f"{colors}[1].color") == "rgb(0, 0, 0)"


def test_a_list_is_printed_with_answers_and_steps_below_each_problem(page: Page) -> None:
    page.click('[data-view="list"]')
    solve(page)
    page.emulate_media(media="print")
    expect(page.locator("#items .item-answer:visible")).to_have_count(3)
    expect(page.locator("#items .steps:visible")).to_have_count(3)
    expect(page.locator("#answer-page")).to_be_hidden()
    expect(page.locator(CONTROLS)).to_have_count(0)


def test_answers_are_printed_on_a_page_of_their_own(page: Page) -> None:
    page.click('[data-view="list"]')
    solve(page)
    page.select_option("#answers-place", "separate")
    page.emulate_media(media="print")
    expect(page.locator("#items .item-text:visible")).to_have_count(4)
    expect(page.locator("#items .item-answer:visible")).to_have_count(0)
    expect(page.locator("#items .step:visible")).to_have_count(0)
    expect(page.locator("#answer-page .item-answer:visible")).to_have_count(3)
    assert pages(page) == 2
    page.emulate_media(media="screen")
    expect(page.locator("#answer-page")).to_be_hidden()
    page.reload()
    expect(page.locator("#answers-place")).to_have_value("separate")  # is remembered


def test_a_list_is_printed_without_answers(page: Page) -> None:
    page.click('[data-view="list"]')
    solve(page)
    page.select_option("#answers-place", "none")
    page.emulate_media(media="print")
    expect(page.locator("#items .item-text:visible")).to_have_count(4)
    expect(page.locator(".item-answer:visible, .step:visible, #answer-page:visible")).to_have_count(0)
    assert pages(page) == 1
