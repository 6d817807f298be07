"""A real server and a real browser: what the tests of the page, the screenshots and the page's benchmark start."""

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
DESKTOP, PHONE = (1280, 900), (390, 844)
READY_SECONDS = 60


class NoBrowserError(Exception):
    """There is no Chromium here; the message says how to get one."""


def chromium() -> str:
    """Where Debian's Chromium, or another one, is."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    raise NoBrowserError("no Chromium on this machine; `make browser` as root, or your package manager, installs it")


@contextmanager
def launched() -> Iterator[Browser]:
    """A headless Chromium."""
    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield browser
        browser.close()


class Server:
    """`sau serve` in a process of its own, on a port of its own."""

    def __init__(self, port: int = 0, **environment: str) -> None:
        serve = [sys.executable, "-c", "from sau_solver.cli import main; main()", "serve"]
        self._log = TemporaryFile()  # noqa: SIM115 - open as long as the process; a pipe would have to be emptied all the time
        self._process = subprocess.Popen(
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
        """The address, once the log has it."""
        end = time.monotonic() + READY_SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            for line in self._told().splitlines():
                if line.startswith("{") and (event := json.loads(line)).get("event") == "ready":
                    return str(event["address"])
            time.sleep(0.1)
        raise RuntimeError(f"The server did not start: {self._told()}")

    def _told(self) -> str:
        size = os.fstat(self._log.fileno()).st_size
        return os.pread(self._log.fileno(), size, 0).decode()

    def stop(self) -> None:
        """Ask it to stop, and wait until it has."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(READY_SECONDS)
        self._log.close()


@contextmanager
def serving(port: int = 0, **environment: str) -> Iterator[Server]:
    """A server for as long as it is needed."""
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
    """The page, opened by somebody who was never here before; `watch` gets it before anything is loaded."""
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
    """Write a problem, press the button, wait for what comes of it."""
    page.fill("#text", text)
    page.click("#solve")
    page.wait_for_selector("#form[aria-busy=false]")


def axe_source() -> Path:
    """axe-core as npm gives it, which `make browser` fetches and no commit holds."""
    return Path(__file__).parents[3] / ".cache" / "axe-core" / "package" / "axe.min.js"
