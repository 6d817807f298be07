"""The tree: drawn as SVG, walked with the keyboard, zoomed, scrolled; a node shows the words it attended to."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from scripts.browsing import PHONE
from tests.server.page.conftest import Visit, show


def test_the_tree_is_drawn_as_svg_with_a_node_for_each_symbol(solved: Page, theater: dict[str, Any]) -> None:
    labels = solved.locator("#tree svg [role=treeitem] text").all_text_contents()
    assert labels == [node["label"] for node in theater["tree"]["nodes"]]
    assert solved.locator("#tree svg .edges path").count() == len(labels) - 1


def test_a_node_shows_the_words_it_attended_to(solved: Page, theater: dict[str, Any]) -> None:
    node = 7
    solved.hover(f'#tree [data-node="{node}"]')
    weights = theater["attention"]["weights"][node]
    hottest = weights.index(max(weights))
    heats = solved.evaluate(
        "[...document.querySelectorAll('#reading [data-word]')]"
        ".map((one) => [Number(one.dataset.word), Number(one.style.getPropertyValue('--heat'))])"
    )
    assert heats == [[word, round(weights[word] / max(weights) + 1e-9, 3)] for word, _ in heats]
    expect(solved.locator("#attended")).to_contain_text(f"“{theater['attention']['words'][hottest]['text']}”")
    painted = "(one) => getComputedStyle(one).backgroundImage"
    assert solved.locator(f'#reading [data-word="{hottest}"]').evaluate(painted).startswith("linear-gradient")
    assert solved.locator("#reading input").first.evaluate(painted).startswith("linear-gradient")  # numbers, too
    solved.hover("#answer-title")
    expect(solved.locator("#reading.heated")).to_have_count(0)


def test_on_a_phone_the_words_are_shown_below_the_tree(open_page: Visit, theater: dict[str, Any]) -> None:
    page = show(open_page(size=PHONE), theater)
    page.locator('#tree [data-node="7"]').click()
    expect(page.locator("#strip.heated")).to_be_visible()


def test_arrow_keys_walk_the_tree(solved: Page) -> None:
    root = solved.locator('#tree [data-node="0"]')
    root.focus()
    for key, node in (("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("ArrowRight", 2), ("End", 14), ("Home", 0)):
        solved.keyboard.press(key)
        expect(solved.locator(f'#tree [data-node="{node}"]')).to_be_focused()
        expect(solved.locator("#attended")).to_contain_text("the model looked most at")
    expect(root).to_have_attribute("aria-label", "and")


def test_large_trees_scroll_and_zoom(page: Page, theater: dict[str, Any]) -> None:
    show(page, theater | {"tree": deep_tree(6), "attention": None})
    box, drawing = page.locator("#tree"), page.locator("#tree svg")
    scrolls = "(one) => one.scrollWidth > one.clientWidth"
    assert box.evaluate(scrolls)
    expect(page.locator('#tree [data-node="0"]')).to_be_in_viewport()
    before = float(drawing.get_attribute("width") or 0)
    page.click("#zoom-in")
    assert float(drawing.get_attribute("width") or 0) > before
    page.click("#zoom-fit")
    assert not box.evaluate(scrolls)
    fitted = float(drawing.get_attribute("width") or 0)
    box.hover()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    expect(drawing).not_to_have_attribute("width", f"{fitted:.1f}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280  # the box scrolls, not the page


def deep_tree(depth: int) -> dict[str, Any]:
    """Return the tree of x = a sum of 2^depth numbers."""
    nodes: list[dict[str, Any]] = []

    def add(symbol: str, kind: str, parent: int | None, number: int | None = None) -> int:
        label = symbol if number is None else "300"
        node: dict[str, Any] = {
            "symbol": symbol,
            "label": label,
            "kind": kind,
            "number": number,
            "parent": parent,
            "children": [],
        }
        nodes.append(node)
        if parent is not None:
            nodes[parent]["children"].append(len(nodes) - 1)
        return len(nodes) - 1

    def grow(parent: int, left: int) -> None:
        if left == 0:
            add("N0", "number", parent, 0)
            return
        here = add("+", "operator", parent)
        grow(here, left - 1)
        grow(here, left - 1)

    root = add("=", "operator", None)
    add("x", "unknown", root)
    grow(root, depth)
    return {"prefix": " ".join(node["symbol"] for node in nodes), "nodes": nodes}
