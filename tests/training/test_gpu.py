"""On a GPU, with recorded steps and several networks as one, training is what it is on the CPU."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from sau_solver.models.group import stack
from sau_solver.models.options import SauOptions
from sau_solver.models.sau import SauNetwork
from sau_solver.models.targets import EncodedProblem, Targets, encode_text, encode_tree
from sau_solver.tokens import Vocabulary
from sau_solver.training.buckets import Buckets
from sau_solver.training.learning import Task, learn
from sau_solver.training.options import Precision, TrainingOptions
from sau_solver.training.steps import CpuSteps, CudaSteps
from sau_solver.training.trainer import EpochReport
from tests.models.problems import examples
from tests.training.tasks import SHORT, TINY, StoppedError, same, stop_after, task

pytestmark = pytest.mark.gpu

QUIET = replace(TINY, dropout=0.0, hidden=32, embedding=16)
ON_GPU = replace(SHORT, device="cuda")


def network_and_problems(options: SauOptions, seed: int = 0) -> tuple[SauNetwork, list[EncodedProblem]]:
    learned = examples()
    vocabulary = Vocabulary.build((example.text.words for example in learned), 1)
    targets = Targets.build([example.tree for example in learned], 1)
    torch.manual_seed(seed)
    network = SauNetwork(len(vocabulary), targets, options)
    return network, [encode_text(e.text, vocabulary, encode_tree(e.tree, targets)) for e in learned]


@pytest.mark.parametrize("ssar", [0.0, 0.3])
def test_recorded_steps_have_the_losses_and_the_weights_of_plain_ones(ssar: float) -> None:
    options = replace(QUIET, ssar=ssar)
    training = TrainingOptions(epochs=1, batch=4, averaging=0.9, device="cuda")
    network, problems = network_and_problems(options)
    buckets = Buckets.build([problems], training.batch)
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")
    try:
        on_gpu = CudaSteps(stack([network]).to("cuda").train(), training, [problems], buckets)
        on_cpu = CpuSteps(network.train(), training, problems)
        for epoch in range(3):
            steps = buckets.epoch([0], epoch)
            for engine in (on_gpu, on_cpu):
                for _ in engine.epoch(steps, range(len(steps))):
                    pass
            (found,), (expected,) = on_gpu.read_totals(), on_cpu.read_totals()
            assert found == pytest.approx(expected, rel=1e-3)
    finally:
        torch.set_float32_matmul_precision(before)
    for ours, theirs in zip(on_gpu.parameters, on_cpu.parameters, strict=True):
        torch.testing.assert_close(ours[0].cpu(), theirs, rtol=1e-2, atol=2e-3)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_training_on_a_gpu_learns(precision: Precision) -> None:
    training = TrainingOptions(epochs=60, batch=7, learning_rate=5e-3, device="cuda")
    reports: list[EpochReport] = []
    options = replace(QUIET, hidden=64, embedding=32)
    training = replace(training, precision=precision)
    (solver,) = learn([task(options=options)], training, reports.append)
    assert reports[-1].loss < 0.3 * reports[0].loss
    assert reports[-1].accuracy > 0.8
    assert next(solver.network.parameters()).device.type == "cuda"
    candidates = solver.predict([example.text for example in examples()])
    assert all(candidates)


def test_networks_that_train_as_one_learn_each_its_own(tmp_path: Path) -> None:
    """Different seeds, words and constants, one without alignment."""
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


def test_an_interrupted_training_of_several_ends_as_one_never_interrupted(tmp_path: Path) -> None:
    def tasks(folder: str) -> list[Task]:
        return [task(tmp_path / folder / str(seed), seed) for seed in (0, 1)]

    whole = learn(tasks("whole"), ON_GPU)
    with pytest.raises(StoppedError):
        learn(tasks("parts"), ON_GPU, stop_after(3))
    resumed = learn(tasks("parts"), ON_GPU, resume=True)
    assert same(whole[0], resumed[0])
    assert same(whole[1], resumed[1])
