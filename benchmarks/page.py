"""Measure the page in a real browser against the real server: its weight, and the time until an answer is shown.

    python benchmarks/page.py [--rounds 5]

The weight counts all bodies that the browser receives; the server does not compress
them. A time runs from the click or the last key until the frame with the answer is painted; for edits it includes the
pause that the page waits for another key.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page

sys.path.insert(0, str(Path(__file__).parents[1]))  # for scripts/

from scripts.browsing import ask, launched, serving, visit

ROUNDS = 5
EDITS = 20
TICKETS = (
    "A theater sold 300 tickets. Adult tickets cost 8 dollars and child tickets cost 5 dollars. The total was "
    "1950 dollars. How many adult tickets and how many child tickets were sold?"
)
PAINTED = """([watched, act, value]) => new Promise((painted) => {
  const started = performance.now();
  new MutationObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => painted(performance.now() - started)));  // after the paint
  }).observe(document.querySelector(watched), {childList: true});
  const field = document.querySelector(act);
  field.value = value;
  if (act === '#text') document.getElementById('solve').click();
  else field.dispatchEvent(new Event('input', {bubbles: true}));
})"""
WEIGHT = """() => ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, one) => sum + one.encodedBodySize, 0)"""


def weight(browser: Browser, address: str) -> float:
    """Return the kilobytes of the page and everything that it loads."""
    page = visit(browser, address)
    page.wait_for_load_state("networkidle")
    found: int = page.evaluate(WEIGHT)
    page.context.close()
    return found / 1000


def answer_times(browser: Browser, address: str, rounds: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds of the first answer in each language, and of all later ones, for the page's examples."""
    first, later = [], []
    for locale in ("zh-CN", "en-US"):
        page = visit(browser, address, locale)
        chips = page.locator("#examples button")
        texts = [chips.nth(k).get_attribute("title") for k in range(chips.count())]
        measured = [page.evaluate(PAINTED, ["#answer", "#text", text]) for _ in range(rounds) for text in texts]
        first.append(measured[0])
        later += measured[1:]
        page.context.close()
    return first, later


def edit_times(page: Page, watched: str, field: str, values: Sequence[str]) -> list[float]:
    """Return the milliseconds until the answer to each edit is shown; the first, untimed edit warms up."""
    page.evaluate(PAINTED, [watched, field, values[0]])
    return [page.evaluate(PAINTED, [watched, field, value]) for value in values[1:]]


def told(times: Sequence[float]) -> str:
    """Return the median and the 95th percentile in words."""
    tail = statistics.quantiles(times, n=20)[-1]
    return f"median {statistics.median(times):.0f} ms, 95 % under {tail:.0f} ms ({len(times)} measured)"


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=ROUNDS, help="how often to ask each example (default 5)")
    rounds = arguments.parse_args().rounds
    with launched() as browser, serving() as server:
        print(f"weight of the page: {weight(browser, server.address):.0f} KB")
        first, later = answer_times(browser, server.address, rounds)
        page = visit(browser, server.address)
        ask(page, TICKETS)
        numbers = [str(1800 + 3 * place) for place in range(EDITS + 1)]
        other_numbers = edit_times(page, "#answer", "#reading input", numbers)
        page.click("#edit")
        equations = [f"x*({50 + place}-2*x)=300" for place in range(EDITS + 1)]
        other_equations = edit_times(page, "#equation-result", "#equation-text", equations)
    print(f"first answer after opening the page: {first[0]:.0f} ms (zh), {first[1]:.0f} ms (en)")
    print(f"later answers: {told(later)}")
    print(f"answer after changing a number: {told(other_numbers)}")
    print(f"answer after changing an equation: {told(other_equations)}")


if __name__ == "__main__":
    main()
