"""The page's weight, and the time from the click to the answer: the real server, a real browser, all its examples.

python benchmarks/page.py [ROUNDS]. The weight is that of all bodies that the browser gets, as they come: the server
does not compress. A time runs from the click on "Solve" until the frame that has the answer in it is painted. The
first is that of a page just opened, and in Chinese of a server that nobody has asked before.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from playwright.sync_api import Browser

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the server and the browser of the tests

from scripts.browsing import launched, serving, visit

ROUNDS = 5
CLICK = """(text) => new Promise((answered) => {
  const place = document.getElementById('answer');
  document.getElementById('text').value = text;
  const started = performance.now();
  new MutationObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => answered(performance.now() - started)));  // after the paint
  }).observe(place, {childList: true});
  document.getElementById('solve').click();
})"""


WEIGHT = """() => ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, one) => sum + one.encodedBodySize, 0)"""


def weight(browser: Browser, address: str) -> float:
    """Kilobytes of the page and all that it loads."""
    page = visit(browser, address)
    page.wait_for_load_state("networkidle")
    found: int = page.evaluate(WEIGHT)
    page.context.close()
    return found / 1000


def times(browser: Browser, address: str, rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds of the first click after the page has opened, in each language, and of all later ones."""
    first, later = [], []
    for locale in ("zh-CN", "en-US"):
        page = visit(browser, address, locale)
        chips = page.locator("#examples button")
        texts = [chips.nth(k).get_attribute("title") for k in range(chips.count())]
        measured = [page.evaluate(CLICK, text) for _ in range(rounds) for text in texts]
        first.append(measured[0])
        later += measured[1:]
        page.context.close()
    return first, later


def main() -> None:
    """Measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with launched() as browser, serving() as server:
        print(f"weight of the page: {weight(browser, server.address):.0f} KB")
        first, later = times(browser, server.address, rounds)
    print(f"first answer after opening the page: {first[0]:.0f} ms (zh), {first[1]:.0f} ms (en)")
    tail = statistics.quantiles(later, n=20)[-1]
    print(f"later answers ({len(later)}): median {statistics.median(later):.0f} ms, 95 % under {tail:.0f} ms")


if __name__ == "__main__":
    main()
