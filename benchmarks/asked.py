"""Measure whether what a text asks is answered: given the gold equations, and end to end with the shipped models.

    python benchmarks/asked.py [--part dev] [--language en] [--gold-only] [--wrong]

Reads benchmarks/asked/{en,zh}-{dev,test}.jsonl. Given the gold equations, a problem is right if every thing asked has
its value, in the order of the questions, and every question that equations cannot answer is listed as skipped; `unit`
also compares the units. `before` is what version 0.2.0 printed: the values of all unknowns. End to end the shipped
models write the equations; `answered` are those above the threshold, and `confidence` is their mean.

`--wrong` lists what is wrong in the dev files. The test files are for measuring only.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from sau_solver.answering.asked import Asked, ask
from sau_solver.answering.roots import Chosen, choose
from sau_solver.equations.parser import parse
from sau_solver.problem import Language
from sau_solver.solution import Solution
from sau_solver.solver import load
from sau_solver.solving import Value, close, solve
from sau_solver.text.asking import read_questions
from sau_solver.text.wording import cues_of

FOLDER = Path(__file__).parent / "asked"
PARTS = ("dev", "test")
LANGUAGES: tuple[Language, ...] = ("en", "zh")
UNITS = {
    "cm": "centimeter",
    "m": "meter",
    "km": "kilometer",
    "kg": "kilogram",
    "ml": "milliliter",
    "h": "hour",
    "$": "dollar",
}


@dataclass(slots=True)
class Row:
    """Counts of one kind of problems, or of one file."""

    problems: int = 0
    gold: int = 0  # right given the gold equations
    units: int = 0  # and with the right units
    before: int = 0  # the values of all unknowns are what is asked
    solved: int = 0  # best guess right, end to end
    solved_before: int = 0
    answered: int = 0
    answered_right: int = 0
    answered_before: int = 0
    confidence: float = 0.0


@dataclass(slots=True)
class Table:
    """The rows of the printed table by part and kind."""

    rows: dict[tuple[str, str], Row] = field(default_factory=dict)

    def row(self, part: str, kind: str) -> Row:
        """Return the row of a kind; it is created when it is first needed."""
        return self.rows.setdefault((part, kind), Row())


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--part", choices=PARTS, action="append")
    arguments.add_argument("--language", choices=LANGUAGES, action="append")
    arguments.add_argument("--gold-only", action="store_true", help="do not load the models")
    arguments.add_argument("--wrong", action="store_true", help="list the wrong problems of the dev files")
    options = arguments.parse_args()
    table, seconds, count = Table(), 0.0, 0
    solver = None if options.gold_only else load()
    for language in options.language or LANGUAGES:
        for part in options.part or PARTS:
            for problem in problems(language, part):
                chosen, spent = from_gold(problem, language)
                seconds, count = seconds + spent, count + 1
                solution = solver.solve(problem["text"], language) if solver else None
                for row in (table.row(f"{language} {part}", kind) for kind in (problem["kind"], "all")):
                    add(row, problem, chosen, solution)
                if options.wrong and part == "dev" and not is_right(problem, chosen.asked):
                    print(f"{problem['id']} {problem['text']}\n    {problem['equations']}")
                    print(f"    {list(map(shown, chosen.asked))}")
    print_table(table, solver is not None)
    print(f"{1000 * seconds / max(1, count):.2f} ms a problem for reading its text and linking its unknowns")


def problems(language: Language, part: str) -> list[dict[str, Any]]:
    """Read the problems of one file."""
    lines = (FOLDER / f"{language}-{part}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def from_gold(problem: dict[str, Any], language: Language) -> tuple[Chosen, float]:
    """Return what is answered given the gold equations, and the seconds that this took without solving."""
    reading = read_questions(problem["text"], language)
    if not problem["equations"]:
        start = time.perf_counter()
        asked = ask(reading, (), {})
        return Chosen((), (), (), (), asked), time.perf_counter() - start
    equations = parse("; ".join(problem["equations"]))
    solved = solve(equations)
    start = time.perf_counter()
    chosen = choose(solved, equations, cues_of(problem["text"], language))
    return chosen, time.perf_counter() - start


def add(row: Row, problem: dict[str, Any], chosen: Chosen, solution: Solution | None) -> None:
    """Count one problem."""
    row.problems += 1
    row.gold += is_right(problem, chosen.asked)
    row.units += is_right(problem, chosen.asked) and has_units(problem, chosen.asked)
    row.before += same(problem, chosen.values)
    if solution is None:
        return
    values = next((one.values for one in solution.candidates if one.tree == solution.tree), ())
    right, before = same(problem, solution.answers), same(problem, values)
    row.solved += right
    row.solved_before += before
    if not solution.abstained:
        row.answered += 1
        row.answered_right += right
        row.answered_before += before
        row.confidence += solution.confidence


def is_right(problem: dict[str, Any], asked: Sequence[Asked]) -> bool:
    """Return whether the entries are what is asked: equal values in order, and None for what cannot be answered."""
    skipped = [entry["answer"] is None for entry in problem["asked"]]
    if [one.answer is None for one in asked] != skipped or not all(one.certain for one in asked):
        return False
    return same(problem, [one.answer for one in asked if one.answer is not None])


def same(problem: dict[str, Any], answers: Sequence[Value]) -> bool:
    """Return whether the values are those asked for; in any order where the text does not name the things."""
    entries = [entry for entry in problem["asked"] if entry["answer"] is not None]
    wanted = [Fraction(entry["answer"]) for entry in entries]
    if len(answers) != len(wanted):
        return False
    if len({entry["quantity"] for entry in entries}) == 1:
        answers, wanted = sorted(answers, key=float), sorted(wanted)
    return all(close(one, other) for one, other in zip(answers, wanted, strict=True))


def has_units(problem: dict[str, Any], asked: Sequence[Asked]) -> bool:
    """Return whether the units are right, whatever their abbreviation and number; `spring rolls` are rolls."""
    return [plain(entry["unit"]) for entry in problem["asked"]] == [plain(one.unit) for one in asked]


def plain(unit: str) -> str:
    """Return the common form of a unit."""
    words = [UNITS.get(word, re.sub(r"(?<=[a-z]{2})s$", "", word)) for word in unit.lower().split()]
    if "per" in words or words[:1] in (["square"], ["cubic"]):
        return " ".join(words)
    return words[-1] if words else ""


def shown(asked: Asked) -> str:
    """Return an entry as one word for the list of wrong problems."""
    return f"{asked.quantity}={asked.unknown}={asked.answer} {asked.unit}".strip()


def print_table(table: Table, end_to_end: bool) -> None:
    """Print counts and shares by part and kind, `all` last."""
    head = f"{'part':8} {'kind':15} {'n':>4} {'before':>7} {'asked':>7} {'unit':>7}"
    if end_to_end:
        head += f" | {'before':>7} {'right':>7} {'answered':>8} {'before':>7} {'right':>7} {'confidence':>10}"
    print(head)
    order = Counter(kind for _, kind in table.rows)
    for part in dict.fromkeys(part for part, _ in table.rows):
        for kind in [*sorted(kind for kind in order if kind != "all"), "all"]:
            if (row := table.rows.get((part, kind))) is None:
                continue
            line = f"{part:8} {kind:15} {row.problems:4}"
            line += "".join(f" {100 * value / row.problems:7.1f}" for value in (row.before, row.gold, row.units))
            if end_to_end:
                line += " |" + "".join(f" {100 * v / row.problems:7.1f}" for v in (row.solved_before, row.solved))
                line += f" {row.answered:8}"
                rates = (row.answered_before, row.answered_right, row.confidence)
                given = [f"{100 * v / row.answered:7.1f}" if row.answered else f"{'-':>7}" for v in rates]
                line += f" {given[0]} {given[1]} {given[2]:>10}"
            print(line)


if __name__ == "__main__":
    main()
