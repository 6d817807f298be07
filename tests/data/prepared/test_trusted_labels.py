"""Of a noisy corpus, only labels that explain the whole text are trusted, and a mixture learns only those."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from sau_solver.data.prepared.mixture_options import MixtureOptions
from sau_solver.data.prepared.mixtures import gather_mixture, prepared
from sau_solver.data.prepared.trusted_labels import is_trusted
from sau_solver.data.registry import noisy_corpora
from sau_solver.problem import Problem
from tests.data.prepared.small_mixture import write

TRAIN = "a 600 m long train crosses a tree in 60 sec , how much time will it take to pass a platform 450 m long ?"
BAGS = "65 bags of nuts are to be divided among 13 students . each bag contains 15 nuts . how many nuts does each get ?"


def trusted(text: str, equation: str, answer: str) -> bool:
    (one,) = prepared([Problem("p", text, "en", (equation,), (Fraction(answer),))], "raw", "ordered")
    return is_trusted(one)


@pytest.mark.parametrize(
    ("text", "equation", "answer"),
    [
        (TRAIN, "x=(600+450)/(600/60)", "105"),
        (BAGS, "x=65/13*15", "75"),
        ("in a shop a man buys a cycle for rs . 1200 and sells it at a loss of 15 % . what does he get ?",
         "x=(100-15)*1200/100", "1020"),
    ],
)  # fmt: skip
def test_an_equation_that_explains_the_text_is_trusted(text: str, equation: str, answer: str) -> None:
    assert trusted(text, equation, answer)


@pytest.mark.parametrize(
    ("text", "equation", "answer"),
    [
        (BAGS, "x=65*15", "975"),  # a number is overlooked
        (BAGS, "x=65/13*15*237", "17775"),  # a constant that nobody knows
        (BAGS, "x=65/13/15", "1/3"),  # a third of a nut
        (BAGS, "x=13-65/13*15", "-62"),
        (BAGS, "x=65/13*15+13-13+13-13", "75"),  # a number again and again
        (BAGS.replace("how many nuts", "what is the probability that , of the nuts , some"), "x=65/13*15", "75"),
        ("if 4 x + 5 = 13 for a number of the kind that we all know well , what is x ?", "x=(13-5)/4", "2"),
        ("in how many days will 20 men do what 10 men do in 80 ? and what do they earn ?", "x=10*80/20", "40"),
        ("80 / 20 = ?", "x=80/20", "4"),
    ],
)
def test_other_labels_are_not(text: str, equation: str, answer: str) -> None:
    assert not trusted(text, equation, answer)


def test_a_mixture_learns_only_trusted_labels_of_a_noisy_corpus(tmp_path: Path) -> None:
    rows = [
        {"id": "right", "text": BAGS, "equation": "x=65/13*15", "answer": 75, "split": "train"},
        {"id": "overlooked", "text": TRAIN, "equation": "x=600/60", "answer": 10, "split": "train"},
        {"id": "tested", "text": "a car travels 5 hours at 12 miles per hour . how far does it travel ?",
         "equation": "x=12*5", "answer": 60, "split": "test"},
    ]  # fmt: skip
    write(tmp_path, {"mathqa": rows})
    (tmp_path / "mathqa/mathqa.jsonl.gz").rename(tmp_path / "mathqa/mathqa_train.jsonl.gz")
    assert noisy_corpora() == {"mathqa-train"}
    mixture = MixtureOptions("en", ("mathqa-train",), ("mathqa-train/test",))
    material = gather_mixture(mixture, "raw", "ordered", tmp_path)
    assert [example.problem.id for example in material.train] == ["right"]
    assert material.sources["mathqa-train"].unfounded == 1
    unchecked = gather_mixture(
        MixtureOptions("en", mixture.sources, mixture.test, checked=False), "raw", "ordered", tmp_path
    )
    assert len(unchecked.train) == 2
