"""Compare variants of Retrieval-Jaccard on validation data.

    SAU_DATA=... python benchmarks/retrieval_variants.py [--corpus hmwp] [--jobs 2]

For each outer fold f, a variant learns from three of the other folds and is tested on fold f+1; fold f is not used. The
second table shows, for f = 0 and the plain variant, the accuracy by the similarity of the nearest fitting problem. The
last lines score the gold trees and random fitting trees as upper and lower bounds.
"""

from __future__ import annotations

import argparse
import random
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from sau_solver.answering.candidates import Candidate
from sau_solver.data.prepared.examples import Prepared, examples_of
from sau_solver.equations.uet import Uet
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.experiments.judging import METRICS, Judged, judge_problem, shares
from sau_solver.experiments.material import gather
from sau_solver.models.base import Example
from sau_solver.models.baselines.retrieval import RetrievalJaccard, RetrievalOptions

FOLDS = 5
Options = RetrievalOptions
VARIANTS: dict[str, tuple[RetrievalOptions, int]] = {
    "plain: counts, smooth idf, no norm, `fitting`, 5 candidates": (Options(), 5),
    "plain, 1 candidate": (Options(), 1),
    "`nearest`, 5 candidates": (Options(match="nearest"), 5),
    "`nearest`, 1 candidate": (Options(match="nearest"), 1),
    "idf log(N/n)": (Options(rarity="plain"), 5),
    "1 + log of counts": (Options(frequency="logarithm"), 5),
    "presence": (Options(frequency="presence"), 5),
    "sum norm": (Options(norm="sum"), 5),
    "Euclidean norm": (Options(norm="euclidean"), 5),
    "idf log(N/n), Euclidean norm": (Options(rarity="plain", norm="euclidean"), 5),
    "1 + log of counts, Euclidean norm": (Options(frequency="logarithm", norm="euclidean"), 5),
    "presence, Euclidean norm": (Options(frequency="presence", norm="euclidean"), 5),
    "with pairs of words": (Options(bigrams=True), 5),
    "pairs, Euclidean norm": (Options(bigrams=True, norm="euclidean"), 5),
    "without punctuation": (Options(punctuation=False), 5),
    "pairs, presence, Euclidean norm": (Options(bigrams=True, frequency="presence", norm="euclidean"), 5),
    "pairs, idf log(N/n)": (Options(bigrams=True, rarity="plain"), 5),
    "pairs, presence": (Options(bigrams=True, frequency="presence"), 5),
}


def main() -> None:
    """Print one row per variant: `reference` for each outer fold, then the means of all metrics."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--corpus", default="hmwp")
    arguments.add_argument("--jobs", type=int, default=2)
    options = arguments.parse_args()
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        columns = list(pool.map(outer_fold, [options.corpus] * FOLDS, range(FOLDS)))
    print("| variant | f=0 | 1 | 2 | 3 | 4 | reference | strict | answer | equation | any of 5 |")
    print("|---|" + "---:|" * 10)
    for name in VARIANTS:
        cells = [f"{100 * column[name]['reference']:.2f}" for column in columns]
        cells += [f"{100 * sum(column[name][metric] for column in columns) / FOLDS:.2f}" for metric in METRICS]
        print(f"| {name} | {' | '.join(cells)} |")
    print("\n| similarity | problems | reference | strict | equation |\n|---|---:|---:|---:|---:|")
    for low, judged in by_similarity(options.corpus).items():
        row = shares(judged)
        cells = [f"{100 * row[metric]:.1f}" for metric in ("reference", "strict", "equation")]
        print(f"| from {low:.1f} | {len(judged)} | {' | '.join(cells)} |")
    for name, row in bounds(options.corpus).items():
        print(f"\n{name}: reference {100 * row['reference']:.1f}, strict {100 * row['strict']:.1f}")


def validation(corpus: str, fold: int) -> tuple[list[Example], tuple[Prepared, ...]]:
    """Return the training examples and the test problems of one outer fold."""
    material = gather(ExperimentConfig(name="variants", corpus=corpus, model="retrieval"))
    outer_test = {one.problem.id for one in material.divide(fold).test}
    division = material.divide((fold + 1) % FOLDS)
    return list(examples_of(one for one in division.train if one.problem.id not in outer_test)), division.test


def outer_fold(corpus: str, fold: int) -> dict[str, dict[str, float]]:
    """Return the metrics of every variant for one outer fold."""
    train, test = validation(corpus, fold)
    judge = _Judge()
    found = {}
    for name, (options, beam) in VARIANTS.items():
        model = RetrievalJaccard(options)
        model.fit(train)
        candidates = model.predict([one.text for one in test], beam)
        found[name] = shares([judge(one, trees) for one, trees in zip(test, candidates, strict=True)])
    return found


def by_similarity(corpus: str) -> dict[float, list[Judged]]:
    """Return the judged validation problems of outer fold 0, grouped by the similarity of their nearest neighbor."""
    train, test = validation(corpus, 0)
    model = RetrievalJaccard()
    model.fit(train)
    groups: dict[float, list[Judged]] = {low: [] for low in (0.0, 0.2, 0.4, 0.6, 0.8)}
    for one, candidates in zip(test, model.predict([one.text for one in test]), strict=True):
        similarity = model.similarity(one.text)
        groups[max(low for low in groups if low <= similarity)].append(judge_problem(one, candidates))
    return groups


def bounds(corpus: str) -> dict[str, dict[str, float]]:
    """Return the metrics of the gold trees, and of randomly drawn training trees that fit."""
    train, test = validation(corpus, 0)
    draw = random.Random(0)
    trees = [example.tree for example in train]
    fitting = {n: [t for t in trees if max(t.slots(), default=-1) < n] for n in {len(one.numbers) for one in test}}
    gold = [judge_problem(one, [Candidate(one.tree, 0.0)] if one.tree else []) for one in test]
    drawn = [judge_problem(one, [Candidate(draw.choice(fitting[len(one.numbers)]), 0.0)]) for one in test]
    return {"gold trees": shares(gold), "random trees that fit": shares(drawn)}


class _Judge:
    """A judge that remembers each tree of a problem, because many variants propose the same ones."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, Uet], Candidate] = {}

    def __call__(self, prepared: Prepared, candidates: list[Candidate]) -> Judged:
        id_ = prepared.problem.id
        new = [one for one in candidates if (id_, one.tree) not in self.known]
        judged = judge_problem(prepared, new)
        self.known |= {(id_, one.tree): one for one in judged.candidates}
        return Judged(id_, judged.type, judged.size, tuple(self.known[id_, one.tree] for one in candidates))


if __name__ == "__main__":
    main()
