"""A verifier learns to tell right candidates from wrong ones, and nothing else of the network changes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
import torch

from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError
from sau_solver.models.base import Example
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.options import SauOptions
from sau_solver.models.sau.sau_predictor import SauPredictor
from sau_solver.models.sau.tree_batch import collate_texts
from sau_solver.models.sau.verifier import VerifierShape, collate_candidates
from sau_solver.models.targets import Targets, encode_text, encode_tree
from sau_solver.problem import Problem
from sau_solver.text.numbers import map_text
from sau_solver.training.verifying import Choices, VerifierReport, VerifierTraining, train_verifier

SHAPE = VerifierShape(size=32, heads=2, layers=1, inner=64)
TREES = ["+ N0 N1", "- N0 N1", "- N1 N0", "* N0 N1"]
ENDS = {  # the question -> the right tree
    "How many are there in all?": 0,
    "How many are left?": 1,
    "How many fit in?": 3,
}


def problems(count: int, seed: int) -> list[tuple[Example, int]]:
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        question, right = draw.choice(list(ENDS.items()))
        thing = draw.choice(["pens", "cups", "hats", "nuts"])
        text = f"There are {draw.randint(50, 99)} {thing} and {draw.randint(2, 49)} {thing}. {question}"
        problem = Problem("", text, "en", ("x=1",), ())
        made.append((Example(problem, map_text(text, "en"), Uet.from_text(TREES[right])), right))
    return made


@pytest.fixture(scope="module")
def solver() -> SauPredictor:
    examples = [example for example, _ in problems(200, 0)]
    targets = Targets.build([Uet.from_text(tree) for tree in TREES], 1)
    options = SauOptions(embedding=16, hidden=24, dropout=0.0, minimum_word_count=1, ssar=0.0)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return SauPredictor.fresh(examples, targets, options)


def choices(solver: SauPredictor, given: Sequence[tuple[Example, int]]) -> list[Choices]:
    trees = tuple(encode_tree(Uet.from_text(tree), solver.network.targets) for tree in TREES)
    return [
        Choices(encode_text(example.text, solver.vocabulary), trees, tuple(place == right for place in range(4)))
        for example, right in given
    ]


def share_right(solver: SauPredictor, given: Sequence[Choices]) -> float:
    network = solver.network
    assert network.verifier is not None
    texts = collate_texts([one.text for one in given])
    candidates = collate_candidates([one.trees for one in given], texts, network.targets)
    scores = network.verifier(network.encode(texts, keep_all)[0], texts, candidates, keep_all).view(len(given), -1)
    best: list[int] = scores.argmax(1).tolist()
    return sum(one.right[place] for one, place in zip(given, best, strict=True)) / len(given)


@pytest.mark.slow
def test_it_learns_which_tree_answers_the_question(solver: SauPredictor) -> None:
    before = {name: value.clone() for name, value in solver.network.state_dict().items() if "verifier" not in name}
    reports: list[VerifierReport] = []
    options = VerifierTraining(epochs=8, batch=32, learning_rate=5e-3)
    train_verifier(solver.network, choices(solver, problems(400, 1)), SHAPE, options, reports.append)
    assert share_right(solver, choices(solver, problems(200, 2))) > 0.95
    assert reports[-1].chosen > 0.9 > reports[0].chosen
    assert all(torch.equal(value, solver.network.state_dict()[name]) for name, value in before.items())


@pytest.mark.slow
def test_labels_at_random_teach_it_nothing(solver: SauPredictor) -> None:
    draw = random.Random(3)
    mixed = []
    for one in choices(solver, problems(400, 1)):
        place = draw.randrange(4)
        mixed.append(replace(one, right=tuple(index == place for index in range(4))))
    train_verifier(solver.network, mixed, SHAPE, VerifierTraining(epochs=4, batch=32, learning_rate=5e-3))
    assert share_right(solver, choices(solver, problems(200, 2))) < 0.6


def test_the_same_seed_gives_the_same_verifier(solver: SauPredictor) -> None:
    given = choices(solver, problems(80, 1))
    weights = []
    for seed in (0, 0, 1):
        train_verifier(solver.network, given, SHAPE, VerifierTraining(epochs=1, seed=seed))
        assert solver.network.verifier is not None
        weights.append(torch.cat([value.flatten() for value in solver.network.verifier.parameters()]))
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])


@pytest.mark.slow
def test_problems_without_right_candidates_teach_that_all_are_wrong(solver: SauPredictor) -> None:
    given = choices(solver, problems(80, 1))
    hopeless = [replace(one, right=(False,) * 4) for one in given]
    options = VerifierTraining(epochs=3, learning_rate=5e-3)
    train_verifier(solver.network, [*given, *hopeless * 8], SHAPE, options)
    assert solver.network.verifier is not None
    texts = collate_texts([one.text for one in given])
    candidates = collate_candidates([one.trees for one in given], texts, solver.network.targets)
    states = solver.network.encode(texts, keep_all)[0]
    shares = torch.sigmoid(solver.network.verifier(states, texts, candidates, keep_all)).detach()
    assert float(shares.mean()) == pytest.approx(1 / 36, abs=0.03)  # one of four candidates in one of nine problems


def test_too_few_telling_problems_are_refused(solver: SauPredictor) -> None:
    given = choices(solver, problems(60, 1))
    with pytest.raises(InputError, match=r"at least 50 problems .*, got 20\. Give it more"):
        train_verifier(solver.network, given[:20], SHAPE, VerifierTraining())
