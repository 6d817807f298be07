"""The page as pictures for the README: docs/pictures/*.png, taken of the real server with the shipped models.

python scripts/screenshots.py, or `make screenshots`. Chinese pictures need a Chinese font on this machine.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for the server and the browser of the tests

from scripts.browsing import PHONE, ask, launched, serving, visit  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
WINDOW = (1200, 860)
MOST_BYTES = 150_000

NOTEBOOKS = "购买甲、乙两种笔记本共20本，甲种每本8元，乙种每本5元，共用130元，甲、乙两种笔记本各买了多少本？"
TICKETS = (
    "A theater sold 300 tickets. Adult tickets cost 8 dollars and child tickets cost 5 dollars. The total was "
    "1950 dollars. How many adult tickets and how many child tickets were sold?"
)
APPLES = "学校买来5箱苹果，每箱24个，分给学生96个，还剩多少个？"
UNSURE = "The sum of three consecutive integers is 72. Find the smallest integer."


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: who visits, and what is done before it is taken."""

    name: str
    act: Callable[[Page], None]
    locale: str = "en-US"
    dark: bool = False
    size: tuple[int, int] = WINDOW
    whole: bool = True  # the whole page, or what the window shows


def solved(text: str, steps: int = 2, node: int | None = None) -> Callable[[Page], None]:
    """A problem with some of its steps open, and one node of its tree pointed at."""

    def act(page: Page) -> None:
        ask(page, text)
        for _ in range(steps):
            page.click("#next-step")
        if node is not None:
            page.hover(f'#tree [data-node="{node}"]')

    return act


def on_a_phone(page: Page) -> None:
    """A problem with its numbers at the upper edge, and what fits under them."""
    solved(APPLES, 1)(page)
    page.evaluate("document.getElementById('reading-title').closest('section').scrollIntoView()")
    page.mouse.wheel(0, -12)
    page.wait_for_timeout(300)


def abstained(page: Page) -> None:
    """A problem that the solver is not sure of."""
    ask(page, UNSURE)
    expect(page.locator("#show-guess")).to_be_visible()


def error(page: Page) -> None:
    """A problem, and no server any more."""
    page.context.set_offline(True)
    ask(page, TICKETS)


TAKEN = (
    Picture("page-zh", solved(NOTEBOOKS, node=6), "zh-CN"),
    Picture("page-en", solved(TICKETS, node=7)),
    Picture("page-dark", solved(NOTEBOOKS, node=6), "zh-CN", dark=True),
    Picture("page-phone", on_a_phone, "zh-CN", size=PHONE, whole=False),
    Picture("page-abstained", abstained),
    Picture("page-error", error, whole=False),
)


def take(browser: Browser, address: str, picture: Picture) -> int:
    """Write one picture; gives its size in bytes."""
    page = visit(browser, address, picture.locale, picture.dark, picture.size)
    picture.act(page)
    shot = page.screenshot(full_page=picture.whole)
    page.context.close()
    drawn = (
        Image.open(io.BytesIO(shot))
        .convert("RGB")
        .quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    )
    target = PICTURES / f"{picture.name}.png"
    drawn.save(target, optimize=True)
    return target.stat().st_size


def main() -> None:
    """Take all pictures."""
    fonts = shutil.which("fc-list")
    if fonts and not subprocess.run([fonts, ":lang=zh"], capture_output=True, check=False).stdout:  # noqa: S603
        sys.exit("The Chinese pictures need a Chinese font, and none is here; install one such as fonts-noto-cjk.")
    PICTURES.mkdir(parents=True, exist_ok=True)
    with launched() as browser, serving() as server:
        for picture in TAKEN:
            size = take(browser, server.address, picture)
            print(f"docs/pictures/{picture.name}.png  {size / 1000:.0f} KB")
            if size > MOST_BYTES:
                sys.exit(f"A picture of at most {MOST_BYTES:,} bytes was expected; make its window smaller.")


if __name__ == "__main__":
    main()
