"""Write src/sau_solver/data/reader_labels/: what the problems of a corpus ask for, where it annotates every unknown.

    SAU_DATA=... python scripts/reader_labels.py [--show 75 --seed 13]

`--show` prints a random sample with texts and
equations, to be checked by eye; the counts of that check are in CHECKED below.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from fractions import Fraction
from pathlib import Path

from sau_solver.answering.protocols import is_annotated, same_answers
from sau_solver.answering.roots import choose
from sau_solver.data.asked_labels import LABELED
from sau_solver.data.corpus import load
from sau_solver.data.labels import statements_of
from sau_solver.equations.expressions import unknowns_of
from sau_solver.errors import SauError
from sau_solver.problem import Problem
from sau_solver.solving import Outcome, solve_statements
from sau_solver.text.asking import read_questions
from sau_solver.text.wording import cues_of

FOLDER = Path(__file__).parents[1] / "src/sau_solver/data/reader_labels"
METHOD = (
    "Values asked for by the question, derived from question and gold equations by scripts/reader_labels.py; only "
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

_ASKS_SEVERAL = re.compile(
    r"\b(?:each|ech|both|their|and|respectively|two|dimensions|numbers|they)\b"
    r"|各|分别|[和与、及]|[两二三2-9]个",
    re.IGNORECASE,
)


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


def asked_values(problem: Problem) -> tuple[Fraction, ...]:
    """Derive what a problem asks for from its question and gold equations; empty if that is not clear or all is asked.

    The gold equations must give the annotated answers with all their unknowns, and it must be certain which of them, or
    which function of them, the question asks for.
    """
    try:
        statements = statements_of(problem)
        solved = solve_statements(statements)
    except SauError:
        return ()
    if solved.outcome is not Outcome.SOLVED or len(unknowns_of(statements.equations)) < 2:
        return ()
    if _ASKS_SEVERAL.search(read_questions(problem.text, problem.language).asked_text):
        return ()  # the corpus is right to annotate several values
    chosen = choose(solved, statements.equations, cues_of(problem.text, problem.language))
    answers = [value for value in chosen.answers if isinstance(value, Fraction)]
    if len(chosen.asked) != 1 or len(answers) != 1 or not chosen.certain:
        return ()
    if not is_annotated(problem, chosen.values) or same_answers(answers, chosen.values):
        return ()
    return tuple(answers)


if __name__ == "__main__":
    main()
