"""`make cluster-kills` repeats every test that kills a process, on Ray and under torchrun."""

from __future__ import annotations

import re
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


def test_the_page_names_as_many_repeated_tests_as_the_record_has() -> None:
    record = (ROOT / "results/cluster-kills.txt").read_text(encoding="utf-8")
    rows = re.findall(r"^test_(bulk|crossval)_on_ray::\S+ +20 +0$", record, re.MULTILINE)
    assert rows == ["bulk"] * 4 + ["crossval"] * 4
    assert len(record.splitlines()) == len(rows) + len(["rounds", "", "head"])
    page = (ROOT / "docs/scaling.md").read_text(encoding="utf-8")
    assert "Eight of these tests passed in 20 of 20 rounds" in page
    assert page.count("(4 tests)") == 2


def test_skipped_tests_are_not_counted(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(REPORT, encoding="utf-8")
    counts = Counts(seconds=[1.0, 2.0])
    for _ in range(2):
        counts.add(tmp_path / "report.xml")
    assert counts.table().splitlines() == [
        "2 rounds, 1 to 2 s per round", "", "test                 passed  failed",
        "test_a::test_one[0]       2       0", "test_a::test_two          0       2",
    ]  # fmt: skip
