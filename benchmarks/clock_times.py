"""Measure the stories about times of day that are solved without a model: how many are answered, how many are right.

    python benchmarks/clock_times.py [--held-out] [--wrong] [--corpora]

Reads benchmarks/clock_times/{en,zh}.jsonl, or the held-out files, which are only for measuring. `precision` is the
share of right answers among all answers, near misses included; `recall` is the share of the stories with a right
answer. `--wrong` lists the development problems that are wrong or not answered. `--corpora` lists every problem of the
corpora's training parts that is taken for such a story, with its answer and the annotated one.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from sau_solver.data import load
from sau_solver.problem import Language, Problem
from sau_solver.text.clock import ClockStory, clock_story

FOLDER = Path(__file__).parent / "clock_times"
LANGUAGES: tuple[Language, ...] = ("en", "zh")
DAY = 24 * 60
MINUTES = {"hours": 60, "minutes": 1}
# The parts that may be read: a split, or folds of MAWPS without the first, which is for testing.
CORPORA: dict[str, tuple[str | int | None, ...]] = {
    "math23k": ("train",), "gsm8k": ("train",), "gsm8k-zh": ("train",), "ape210k-valid": ("valid",),
    "cm17k-valid": ("valid",), "mathqa-train": ("train",), "mawps": (1, 2, 3, 4), "dolphin18k": ("dev",),
    "school-en": ("train",), "school-zh": ("train",), "workbook-en": ("train",), "workbook-zh": ("train",),
}  # fmt: skip


def main() -> None:
    """Print the table, or what is found in the corpora."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--corpora", action="store_true")
    given = parser.parse_args()
    if given.corpora:
        _print_found()
        return
    print(
        "| file | stories | near misses | answered | right | precision | recall |\n|---|---:|---:|---:|---:|---:|---:|"
    )
    for language in LANGUAGES:
        _print_row(language, given.held_out, given.wrong and not given.held_out)


def is_right(answer: str | None, story: ClockStory) -> bool:
    """Return whether a story gives the expected answer: a duration in its unit, or a time of day."""
    if answer is None:
        return False
    if ":" in answer:
        hour, minute = map(int, answer.split(":"))
        found = story.end if story.asked == "end" else story.start
        return story.asked != "duration" and found % DAY == hour * 60 + minute
    value, unit = answer.split()
    return story.asked == "duration" and story.end - story.start == Fraction(value) * MINUTES[unit]


def _print_row(language: Language, held_out: bool, wrong: bool) -> None:
    name = f"{language}{'-held-out' if held_out else ''}.jsonl"
    rows: list[dict[str, Any]] = [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]
    found = [(row, story) for row in rows if (story := clock_story(row["text"], language))]
    right = [row for row, story in found if is_right(row["answer"], story)]
    stories = [row for row in rows if row["kind"] == "story"]
    solved = sum(row["kind"] == "story" for row in right)
    precision = f"{100 * len(right) / len(found):.1f}" if found else "–"
    recall = f"{100 * solved / len(stories):.1f}"
    counts = f"{len(stories)} | {len(rows) - len(stories)} | {len(found)} | {len(right)}"
    print(f"| {name} | {counts} | {precision} | {recall} |")
    if wrong:
        told = {row["id"]: story for row, story in found}
        for row in rows:
            story = told.get(row["id"])
            if (story and row not in right) or (row["kind"] == "story" and not story):
                print("  ", row["id"], row["text"], row["answer"], story or "not answered")


def _print_found() -> None:
    for name in CORPORA:
        problems = list(_training(name))
        hits = [(one, story) for one in problems if (story := clock_story(one.text, one.language))]
        print(f"{name}: {len(hits)} of {len(problems):,}")
        for problem, story in hits:
            minutes = story.end - story.start if story.asked == "duration" else None
            print("  ", problem.id, problem.text, list(map(str, problem.answers)), story.asked, minutes, story)


def _training(name: str) -> Iterator[Problem]:
    return (one for one in load(name) if (one.split if one.fold is None else one.fold) in CORPORA[name])


if __name__ == "__main__":
    main()
