"""Links, copies, and the recent problems, which stay in the browser."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from playwright.sync_api import Page, expect

from scripts.browsing import ask
from tests.server.page.conftest import Visit

CHICKENS = "鸡兔同笼，共有20个头，50条腿，鸡有多少只？100% & <b>#=+"


def clipboard(page: Page) -> str:
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


def test_a_link_opens_its_problem(open_page: Visit) -> None:
    page = open_page(fragment="#problem=" + quote(CHICKENS, safe=""))
    expect(page.locator("#result")).to_be_visible()
    assert page.input_value("#text") == CHICKENS


def test_a_solved_problem_is_in_the_fragment_and_can_be_copied(open_page: Visit) -> None:
    page = open_page()
    ask(page, CHICKENS)
    page.click("#copy-link")
    expect(page.locator("#copied")).to_have_text("Copied.")
    link = clipboard(page)
    assert link == page.url
    assert link.split("#problem=")[1] == quote(CHICKENS, safe="-_.!~*'()")
    other = open_page(fragment="#" + link.split("#")[1])
    expect(other.locator("#result")).to_be_visible()
    assert other.input_value("#text") == CHICKENS


def test_the_fragment_never_reaches_the_server(open_page: Visit) -> None:
    page = open_page()
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.goto("/#problem=" + quote(CHICKENS))
    page.reload()
    expect(page.locator("#result")).to_be_visible()
    assert urls
    assert not any("problem=" in url.split("#")[0] for url in urls)


def test_copy_as_latex(solved: Page) -> None:
    solved.click("#copy-latex")
    expect(solved.locator("#copied")).to_have_text("Copied.")
    expected = "\\begin{cases}\nx+y=300 \\\\\n8x+5y=1950\n\\end{cases}"
    assert clipboard(solved) == expected


def test_copy_as_json_is_the_servers_answer(solved: Page, theater: dict[str, Any]) -> None:
    solved.click("#copy-json")
    expect(solved.locator("#copied")).to_have_text("Copied.")
    assert json.loads(clipboard(solved)) == theater


def test_a_copied_picture_is_a_standalone_svg(solved: Page, theater: dict[str, Any]) -> None:
    solved.click("#copy-svg")
    expect(solved.locator("#copied")).to_have_text("Copied.")
    picture = ElementTree.fromstring(clipboard(solved))
    space = "{http://www.w3.org/2000/svg}"
    assert [one.text for one in picture.iter(f"{space}text")] == [node["label"] for node in theater["tree"]["nodes"]]
    assert all(re.match(r"rgb|oklch|#", one.get("fill", "")) for one in picture.iter(f"{space}rect"))
    assert not any("class" in one.attrib for one in picture.iter())


def test_if_copying_is_forbidden_the_text_is_selected(solved: Page) -> None:
    solved.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    solved.click("#copy-latex")
    expect(solved.locator("#copy-by-hand")).to_be_focused()
    assert "begin{cases}" in solved.input_value("#copy-by-hand")


def test_recent_problems_stay_in_this_browser_only(open_page: Visit) -> None:
    page = open_page()
    bodies: list[str] = []
    page.on("request", lambda request: bodies.append(request.post_data or ""))
    for text in (
        "Tom has 3 apples and buys 4. How many apples?",
        "Five more than three times a number is 26. Find it.",
    ):
        ask(page, text)
    page.reload()
    past = page.locator("#history .past-text")
    expect(past).to_have_text(
        ["Five more than three times a number is 26. Find it.", "Tom has 3 apples and buys 4. How many apples?"]
    )
    assert page.context.cookies() == []
    assert [body for body in bodies if "Tom" in body and "Five" in body] == []
    past.nth(1).click()
    expect(page.locator("#text")).to_have_value("Tom has 3 apples and buys 4. How many apples?")
    expect(past.first).to_have_text("Tom has 3 apples and buys 4. How many apples?")
    page.click("#forget")
    expect(page.locator("#history-card")).to_be_hidden()
    assert page.evaluate("localStorage.getItem('sau.history')") is None
    expect(open_page().locator("#history-card")).to_be_hidden()  # another profile does not have them
