"""The README's table of results follows from the predictions that are stored beside it, and leaves nothing out."""

from __future__ import annotations

from pathlib import Path

import pytest

from sau_solver.experiments.results import read_predictions
from sau_solver.experiments.tables.accuracy import configuration_table
from sau_solver.experiments.tables.merging import load_experiments
from sau_solver.experiments.tables.rendering import markdown_rows
from sau_solver.experiments.tables.report import BEGIN, END

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TABLE = README.partition(BEGIN)[2].partition(END)[0]


def lines() -> dict[str, dict[str, str]]:
    """The table's lines by configuration."""
    header, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.splitlines()]
    return {row[0].strip("`"): dict(zip(header, row, strict=True)) for row in rows}


@pytest.mark.parametrize("name", lines())
def test_the_accuracies_of_a_line_follow_from_the_stored_predictions(name: str) -> None:
    stored = sorted((ROOT / "results" / name).glob("fold*-seed?.jsonl.bz2"))
    problems = [one for path in stored for one in read_predictions(path)]
    for column, metric in (
        ("reference", "reference"),
        ("strict", "strict"),
        ("answer", "answer"),
        ("any candidate", "candidates_oracle"),
    ):
        share = sum(one.right(metric) for one in problems) / len(problems)
        assert lines()[name][column].split()[0] == f"{100 * share:.2f}"


def test_the_table_is_what_sau_report_makes_of_the_results() -> None:
    table = configuration_table(load_experiments(ROOT / "results", ROOT / "configs"))
    assert markdown_rows(table.columns, table.rows) == TABLE, "renew it: sau report --readme README.md"
