"""A small made-up corpus in five folds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from sau_solver.data import Corpus
from sau_solver.data.prepared.examples import prepare_all
from sau_solver.data.prepared.folds import Duplicates, Fold, Manifest
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.experiments.material import Material
from sau_solver.problem import Problem

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve")


def problems() -> tuple[Problem, ...]:
    made = []
    for place, name in enumerate(NAMES):
        a, b = place + 12, place + 3
        made += [
            Problem(
                f"{place}-buy",
                f"{name} has {a} apples and buys {b} more apples. How many apples are there now?",
                "en",
                (f"x={a}+{b}",),
                (Fraction(a + b),),
            ),
            Problem(
                f"{place}-box",
                f"A box holds {a} eggs. How many eggs do {b} boxes hold?",
                "en",
                (f"eggs={a}*{b}",),
                (Fraction(a * b),),
            ),
            Problem(
                f"{place}-heads",
                f"On a farm hens and cows have {a} heads and {2 * a + 2 * b} legs. How many hens and how many cows?",
                "en",
                ("hens+cows=" + str(a), f"2*hens+4*cows={2 * a + 2 * b}"),
                (Fraction(a - b), Fraction(b)),
            ),
            Problem(
                f"{place}-square",
                f"A square garden has an area of {a * a} square metres. How long is its side?",
                "en",
                (f"x^2={a * a}",),
                (Fraction(a),),
            ),
        ]
    return (*made, Problem("broken", "A text with 3 numbers and no equations", "en", ("x=(3",), (Fraction(3),)))


def corpus() -> Corpus:
    return Corpus("alg514", problems(), (), ())


def material() -> Material:
    everything = corpus()
    ids = [problem.id for problem in everything]
    folds = tuple(Fold(tuple(i for i in ids if i.startswith(f"{k}-") or (k == 4 and i == "broken"))) for k in range(5))
    manifest = Manifest(
        "alg514", "alg514", everything.fingerprint, len(ids), "by name", None, folds, Duplicates((), ())
    )
    return Material(everything, manifest, tuple(prepare_all(everything, "alg514", "published")))


@pytest.fixture
def small() -> Material:
    return material()


@pytest.fixture
def config() -> ExperimentConfig:
    return ExperimentConfig("small", "alg514", "retrieval")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results"
