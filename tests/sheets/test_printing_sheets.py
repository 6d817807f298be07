"""The HTML worksheet on paper: A4 and Letter, answers on a page of their own, nothing loaded and nothing run."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page

from sau_solver.sheets.html_sheet import html_sheet
from sau_solver.sheets.sheet import Answers, make_sheet
from tests.sheets.test_sheets import CHICKENS, HOSTILE, hostile


def requests_of(page: Page) -> list[str]:
    """Return the addresses that a page asks for from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    return asked


@pytest.mark.slow
@pytest.mark.xdist_group("page")
def test_a_worksheet_prints_on_both_papers_and_runs_nothing(browser: Browser) -> None:
    items = [CHICKENS, hostile(HOSTILE)]
    for paper in ("A4", "Letter"):
        pages: dict[str, int] = {}
        choices: tuple[Answers, ...] = ("none", "separate", "inline")
        for answers in choices:
            page = browser.new_page()
            asked = requests_of(page)
            page.on("dialog", lambda dialog: pytest.fail("a script of a problem ran"))
            page.set_content(html_sheet(make_sheet(items, answers, "en")))
            pages[answers] = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper)))
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert not asked
            page.close()
        assert (pages["none"], pages["separate"]) == (1, 2)
        assert pages["inline"] <= 2
