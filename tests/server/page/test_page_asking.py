"""Entering a problem: examples, keys, languages, dark mode, screen sizes."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sau_solver.equations.typesetting import value_mathml
from scripts.browsing import PHONE, ask
from tests.server.page.conftest import Visit, show

LONG = ["7" * 80, "1" * 90 + "/7"]
TYPES = ["arithmetic", "parts", "rate", "linear", "system", "nonlinear", "equation", "expression"]


@pytest.mark.parametrize(("locale", "lang"), [("zh-CN", "zh-CN"), ("en-GB", "en"), ("fr-FR", "en")])
def test_the_page_speaks_the_browsers_language(open_page: Visit, locale: str, lang: str) -> None:
    page = open_page(locale=locale)
    expect(page.locator("html")).to_have_attribute("lang", lang)
    expect(page.locator("#solve")).to_have_text("解题" if lang == "zh-CN" else "Solve")


def test_the_switch_changes_the_language_of_everything_and_is_remembered(solved: Page, theater: dict[str, Any]) -> None:
    solved.route("**/v1/solve", lambda route: route.fulfill(json=theater))
    solved.click("#language-zh")
    expect(solved.locator("#solve")).to_have_text("解题")
    expect(solved.locator("#confidence")).to_contain_text("个是正确的")
    expect(solved.locator("#candidates-title")).to_contain_text("其他候选")
    expect(solved.locator("#language-zh")).to_have_attribute("aria-pressed", "true")
    solved.reload()
    expect(solved.locator("#solve")).to_have_text("解题")


def test_both_languages_have_the_same_sentences(page: Page) -> None:
    texts = page.evaluate("import('/page/texts.js').then(({TEXTS}) => Object.values(TEXTS))")
    assert len(texts) > 200
    assert [pair for pair in texts if len(pair) != 2 or not all(pair)] == []


@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
def test_there_is_an_example_of_every_problem_type_and_each_is_solved(open_page: Visit, locale: str) -> None:
    page = open_page(locale=locale)
    chips = page.locator("#examples button")
    assert [chips.nth(k).get_attribute("data-type") for k in range(chips.count())] == TYPES
    for k in range(chips.count()):
        chips.nth(k).click()
        expect(page.locator("#reading")).to_have_attribute("lang", "zh-CN" if locale == "zh-CN" else "en")
        page.wait_for_selector("#form[aria-busy=false]")
        text = chips.nth(k).get_attribute("title")
        assert page.input_value("#text") == text
        expect(page.locator("#answer")).not_to_be_empty()
    expect(page.locator("#history li")).to_have_count(len(TYPES))


def test_ctrl_enter_solves(page: Page) -> None:
    page.fill("#text", "Five more than three times a number is 26. Find the number.")
    page.press("#text", "Control+Enter")
    expect(page.locator("#reading")).to_contain_text("more than")
    assert page.input_value("#text") == "Five more than three times a number is 26. Find the number."


def test_an_empty_problem_is_an_error_next_to_the_text(page: Page, asked: list[str]) -> None:
    page.click("#solve")
    expect(page.locator("#text-error [role=alert]")).to_contain_text("nothing to solve")
    expect(page.locator("#text")).to_be_focused()
    assert asked == []


def test_dark_mode_follows_the_system_until_the_reader_chooses(open_page: Visit) -> None:
    page = open_page(dark=True)
    background = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    expect(page.locator("#theme")).to_have_attribute("aria-pressed", "true")
    page.click("#theme")
    light = page.evaluate(background)
    assert light != dark
    page.reload()
    assert page.evaluate(background) == light
    page.emulate_media(color_scheme="light")
    page.evaluate("localStorage.removeItem('sau.theme')")
    page.reload()
    assert page.evaluate(background) == light
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(background) == dark


@pytest.mark.parametrize("size", [PHONE, (320, 640)])
def test_nothing_is_cut_off_on_a_phone(open_page: Visit, size: tuple[int, int]) -> None:
    page = open_page(locale="en-US", size=size)
    ask(page, "The length of a rectangle is 4 more than its width. The area is 96. Find the width.")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    expect(page.locator("#answer")).to_be_in_viewport()


def test_a_very_long_answer_stays_in_its_card(open_page: Visit, theater: dict[str, Any]) -> None:
    page = show(
        open_page(size=PHONE),
        theater | {"asked_mathml": list(map(value_mathml, LONG))},
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


@pytest.mark.parametrize(
    "markup",
    [
        "<script>window.hit=1</script> Tom has 3 apples and buys 4. How many apples?",
        '<img src=x onerror="window.hit=1"> Tom has 3 apples and buys 4. How many apples? &lt;b&gt; </textarea>',
    ],
)
def test_markup_in_a_problem_is_text(page: Page, markup: str) -> None:
    ask(page, markup)
    written = "[...document.querySelectorAll('#reading > *')].map((one) => one.value ?? one.textContent).join('')"
    assert page.evaluate(written) == markup
    expect(page.locator("#history .past-text")).to_have_text(markup)
    assert page.evaluate("window.hit") is None
    assert page.locator("main img, main script").count() == 0
