"""Repeat the tests that kill processes of a Ray cluster or of torchrun, and print how often each of them passed.

    python scripts/cluster_kills.py [--rounds 20] [--log FILE]

Each round is a pytest of its own with a new cluster. The exit code is 1 if a test failed in any round. With --log, the
output of rounds with a failure is appended to a file.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ("-m", "kills", "-n", "0", "tests/cluster", "tests/cli")


@dataclass
class Counts:
    """What became of each test in the rounds so far."""

    passed: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def add(self, report: Path) -> None:
        """Count the tests of a JUnit report; a test that is skipped is not counted."""
        for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - pytest wrote it
            name = f"{case.get('classname', '').rpartition('.')[2]}::{case.get('name')}"
            outcomes = {part.tag for part in case}
            if outcomes & {"failure", "error"}:
                self.failed[name] += 1
            elif "skipped" not in outcomes:
                self.passed[name] += 1

    def table(self) -> str:
        """Return the table of all tests."""
        names = sorted(self.passed.keys() | self.failed.keys())
        rows = [f"{name:{max(map(len, names))}}  {self.passed[name]:6}  {self.failed[name]:6}" for name in names]
        head = f"{'test':{max(map(len, names))}}  passed  failed"
        slowest = f"{min(self.seconds):.0f} to {max(self.seconds):.0f} s per round"
        return "\n".join([f"{len(self.seconds)} rounds, {slowest}", "", head, *rows])


def run_round(counts: Counts, log: Path | None) -> bool:
    """Run all tests once and count them; return whether all of them passed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        began = time.monotonic()
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "pytest", *TESTS, f"--junit-xml={report}"],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        counts.seconds.append(time.monotonic() - began)
        if not report.exists():
            sys.exit(f"pytest wrote no report:\n{done.stdout}\n{done.stderr}")
        counts.add(report)
    if done.returncode and log is not None:
        with log.open("a", encoding="utf-8") as file:
            file.write(done.stdout + done.stderr)
    return done.returncode == 0


def main() -> int:
    """Run the rounds and print the table; return 1 if a test failed."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=20)
    arguments.add_argument("--log", type=Path, metavar="FILE", help="append the output of failed rounds to this file")
    given = arguments.parse_args()
    counts = Counts()
    for number in range(1, given.rounds + 1):
        passed = run_round(counts, given.log)
        print(f"round {number}: {'passed' if passed else 'FAILED'}, {counts.seconds[-1]:.0f} s", file=sys.stderr)
    print(counts.table())
    return 1 if counts.failed or not counts.passed else 0


if __name__ == "__main__":
    sys.exit(main())
