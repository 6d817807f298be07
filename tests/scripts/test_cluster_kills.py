"""`make cluster-kills` repeats every test that kills a process, on Ray and under torchrun."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.cluster_kills import ROOT, TESTS, Counts

REPORT = """<testsuites><testsuite>
<testcase classname="tests.cli.test_a" name="test_one[0]"/>
<testcase classname="tests.cli.test_a" name="test_two"><failure message="no">no</failure></testcase>
<testcase classname="tests.cli.test_a" name="test_three"><skipped message="no Ray"/></testcase>
</testsuite></testsuites>"""


@pytest.mark.slow
def test_all_kinds_of_kills_are_repeated() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *TESTS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    files = (
        "cluster/test_bulk_on_ray",
        "cluster/test_crossval_on_ray",
        "cli/test_torchrun",
        "cli/test_training_together",
    )
    for file in files:
        assert f"tests/{file}.py" in done.stdout


def test_skipped_tests_are_not_counted(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(REPORT, encoding="utf-8")
    counts = Counts(seconds=[1.0, 2.0])
    for _ in range(2):
        counts.add(tmp_path / "report.xml")
    assert counts.table().splitlines() == [
        "2 rounds, 1 to 2 s per round", "", "test                 passed  failed",
        "test_a::test_one[0]       2       0", "test_a::test_two          0       2",
    ]  # fmt: skip
