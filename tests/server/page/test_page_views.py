"""The views of the page, their addresses, the way back, the help, and the recent problems."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scripts.browsing import PHONE, ask
from tests.server.page.conftest import Visit, show
from tests.server.page.test_page_accessibility import violations

APPLES = "Tom has 3 apples and buys 4. How many apples does he have?"
NUMBER = "Five more than three times a number is 26. Find the number."
KINDS = ["problem", "questions", "equation", "system", "expression", "gcd", "list", "steps", "unsure", "paper"]


def test_the_views_are_links_and_the_shown_one_is_marked(page: Page) -> None:
    for name in ("list", "practice", "help", "one"):
        page.click(f'[data-view="{name}"]')
        expect(page.locator(f"#view-{name}")).to_be_visible()
        expect(page.locator("main > [id^=view]:visible")).to_have_count(1)
        expect(page.locator("[data-view][aria-current=page]")).to_have_attribute("data-view", name)


def test_back_returns_to_the_problem_before(page: Page, asked: list[str]) -> None:
    ask(page, APPLES)
    ask(page, NUMBER)
    answered = len(asked)
    page.go_back()
    expect(page.locator("#text")).to_have_value(APPLES)
    expect(page.locator("#reading")).to_contain_text("Tom has")
    page.go_forward()
    expect(page.locator("#reading")).to_contain_text("more than")
    assert len(asked) == answered  # both solutions were still there
    page.go_back()
    page.go_back()
    expect(page.locator("#result")).to_be_hidden()
    assert page.input_value("#text") == ""


def test_back_leads_from_another_view_to_the_problem(page: Page) -> None:
    ask(page, APPLES)
    page.click('[data-view="help"]')
    expect(page.locator("#result")).to_be_hidden()
    page.go_back()
    expect(page.locator("#reading")).to_contain_text("Tom has")
    page.click('[data-view="list"]')
    page.click('[data-view="one"]')
    expect(page.locator("#reading")).to_contain_text("Tom has")


def test_the_same_problem_twice_is_one_step_back(open_new: Visit) -> None:
    page = open_new()
    before = page.evaluate("history.length")
    ask(page, APPLES)
    ask(page, APPLES)
    assert page.evaluate("history.length") == before + 1


def test_one_recent_problem_can_be_forgotten(page: Page) -> None:
    ask(page, APPLES)
    ask(page, NUMBER)
    page.click(f'[aria-label="Remove from the list: {APPLES}"]')
    expect(page.locator("#history .past-text")).to_have_text([NUMBER])
    assert APPLES not in page.evaluate("localStorage.getItem('sau.history')")
    page.locator(".forget-one").click()
    expect(page.locator("#history-card")).to_be_hidden()
    assert page.evaluate("localStorage.getItem('sau.history')") is None


@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
def test_the_help_has_examples_of_every_kind_of_input(open_page: Visit, locale: str) -> None:
    page = open_page(locale=locale, fragment="#help")
    expect(page.locator("#help section")).to_have_count(len(KINDS))
    examples = page.locator("#help .tries a")
    assert examples.count() >= 10
    text = examples.first.inner_text()
    examples.first.click()
    expect(page.locator("#view-one")).to_be_visible()
    expect(page.locator("#result")).to_be_visible()
    assert page.input_value("#text") == text
    page.go_back()
    expect(page.locator("#view-help")).to_be_visible()


def test_axe_finds_nothing_on_the_help_and_the_empty_list(open_page: Visit) -> None:
    page = open_page(fragment="#help")
    assert violations(page) == []
    page.click('[data-view="list"]')
    assert violations(page) == []


@pytest.mark.parametrize("size", [PHONE, (320, 640)])
def test_no_view_is_wider_than_a_phone(open_page: Visit, size: tuple[int, int]) -> None:
    page = open_page(size=size)
    for name in ("list", "practice", "help", "one"):
        page.click(f'[data-view="{name}"]')
        expect(page.locator(f"#view-{name}")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_equations_can_be_written_before_anything_is_solved(page: Page, asked: list[str]) -> None:
    page.click("#write-equations")
    expect(page.locator("#equation-text")).to_be_focused()
    page.fill("#equation-text", "x+y=20\n2x+4y=50")
    expect(page.locator("#equation-result .by-hand-root")).to_have_text("x=15, y=5")
    expect(page.locator("#reading")).to_be_hidden()
    assert asked[-1] == "/v1/equation"
    assert violations(page) == []
    page.click("#edit")
    expect(page.locator("#result")).to_be_hidden()


def test_equations_can_be_written_beside_an_abstained_problem(page: Page, theater: dict[str, Any]) -> None:
    show(page, theater | {"abstained": True, "confidence": 0.2})
    page.click("#write-equations")
    expect(page.locator("#equation-text")).to_be_visible()
    page.click("#edit")
    expect(page.locator("#equation-text")).to_be_hidden()
    expect(page.locator("#show-guess")).to_be_visible()
