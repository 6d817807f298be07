"""Measure the shipped models on School and on the held-out families of the curriculum, as users get their answers.

    python benchmarks/school.py [--docs docs/results.md]

Prints accuracy by part, kind of contrast and skill, with the number of problems. The networks learned from School's
training part, so it is left out; groups with few problems in one part are counted over the other parts. With --docs,
also writes the tables into that page and the figures to results/school/figures.json.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sau_solver.curriculum.families import skills
from sau_solver.data import load
from sau_solver.experiments.user_evaluation import GroupFigures, UserFigures, figures_for_users
from sau_solver.models.loading import load_model, shipped_folder
from sau_solver.problem import Language

ROOT = Path(__file__).parents[1]
STORED = ROOT / "results" / "school" / "figures.json"
LANGUAGES: tuple[Language, ...] = ("en", "zh")
SCHOOL = ("validation", "test", "transfer")
HELD_OUT = "held-out families"
PARTS = (*SCHOOL, HELD_OUT)
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
    corpus = load(f"families-{language}") if part == HELD_OUT else load(f"school-{language}").part(part)
    figures = figures_for_users(load_model(shipped_folder(language)), corpus)
    assert figures is not None
    return figures


def _plain(measured: Mapping[Language, Mapping[str, UserFigures]]) -> dict[str, Any]:
    return {
        language: {part: dataclasses.asdict(figures) for part, figures in parts.items()}
        for language, parts in measured.items()
    }


def _tables(measured: Mapping[Language, Mapping[str, UserFigures]]) -> str:
    heads = ["part", "problems", "right", "right with unneeded numbers", "answered", "right of answered", "confidence"]
    rows = [[f"{part}, {language}", *_row(measured[language][part])] for part in PARTS for language in LANGUAGES]
    contrasts = {"School": SCHOOL, "test": ("test",), "transfer": ("transfer",)}
    by_contrast = _grouped(measured, "contrast", _contrasts(measured), contrasts)
    by_skill = _grouped(measured, "skill", list(skills()), {"School": SCHOOL, HELD_OUT: (HELD_OUT,)})
    return "\n\n".join([_table(heads, rows), by_contrast, by_skill])


def _grouped(
    measured: Mapping[Language, Mapping[str, UserFigures]],
    kind: str,
    names: Sequence[str],
    columns: Mapping[str, Sequence[str]],
) -> str:
    """Return the table of contrasts or skills; a column counts all of its parts together."""
    heads = [kind, *(f"{title}, {language}" for title in columns for language in LANGUAGES)]
    rows = [
        [name, *(_shares(measured[one], parts, kind, name) for parts in columns.values() for one in LANGUAGES)]
        for name in names
    ]
    return _table(heads, rows)


def _row(figures: UserFigures) -> list[str]:
    shares = (figures.answered, figures.right_of_answered, figures.mean_confidence)
    return [f"{figures.problems:,}", _percent(figures.answer), _share([figures.unneeded]), *map(_percent, shares)]


def _contrasts(measured: Mapping[Language, Mapping[str, UserFigures]]) -> list[str]:
    return sorted({name for parts in measured.values() for one in parts.values() for name in one.by_contrast})


def _shares(measured: Mapping[str, UserFigures], parts: Sequence[str], kind: str, name: str) -> str:
    figures = [measured[part] for part in parts]
    return _share([(one.by_contrast if kind == "contrast" else one.by_skill).get(name) for one in figures])


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _share(groups: Sequence[GroupFigures | None]) -> str:
    """Return the percentage of right answers in all groups together, with the number of problems."""
    found = [one for one in groups if one]
    problems = sum(one.problems for one in found)
    return f"{100 * sum(one.right for one in found) / problems:.0f} ({problems:,})" if problems else "–"


if __name__ == "__main__":
    main()
