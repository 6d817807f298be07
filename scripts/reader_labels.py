"""Write src/sau_solver/data/reader_labels/: what the problems of a corpus ask for, where it annotates every unknown.

    SAU_DATA=... python scripts/reader_labels.py [--show 75 --seed 13]

The values are derived by `sau_solver.data.asked_labels.asked_values`. `--show` prints a random sample with texts and
equations, to be checked by eye; the counts of that check are in CHECKED below.
"""

from __future__ import annotations

import argparse
import json
import random
from fractions import Fraction
from pathlib import Path

from sau_solver.data.asked_labels import LABELED, asked_values
from sau_solver.data.corpus import load
from sau_solver.problem import Problem

FOLDER = Path(__file__).parents[1] / "src/sau_solver/data/reader_labels"
METHOD = (
    "Values asked for by the question, derived from question and gold equations by sau_solver.data.asked_labels; only "
    "problems whose annotation has all unknowns and where it is clear which of them is asked. Labels that were found "
    "wrong by eye are corrected or left out."
)
# By corpus: derived labels that were read with text and equations, and how many of them were wrong. All labels that are
# stored were read. Before that, 150 labels led to the rule that questions with `each`, `both` or `and` get no label.
CHECKED = {"alg514": (90, 3), "draw1k": (131, 17), "dolphin18k": (446, 98), "hmwp": (46, 41)}
# The labels of HMWP were mostly wrong: its questions nearly always ask for every unknown. None of them is stored.
UNRELIABLE = ("hmwp",)
# What reading by eye changed. without_label: all unknowns are asked for, or what is asked is not annotated. read: the
# value asked for, where the rules find another one or none.
BY_EYE = json.loads(Path(__file__).with_name("reader_labels_by_eye.json").read_text(encoding="utf-8"))


def main() -> None:
    """Derive and write the labels of each corpus, or show a sample."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--show", type=int, default=0, help="print this many labels of each corpus, write nothing")
    arguments.add_argument("--seed", type=int, default=13)
    options = arguments.parse_args()
    for name in dict.fromkeys(LABELED.values()):
        corpus = load("hmwp-all" if name == "hmwp" else name)
        found = {one.id: values for one in corpus.problems if (values := label(one))}
        if name in UNRELIABLE and not options.show:
            found = {}
        print(f"{name}: {len(found)} of {len(corpus.problems)} problems ask for less than is annotated")
        if options.show:
            by_id = {one.id: one for one in corpus.problems}
            for chosen in random.Random(options.seed).sample(sorted(found), min(options.show, len(found))):  # noqa: S311
                one = by_id[chosen]
                text = " ".join(one.text.split())
                print(f"{chosen} | {text} | {'; '.join(one.equations)} | {', '.join(map(str, found[chosen]))}")
            continue
        checked, wrong = CHECKED.get(name, (0, 0))
        fields = {
            "corpus": name,
            "method": METHOD,
            "checked_by_eye": checked,
            "found_wrong": wrong,
            "labels": {key: [str(value) for value in values] for key, values in sorted(found.items())},
        }
        text = json.dumps(fields, ensure_ascii=False, indent=0)
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def label(problem: Problem) -> tuple[Fraction, ...]:
    """Return the value that a problem asks for: as read by eye, or as derived; empty if that is all or not clear."""
    if problem.id in BY_EYE["read"]:
        return (Fraction(BY_EYE["read"][problem.id]),)
    return () if problem.id in BY_EYE["without_label"] else asked_values(problem)


if __name__ == "__main__":
    main()
