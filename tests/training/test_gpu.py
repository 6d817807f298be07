"""Every network trains on a GPU as on the CPU: recorded steps, bfloat16, several networks at once, resuming."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from sau_solver.models.network import stack
from sau_solver.models.options import OBJECTIVES, Objective
from sau_solver.training.buckets import Buckets
from sau_solver.training.learning import TrainingTask, learn
from sau_solver.training.trainer import EpochReport, matmul_precision
from sau_solver.training.training_options import Precision, TrainingOptions
from sau_solver.training.training_steps import CpuSteps, CudaSteps
from tests.models.networks import NAMES, small_options, small_solver
from tests.models.problems import examples
from tests.models.tiny_encoders import tiny_bert, tiny_mpnet
from tests.training.tasks import SHORT, TINY, StoppedError, stop_after, task, weights

pytestmark = pytest.mark.gpu

QUIET = replace(TINY, dropout=0.0, hidden=32, embedding=16)
ON_GPU = replace(SHORT, device="cuda")
KINDS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in NAMES),
    ("sau", {"ssar": 0.0}),
    *(("sau", {"ssar": 0.3, "alignment": objective}) for objective in OBJECTIVES),
]


@pytest.mark.parametrize(("name", "more"), KINDS)
def test_recorded_steps_give_the_losses_and_weights_of_ordinary_ones(name: str, more: dict[str, Any]) -> None:
    compare_recorded_steps(name, more)


@pytest.mark.parametrize("tiny", [tiny_bert, tiny_mpnet])
def test_steps_of_pretrained_encoders_are_recorded_alike(tiny: Callable[..., Path], tmp_path: Path) -> None:
    compare_recorded_steps("sau", {"encoder": str(tiny(tmp_path, dropout=0.0))})


def compare_recorded_steps(name: str, more: dict[str, Any]) -> None:
    training = TrainingOptions(epochs=1, batch=4, averaging=0.9, device="cuda")
    solver, learned = small_solver(name, hidden=32, embedding=16, **more)
    network, problems = solver.network.float(), [solver.encode(example) for example in learned]
    buckets = Buckets.build([problems], training.batch)
    with matmul_precision("highest"):
        on_gpu = CudaSteps(stack([network]).to("cuda").train(), training, [problems], buckets)
        on_cpu = CpuSteps(network.train(), training, problems)
        for epoch in range(3):
            steps = buckets.epoch([0], epoch)
            for engine in (on_gpu, on_cpu):
                for _ in engine.epoch(steps, range(len(steps))):
                    pass
            (found,), (expected,) = on_gpu.read_totals(), on_cpu.read_totals()
            assert found == pytest.approx(expected, rel=1e-3)
    for ours, theirs in zip(on_gpu.parameters, on_cpu.parameters, strict=True):
        torch.testing.assert_close(ours[0].cpu(), theirs, rtol=1e-2, atol=2e-3)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
@pytest.mark.parametrize("name", NAMES)
def test_training_on_a_gpu_learns(name: str, precision: Precision) -> None:
    training = TrainingOptions(epochs=60, batch=7, learning_rate=5e-3, device="cuda", precision=precision)
    options = small_options(name, hidden=64, embedding=32)
    reports: list[EpochReport] = []
    (solver,) = learn([task(options=options)], training, reports.append)
    assert reports[-1].loss < 0.4 * reports[0].loss
    assert reports[-1].accuracy > reports[0].accuracy
    assert next(solver.network.parameters()).device.type == "cuda"
    assert all(solver.predict([example.text for example in examples()]))


def test_networks_that_train_together_learn_from_their_own_examples(tmp_path: Path) -> None:
    """The tasks have different seeds, words and constants, and one has no alignment."""
    tasks = [
        task(tmp_path / "0", 0, QUIET),
        task(tmp_path / "1", 1, replace(QUIET, ssar=0.0), examples()[:12]),
    ]
    reports: dict[str, list[float]] = {"seed0": [], "seed1": []}
    training = replace(ON_GPU, epochs=30, learning_rate=5e-3)
    solvers = learn(tasks, training, lambda told: reports[told.run].append(told.loss))
    for losses in reports.values():
        assert losses[-1] < 0.6 * losses[0]
    assert solvers[1].network.alignment is None
    assert len(solvers[0].vocabulary) > len(solvers[1].vocabulary)
    for solver in solvers:
        assert all(solver.predict([example.text for example in examples()[:3]]))


def test_networks_with_different_objectives_train_together_with_the_same_masks() -> None:
    """A head that is not used makes no difference; an objective does, and so do masks of their own."""
    options = replace(TINY, ssar=0.0)
    arms = [options, replace(options, idle_head=True), *(replace(TINY, alignment=one) for one in OBJECTIVES)]
    training = replace(ON_GPU, decay_alignment=False, shared_dropout=True)
    shared = [weights(one) for one in learn([task(options=arm) for arm in arms], training)]
    own = [weights(one) for one in learn([task(options=arm) for arm in arms], replace(training, shared_dropout=False))]
    for name, value in shared[0].items():
        torch.testing.assert_close(shared[1][name], value, rtol=1e-3, atol=1e-4)
    name = "decoder.merge.both.weight"
    for with_objective in shared[3:]:
        assert (with_objective[name] - shared[0][name]).abs().max() > 1e-4
    assert (own[1][name] - own[0][name]).abs().max() > 1e-3


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_objective_trains_in_bfloat16(objective: Objective) -> None:
    training = TrainingOptions(
        epochs=20, batch=7, learning_rate=5e-3, device="cuda", precision="bfloat16", decay_alignment=False
    )
    reports: list[EpochReport] = []
    options = replace(TINY, hidden=32, ssar=0.3, alignment=objective)
    learn([task(options=options)], training, reports.append)
    assert reports[-1].loss < reports[0].loss
    assert reports[-1].alignment < reports[0].alignment


@pytest.mark.parametrize("name", NAMES)
def test_an_interrupted_training_of_several_networks_ends_like_an_uninterrupted_one(name: str, tmp_path: Path) -> None:
    """Weights are compared with a tolerance, because a GPU adds some gradients in any order."""
    options = small_options(name, dropout=0.3)

    def tasks(folder: str) -> list[TrainingTask]:
        return [task(tmp_path / folder / str(seed), seed, options, examples()[seed:]) for seed in (0, 1)]

    whole = learn(tasks("whole"), ON_GPU)
    with pytest.raises(StoppedError):
        learn(tasks("parts"), ON_GPU, stop_after(3))
    resumed = learn(tasks("parts"), ON_GPU, resume=True)
    for one, other in zip(whole, resumed, strict=True):
        expected, found = weights(one), weights(other)
        assert found.keys() == expected.keys()
        for part, value in expected.items():
            torch.testing.assert_close(found[part], value, rtol=1e-3, atol=1e-4)


def test_training_on_a_gpu_keeps_the_precision_and_the_random_state_of_the_process() -> None:
    precision, state = torch.get_float32_matmul_precision(), torch.cuda.get_rng_state()
    assert precision == "highest"
    learn([task()], ON_GPU)
    assert torch.get_float32_matmul_precision() == precision
    assert torch.cuda.get_rng_state().equal(state)
