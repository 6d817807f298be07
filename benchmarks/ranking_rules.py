"""Compare four rules for choosing an answer among the candidates, on the stored predictions of the paper's model.

    SAU_DATA=... python benchmarks/ranking_rules.py [--results results]

- first: the model's first candidate.
- solving: the first candidate whose equations have an answer.
- summed: the most probable answer; the probabilities of equal answers are added.
- plausible: like summed, but doubtful answers (`answering/plausibility.py`) come after all others.

Accuracies are in percent of what a reader accepts; folds 1 to 4 are for choosing a rule and fold 0 is for reporting.
The script also prints the milliseconds per problem for solving and ranking its candidates, and how many gold answers
are considered doubtful.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from sau_solver.answering.candidates import Candidate
from sau_solver.answering.plausibility import doubt_about
from sau_solver.answering.protocols import is_accepted
from sau_solver.answering.ranking import Ranked, rank
from sau_solver.answering.roots import Chosen
from sau_solver.data import load
from sau_solver.data.prepared.examples import TextView, mapped
from sau_solver.experiments.results import ResultStore
from sau_solver.problem import Problem
from sau_solver.solving import Value
from sau_solver.text.numbers import MappedText
from sau_solver.text.wording import cues_of

# Experiment, corpus, and which text the model read.
PREDICTIONS: tuple[tuple[str, str, TextView], ...] = (
    ("sau-alg514", "alg514", "raw"),
    ("sau-hmwp", "hmwp", "raw"),
    ("sau-math23k", "math23k", "published"),
)
FOLDS = range(5)
REPORTED = 0

Answers = tuple[Value, ...]


def main() -> None:
    """Print the accuracy of each rule and the time of ranking."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--results", type=Path, default=Path("results"))
    options = arguments.parse_args()
    print(f"{'':24} {'rule':10} {'folds 1-4':>9} {'fold 0':>7}")
    for experiment, corpus, view in PREDICTIONS:
        times: list[float] = []
        right: dict[str, list[list[bool]]] = {name: [[], []] for name in RULES}
        for fold, problem, text, candidates in predictions(ResultStore(options.results, experiment), corpus, view):
            start = time.perf_counter()
            ranked = rank(text, candidates)
            times.append(1e3 * (time.perf_counter() - start))
            for name, rule in RULES.items():
                right[name][fold == REPORTED].append(is_right(rule(ranked), problem))
        for name, (choosing, reported) in right.items():
            print(f"{experiment:24} {name:10} {share(choosing):9.2f} {share(reported):7.2f}")
        times.sort()
        at = {p: times[min(len(times) - 1, len(times) * p // 100)] for p in (50, 90, 99, 100)}
        print(f"{'':24} ms a problem: " + ", ".join(f"{p} %: {value:.2f}" for p, value in at.items()))
        problems = [problem for problem in load(corpus).problems if problem.answers]
        doubted = sum(
            bool(doubt_about(Chosen(one.answers, ()), (), cues_of(one.text, one.language))) for one in problems
        )
        print(f"{'':24} gold answers doubted: {doubted} of {len(problems):,} ({100 * doubted / len(problems):.2f} %)\n")


def predictions(
    store: ResultStore, corpus: str, view: TextView
) -> Iterator[tuple[int, Problem, MappedText, list[Candidate]]]:
    """Yield the fold, the problem, its text as the model read it and the candidates, for all stored predictions."""
    problems = {problem.id: problem for problem in load(corpus).problems}
    for run in (run for run in store.runs() if run.seed == 0):
        for judged in store.predictions(run):
            problem = problems[judged.id]
            text = replace(mapped(problem, view), text=problem.text)
            candidates = [Candidate(one.tree, one.log_probability or 0.0) for one in judged.candidates]
            yield run.fold, problem, text, candidates


def is_right(answers: Answers, problem: Problem) -> bool:
    """Return whether a reader accepts the answers."""
    return is_accepted(problem, answers)


def first(ranked: Ranked) -> Answers:
    """Return the answers of the model's first candidate."""
    return ranked.candidates[0].answers if ranked.candidates else ()


def solving(ranked: Ranked) -> Answers:
    """Return the answers of the first candidate that has any."""
    return next((one.answers for one in ranked.candidates if one.answers), ())


def summed(ranked: Ranked) -> Answers:
    """Return the most probable answers."""
    return max(ranked.groups, key=lambda group: group.log_probability).answers if ranked.groups else ()


def plausible(ranked: Ranked) -> Answers:
    """Return the most probable answers, doubtful ones last."""
    return ranked.groups[0].answers if ranked.groups else ()


def share(right: list[bool]) -> float:
    """Return the share that is right, in percent."""
    return 100 * sum(right) / len(right) if right else 0.0


RULES: dict[str, Callable[[Ranked], Answers]] = {
    "first": first,
    "solving": solving,
    "summed": summed,
    "plausible": plausible,
}

if __name__ == "__main__":
    main()
