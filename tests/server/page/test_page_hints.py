"""Hints first: the answer stays hidden until the reader asks for it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.server.page.conftest import show
from tests.server.page.test_page_accessibility import violations

OPEN = "#steps .step:not(.later)"


@pytest.fixture
def hinting(page: Page, theater: dict[str, Any]) -> Page:
    page.locator("#form [data-hints]").check()
    return show(page, theater)


def test_nothing_on_the_page_shows_the_answer(hinting: Page) -> None:
    expect(hinting.locator("#answer")).to_contain_text("The answer is hidden.")
    expect(hinting.locator("#status")).to_have_text("Solved. The answer is hidden.")
    expect(hinting.locator(OPEN)).to_have_count(0)
    assert "150" not in hinting.locator("#result").inner_text()
    expect(hinting.locator(".past-answer")).to_be_hidden()
    assert violations(hinting) == []


def test_the_answer_is_shown_when_it_is_asked_for(hinting: Page) -> None:
    hinting.click("#show-answer")
    expect(hinting.locator("#answer")).to_be_focused()
    expect(hinting.locator("#big-answer")).to_contain_text("150")
    for card in ("#equations-card", "#check-card", "#tree-card"):
        expect(hinting.locator(card)).to_be_visible()


def test_steps_are_hints_and_the_last_one_shows_the_answer(hinting: Page, theater: dict[str, Any]) -> None:
    expect(hinting.locator("#next-step")).to_have_text("Give me a hint")
    hinting.click("#next-step")
    expect(hinting.locator("#next-step")).to_have_text("Another hint")
    expect(hinting.locator(OPEN)).to_have_count(1)
    total = sum(kind != "check" for kind in theater["step_kinds"])
    for _ in range(total - 2):
        hinting.click("#next-step")
    expect(hinting.locator("#show-answer")).to_be_visible()
    hinting.click("#next-step")
    expect(hinting.locator("#show-answer")).to_have_count(0)
    expect(hinting.locator("#big-answer")).to_contain_text("150")
    expect(hinting.locator(OPEN)).to_have_count(total)


def test_paper_shows_no_more_than_the_screen(hinting: Page) -> None:
    hinting.click("#next-step")
    hinting.emulate_media(media="print")
    expect(hinting.locator("#steps .step:visible")).to_have_count(1)
    assert "150" not in hinting.locator("#result").inner_text()


def test_the_switch_is_remembered_and_works_on_a_shown_problem(hinting: Page, theater: dict[str, Any]) -> None:
    hinting.reload()
    expect(hinting.locator("#form [data-hints]")).to_be_checked()
    show(hinting, theater)
    expect(hinting.locator("#show-answer")).to_be_visible()
    hinting.locator("#form [data-hints]").uncheck()
    expect(hinting.locator("#big-answer")).to_contain_text("150")
    hinting.reload()
    expect(hinting.locator("#form [data-hints]")).not_to_be_checked()


def test_a_new_problem_is_hidden_again(hinting: Page, theater: dict[str, Any]) -> None:
    hinting.click("#show-answer")
    show(hinting, theater | {"problem": theater["problem"] + " "})
    expect(hinting.locator("#show-answer")).to_be_visible()
