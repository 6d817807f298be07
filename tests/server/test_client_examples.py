"""The example client and the curl commands of the documentation work against a real server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sau_solver.server import sample_bodies
from tests.docs.pages import blocks

ROOT = Path(__file__).parents[2]


def client(address: str, *texts: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "examples/client.py", *texts],
        capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
        env=os.environ | {"SAU_SERVER": address, "no_proxy": "127.0.0.1", "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip


def test_the_python_client_prints_equations_and_answers(address: str) -> None:
    done = client(address, sample_bodies.APPLES, "？！")
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert re.fullmatch(r"x=3\+5  ->  8 apples \((?:more than 99|\d\d) % sure\)", first)
    assert second.startswith("texts.1: The problem has no words.")


def test_the_python_client_says_how_to_start_a_missing_server() -> None:
    done = client("http://127.0.0.1:9", sample_bodies.APPLES)
    assert done.returncode == 1
    assert "sau serve" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_curl_commands_of_the_documentation_work(address: str) -> None:
    shown = [command for block in blocks(ROOT / "docs/server.md") for command, _ in block.commands()]
    commands = [command for command in shown if command.startswith("curl ")]
    assert len(commands) == 2
    for command in commands:
        here = command.replace("http://127.0.0.1:8000", address)
        assert address in here
        done = subprocess.run(["sh", "-c", here], capture_output=True, text=True, encoding="utf-8", check=True)
        assert json.loads(done.stdout).get("answers") or json.loads(done.stdout)["outcome"] == "solved"
