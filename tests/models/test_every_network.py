"""Every network: batches of any form have equal losses, stacking changes nothing, checkpoints restore the network."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensorMode

from sau_solver.models.checkpoint import load_predictor
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.network import common_targets, stack, unstacked
from sau_solver.models.options import NETWORKS
from sau_solver.models.targets import Targets
from sau_solver.training.learning import TrainingTask, learn
from tests.models.cases import close
from tests.models.networks import NAMES, gradients, small_options, small_solver
from tests.models.problems import examples
from tests.training.tasks import SHORT, StoppedError, same, stop_after, task

CPU = torch.device("cpu")


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("name", NAMES)
def test_ragged_padded_and_single_batches_have_equal_losses(name: str, smoothing: float) -> None:
    solver, learned = small_solver(name, scale=2)
    network, problems = solver.network, [solver.encode(example) for example in learned]
    some = problems[1:6]
    ragged = network.losses(network.collate(some), keep_all, smoothing)
    shelf = network.padded(problems, CPU)
    chosen = torch.tensor([1, shelf.blank, 2, 3, 4, 5, shelf.blank])
    padded = network.losses(shelf.pick(chosen), keep_all, smoothing)
    for one in (ragged, padded):
        assert one.symbols.item() > 0
        assert float(one.counted) > 5
    for part in ("total", "symbols", "alignment", "right", "counted"):
        close(getattr(padded, part), getattr(ragged, part))
    close(gradients(network, padded.total), gradients(network, ragged.total))
    alone = [network.losses(network.collate([one]), keep_all, smoothing) for one in some]
    close(torch.cat([one.symbols for one in alone]).sum(), ragged.symbols[0])
    assert sum(float(one.right) for one in alone) == float(ragged.right)


@pytest.mark.parametrize("name", NAMES)
def test_losses_and_gradients_of_stacked_networks_are_those_of_each_alone(name: str) -> None:
    """Folds have different words, unknowns and constants."""
    targets = [
        Targets.build([e.tree for e in TrainingTask("", examples()[out:], small_options(name), 0).learned()], least)
        for out, least in ((0, 1), (2, 9), (1, 2))
    ]
    padded = common_targets(targets)
    made = [small_solver(name, run, 2, out, padded[run]) for run, out in enumerate((0, 2, 1))]
    together = stack([solver.network for solver, _ in made])
    problems = [[solver.encode(example) for example in learned] for solver, learned in made]
    counts = [len(own) for own in problems]
    shelf = together.padded([one for own in problems for one in own], CPU)
    chosen = [[0, 1, 2, 3], [counts[0], shelf.blank, counts[0] + 2, shelf.blank], [shelf.blank] * 4]
    found = together.losses(shelf.pick(torch.tensor(chosen).flatten(), 3), keep_all, 0.1)
    learned = gradients(together, found.total)
    total = torch.zeros((), dtype=torch.float64)
    for run, (solver, _) in enumerate(made):
        network, own = solver.network, [problems[run][n - sum(counts[:run])] for n in chosen[run] if n != shelf.blank]
        mine = unstacked(learned, run, dict(network.named_parameters()))
        if not own:
            assert not any(gradient.any() for gradient in mine.values())
            continue
        expected = network.losses(network.collate(own), keep_all, 0.1)
        total = total + expected.total
        close(found.symbols[run], expected.symbols[0])
        close(found.alignment[run], expected.alignment[0])
        assert (int(found.right[run]), int(found.counted[run])) == (int(expected.right), int(expected.counted))
        close(mine, gradients(network, expected.total))
    close(found.total, total)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_step_of_padded_batches_can_be_recorded(name: str) -> None:
    """A CUDA graph needs shapes that depend on no value, so a step must work on tensors without values."""
    solver, learned = small_solver(name)
    network = stack([solver.network, small_solver(name, 1)[0].network])
    shelf = network.padded([solver.encode(example) for example in learned], CPU)
    with FakeTensorMode(allow_non_fake_inputs=True):
        batch = shelf.pick(torch.empty(8, dtype=torch.int64), 2)
        losses = network.losses(batch, keep_all, 0.1)
        found = torch.autograd.grad(losses.total, list(network.parameters()))
        with pytest.raises(DataDependentOutputException):
            losses.total.item()
    assert [gradient.shape for gradient in found] == [parameter.shape for parameter in network.parameters()]


@pytest.mark.parametrize("stacked", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_bfloat16_losses_are_nearly_those_of_float32(name: str, stacked: bool) -> None:
    solver, learned = small_solver(name, hidden=16, embedding=8)
    network, problems = solver.network.float(), [solver.encode(example) for example in learned]
    if stacked:
        network = stack([network, network])
        batch = network.padded(problems, CPU).pick(torch.tensor([0, 1, 2, 3, 4, 5]), 2)
    else:
        batch = network.collate(problems[:6])
    exact = network.losses(batch, keep_all)
    # Without oneDNN: its bfloat16 products crash on some CPUs with AMX.
    with torch.backends.mkldnn.flags(enabled=False, allow_tf32=None):
        with torch.autocast("cpu", torch.bfloat16, cache_enabled=False):
            half = network.losses(batch, keep_all)
        half.total.backward()
    assert half.total.dtype is torch.float32
    torch.testing.assert_close(half.total, exact.total, rtol=0.03, atol=0.03)
    assert all(parameter.grad is not None for parameter in network.parameters())


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_an_interrupted_training_ends_with_the_same_weights_and_they_are_loaded_from_its_folder(
    tmp_path: Path, name: str
) -> None:
    options = small_options(name, dropout=0.3)
    (whole,) = learn([task(options=options)], SHORT)
    with pytest.raises(StoppedError):
        learn([task(tmp_path, options=options)], SHORT, stop_after(3))
    (resumed,) = learn([task(tmp_path, options=options)], SHORT, resume=True)
    assert same(whole, resumed)
    loaded = load_predictor(tmp_path / "model")
    texts = [example.text for example in examples()]
    assert same(loaded, whole)
    assert (loaded.name, loaded.network.options) == (name, options)
    assert loaded.predict(texts) == whole.predict(texts)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_other_texts_of_a_batch_do_not_matter(name: str) -> None:
    solver, learned = small_solver(name, 3, 3, longest_tree=9)
    texts = [example.text for example in learned]
    together = solver.predict(texts, 3)
    for text, found in zip(texts, together, strict=True):
        (alone,) = solver.predict([text], 3)
        assert [one.tree for one in alone] == [one.tree for one in found]
        assert [one.log_probability for one in alone] == pytest.approx([one.log_probability for one in found])
        assert 1 <= len(found) <= 3
        assert len({(one.tree, one.unreadable) for one in found}) == len(found)


def test_networks_of_different_kinds_are_not_stacked() -> None:
    with pytest.raises(Exception, match="one after the other"):
        stack([small_solver("sau")[0].network, small_solver("gts")[0].network])


def test_the_list_of_networks_needs_no_torch() -> None:
    code = "import sys; sys.modules['torch'] = None\nfrom sau_solver.models.options import NETWORKS; print(*NETWORKS)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_what_decides_the_shape_of_a_network_decides_which_train_as_one(name: str) -> None:
    options = small_options(name)
    other = replace(options, minimum_word_count=9, longest_tree=5)
    assert options.like(other) == other
    assert options.like(replace(options, hidden=7)) != replace(options, hidden=7)
    assert (NETWORKS[name].model, options.model) == (name, name)
