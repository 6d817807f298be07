"""Write src/sau_solver/data/reader_labels/: what the problems of a corpus ask for, where it annotates every unknown.

    SAU_DATA=... python scripts/reader_labels.py [--show 75 --seed 13]

The values are derived by `sau_solver.data.asked_labels.asked_values`. `--show` prints a random sample with texts and
equations, to be checked by eye; the counts of that check are in CHECKED below.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from sau_solver.data.asked_labels import LABELLED, asked_values
from sau_solver.data.corpus import load

FOLDER = Path(__file__).parents[1] / "src/sau_solver/data/reader_labels"
METHOD = (
    "Values asked for by the question, derived from question and gold equations by sau_solver.data.asked_labels; only "
    "problems whose annotation has all unknowns and where it is clear which of them is asked."
)
# By corpus: labels of a random sample (seed 13) that were read with text and equations, and how many were wrong.
# Before that, 150 labels of ALG514 and DRAW-1K were read; they led to the rule that questions with `each`, `both` or
# `and` get no label.
CHECKED = {"alg514": (75, 2), "draw1k": (75, 7), "dolphin18k": (75, 14), "hmwp": (46, 41)}
# The labels of HMWP were mostly wrong: its questions nearly always ask for every unknown. None of them is stored.
UNRELIABLE = ("hmwp",)
# Labels that were found wrong by eye.
WRONG = frozenset(
    {
        "2523",
        "6227",
        "943749",
        "632051",
        "177527",
        "271742",
        "900689",
        "666553",
        "465528",
        "yahoo.answers.20100410035941AA1Kcdr",
        "yahoo.answers.20070701213458AAASlpp",
        "yahoo.answers.20090216225415AAWyQoE",
        "yahoo.answers.20070618133234AAQzzoB",
        "yahoo.answers.20080218001206AArUDUt",
        "yahoo.answers.20070225160525AAtWP30",
        "yahoo.answers.20090315175220aanzvz2",
        "yahoo.answers.20100111115537AA9ZKGv",
        "yahoo.answers.20080519191336AAeBXMG",
        "yahoo.answers.20101209204343AAopzUv",
        "yahoo.answers.20071102155353AAMiMd8",
        "yahoo.answers.20080221181259AA53zsO",
        "yahoo.answers.20080730034425AAyXGx2",
        "yahoo.answers.20090424095142AA2BeQ3",
    }
)


def main() -> None:
    """Derive and write the labels of each corpus, or show a sample."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--show", type=int, default=0, help="print this many labels of each corpus, write nothing")
    arguments.add_argument("--seed", type=int, default=13)
    options = arguments.parse_args()
    for name in dict.fromkeys(LABELLED.values()):
        corpus = load("hmwp-all" if name == "hmwp" else name)
        found = {one.id: values for one in corpus.problems if one.id not in WRONG and (values := asked_values(one))}
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


if __name__ == "__main__":
    main()
