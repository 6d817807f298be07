"""Which candidate speaks for a problem? Four rules on the stored predictions of the paper's model.

    SAU_DATA=... python benchmarks/ranking.py [--results results]

first     the model's first candidate
solving   the first that solves
summed    the answer with the most probability, equal answers added up
plausible the same, answers that something speaks against (`plausibility`) behind all others

Per cent by the `answer` protocol. Folds 1 to 4 are for choosing, fold 0 is for reporting. Then milliseconds a problem
for solving and ranking its candidates, and how often a gold answer is doubted.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from sau_solver.answering.candidates import Candidate
from sau_solver.answering.plausibility import doubt_about
from sau_solver.answering.protocols import same_answers
from sau_solver.answering.ranking import Ranked, rank
from sau_solver.answering.roots import Chosen
from sau_solver.data import load
from sau_solver.data.prepared.examples import TextView, mapped
from sau_solver.experiments.results import ResultStore
from sau_solver.problem import Problem
from sau_solver.solving import Value
from sau_solver.text.numbers import MappedText
from sau_solver.text.wording import cues_of

# Experiment, corpus, and the text that the model read.
PREDICTIONS: tuple[tuple[str, str, TextView], ...] = (
    ("sau-alg514", "alg514", "raw"),
    ("sau-hmwp", "hmwp", "raw"),
    ("sau-math23k", "math23k", "published"),
)
FOLDS = range(5)
REPORTED = 0

Answers = tuple[Value, ...]


def main() -> None:
    """Print the accuracy of each rule, and what ranking costs."""
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
    """Fold, problem, the text that the model read, and its candidates; wording is read in the text as published."""
    problems = {problem.id: problem for problem in load(corpus).problems}
    for run in (run for run in store.runs() if run.seed == 0):
        for judged in store.predictions(run):
            problem = problems[judged.id]
            text = replace(mapped(problem, view), text=problem.text)
            yield (
                run.fold,
                problem,
                text,
                [Candidate(one.tree, one.log_probability or 0.0) for one in judged.candidates],
            )


def bare(problem: Problem) -> MappedText:
    """The text alone."""
    return MappedText(problem.text, problem.language, (), (), (), ())


def is_right(answers: Answers, problem: Problem) -> bool:
    """The `answer` protocol."""
    return any(same_answers(answers, accepted) for accepted in (problem.answers, *problem.alternatives))


def first(ranked: Ranked) -> Answers:
    """The model's first candidate."""
    return ranked.candidates[0].answers if ranked.candidates else ()


def solving(ranked: Ranked) -> Answers:
    """The first that solves."""
    return next((one.answers for one in ranked.candidates if one.answers), ())


def summed(ranked: Ranked) -> Answers:
    """The answer with the most probability."""
    return max(ranked.groups, key=lambda group: group.log_probability).answers if ranked.groups else ()


def plausible(ranked: Ranked) -> Answers:
    """The same among the answers that nothing speaks against."""
    return ranked.groups[0].answers if ranked.groups else ()


def share(right: list[bool]) -> float:
    """Per cent."""
    return 100 * sum(right) / len(right) if right else 0.0


RULES: dict[str, Callable[[Ranked], Answers]] = {
    "first": first,
    "solving": solving,
    "summed": summed,
    "plausible": plausible,
}

if __name__ == "__main__":
    main()
