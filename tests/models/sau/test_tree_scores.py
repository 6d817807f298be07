"""Given trees have the log-probabilities with which the network writes them."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from sau_solver.equations.expressions import Number, Unknown
from sau_solver.equations.uet import Uet
from sau_solver.models.base import Example
from sau_solver.models.sau import tree_scores
from sau_solver.models.sau.sau_predictor import SauPredictor
from tests.models.networks import small_solver


@pytest.fixture
def solver() -> tuple[SauPredictor, list[Example]]:
    made, learned = small_solver("sau", scale=2.0)
    assert isinstance(made, SauPredictor)
    return made, learned


@pytest.mark.parametrize("together", [3, 64])
def test_the_candidates_of_a_search_have_its_log_probabilities(
    solver: tuple[SauPredictor, list[Example]], together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tree_scores._TREES, "cpu", together)
    made, learned = solver
    texts = [example.text for example in learned]
    found = made.predict(texts, beam=4)
    scored = made.log_probabilities(texts, [[one.tree for one in own] for own in found])
    for own, scores in zip(found, scored, strict=True):
        assert scores == pytest.approx([one.log_probability for one in own], rel=1e-6)


def test_a_tree_that_the_network_cannot_write_has_no_probability(solver: tuple[SauPredictor, list[Example]]) -> None:
    made, learned = solver
    example = learned[0]
    rare = Uet(("=", Unknown("x"), Number(Fraction(77_777))))
    (scores,) = made.log_probabilities([example.text], [[rare, example.tree]])
    assert scores[0] == -math.inf
    assert math.isfinite(scores[1])


def test_texts_without_trees_have_no_scores(solver: tuple[SauPredictor, list[Example]]) -> None:
    made, learned = solver
    texts = [example.text for example in learned[:3]]
    scores = made.log_probabilities(texts, [[], [learned[1].tree], []])
    assert list(map(len, scores)) == [0, 1, 0]
