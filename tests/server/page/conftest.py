"""One server, shared by all tests of the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from scripts.browsing import DESKTOP, Server, serving, visit

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


class Windows:
    """Browser profiles, each with one page, that tests use one after the other: opening one takes half of a test."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.mistakes = Mistakes()
        self._browser, self._address = browser, address
        self._free: dict[tuple[object, ...], list[Page]] = {}
        self._taken: list[tuple[tuple[object, ...], Page]] = []

    def take(
        self, locale: str = "en-US", dark: bool = False, size: tuple[int, int] = DESKTOP, fragment: str = ""
    ) -> Page:
        """Open the page in a profile with empty storage that no other page of this test has."""
        kind = (locale, dark, size)
        if free := self._free.setdefault(kind, []):
            page = free.pop()
            page.goto("/" + fragment)
        else:
            page = visit(self._browser, self._address, locale, dark, size, fragment, self.mistakes.watch)
        self._taken.append((kind, page))
        return page

    def give_back(self) -> None:
        """Empty the storage of all pages of a test."""
        for kind, page in self._taken:
            page.unroute_all()
            page.context.set_offline(False)
            page.emulate_media(media="null", color_scheme="dark" if kind[1] else "light")
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
            page.goto("about:blank")
            self._free[kind].append(page)
        self._taken.clear()


@pytest.fixture(scope="session")
def windows(browser: Browser, server: Server) -> Windows:
    return Windows(browser, server.address)


@pytest.fixture
def open_page(windows: Windows) -> Iterator[Visit]:
    """Open the page with empty storage; fail if a page had an error."""
    yield windows.take
    windows.give_back()
    found = list(windows.mistakes)
    windows.mistakes.clear()
    assert found == []


@pytest.fixture
def open_new(browser: Browser, server: Server) -> Iterator[Visit]:
    """Open the page in new browser profiles, without a cache and without a history; fail if a page had an error."""
    opened: list[Page] = []
    mistakes = Mistakes()

    def watch(page: Page) -> None:
        opened.append(page)
        mistakes.watch(page)

    def opener(address: str = server.address) -> Page:
        return visit(browser, address, watch=watch)

    yield opener
    for page in opened:
        page.context.close()
    assert mistakes == []


@pytest.fixture
def page(open_page: Visit) -> Page:
    """Return the page in English, in light mode, on a desktop, with empty storage."""
    return open_page()


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
