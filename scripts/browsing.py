"""Start a real server and a real browser, for the tests of the page, its screenshots and its benchmark."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

from playwright.sync_api import Browser, Page, sync_playwright

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
)  # the first takes a third less time
DESKTOP, PHONE = (1280, 900), (390, 844)
READY_SECONDS = 60
AXE = Path(__file__).parents[1] / ".cache" / "axe-core" / "package" / "axe.min.js"  # fetched by scripts/browser.sh


class NoBrowserError(Exception):
    """No browser can be used; the message says why and what to do."""


def chromium() -> str:
    """Return the path of Chromium; the variable SAU_BROWSER names another browser, or "none"."""
    wanted = os.environ.get("SAU_BROWSER", "")
    if wanted == "none":
        raise NoBrowserError("SAU_BROWSER=none switches the tests of the page off")
    for name in (wanted,) if wanted else NAMES:
        if found := shutil.which(name):
            return found
    missing = f"there is no {wanted}" if wanted else "Chromium is not installed"
    raise NoBrowserError(f"{missing}; `make browser` installs Chromium, SAU_BROWSER=PATH names another browser")


@contextmanager
def launched(*flags: str) -> Iterator[Browser]:
    """Yield a headless browser; `flags` are further options of Chromium."""
    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=[*FLAGS, *flags])
        yield browser
        browser.close()


class Server:
    """`sau serve` in its own process, on a free port unless one is given."""

    def __init__(self, port: int = 0, **environment: str) -> None:
        serve = [sys.executable, "-c", "from sau_solver.cli import main; main()", "serve"]
        self._log = TemporaryFile()  # noqa: SIM115  # stays open; a pipe would fill up
        self._process = subprocess.Popen(  # noqa: S603
            [*serve, "--workers", "1", "--port", str(port)],
            stderr=self._log,
            env=os.environ | {"OMP_NUM_THREADS": "1"} | environment,
        )
        try:
            self.address = self._ready()
        except RuntimeError:
            self.stop()
            raise

    def _ready(self) -> str:
        """Wait for the address in the log."""
        end = time.monotonic() + READY_SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            for line in self._logged().splitlines():
                if line.startswith("{") and (event := json.loads(line)).get("event") == "ready":
                    return str(event["address"])
            time.sleep(0.1)
        raise RuntimeError(f"The server did not start: {self._logged()}")

    def _logged(self) -> str:
        size = os.fstat(self._log.fileno()).st_size
        return os.pread(self._log.fileno(), size, 0).decode()

    def stop(self) -> None:
        """Stop the server and wait until it has ended."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(READY_SECONDS)
        self._log.close()


@contextmanager
def serving(port: int = 0, **environment: str) -> Iterator[Server]:
    """Yield a running server, and stop it afterwards."""
    server = Server(port, **environment)
    try:
        yield server
    finally:
        server.stop()


def visit(
    browser: Browser,
    address: str,
    locale: str = "en-US",
    dark: bool = False,
    size: tuple[int, int] = DESKTOP,
    fragment: str = "",
    watch: Callable[[Page], None] = lambda page: None,
) -> Page:
    """Open the page in a fresh browser profile; `watch` receives it before anything is loaded."""
    context = browser.new_context(
        locale=locale,
        color_scheme="dark" if dark else "light",
        viewport={"width": size[0], "height": size[1]},
        permissions=["clipboard-read", "clipboard-write"],
        reduced_motion="reduce",
        base_url=address,
    )
    context.set_default_timeout(10_000)
    page = context.new_page()
    watch(page)
    page.goto("/" + fragment)
    return page


def ask(page: Page, text: str) -> None:
    """Enter a problem, press the button and wait for the outcome."""
    page.fill("#text", text)
    page.click("#solve")
    page.wait_for_selector("#form[aria-busy=false]")
