"""The tables of docs/results.md follow from the stored predictions."""

from __future__ import annotations

from pathlib import Path

import pytest

from sau_solver.experiments.results import ResultStore
from tests.experiments.report.stored_report import of_this_repository

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/results.md").read_text(encoding="utf-8")
TABLE = PAGE.partition("<!-- sau report: configurations -->\n")[2].partition("<!-- end -->")[0]


def lines() -> dict[str, dict[str, str]]:
    """Return the rows of the table of configurations by name."""
    header, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.splitlines()]
    return {row[0].strip("`"): dict(zip(header, row, strict=True)) for row in rows}


@pytest.mark.parametrize("name", lines())
def test_the_accuracies_of_a_line_are_those_of_the_runs(name: str) -> None:
    """The figures of a run follow from its predictions: tests/experiments/test_results.py."""
    runs = ResultStore(ROOT / "results", name).runs()
    problems = sum(run.problems for run in runs)
    for column, metric in (
        ("first", "first"),
        ("reference", "reference"),
        ("strict", "strict"),
        ("answer", "answer"),
        ("annotated", "annotated"),
        ("any candidate", "candidates_oracle"),
    ):
        share = sum(run.metrics[metric] * run.problems for run in runs) / problems
        assert lines()[name][column].split()[0] == f"{100 * share:.2f}"


@pytest.mark.slow
@pytest.mark.xdist_group("report")
def test_the_tables_are_what_sau_report_makes_of_the_results() -> None:
    assert PAGE.count("<!-- sau report: ") == 8
    assert of_this_repository().put_into(PAGE) == PAGE, "run make report to renew them"
