"""Numbers of the problem: colored in text, equations and tree, and changed by the reader."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from sau_solver.equations.notation import latex, mathml
from sau_solver.equations.parser import parse
from scripts.browsing import ask
from tests.server.page.conftest import show

FIELDS = "#reading input"


def test_the_numbers_of_the_text_are_fields(solved: Page, theater: dict[str, Any]) -> None:
    fields = solved.locator(FIELDS)
    assert [fields.nth(k).input_value() for k in range(fields.count())] == ["300", "1950", "8", "5"]
    pieces = "[...document.querySelectorAll('#reading > *')].map((one) => one.value ?? one.textContent).join('')"
    assert solved.evaluate(pieces) == theater["problem"]


def test_a_number_has_one_color_in_text_equations_and_tree(solved: Page) -> None:
    color = "(one) => getComputedStyle(one).color"
    seen = set()
    for place in range(4):
        text = solved.locator(f'{FIELDS}[data-number="{place}"]').evaluate(color)
        equation = solved.locator(f'#equations mn[data-number="{place}"]').evaluate(color)
        tree = solved.locator(f'#tree [data-number="{place}"] text').evaluate("(one) => getComputedStyle(one).fill")
        assert text == equation == tree
        seen.add(text)
    assert len(seen) == 4


@pytest.mark.parametrize("where", ["#reading input", "#equations mn", "#tree g"])
def test_pointing_at_a_number_highlights_it_everywhere(solved: Page, where: str) -> None:
    solved.hover(f'{where}[data-number="2"]')
    found = "[...document.querySelectorAll('.lit:not(#preview *)')]"
    lit = f"{found}.map((one) => [one.tagName.toLowerCase(), one.dataset.number])"
    assert solved.evaluate(lit) == [["input", "2"], ["mn", "2"], ["g", "2"]]
    solved.hover("#answer-title")
    assert solved.evaluate(lit) == []


def test_positions_count_characters_not_code_units(page: Page) -> None:
    ask(page, "🍎🍎 Tom has 31 apples and buys 24 more. How many apples does he have?")
    numbers = page.locator("#reading .number")
    values = [numbers.nth(k).evaluate("(one) => one.value ?? one.textContent") for k in range(numbers.count())]
    assert values == ["31", "24"]


def change(page: Page, place: int, typed: str) -> None:
    page.locator(FIELDS).nth(place).fill(typed)


def test_a_changed_number_updates_every_card_without_a_model(solved: Page, asked: list[str]) -> None:
    change(solved, 1, "1800")
    expect(solved.locator("#big-answer .value")).to_have_text(["100", "200"])
    expect(solved.locator("#equations mn[data-number='1']")).to_have_text("1800")
    expect(solved.locator("#tree [data-number='1'] text")).to_have_text("1800")
    expect(solved.locator("#check")).to_contain_text("1800")
    expect(solved.locator("#confidence")).to_contain_text("with your numbers")
    solved.click("#all-steps")
    expect(solved.locator("#steps")).to_contain_text("1800")
    assert "1800 dollars" in solved.input_value("#text")
    assert asked == ["/v1/template"]


def test_one_request_is_sent_for_a_number_that_is_typed_quickly(solved: Page, asked: list[str]) -> None:
    field = solved.locator(FIELDS).nth(1)
    field.fill("")
    field.press_sequentially("1800", delay=5)
    expect(solved.locator("#big-answer .value")).to_have_text(["100", "200"])
    assert len(asked) < len("1800")


def test_the_answer_stays_exact(solved: Page) -> None:
    change(solved, 0, "310")
    expect(solved.locator("#big-answer mfrac").first).to_have_text("4003")
    change(solved, 0, "300.5")
    expect(solved.locator("#big-answer mfrac").first).to_have_text("8956")
    change(solved, 0, "1/3")
    expect(solved.locator("#equations mfrac[data-number='0']")).to_have_text("13")


def test_the_answer_is_a_decimal_if_the_problem_has_decimals(solved: Page) -> None:
    change(solved, 1, "1951.5")
    expect(solved.locator("#big-answer .value").first).to_have_text("150.5")


@pytest.mark.parametrize("typed", ["1800", "1,800", "$1800", "１８００", "5400/3", "1799 2/2", "180000%", "一千八百"])
def test_a_number_may_be_typed_as_in_a_problem(solved: Page, typed: str) -> None:
    change(solved, 1, typed)
    expect(solved.locator("#big-answer .value")).to_have_text(["100", "200"])


def test_the_words_of_the_problem_choose_between_roots(page: Page, theater: dict[str, Any]) -> None:
    show(page, quadratic(theater))
    change(page, 1, "60")
    expect(page.locator("#big-answer .value")).to_have_text("6")


@pytest.mark.parametrize(
    ("numbers", "words"),
    [({3: "8"}, "no solution"), ({1: "2400", 3: "8"}, "infinitely many solutions")],
    ids=["none", "infinite"],
)
def test_numbers_without_one_solution_are_explained(solved: Page, numbers: dict[int, str], words: str) -> None:
    for place, typed in numbers.items():
        change(solved, place, typed)
    expect(solved.locator("#big-answer")).to_contain_text(words)
    expect(solved.locator("#equations mn[data-number='3']")).to_have_text("8")  # the equations are still shown
    expect(solved.locator("#steps-card")).to_be_hidden()
    change(solved, 1, "1800")
    change(solved, 3, "5")
    expect(solved.locator("#big-answer .value")).to_have_text(["100", "200"])
    expect(solved.locator("#steps-card")).to_be_visible()


def test_a_text_that_is_not_a_number_is_an_error_after_its_field_is_left(solved: Page) -> None:
    field = solved.locator(FIELDS).nth(2)
    field.fill("")
    solved.wait_for_timeout(300)
    expect(solved.locator("#reading-error")).to_be_empty()  # still typing
    field.fill("abc")
    field.press("Tab")
    expect(solved.locator("#reading-error [role=alert]")).to_contain_text("12, 0.5, 3/4 or 25%")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(solved.locator("#big-answer .value")).to_have_text(["150", "150"])  # the last answer stays
    field.fill("10")
    expect(solved.locator("#reading-error")).to_be_empty()
    expect(field).to_have_attribute("aria-invalid", "false")


def test_a_late_answer_does_not_replace_a_newer_one(solved: Page) -> None:
    held: list[Route] = []
    solved.route("**/v1/template", lambda route: held.append(route))
    change(solved, 1, "1950.5")
    expect(solved.locator("#result")).to_have_class(re.compile("outdated"))
    solved.unroute("**/v1/template")
    change(solved, 1, "1800")
    expect(solved.locator("#big-answer .value")).to_have_text(["100", "200"])
    expect(solved.locator("#result")).not_to_have_class(re.compile("outdated"))


def test_the_original_numbers_can_be_restored(solved: Page, theater: dict[str, Any]) -> None:
    change(solved, 1, "1800")
    solved.click("#restore")
    expect(solved.locator("#big-answer .value")).to_have_text(["150", "150"])
    expect(solved.locator("#confidence")).to_contain_text("of 100")
    assert solved.input_value("#text") == theater["problem"]


@pytest.mark.parametrize("typed", ["1950", "1,950"])
def test_typing_the_original_number_again_restores_the_confidence(solved: Page, typed: str) -> None:
    change(solved, 1, "1800")
    expect(solved.locator("#confidence")).to_contain_text("your numbers")
    change(solved, 1, typed)
    expect(solved.locator("#confidence")).to_contain_text("of 100")
    expect(solved.locator("#restore")).to_be_hidden()


def quadratic(theater: dict[str, Any]) -> dict[str, Any]:
    """Return a solution with x = y + 4 and x * y = 96."""
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
        "mathml": [mathml(equation) for equation in parse("x=y+4; x*y=96")],
        "latex": [latex(equation) for equation in parse("x=y+4; x*y=96")],
        "answers": ["8"],
        "decimal": [12.0, 8.0],
        "unit": "",
        "asked": [theater["asked"][0] | {"quantity": "width", "unknown": "y", "answer": "8", "unit": ""}],
        "asked_mathml": ["8"],
        "display": "width: 8",
        "roots": [{"x": "12", "y": "8"}, {"x": "-8", "y": "-12"}],
        "tree": {"prefix": " ".join(node["symbol"] for node in nodes), "nodes": nodes},
        "attention": None,
    }
