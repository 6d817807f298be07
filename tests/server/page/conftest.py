"""One server and one browser for all tests of the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.server.page.browsing import NoBrowserError, Server, chromium, launched, serving, visit

HERE = Path(__file__).parent
Visit = Callable[..., Page]

expect.set_options(timeout=10_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With several workers, all tests of the page go to one of them: one server, one browser."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("page"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    try:
        chromium()
    except NoBrowserError as error:
        pytest.skip(str(error))
    with launched() as found:
        yield found


@pytest.fixture(scope="session")
def server(browser: Browser) -> Iterator[Server]:
    with serving() as found:
        yield found


class Mistakes(list[str]):
    """What went wrong on pages: mistakes of their scripts, breaches of their policy."""

    def watch(self, page: Page) -> None:
        """Note whatever goes wrong on a page from now on."""
        page.on("pageerror", lambda error: self.append(str(error)))
        page.on("console", lambda said: self.append(said.text) if "Content Security" in said.text else None)


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[Visit]:
    """Opens the page for somebody who was never here before; by the end nothing may have gone wrong on it."""
    opened: list[Page] = []
    mistakes = Mistakes()

    def watch(page: Page) -> None:
        opened.append(page)
        mistakes.watch(page)

    def opener(address: str = server.address, **how: Any) -> Page:
        return visit(browser, address, watch=watch, **how)

    yield opener
    for page in opened:
        page.context.close()
    assert mistakes == []


@pytest.fixture(scope="session")
def usual(browser: Browser, server: Server) -> tuple[Page, Mistakes]:
    """One window for the tests that need no particular visitor: to open a new one takes twice as long."""
    mistakes = Mistakes()
    return visit(browser, server.address, watch=mistakes.watch), mistakes


@pytest.fixture
def page(usual: tuple[Page, Mistakes]) -> Iterator[Page]:
    """The page, in English, by day, on a desk; with nothing left of the test before."""
    window, mistakes = usual
    window.goto("/")
    yield window
    window.unroute_all()
    window.context.set_offline(False)
    window.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    window.goto("about:blank")
    found = list(mistakes)
    mistakes.clear()
    assert found == []


@pytest.fixture(scope="session")
def theater() -> dict[str, Any]:
    """A solution as the server gave it once: what it shows does not change when better models are shipped."""
    found: dict[str, Any] = json.loads((HERE / "theater.json").read_text("utf-8"))
    return found


@pytest.fixture
def solved(page: Page, theater: dict[str, Any]) -> Page:
    """The page with that solution on it."""
    return show(page, theater)


def show(page: Page, solution: dict[str, Any]) -> Page:
    """Let the page show a given solution."""

    def answer(route: Route) -> None:
        route.fulfill(json=solution)

    page.route("**/v1/solve", answer)
    page.fill("#text", solution["problem"])
    page.click("#solve")
    expect(page.locator("#result")).to_be_visible()
    page.unroute("**/v1/solve")
    return page


@pytest.fixture
def asked(page: Page) -> Iterator[list[str]]:
    """What the page asks the solver, from now on."""
    paths: list[str] = []

    def note(request: Request) -> None:
        path = urlsplit(request.url).path
        if path.startswith("/v1/"):
            paths.append(path)

    page.on("request", note)
    yield paths
    page.remove_listener("request", note)
