"""The verifier reads text and tree together: oracles for its batches, and what its scores may depend on."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor

from sau_solver.equations.uet import Uet
from sau_solver.models.checkpoint import Checkpoint, load_predictor, write_checkpoint
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.sau.sau_predictor import SauPredictor
from sau_solver.models.sau.tree_batch import collate_texts
from sau_solver.models.sau.verifier import VerifierShape, collate_candidates
from sau_solver.models.targets import EncodedTree, encode_text, encode_tree
from tests.models.networks import small_solver

SHAPE = VerifierShape(size=8, heads=2, layers=2, inner=12)


@pytest.fixture
def solver() -> SauPredictor:
    made, _ = small_solver("sau", scale=3.0)
    assert isinstance(made, SauPredictor)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        made.network.add_verifier(SHAPE).double()
    return made


def trees_of(solver: SauPredictor, texts: list[str]) -> list[EncodedTree]:
    return [encode_tree(Uet.from_text(text), solver.network.targets) for text in texts]


def scores(solver: SauPredictor, places: list[int], trees: list[list[EncodedTree]]) -> list[float]:
    _, learned = small_solver("sau", scale=3.0)
    problems = [encode_text(learned[place].text, solver.vocabulary) for place in places]
    texts = collate_texts(problems)
    network = solver.network
    assert network.verifier is not None
    candidates = collate_candidates(trees, texts, network.targets)
    made: Tensor = network.verifier(network.encode(texts, keep_all)[0], texts, candidates, keep_all)
    return [float(one) for one in made.detach()]


def test_a_score_does_not_depend_on_the_other_candidates_and_texts(solver: SauPredictor) -> None:
    short, long = trees_of(solver, ["+ N0 N1", "- * N0 N1 N2"])
    together = scores(solver, [2, 5, 0], [[short, long], [long], [short]])
    alone = [scores(solver, [place], [[tree]])[0] for place, tree in ((2, short), (2, long), (5, long), (0, short))]
    assert together == pytest.approx(alone, abs=1e-9)


def test_it_tells_operators_operands_and_their_order_apart(solver: SauPredictor) -> None:
    trees = trees_of(solver, ["- N0 N1", "- N1 N0", "+ N0 N1", "- N0 N2", "- N0 - N1 N2", "- - N0 N1 N2"])
    found = scores(solver, [2], [trees])
    assert len({round(score, 6) for score in found}) == len(trees)


def test_it_sees_which_numbers_are_left_out(solver: SauPredictor) -> None:
    verifier = solver.network.verifier
    assert verifier is not None
    tree = trees_of(solver, ["+ N0 N1"])
    leaves_one_out, uses_all = scores(solver, [2], [tree]), scores(solver, [0], [tree])  # of three, of two numbers
    with torch.no_grad():
        verifier.marks[0].add_(1.0)  # the mark of numbers that are left out
    assert scores(solver, [2], [tree]) != pytest.approx(leaves_one_out)
    assert scores(solver, [0], [tree]) == pytest.approx(uses_all)


def test_equal_numbers_count_as_used_together(solver: SauPredictor) -> None:
    _, learned = small_solver("sau", scale=3.0)
    text = next(one.text for one in learned if len({n.value for n in one.text.numbers}) < len(one.text.numbers))
    problem = encode_text(text, solver.vocabulary)
    texts = collate_texts([problem])
    repeated = next(slot for slot, first in enumerate(problem.same) if slot != first)
    tree = encode_tree(Uet.from_text(f"+ N{problem.same[repeated]} N{problem.same[repeated]}"), solver.network.targets)
    used = collate_candidates([[tree]], texts, solver.network.targets).used[0].tolist()
    assert used == [first == problem.same[repeated] for first in problem.same]


def test_a_search_returns_its_scores(solver: SauPredictor) -> None:
    _, learned = small_solver("sau", scale=3.0)
    texts = [learned[place].text for place in (0, 2, 7)]
    for text, candidates in zip(texts, solver.predict(texts, 4), strict=True):
        assert len({one.verified for one in candidates}) == len(candidates) > 1
        alone = encode_text(text, solver.vocabulary)
        network = solver.network
        assert network.verifier is not None
        batch = collate_texts([alone])
        trees = [[encode_tree(one.tree, network.targets) for one in candidates]]
        wanted = network.verifier(
            network.encode(batch, keep_all)[0], batch, collate_candidates(trees, batch, network.targets), keep_all
        )
        assert [one.verified for one in candidates] == pytest.approx(wanted.tolist(), abs=1e-9)


def test_a_checkpoint_keeps_the_verifier(solver: SauPredictor, tmp_path: Path) -> None:
    solver.network.float()
    model, vocabulary = solver.describe()
    weights = {name: value.detach() for name, value in solver.network.state_dict().items()}
    write_checkpoint(Checkpoint(model, {}, {}, vocabulary, weights), tmp_path / "model")
    again = load_predictor(tmp_path / "model")
    _, learned = small_solver("sau", scale=3.0)
    texts = [learned[0].text, learned[2].text]
    before, after = solver.predict(texts, 3), again.predict(texts, 3)
    assert [[one.verified for one in own] for own in before] == [[one.verified for one in own] for own in after]
