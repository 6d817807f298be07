"""Keyboard and screen reader: axe-core finds no violation, everything can be reached, changes are announced."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from sau_solver.equations.typesetting import value_mathml
from scripts.browsing import AXE, PHONE, ask
from tests.server.page.conftest import Visit, show

LONG = ["7" * 80, "8"]


def refuse(kind: str, route: Route) -> None:
    route.fulfill(status=429, json={"error": kind})


def violations(page: Page) -> list[str]:
    """Return the violations that axe-core finds, including best practices, and those of the colors in dark mode."""
    if not AXE.is_file():
        pytest.skip("axe-core is missing; `make browser` fetches it with npm")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))  # not a script of the page: its policy would forbid it
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    found += page.evaluate("axe.run(document, {runOnly: ['color-contrast']})")["violations"]
    page.emulate_media(color_scheme="light")
    return [f"{one['id']}: {node['html']} {node['failureSummary']}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
def test_axe_finds_nothing_on_a_solved_problem(open_page: Visit, theater: dict[str, Any], locale: str) -> None:
    page = open_page(locale=locale)
    assert violations(page) == []
    show(page, theater)
    page.click("#all-steps")
    page.click("#candidates-title")
    page.hover('#tree [data-node="7"]')
    assert violations(page) == []
    page.click("#edit")
    page.click("#solve-equation")
    expect(page.locator("#equation-result .outcome")).to_be_visible()
    page.locator("#reading input").nth(1).fill("1800")
    expect(page.locator("#big-answer")).to_contain_text("200")
    assert violations(page) == []


def test_axe_finds_nothing_where_the_solver_abstained(page: Page, theater: dict[str, Any]) -> None:
    show(page, theater | {"abstained": True, "confidence": 0.26, "reason": "…"})
    assert violations(page) == []
    page.click("#show-guess")
    assert violations(page) == []


def test_axe_finds_nothing_on_errors(open_page: Visit) -> None:
    page = open_page(locale="zh-CN")
    for kind in ("busy", "unauthorized"):
        page.route("**/v1/solve", partial(refuse, kind))
        ask(page, "一个数的3倍加上5等于26，求这个数。")
        expect(page.locator(f"[data-error={kind}]")).to_be_visible()
        assert violations(page) == []


def test_axe_finds_nothing_on_a_phone(open_page: Visit, theater: dict[str, Any]) -> None:
    page = show(open_page(size=PHONE), theater | {"asked_mathml": list(map(value_mathml, LONG))})
    page.locator('#tree [data-node="7"]').click()
    assert violations(page) == []
    page.locator("#big-answer").focus()  # wider than the phone, so the keyboard can scroll it
    expect(page.locator("#big-answer")).to_be_focused()


def test_a_problem_is_solved_and_read_with_the_keyboard_alone(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.type("Five more than three times a number is 26. Find the number.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#status")).not_to_be_empty()
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        name = page.evaluate("document.activeElement.id || document.activeElement.getAttribute('role') || ''")
        reached.append(name)
    for wanted in ("next-step", "all-steps", "edit", "zoom-in", "treeitem", "copy-link", "forget"):
        assert wanted in reached
    order = [reached.index(name) for name in ("solve", "next-step", "edit", "treeitem", "copy-link", "forget")]
    assert order == sorted(order)


def test_changes_are_announced_to_screen_readers(solved: Page) -> None:
    status = solved.locator("#status[role=status]")
    expect(status).to_contain_text("The answer is adult tickets: 150, child tickets: 150.")
    solved.locator("#reading input").nth(1).fill("1800")
    expect(status).to_contain_text("The answer is now adult tickets: 100, child tickets: 200.")
    solved.click("#next-step")
    expect(status).to_contain_text("Step 2 of")


def test_every_field_and_button_has_a_name(solved: Page) -> None:
    tree = solved.locator("body").aria_snapshot()
    assert 'textbox "Your problem"' in tree
    assert 'textbox "Number 1: 300. Change it to update the answer."' in tree
    assert 'button "Solve"' in tree
    assert 'treeitem "300, number 1 of the text"' in tree
    assert 'button "Dark mode"' in tree
