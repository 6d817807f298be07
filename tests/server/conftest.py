"""Two servers that tests share: one with scripted workers, and `sau serve` with the shipped models."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

from tests.server.running import Running, running

SAU = [sys.executable, "-c", "from sau_solver.cli import main; main()"]


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as found:
        yield found


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The URL of a real server, started as users start it, with one worker to save memory."""
    process = subprocess.Popen(
        [*SAU, "serve", "--port", "0", "--workers", "1"], stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert process.stderr is not None
    ready = json.loads(process.stderr.readline())
    assert ready["event"] == "ready"
    process.stderr.close()  # later log lines are not read
    try:
        yield ready["address"]
    finally:
        process.terminate()
        process.wait(timeout=30)


@pytest.fixture(scope="session")
def shipped(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=30, trust_env=False) as client:
        yield client
