"""Numbers of the text: lit where they were found, tied to equations and tree, changed without asking the network."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.server.page.browsing import ask
from tests.server.page.conftest import show

FIELDS = "#reading input"


def test_numbers_light_up_where_they_stand_in_the_text(solved: Page, theater: dict[str, Any]) -> None:
    fields = solved.locator(FIELDS)
    assert [fields.nth(k).input_value() for k in range(fields.count())] == ["300", "1950", "8", "5"]
    pieces = "[...document.querySelectorAll('#reading > *')].map((one) => one.value ?? one.textContent).join('')"
    assert solved.evaluate(pieces) == theater["problem"]


def test_a_number_has_one_colour_in_text_equations_and_tree(solved: Page) -> None:
    colour = "(one) => getComputedStyle(one).color"
    seen = set()
    for place in range(4):
        text = solved.locator(f'{FIELDS}[data-number="{place}"]').evaluate(colour)
        equation = solved.locator(f'#equations mn[data-number="{place}"]').evaluate(colour)
        tree = solved.locator(f'#tree [data-number="{place}"] text').evaluate("(one) => getComputedStyle(one).fill")
        assert text == equation == tree
        seen.add(text)
    assert len(seen) == 4


@pytest.mark.parametrize("where", ["#reading input", "#equations mn", "#tree g"])
def test_pointing_at_a_number_shows_the_others(solved: Page, where: str) -> None:
    solved.hover(f'{where}[data-number="2"]')
    lit = "[...document.querySelectorAll('.lit')].map((one) => [one.tagName.toLowerCase(), one.dataset.number])"
    assert solved.evaluate(lit) == [["input", "2"], ["mn", "2"], ["g", "2"]]
    solved.hover("#answer-title")
    assert solved.evaluate(lit) == []


def test_places_count_characters_not_code_units(page: Page) -> None:
    ask(page, "🍎🍎 Tom has 31 apples and buys 24 more. How many apples does he have?")
    numbers = page.locator("#reading .number")
    values = [numbers.nth(k).evaluate("(one) => one.value ?? one.textContent") for k in range(numbers.count())]
    assert values == ["31", "24"]


def test_a_changed_number_changes_the_answer_and_nobody_is_asked(solved: Page, asked: list[str]) -> None:
    solved.locator(FIELDS).nth(1).fill("1800")
    expect(solved.locator("#big-answer")).to_contain_text("100")
    expect(solved.locator("#big-answer")).to_contain_text("200")
    expect(solved.locator("#equations mn[data-number='1']")).to_have_text("1800")
    expect(solved.locator("#tree [data-number='1'] text")).to_have_text("1800")
    expect(solved.locator("#check")).to_contain_text("left 1800, right 1800")
    expect(solved.locator("#confidence")).to_contain_text("was not asked again")
    assert "1800 dollars" in solved.input_value("#text")
    assert asked == []


def test_the_answer_stays_exact(solved: Page) -> None:
    solved.locator(FIELDS).nth(0).fill("310")
    expect(solved.locator("#big-answer mfrac").first).to_have_text("4003")
    expect(solved.locator("#big-answer")).to_contain_text("≈ 133.333")
    solved.locator(FIELDS).nth(0).fill("1/3")
    expect(solved.locator("#equations mn[data-number='0'], #equations mfrac[data-number='0']")).to_have_text("13")


def test_the_full_working_of_changed_numbers_comes_from_the_server_without_a_model(
    solved: Page, asked: list[str]
) -> None:
    solved.locator(FIELDS).nth(1).fill("1800")
    solved.click("#full-working")
    solved.click("#all-steps")
    expect(solved.locator("#steps")).to_contain_text("“1800 dollars” gives 1800")
    expect(solved.locator("#big-answer")).to_contain_text("200")
    assert asked == ["/v1/template"]


def test_where_several_roots_are_left_the_server_chooses(page: Page, theater: dict[str, Any], asked: list[str]) -> None:
    show(page, quadratic(theater))
    asked.clear()
    page.locator(FIELDS).nth(1).fill("60")
    expect(page.locator("#big-answer")).to_have_text("10 and 6")
    assert asked == ["/v1/template"]


def test_numbers_without_a_solution_are_said_so(page: Page, theater: dict[str, Any]) -> None:
    show(page, quadratic(theater))
    page.locator(FIELDS).nth(1).fill("-60")
    expect(page.locator("#big-answer")).to_contain_text("no solution")


def test_what_is_no_number_is_said_where_it_was_typed(solved: Page) -> None:
    field = solved.locator(FIELDS).nth(2)
    field.fill("")
    expect(solved.locator("#reading-error")).to_be_empty()  # somebody is still typing
    field.fill("eight")
    field.press("Tab")
    expect(solved.locator("#reading-error [role=alert]")).to_contain_text("12, 0.5, 3/4 or 25%")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("10")
    expect(solved.locator("#reading-error")).to_be_empty()


def test_the_problems_own_numbers_come_back(solved: Page, theater: dict[str, Any]) -> None:
    solved.locator(FIELDS).nth(1).fill("1800")
    solved.click("#restore")
    expect(solved.locator("#big-answer")).to_have_text("150 and 150 tickets")
    expect(solved.locator("#confidence")).to_contain_text("Of 100")
    assert solved.input_value("#text") == theater["problem"]


def quadratic(theater: dict[str, Any]) -> dict[str, Any]:
    """x = y + 4, x * y = 96 as the server would give it."""
    text = "The length of a rectangle is 4 more than its width. The area is 96. Find the width."
    prefix = ["; 1 6", "= 2 3", "x", "+ 4 5", "y", "N0", "= 7 10", "* 8 9", "x", "y", "N1"]
    nodes: list[dict[str, Any]] = []
    for symbol, *children in map(str.split, prefix):
        kind = "unknown" if symbol in "xy" else "number" if symbol in ("N0", "N1") else "operator"
        label = {"N0": "4", "N1": "96", "*": "×"}.get(symbol, symbol)
        own = {"symbol": symbol, "label": label, "kind": kind, "number": {"N0": 0, "N1": 1}.get(symbol)}
        nodes.append(own | {"parent": None, "children": [int(child) for child in children]})
    for place, node in enumerate(nodes):
        for child in node["children"]:
            nodes[child]["parent"] = place
    numbers = [{"text": n, "value": n, "start": text.index(n), "end": text.index(n) + len(n)} for n in ("4", "96")]
    return theater | {
        "problem": text,
        "numbers": numbers,
        "equations": ["x=y+4", "x*y=96"],
        "answers": ["12", "8"],
        "decimal": [12.0, 8.0],
        "unit": "",
        "roots": [{"x": "12", "y": "8"}, {"x": "-8", "y": "-12"}],
        "tree": {"prefix": " ".join(node["symbol"] for node in nodes), "nodes": nodes},
        "attention": None,
    }
