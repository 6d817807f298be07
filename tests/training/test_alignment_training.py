"""The paper's alignment collapses in training and the other objectives do not; what the training does for it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
import torch

from sau_solver.errors import InputError
from sau_solver.models.layers.dropout import Noise
from sau_solver.models.network import stack
from sau_solver.models.options import Objective, SauOptions
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_batch import PaddedTrees
from sau_solver.training.learning import learn
from sau_solver.training.training_options import TrainingOptions
from sau_solver.training.training_steps import CpuSteps, Steps
from scripts.alignment_measures import AlignmentMeasures, measure_alignment
from tests.models.cases import TARGETS, VARIANTS, WORDS, network, small_problems
from tests.models.problems import examples
from tests.training.tasks import TINY, task, weights

TRAINING = TrainingOptions(
    epochs=20, batch=7, learning_rate=5e-3, weight_decay=1e-3, decay_alignment=False, device="cpu"
)


@cache
def measured(objective: Objective, epochs: int = 20, decay: bool = False) -> AlignmentMeasures:
    """Return the measures of a network after some epochs on the word problems of the tests."""
    options = SauOptions(
        embedding=16,
        hidden=24,
        dropout=0.2,
        minimum_word_count=1,
        minimum_constant_count=1,
        ssar=0.5,
        alignment=objective,
    )
    (solver,) = learn([task(options=options)], replace(TRAINING, epochs=epochs, decay_alignment=decay))
    assert isinstance(solver.network, SauNetwork)
    return measure_alignment(solver.network, [solver.encode(example) for example in examples()])


@pytest.mark.slow
def test_the_papers_alignment_collapses() -> None:
    """Eq. 10 is smallest for a constant, and weight decay gets there first."""
    before, after, decayed = measured("paper", 1), measured("paper"), measured("paper", decay=True)
    assert after.distance < 0.2 * before.distance
    assert decayed.subtree_deviation < 0.1 * before.subtree_deviation
    assert after.retrieval < 2 * after.chance
    assert after.entropy > 0.95


@pytest.mark.slow
def test_subtrees_find_the_text_of_their_problem_with_infonce() -> None:
    before, after = measured("infonce", 1), measured("infonce")
    assert after.retrieval > 2 * after.chance > before.retrieval
    assert min(after.subtree_deviation, after.text_deviation) > 5 * before.text_deviation
    assert after.entropy < before.entropy - 0.02


@pytest.mark.slow
def test_subtrees_attend_to_the_words_around_their_numbers_with_span() -> None:
    before, after, paper = measured("span", 1), measured("span"), measured("paper")
    assert after.near_numbers > 0.08 + max(before.near_numbers, paper.near_numbers)
    assert after.subtree_deviation > before.subtree_deviation


@pytest.mark.slow
def test_subtrees_and_texts_stay_spread_out_with_vicreg() -> None:
    after = measured("vicreg")
    assert min(after.subtree_deviation, after.text_deviation) > 0.3
    assert after.distance < after.subtree_deviation**2 + after.text_deviation**2  # closer than independent ones


def test_measures_of_a_collapsed_head_are_those_of_chance() -> None:
    made = network(VARIANTS[0])
    problems = list(small_problems().values())
    alive = measure_alignment(made, problems)
    assert alive.subtree_deviation > 0
    assert alive.subtrees == sum(len(one.tree.operators()) for one in problems if one.tree)
    assert made.alignment is not None
    with torch.no_grad():
        for layer in (made.alignment.subtree[2], made.alignment.text[2]):
            assert isinstance(layer, torch.nn.Linear)
            layer.weight.zero_()
    dead = measure_alignment(made, problems)
    assert dead.subtree_deviation == pytest.approx(0)
    assert dead.text_deviation == pytest.approx(0)
    assert dead.retrieval < 0.3
    with pytest.raises(InputError, match="no alignment"):
        measure_alignment(network(replace(VARIANTS[0], ssar=0.0)), problems)
    with pytest.raises(InputError, match="at least two subtrees"):
        measure_alignment(made, [small_problems()["one leaf"], small_problems()["one word"]])


@pytest.mark.slow
def test_the_head_can_be_exempt_from_weight_decay() -> None:
    """A head that is not used has no gradient but that of weight decay, and no effect on the rest."""
    options, training = replace(TINY, ssar=0.0, idle_head=True), replace(TRAINING, epochs=2)
    (fresh,) = learn([task(options=options)], replace(training, learning_rate=1e-30))
    (kept,) = learn([task(options=options)], training)
    (decayed,) = learn([task(options=options)], replace(training, decay_alignment=True))
    first, exempt, smaller = (weights(one) for one in (fresh, kept, decayed))
    for name, value in first.items():
        if name.startswith("alignment."):
            assert torch.equal(exempt[name], value)
            assert smaller[name].norm() < value.norm()
        else:
            assert torch.equal(exempt[name], smaller[name])
            assert not torch.equal(exempt[name], value)


def test_only_the_head_is_exempt() -> None:
    made = network(VARIANTS[0]).float()
    groups = CpuSteps(made, TRAINING, []).optimizer.param_groups
    decay = {id(weight): group["weight_decay"] for group in groups for weight in group["params"]}
    for name, weight in made.named_parameters():
        assert decay[id(weight)] == (0 if name.startswith("alignment.") else TRAINING.weight_decay)
    (group,) = CpuSteps(made, replace(TRAINING, decay_alignment=True), []).optimizer.param_groups
    assert group["weight_decay"] == TRAINING.weight_decay


def test_networks_that_share_masks_lose_the_same_values() -> None:
    values = torch.ones(12, 40)

    def drawn(noise: Noise) -> list[torch.Tensor]:
        noise.seed(1)
        return [*noise(values).view(3, 4, 40), *noise.of(0.25)(values).view(3, 4, 40)]

    first, second, third, *others = drawn(Noise(0.5, torch.Generator(), [0, 1, 0]))
    assert torch.equal(first, third)
    assert not torch.equal(first, second)
    assert torch.equal(others[0], others[2])
    assert not torch.equal(others[0], others[1])
    own = drawn(Noise(0.5, torch.Generator()))
    assert not torch.equal(own[0], own[2])
    assert set(first.flatten().tolist()) == {0.0, 2.0}


def test_stacked_networks_with_shared_masks_learn_the_same_if_they_are_the_same() -> None:
    options = replace(VARIANTS[0], dropout=0.5)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)  # with some weights the losses of different masks are nearly equal
        one = SauNetwork(WORDS, TARGETS, options)
    together = stack([one, one, one])
    batch = PaddedTrees(list(small_problems().values()), TARGETS, torch.device("cpu")).pick(torch.arange(6) % 2, 3)
    shared, own = (Noise(0.5, torch.Generator(), masks) for masks in ([0, 0, 1], []))
    for noise in (shared, own):
        noise.seed(3)
    found = together.losses(batch, shared).symbols
    torch.testing.assert_close(found[0], found[1])
    assert abs(found[0] - found[2]) > 1e-3
    found = together.losses(batch, own).symbols
    assert abs(found[0] - found[1]) > 1e-3


def test_steps_share_masks_between_networks_of_one_seed() -> None:
    made = stack([network(VARIANTS[0]).float() for _ in range(4)])
    seeds = [7, 3, 7, 3]
    sharing = Steps(made, replace(TRAINING, shared_dropout=True), 4, seeds).noise
    sharing.seed(0)
    first, second, third, fourth = sharing.of(0.5)(torch.ones(4, 99))
    assert torch.equal(first, third)
    assert torch.equal(second, fourth)
    assert not torch.equal(first, second)
    alone = Steps(made, TRAINING, 4, seeds).noise
    alone.seed(0)
    first, _, third, _ = alone.of(0.5)(torch.ones(4, 99))
    assert not torch.equal(first, third)
