"""Attention maps show what the decoder attends to when it writes a node, and how SSAR aligns its subtree."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch

from benchmarks.node_by_node import oracle_looks
from sau_solver.equations.uet import Uet
from sau_solver.errors import NotATreeError
from sau_solver.models.base import Example
from sau_solver.models.options import SauOptions
from sau_solver.models.sau.attention_maps import alignment_of, attention_of
from sau_solver.models.sau.sau_predictor import SauPredictor
from sau_solver.models.targets import EncodedProblem, Targets, encode_text, encode_tree
from sau_solver.text.numbers import map_text
from tests.models.cases import VARIANTS, sweep, variant_name
from tests.models.networks import small_solver
from tests.models.problems import examples
from tests.models.tiny_encoders import tiny_bert

EXAMPLES = examples()


def solver_of(options: SauOptions) -> SauPredictor:
    more = {name: getattr(options, name) for name in ("ssar", "ssar_distance", "operator_score", "operator_size")}
    made, _ = small_solver("sau", seed=3, scale=1.5, **more, repeated_number=options.repeated_number)
    assert isinstance(made, SauPredictor)
    return made


def encoded(solver: SauPredictor, example: Example) -> EncodedProblem:
    return encode_text(example.text, solver.vocabulary, encode_tree(example.tree, solver.network.targets))


@pytest.mark.parametrize("options", sweep(15))
def test_every_node_attends_as_in_the_oracle(options: SauOptions) -> None:
    solver = solver_of(options)
    for example in EXAMPLES:
        expected = oracle_looks(solver.network, encoded(solver, example))
        found = attention_of(solver, example.text, example.tree)
        assert len(found) == len(example.tree)
        for row, weights in zip(found, expected.nodes, strict=True):
            assert row == pytest.approx(weights.tolist(), abs=1e-6)
            assert math.fsum(row) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("options", [VARIANTS[0], VARIANTS[9]], ids=variant_name)
def test_every_subtree_aligns_as_in_the_oracle(options: SauOptions) -> None:
    solver = solver_of(options)
    for example in EXAMPLES:
        expected = oracle_looks(solver.network, encoded(solver, example))
        found = alignment_of(solver, example.text, example.tree)
        assert found is not None
        assert sorted(expected.weights) == list(found.places)
        told = zip(found.places, found.weights, found.similarities, found.distances, strict=True)
        for place, weights, similarities, distance in told:
            assert weights == pytest.approx(expected.weights[place].tolist(), abs=1e-6)
            assert similarities == pytest.approx(expected.similarities[place].tolist(), abs=1e-6)
            assert distance == pytest.approx(expected.distances[place].item(), abs=1e-6)


def test_a_tree_of_one_leaf_has_one_row_and_no_subtree() -> None:
    solver = solver_of(VARIANTS[0])
    text = map_text("Ann has 7 pens. How many pens has Ann?")
    assert len(attention_of(solver, text, Uet.from_text("N0"))) == 1
    found = alignment_of(solver, text, Uet.from_text("N0"))
    assert found is not None
    assert not any(map(len, (found.places, found.weights, found.similarities, found.distances)))


def test_maps_exist_for_found_trees_gold_trees_and_any_other() -> None:
    solver = solver_of(VARIANTS[0])
    text = EXAMPLES[0].text
    for candidate in solver.predict([text], beam=3)[0]:
        assert len(attention_of(solver, text, candidate.tree)) == len(candidate.tree)
    strange = Uet.from_text("= + z 123456 * N1 N1")  # an unknown and a constant outside the vocabulary
    assert len(attention_of(solver, text, strange)) == len(strange)


def test_maps_change_nothing_and_leave_no_gradients() -> None:
    solver = solver_of(VARIANTS[0])
    before = {name: value.clone() for name, value in solver.network.state_dict().items()}
    attention_of(solver, EXAMPLES[0].text, EXAMPLES[0].tree)
    alignment_of(solver, EXAMPLES[0].text, EXAMPLES[0].tree)
    assert all(torch.equal(value, before[name]) for name, value in solver.network.state_dict().items())
    assert all(parameter.grad is None for parameter in solver.network.parameters())


def test_a_network_without_ssar_has_no_alignment() -> None:
    solver = solver_of(next(options for options in VARIANTS if not options.ssar))
    assert alignment_of(solver, EXAMPLES[0].text, EXAMPLES[0].tree) is None


def test_a_head_that_is_not_trained_shows_nothing() -> None:
    solver, _ = small_solver("sau", ssar=0.3, alignment="span")
    assert isinstance(solver, SauPredictor)
    found = alignment_of(solver, EXAMPLES[0].text, EXAMPLES[0].tree)
    assert found is not None
    assert len(found.weights) == len(found.places) > 0
    assert (found.similarities, found.distances) == ((), ())  # span trains the attention alone
    solver, _ = small_solver("sau", ssar=0.0, idle_head=True)
    assert isinstance(solver, SauPredictor)
    assert alignment_of(solver, EXAMPLES[0].text, EXAMPLES[0].tree) is None


def test_a_tree_with_slots_that_the_text_lacks_is_refused() -> None:
    solver = solver_of(VARIANTS[0])
    with pytest.raises(NotATreeError, match="The tree uses N5, but the text has 1 numbers"):
        attention_of(solver, map_text("Ann has 7 pens."), Uet.from_text("+ N0 N5"))


@pytest.mark.slow
def test_pieces_of_a_word_are_added_up_and_start_and_end_are_left_out(tmp_path: Path) -> None:
    options = SauOptions(encoder=str(tiny_bert(tmp_path)), hidden=8, minimum_word_count=1)
    targets = Targets.build([example.tree for example in EXAMPLES], 1)
    solver = SauPredictor.fresh(EXAMPLES, targets, options)
    text = map_text("Anna buys 3 quickest snails and 4 pens.")
    ids, begins = solver.vocabulary.read(text.words)
    assert len(ids) > len(text.words) + 2  # some word has several pieces
    found = attention_of(solver, text, Uet.from_text("+ N0 N1"))
    aligned = alignment_of(solver, text, Uet.from_text("+ N0 N1"))
    assert aligned is not None
    assert {len(row) for row in (*found, *aligned.weights, *aligned.similarities)} == {len(text.words)}
    for row in (*found, *aligned.weights):
        assert 0.5 < math.fsum(row) < 1
    assert begins[0] == 1
