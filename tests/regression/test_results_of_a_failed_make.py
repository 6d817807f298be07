"""A failed benchmark once left empty or partial results that `make` took for complete."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return the Makefile with commands that print and fail as told."""
    for folder in (".venv/bin", "results", "scripts"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("pyproject.toml", "constraints.txt", "scripts/browser.sh", ".venv/.installed"):
        (tmp_path / name).touch()
    for name in ("sau", "python"):
        command = tmp_path / ".venv/bin" / name
        command.write_text('#!/bin/sh\necho "$*"\ncase "$*" in *"$FAILING"*) exit 1;; esac\n', encoding="utf-8")
        command.chmod(0o755)
    for name in ("benchmarks.txt", "corpus-statistics.jsonl", "corpus-check.jsonl"):
        (tmp_path / "results" / name).write_text("before\n", encoding="utf-8")
    return tmp_path


def make(project: Path, target: str, failing: str) -> tuple[int, dict[str, str]]:
    environment = os.environ | {"FAILING": failing}
    done = subprocess.run(["make", target], cwd=project, env=environment, capture_output=True, check=False)
    written = {path.name: path.read_text(encoding="utf-8") for path in (project / "results").iterdir()}
    assert written.keys() == {"benchmarks.txt", "corpus-statistics.jsonl", "corpus-check.jsonl"}
    return done.returncode, written


@pytest.mark.parametrize("failing", ["benchmarks/solving", "benchmarks/decoding", "benchmarks/serving_load"])
def test_a_benchmark_that_fails_fails_make(project: Path, failing: str) -> None:
    code, written = make(project, "bench", failing)
    assert code != 0
    assert written["benchmarks.txt"] == "before\n"


def test_benchmarks_that_end_are_written(project: Path) -> None:
    code, written = make(project, "bench", "nothing")
    assert code == 0
    assert written["benchmarks.txt"].endswith("\n$ python benchmarks/serving_load.py\nbenchmarks/serving_load.py\n")


@pytest.mark.parametrize(("failing", "statistics"), [("stats", "before\n"), ("check", "data stats --json\n")])
def test_counts_that_fail_leave_what_was_counted_before(project: Path, failing: str, statistics: str) -> None:
    code, written = make(project, "figures", failing)
    assert code != 0
    assert written["corpus-statistics.jsonl"] == statistics
    assert written["corpus-check.jsonl"] == "before\n"


def test_counts_are_written(project: Path) -> None:
    code, written = make(project, "figures", "nothing")
    assert code == 0
    assert written["corpus-check.jsonl"] == "data check --json --report docs/labels.md\n"
