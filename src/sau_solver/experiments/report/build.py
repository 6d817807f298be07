"""results/ and configs/ -> the report: every table, and the runs that are missing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sau_solver.errors import InputError
from sau_solver.experiments.config import find_configs, load_config
from sau_solver.experiments.report import paper
from sau_solver.experiments.report.accuracy import SHOWN, accuracy_table, configuration_table, significance_table
from sau_solver.experiments.report.alignment_effect import alignment_table
from sau_solver.experiments.report.breakdowns import corpus_table, read_statistics, size_table, type_table
from sau_solver.experiments.report.cases import case_table
from sau_solver.experiments.report.far_problems import far_shares, read_near_copies
from sau_solver.experiments.report.merging import Experiment, expected_runs, load_experiments, shown_path
from sau_solver.experiments.report.rendering import json_fields, latex, markdown, markdown_rows
from sau_solver.experiments.report.table import Table
from sau_solver.files import make_folder, write_atomically

MARKDOWN, LATEX, JSON = "report.md", "report.tex", "report.json"
_MARKED = re.compile(r"(<!-- sau report: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)  # a table in a page, by name


@dataclass(frozen=True, slots=True)
class MissingRuns:
    """The missing runs of an experiment; no names if all are missing and there is no configuration."""

    experiment: str
    runs: tuple[str, ...]
    command: str | None  # None if there is no configuration

    def __str__(self) -> str:
        runs = ", ".join(self.runs) or "every run"
        return f"{self.experiment}: {runs} ({self.command or 'no configuration'})"


@dataclass(frozen=True)
class Report:
    """The tables of `sau report`, the experiments behind them, and the missing runs."""

    experiments: Mapping[str, Experiment]
    tables: tuple[Table, ...]
    missing: tuple[MissingRuns, ...]

    def markdown(self) -> str:
        """Return everything as one Markdown text."""
        lines = "".join(f"- {one}\n" for one in self.missing) or "None.\n"
        return f"# Results\n\n{markdown(self.tables)}\n## Missing runs\n\n{lines}"

    def latex(self) -> str:
        """Return the tables for a LaTeX document that uses booktabs and adjustbox."""
        missing = "".join(f"% missing: {one}\n" for one in self.missing)
        return f"% \\usepackage{{booktabs, adjustbox}}\n{missing}{latex(self.tables)}"

    def fields(self) -> dict[str, Any]:
        """Return everything as one JSON object."""
        return {
            "tables": {table.name: json_fields(table) for table in self.tables},
            "missing": [
                {"experiment": one.experiment, "runs": list(one.runs), "command": one.command} for one in self.missing
            ],
        }

    def write(self, folder: Path) -> list[Path]:
        """Write report.md, report.tex and report.json."""
        make_folder(folder)
        content = {
            MARKDOWN: self.markdown(),
            LATEX: self.latex(),
            JSON: json.dumps(self.fields(), indent=1, ensure_ascii=False) + "\n",
        }
        for name, text in content.items():
            write_atomically(folder / name, text)
        return [folder / name for name in content]

    def put_into(self, page: str) -> str:
        """Return a page with the tables between its marks replaced; raise InputError if it has no or unknown marks."""
        tables = {table.name: table for table in self.tables}

        def renewed(found: re.Match[str]) -> str:
            begin, name, end = found.groups()
            if name not in tables:
                raise InputError(f"The page has a mark for the table {name}. It must be one of {', '.join(tables)}.")
            return f"{begin}{markdown_rows(tables[name].columns, tables[name].rows)}{end}"

        page, count = _MARKED.subn(renewed, page)
        if not count:
            raise InputError(
                "The page has no marks. Add the lines <!-- sau report: configurations --> and <!-- end --> where the "
                "table should be."
            )
        return page


def collect(results: Path, configs: Path) -> Report:
    """Merge the stored results into a report; raise InputError if results do not belong together."""
    experiments = load_experiments(results, configs)
    statistics = read_statistics(results)
    far = far_shares(experiments, read_near_copies(results))
    tables = (
        corpus_table(statistics),
        *(accuracy_table(experiments, protocol, far) for protocol in SHOWN),
        type_table(experiments, statistics),
        size_table(experiments),
        case_table(experiments),
        *(significance_table(experiments, protocol) for protocol in SHOWN),
        *(alignment_table(experiments, protocol) for protocol in SHOWN),
        configuration_table(experiments, far),
    )
    return Report(experiments, tables, tuple(_missing(experiments, configs)))


def _missing(experiments: Mapping[str, Experiment], configs: Path) -> list[MissingRuns]:
    """Return the missing runs of the paper's systems and of other experiments that have some."""
    declared = [name for system in paper.SYSTEMS for name in system.experiments.values()]
    files, found = find_configs(configs), []
    for name in dict.fromkeys((*declared, *paper.BEYOND, *experiments)):
        path = files.get(name)
        command = f"sau crossval {shown_path(path, configs)}" if path else None
        if name in experiments:
            if runs := experiments[name].missing:
                found.append(MissingRuns(name, runs, command))
        else:
            runs = tuple(expected_runs(load_config(path))) if path else ()
            found.append(MissingRuns(name, runs, command))
    return found
