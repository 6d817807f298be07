"""benchmarks/scaling.py measures a running cluster, and says which of its figures are simulated."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.cluster.conftest import Nodes
from tests.docs.pages import ROOT

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Ray keeps its logs open
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

SECONDS = 240  # on a busy machine; it takes about 15


def test_measured_and_simulated_figures_are_in_tables_of_their_own(nodes: Nodes) -> None:
    few = ("--exact", "--problems", "512", "--repeats", "1", "--idle", "2048")
    done = subprocess.run(
        [sys.executable, "benchmarks/scaling.py", *few, "--address", nodes.address],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    measured, mark, simulated = done.stdout.partition("\nSIMULATED, not measured: ")
    assert mark
    assert "512 problems, 1 repeats\n" in measured
    assert "all outputs are equal, byte for byte\n" in measured
    row = re.compile(r"^(local|ray) +(\d+) +([\d.]+) +\d+% +([\d.]+) +\d+%$", re.MULTILINE)
    rows = row.findall(measured)
    assert [one[:2] for one in rows] == [("local", "1"), ("ray", "1"), ("local", "2"), ("ray", "2")]
    assert all(float(rate) > 0 and float(cpu) > 0 for _, _, rate, cpu in rows)
    assert re.search(r"^equations +[\d.]+ +[\d.]+ +[\d.]+$", measured, re.MULTILINE)
    assert re.search(r"^the driver [\d.]+, Ray's head [\d.]+$", measured, re.MULTILINE)
    rows = re.findall(r"^ *(\d+) +([\d,]+) +[\d.]+  (the workers|the driver|Ray's head)$", done.stdout, re.MULTILINE)
    assert [workers for workers, *_ in rows] == ["1", "2", "16", "64", "256", "1024"]
    assert all(re.search(rf"^ *{workers} +{rate} ", simulated, re.MULTILINE) for workers, rate, _ in rows)
