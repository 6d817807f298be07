"""The memory limits of deploy/ leave room for what two workers were measured to need."""

from __future__ import annotations

import re

from tests.docs.pages import ROOT

MEASURED = (ROOT / "results/benchmarks.txt").read_text(encoding="utf-8")
UNITS = {"Mi": 1.05, "Gi": 1074, "G": 1074, "g": 1074}  # in MB; all of them are powers of two


def megabytes(file: str, pattern: str) -> float:
    """Return the limit of a file that matches a pattern with a number and a unit."""
    found = re.search(pattern, (ROOT / file).read_text(encoding="utf-8"))
    assert found, f"{file} has no {pattern}"
    return float(found[1]) * UNITS[found[2]]


def test_limits_are_above_the_measured_maximum() -> None:
    (most,) = re.findall(r"; (\d+) MB at most", MEASURED)
    room = float(most) + 500
    assert megabytes("deploy/kubernetes/deployment.yaml", r"limits:\s+cpu: \"2\"\s+memory: (\d+)(Mi|Gi)") >= room
    assert megabytes("deploy/sau-serve.service", r"MemoryMax=(\d+)(G)") >= room
    assert megabytes("deploy/compose.yaml", r"SAU_SERVER_WORKERS: \"2\"[^#]+mem_limit: (\d+)(g)\n") >= room
