"""Errors and a stopped server: explained next to the input, with a way to retry."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from scripts.browsing import PHONE, ask
from tests import by_heart
from tests.server.page.conftest import Visit, show
from tests.server.running import running

APPLES = "Tom has 3 apples and buys 4. How many apples does he have?"
COMMAND = ("sau", "equation")
NOTICE = "#text-error [role=alert]"


REFUSALS = [
    (429, "busy", "too busy"),
    (503, "stopping", "shutting down"),
    (504, "too_slow", "longer than the server allows"),
    (500, "failed", "went wrong"),
    (502, None, "went wrong"),  # from a proxy, without our JSON
]


def test_a_refusal_is_explained_and_can_be_retried(page: Page) -> None:
    refusals = iter(REFUSALS)
    now = REFUSALS[0]

    def refuse(route: Route) -> None:
        nonlocal now
        now = next(refusals)
        status, error, _ = now
        body = {"error": error, "message": "…", "field": "", "hint": ""} if error else {}
        route.fulfill(status=status, json=body)

    page.route("**/v1/solve", refuse)
    ask(page, APPLES)
    for _, _, words in REFUSALS:
        expect(page.locator(NOTICE)).to_contain_text(words)
        expect(page.locator(NOTICE)).to_be_in_viewport()
        if now is REFUSALS[-1]:
            page.unroute("**/v1/solve")
        page.click(".retry")
    expect(page.locator("#result")).to_be_visible()
    expect(page.locator(NOTICE)).to_have_count(0)


def test_a_response_that_is_not_json_is_an_error(page: Page) -> None:
    page.route("**/v1/solve", lambda route: route.fulfill(status=200, body="<html>Please log in</html>"))
    ask(page, APPLES)
    expect(page.locator(NOTICE)).to_contain_text("went wrong")
    expect(page.locator(".retry")).to_be_visible()


def test_a_text_that_is_too_long_shows_the_limit(page: Page) -> None:
    ask(page, APPLES * 100)
    expect(page.locator(NOTICE)).to_contain_text("at most 4,000")
    expect(page.locator("#text")).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".retry")).to_have_count(0)


def test_a_text_that_is_not_a_problem_is_explained_in_chinese(open_page: Visit) -> None:
    page = open_page(locale="zh-CN")
    ask(page, "Ciao, come stai? Я хочу спать 3 часа.")
    expect(page.locator(NOTICE)).to_contain_text("这段文字无法求解")
    assert english_words(page, NOTICE) == []


@pytest.mark.parametrize("text", [APPLES * 100, "x+y=3; x-y=1", "What color is the sky?", "hello world", "?!"])
def test_the_chinese_page_complains_in_chinese(open_page: Visit, text: str) -> None:
    page = open_page(locale="zh-CN")
    ask(page, text)
    shown = NOTICE if page.locator(NOTICE).count() else "#answer"
    assert page.locator(shown).inner_text() != ""
    assert english_words(page, shown) == []


def test_the_chinese_page_complains_about_equations_in_chinese(open_page: Visit, theater: dict[str, Any]) -> None:
    page = show(open_page(locale="zh-CN"), theater)
    page.click("#edit")
    page.fill("#equation-text", "x+=3")
    page.click("#solve-equation")
    expect(page.locator("#equation-error .pointed")).to_be_visible()
    assert english_words(page, "#equation-error") == []
    page.fill("#equation-text", "x=x+1")
    expect(page.locator("#equation-result .outcome")).to_have_text("无解")
    assert english_words(page, "#equation-result") == []


def english_words(page: Page, place: str) -> list[str]:
    """Return the words of three letters or more, except the name of our command."""
    return [word for word in re.findall(r"[A-Za-z]{3,}", page.locator(place).inner_text()) if word not in COMMAND]


def test_a_late_solution_does_not_replace_a_newer_one(page: Page) -> None:
    held: list[Route] = []
    page.route("**/v1/solve", lambda route: held.append(route))
    page.fill("#text", APPLES)
    page.click("#solve")
    expect(page.locator("#form")).to_have_attribute("aria-busy", "true")
    page.unroute("**/v1/solve")
    ask(page, "Five more than three times a number is 26. Find the number.")
    expect(page.locator("#reading")).to_contain_text("more than")
    expect(page.locator(NOTICE)).to_have_count(0)


def test_a_stopped_server_is_reported_and_a_retry_works(solved: Page) -> None:
    solved.context.set_offline(True)
    solved.click("#edit")
    solved.click("#solve-equation")
    expect(solved.locator("#equation-error [role=alert]")).to_contain_text("is not responding")
    solved.click("#solve")
    expect(solved.locator(NOTICE)).to_contain_text("is not responding")
    solved.context.set_offline(False)
    solved.click("#text-error .retry")
    expect(solved.locator(NOTICE)).to_have_count(0)
    expect(solved.locator("#result")).to_be_visible()


def test_a_number_that_was_changed_while_the_server_was_away_is_solved_when_it_is_back(solved: Page) -> None:
    solved.context.set_offline(True)
    solved.locator("#reading input").nth(1).fill("1800")
    expect(solved.locator("#reading-error [role=alert]")).to_contain_text("is not responding")
    expect(solved.locator("#big-answer .value")).to_have_text(["150", "150"])  # the last answer stays
    solved.context.set_offline(False)
    expect(solved.locator("#big-answer .value")).to_have_text(["100", "200"])  # the page tries again by itself
    expect(solved.locator("#reading-error")).to_be_empty()


def test_an_equation_that_was_edited_while_the_server_was_away_can_be_retried(solved: Page) -> None:
    solved.context.set_offline(True)
    solved.click("#edit")
    solved.fill("#equation-text", "x=7")
    expect(solved.locator("#equation-error [role=alert]")).to_contain_text("is not responding")
    solved.context.set_offline(False)
    solved.click("#equation-error .retry")
    expect(solved.locator("#equation-result .by-hand-root")).to_have_text("x=7")
    expect(solved.locator("#equation-error")).to_be_empty()


def test_an_error_is_scrolled_into_view(open_page: Visit, theater: dict[str, Any]) -> None:
    page = show(open_page(size=PHONE), theater)
    page.context.set_offline(True)
    page.locator("#history button").first.scroll_into_view_if_needed()
    expect(page.locator("#text")).not_to_be_in_viewport()
    page.locator("#history button").first.click()
    expect(page.locator(NOTICE)).to_be_in_viewport()


def test_a_server_with_a_key_asks_for_it_and_works_after_a_restart(open_new: Visit) -> None:
    with running(api_key="open-sesame") as first:
        page = open_new(first.url)
        ask(page, by_heart.GARDEN)
        expect(page.locator(NOTICE)).to_contain_text("needs an API key")
        page.fill("#key", "open-sesame")
        page.press("#key", "Enter")
        expect(page.locator("#result")).to_be_visible()
    page.fill("#text", by_heart.pens(5, 3))
    page.click("#solve")
    expect(page.locator(NOTICE)).to_contain_text("The server is not responding.")
    with running(api_key="open-sesame", port=int(first.url.rsplit(":", 1)[1])):
        page.click(".retry")
        expect(page.locator("#reading")).to_contain_text("boxes")
