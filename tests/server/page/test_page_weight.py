"""The page's files: small, nothing from other hosts, nothing inline, no HTML from strings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

import sau_solver
from sau_solver.sheets.html_sheet import STYLE_SOURCE
from scripts.browsing import Server, ask
from tests.server.page.conftest import Visit

PAGE = Path(sau_solver.__file__).parent / "server" / "page"
MAX_BYTES = 160_000
MAX_PICTURE_BYTES = 150_000
MAX_LINES = 400


def test_the_page_weighs_less_than_160_kilobytes(open_new: Visit) -> None:
    page = open_new()
    page.wait_for_load_state("networkidle")
    loaded = "['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
    sizes = page.evaluate(loaded + ".map((one) => one.decodedBodySize)")
    assert len(sizes) > 10
    assert all(sizes)
    assert sum(sizes) < MAX_BYTES
    assert sum(file.stat().st_size for file in PAGE.iterdir()) < MAX_BYTES


def test_nothing_is_requested_from_another_host(open_page: Visit, server: Server) -> None:
    page = open_page()
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.reload()
    ask(page, "Tom has 3 apples and buys 4. How many apples?")
    page.wait_for_load_state("networkidle")
    assert urls
    assert [url for url in urls if not url.startswith(server.address)] == []
    addresses = [
        (file.name, found)
        for file in PAGE.iterdir()
        for found in re.findall(r"https?://[\w./]+", file.read_text("utf-8"))
        if not found.startswith("http://www.w3.org/")  # names of namespaces, which are not fetched
    ]
    assert addresses == []


def test_the_policy_of_the_page_allows_its_own_files_only(page: Page) -> None:
    policy = page.request.get("/").headers["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";") if " " in rule.strip())
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == "'self'"
    assert rules["style-src"] == f"'self' {STYLE_SOURCE}"
    assert rules["connect-src"] == "'self'"
    assert "unsafe" not in policy


def test_nothing_is_inline_and_only_mathml_is_read() -> None:
    index = (PAGE / "index.html").read_text("utf-8")
    assert re.findall(r"<style|style=|\son\w+=|<script(?![^>]*\ssrc=)", index) == []
    reading_markup = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function"
    )
    found = {file.name: reading_markup.findall(file.read_text("utf-8")) for file in PAGE.glob("*.js")}
    assert {name: uses for name, uses in found.items() if uses} == {"mathematics.js": ["DOMParser"]}  # MathML only


@pytest.mark.parametrize(
    "name",
    [
        "zh",
        "en",
        "phone",
        "abstained",
        "equation",
        "hints",
        "list",
        "list-dark",
        "list-phone",
        "print",
        "help",
        "practice",
        "practice-dark",
        "practice-phone",
    ],
)
def test_the_pictures_of_the_page_are_small(name: str) -> None:
    picture = Path(__file__).parents[3] / "docs" / "pictures" / f"page-{name}.png"
    assert 5_000 < picture.stat().st_size < MAX_PICTURE_BYTES


def test_no_file_of_the_page_is_longer_than_400_lines() -> None:
    for file in PAGE.iterdir():
        assert len(file.read_text("utf-8").splitlines()) <= MAX_LINES, file.name


def test_every_file_is_used_and_fetched_at_once() -> None:
    index = (PAGE / "index.html").read_text("utf-8")
    named = re.findall(r'(?:href|src)="page/([\w.]+)"', index)
    assert sorted(named) == sorted(file.name for file in PAGE.iterdir() if file.name != "index.html")
    imported = {
        name for file in PAGE.glob("*.js") for name in re.findall(r'from "\./([\w.]+)"', file.read_text("utf-8"))
    }
    assert imported | {"app.js", "early.js"} == {file.name for file in PAGE.glob("*.js")}
