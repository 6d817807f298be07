"""One server, shared by all tests of the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from scripts.browsing import Server, serving, visit

HERE = Path(__file__).parent
Visit = Callable[..., Page]

expect.set_options(timeout=10_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Send all tests of the page to the same xdist worker, which starts one server and one browser; mark them slow."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("page"))
            if "browser" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def server(browser: Browser) -> Iterator[Server]:
    with serving() as found:
        yield found


class Mistakes(list[str]):
    """Script errors and policy violations of pages."""

    def watch(self, page: Page) -> None:
        """Record the errors of a page from now on."""
        page.on("pageerror", lambda error: self.append(str(error)))
        page.on("console", lambda said: self.append(said.text) if "Content Security" in said.text else None)


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[Visit]:
    """Open the page in fresh browser profiles; fail if a page had an error."""
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
    """Open one window for all tests that need no special profile: opening one takes half of a test's time."""
    mistakes = Mistakes()
    return visit(browser, server.address, watch=mistakes.watch), mistakes


@pytest.fixture
def page(usual: tuple[Page, Mistakes]) -> Iterator[Page]:
    """Yield the page in English, in light mode, on a desktop, with empty storage."""
    window, mistakes = usual
    window.goto("/")
    yield window
    window.unroute_all()
    window.context.set_offline(False)
    window.emulate_media(media="null")
    window.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    window.goto("about:blank")
    found = list(mistakes)
    mistakes.clear()
    assert found == []


@pytest.fixture(scope="session")
def theater() -> dict[str, Any]:
    """Return a recorded solution, which does not change when other models are shipped."""
    found: dict[str, Any] = json.loads((HERE / "theater.json").read_text("utf-8"))
    return found


@pytest.fixture
def solved(page: Page, theater: dict[str, Any]) -> Page:
    """Return the page with the recorded solution on it."""
    return show(page, theater)


def show(page: Page, solution: dict[str, Any]) -> Page:
    """Make the page show a given solution."""

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
    """Yield the list of API paths that the page requests from now on."""
    paths: list[str] = []

    def note(request: Request) -> None:
        path = urlsplit(request.url).path
        if path.startswith("/v1/"):
            paths.append(path)

    page.on("request", note)
    yield paths
    page.remove_listener("request", note)
