"""The report of the results that are stored in this repository, made once per process because it takes a minute."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sau_solver.experiments.report.build import Report, collect

ROOT = Path(__file__).parents[3]


@cache
def of_this_repository() -> Report:
    """Return the report of results/ and configs/."""
    return collect(ROOT / "results", ROOT / "configs")
