"""Settings of all tests: one thread per process, cached bytecode, Hypothesis profiles, and which tests are slow.

Two workers with two threads each wait for one another on two cores, so every process uses one thread. The tests start
hundreds of Python processes, so compiled modules are kept even where PYTHONDONTWRITEBYTECODE is set. Hypothesis has no
time limit per example, uses the same examples each time in CI, few in the quick loop (-m "not slow") and many with the
profile `thorough`:

HYPOTHESIS_PROFILE=thorough pytest tests/equations
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before anything imports torch
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

settings.register_profile("default", deadline=None, print_blob=True)
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True)
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=1500)
settings.register_profile("quick", parent=settings.get_profile("default"), max_examples=10)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default"))

QUICK = "not slow"
SHARED = {"address", "bert", "encoder", "server"}  # fixtures that take seconds
ONE_RENDERER = (  # a page is shown by the process of the page before, which takes a third less time than by a new one
    "--renderer-process-limit=1",
    "--disable-site-isolation-trials",
    "--process-per-site",
)
SERVER = Path(__file__).parent / "server"  # most of these tests start a server, many a browser


def pytest_configure(config: pytest.Config) -> None:
    """Run few examples per property in the quick loop, unless a profile is named."""
    if config.option.markexpr == QUICK and not os.environ.get("HYPOTHESIS_PROFILE"):
        settings.load_profile("quick")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import the tests of the server in the quick loop, which runs none of them."""
    return (config.option.markexpr == QUICK and collection_path == SERVER) or None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Do not look for garbage among modules and tests, neither while they are collected nor later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as slow every test that reads a corpus, uses a GPU or belongs to the server.

    A worker of xdist gets one slow test at a time, and these first, and then the other tests of one file at a time. The
    tests of a file that share a server or an encoder stay together, and so do all quick tests that run
    commands, so that the quick loop starts one server of commands.
    """
    for item in items:
        if item.get_closest_marker("corpus") or item.get_closest_marker("gpu") or SERVER in item.path.parents:
            item.add_marker(pytest.mark.slow)
    if hasattr(config, "workerinput"):
        for item in items:
            shared = SHARED & {*getattr(item, "fixturenames", ())}
            if not item.get_closest_marker("xdist_group") and (shared or not item.get_closest_marker("slow")):
                item.add_marker(pytest.mark.xdist_group(_group(item, shared)))
        items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def _group(item: pytest.Item, shared: set[str]) -> str:
    """Return the group of a test that is not alone in its group."""
    if "address" in shared:
        return "sau-serve"
    module = getattr(item, "module", None)
    runs_commands = any(getattr(value, "__module__", "") == "tests.commands" for value in vars(module).values())
    return "commands" if runs_commands and not shared else item.path.stem


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One headless browser per process; Playwright cannot start a second one there."""
    from scripts.browsing import NoBrowserError, chromium, launched

    try:
        chromium()
    except NoBrowserError as error:
        pytest.skip(str(error))
    with launched(*ONE_RENDERER) as found:
        yield found
