"""Measure the shipped models on School and on the held-out families of the curriculum, as users get their answers.

    python benchmarks/school.py [--docs docs/results.md]

Prints accuracy by part, kind of contrast and skill. With --docs, also writes the tables into that page and the figures
to results/school/figures.json.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sau_solver.curriculum.families import skills
from sau_solver.data import load
from sau_solver.experiments.user_evaluation import UserFigures, figures_for_users
from sau_solver.models.loading import load_model, shipped_folder
from sau_solver.problem import Language

ROOT = Path(__file__).parents[1]
STORED = ROOT / "results" / "school" / "figures.json"
LANGUAGES: tuple[Language, ...] = ("en", "zh")
PARTS = ("test", "transfer", "held-out families")
START, END = "<!-- school -->", "<!-- end of school -->"


def main() -> None:
    """Measure, print, and write the tables if a page is given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--docs", type=Path, help="page to renew")
    chosen = parser.parse_args()
    measured = {language: {part: _measure(language, part) for part in PARTS} for language in LANGUAGES}
    tables = _tables(measured)
    print(tables)
    if chosen.docs:
        STORED.write_text(json.dumps(_plain(measured), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        before, found, rest = chosen.docs.read_text(encoding="utf-8").partition(START)
        _, closed, after = rest.partition(END)
        if not (found and closed):
            raise SystemExit(f"{chosen.docs} has no place {START} … {END}.")
        chosen.docs.write_text(f"{before}{START}\n{tables}\n{END}{after}", encoding="utf-8")


def _measure(language: Language, part: str) -> UserFigures:
    corpus = load(f"families-{language}") if part.startswith("held-out") else load(f"school-{language}").part(part)
    figures = figures_for_users(load_model(shipped_folder(language)), corpus)
    assert figures is not None
    return figures


def _plain(measured: Mapping[Language, Mapping[str, UserFigures]]) -> dict[str, Any]:
    return {
        language: {part: dataclasses.asdict(figures) for part, figures in parts.items()}
        for language, parts in measured.items()
    }


def _tables(measured: Mapping[Language, Mapping[str, UserFigures]]) -> str:
    heads = ["", *(f"{part}, {language}" for part in PARTS for language in LANGUAGES)]
    columns = [measured[language][part] for part in PARTS for language in LANGUAGES]
    rows = [
        ["problems", *(f"{one.problems:,}" for one in columns)],
        ["right", *(_percent(one.answer) for one in columns)],
        ["right with unneeded numbers", *(_share(one, "unneeded", "") for one in columns)],
        ["answered", *(_percent(one.answered) for one in columns)],
        ["right of answered", *(_percent(one.right_of_answered) for one in columns)],
        ["mean confidence of these", *(_percent(one.mean_confidence) for one in columns)],
    ]
    school = ["contrast", *(f"{part}, {language}" for part in PARTS[:2] for language in LANGUAGES)]
    contrasts = list(dict.fromkeys(name for one in columns[:4] for name in one.by_contrast))
    by_contrast = [[name, *(_share(one, "by_contrast", name) for one in columns[:4])] for name in contrasts]
    by_skill = [[name, *(_share(one, "by_skill", name) for one in columns)] for name in skills()]
    return "\n\n".join([_table(heads, rows), _table(school, by_contrast), _table(["skill", *heads[1:]], by_skill)])


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _share(figures: UserFigures, field: str, name: str) -> str:
    groups = figures.unneeded if field == "unneeded" else getattr(figures, field).get(name)
    return f"{100 * groups.right / groups.problems:.0f}" if groups else "–"


if __name__ == "__main__":
    main()
