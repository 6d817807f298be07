"""Take the pictures of the page in docs/pictures: the real server, the shipped models, a real browser.

python scripts/screenshots.py, or `make screenshots`. The Chinese pictures need a Chinese font, such as fonts-noto-cjk.
"""

from __future__ import annotations

import base64
import shutil
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page, expect

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for scripts/

from scripts.browsing import PHONE, ask, launched, serving, visit  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
WINDOW = (1200, 860)
PAPER = (680, 960)
MAX_BYTES = 150_000
PIXELS = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (one) => one.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
  const drawing = new OffscreenCanvas(image.width, image.height).getContext('2d');
  drawing.drawImage(image, 0, 0);
  const {data} = drawing.getImageData(0, 0, image.width, image.height);
  let text = '';
  for (let k = 0; k < data.length; k += 8192) text += String.fromCharCode(...data.subarray(k, k + 8192));
  return [image.width, image.height, btoa(text)];
}"""

NOTEBOOKS = "购买甲、乙两种笔记本共20本，甲种每本8元，乙种每本5元，共用130元，甲、乙两种笔记本各买了多少本？"
TICKETS = (
    "A theater sold 300 tickets. Adult tickets cost 8 dollars and child tickets cost 5 dollars. The total was "
    "1950 dollars. How many adult tickets and how many child tickets were sold?"
)
APPLES = "学校买来5箱苹果，每箱24个，分给学生96个，还剩多少个？"
EQUATION = "x² + 5x + 6 = 0"
LIST = f"""1. A train travels 240 miles in 4 hours. What is its average speed?
2. {EQUATION}
3. A farm has chickens and goats. There are 30 heads and 86 legs. How many goats are there?
4. Ciao, come stai? Я хочу спать 3 часа.
5. {APPLES}"""
EXERCISES = {"en-US": "en-heads-legs-3-2", "zh-CN": "zh-heads-legs-3-2"}
UNSURE = "The sum of three consecutive integers is 72. Find the smallest integer."


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: the browser's settings, and what is done before it is taken."""

    name: str
    act: Callable[[Page], None]
    locale: str = "en-US"
    dark: bool = False
    size: tuple[int, int] = WINDOW
    whole: bool = True  # the whole page, or only the window


def solved(text: str, steps: int = 2, node: int | None = None) -> Callable[[Page], None]:
    """Return an action that solves a problem, opens some steps and points at a node of the tree."""

    def act(page: Page) -> None:
        ask(page, text)
        for _ in range(steps):
            page.click("#next-step")
        if node is not None:
            page.hover(f'#tree [data-node="{node}"]')

    return act


def on_a_phone(page: Page) -> None:
    """Solve a problem and scroll to its numbers."""
    solved(APPLES, 1)(page)
    page.evaluate("document.getElementById('reading-title').closest('section').scrollIntoView()")
    page.mouse.wheel(0, -12)
    page.wait_for_timeout(300)


def abstained(page: Page) -> None:
    """Solve a problem that the solver is not sure about."""
    ask(page, UNSURE)
    expect(page.locator("#show-guess")).to_be_visible()


def listed(steps: int = 0) -> Callable[[Page], None]:
    """Return an action that solves the list of problems and shows the steps of the one at this place."""

    def act(page: Page) -> None:
        page.goto("/#list")
        page.fill("#list-text", LIST)
        page.click("#list-solve")
        settled = page.locator("#items .item:is(.solved, .failed)")
        expect(settled).to_have_count(len(LIST.splitlines()), timeout=60_000)
        page.locator("#items .item").nth(steps).locator(".item-more button").click()
        page.mouse.move(0, 0)

    return act


def printed(page: Page) -> None:
    """Show the list as it is printed, with the answers on a page of their own."""
    listed()(page)
    page.select_option("#answers-place", "separate")
    page.emulate_media(media="print")
    page.evaluate("document.body.style.padding = '64px'")  # the margins of the paper


def hinted(page: Page) -> None:
    """Ask for two hints while the answer stays hidden."""
    page.check("#form [data-hints]")
    ask(page, TICKETS)
    page.click("#next-step")
    page.click("#next-step")


def helped(page: Page) -> None:
    """Open the help."""
    page.goto("/#help")


def practiced(page: Page) -> None:
    """Open an exercise, type a wrong answer and ask for two hints."""
    page.goto(f"/#practice={EXERCISES[page.evaluate('navigator.language')]}")
    page.fill("#typed", "12")
    page.click("#typed-form button")
    expect(page.locator("#verdict")).not_to_be_empty()
    for _ in range(2):
        page.click("#exercise-hint")
    expect(page.locator("#exercise-steps li")).to_have_count(2)
    page.mouse.move(0, 0)


def practiced_to_the_end(page: Page) -> None:
    """Show the solution of an exercise."""
    practiced(page)
    page.click("#exercise-solve")
    expect(page.locator("#exercise-answer .big")).to_be_visible()
    page.wait_for_timeout(300)


TAKEN = (
    Picture("page-en", solved(TICKETS, node=7)),
    Picture("page-zh", solved(NOTEBOOKS, node=6), "zh-CN"),
    Picture("page-phone", on_a_phone, "zh-CN", size=PHONE, whole=False),
    Picture("page-abstained", abstained),
    Picture("page-equation", solved(EQUATION)),
    Picture("page-hints", hinted),
    Picture("page-list", listed(2)),
    Picture("page-list-dark", listed(4), "zh-CN", dark=True),
    Picture("page-list-phone", listed(1), size=PHONE),
    Picture("page-print", printed, size=PAPER),
    Picture("page-help", helped),
    Picture("page-practice", practiced),
    Picture("page-practice-dark", practiced_to_the_end, "zh-CN", dark=True),
    Picture("page-practice-phone", practiced, size=PHONE),
)


def take(browser: Browser, address: str, picture: Picture) -> int:
    """Write one picture and return its size in bytes."""
    page = visit(browser, address, picture.locale, picture.dark, picture.size)
    picture.act(page)
    shot = page.screenshot(full_page=picture.whole)
    page.goto("about:blank")
    width, height, data = page.evaluate(PIXELS, base64.b64encode(shot).decode())
    page.context.close()
    pixels = np.frombuffer(base64.b64decode(data), np.uint8).reshape(height, width, 4)[:, :, :3]
    target = PICTURES / f"{picture.name}.png"
    target.write_bytes(indexed_png(pixels))
    return target.stat().st_size


def indexed_png(pixels: NDArray[np.uint8]) -> bytes:
    """Return (height, width, 3) pixels as a PNG with the 256 most frequent colors: a third of a full-color file."""
    height, width, _ = pixels.shape
    colors, places, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    palette = colors[np.argsort(-counts, kind="stable")[:256]].astype(int)
    nearest = [int(((palette - color) ** 2).sum(axis=1).argmin()) for color in colors.astype(int)]
    rows = np.zeros((height, width + 1), np.uint8)  # every row begins with its filter, 0
    rows[:, 1:] = np.array(nearest, np.uint8)[places.reshape(height, width)]
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", palette.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    ]
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def main() -> None:
    """Take all pictures, or those whose names begin with an argument of the command line."""
    fonts = shutil.which("fc-list")
    if fonts and not subprocess.run([fonts, ":lang=zh"], capture_output=True, check=False).stdout:  # noqa: S603
        sys.exit("There is no Chinese font for the Chinese pictures. Install one, such as fonts-noto-cjk.")
    PICTURES.mkdir(parents=True, exist_ok=True)
    with launched() as browser, serving() as server:
        for picture in TAKEN:
            if sys.argv[1:] and not picture.name.startswith(tuple(sys.argv[1:])):
                continue
            size = take(browser, server.address, picture)
            print(f"docs/pictures/{picture.name}.png  {size / 1000:.0f} KB")
            if size > MAX_BYTES:
                sys.exit(f"A picture must be at most {MAX_BYTES:,} bytes, got {size:,}. Make its window smaller.")


if __name__ == "__main__":
    main()
