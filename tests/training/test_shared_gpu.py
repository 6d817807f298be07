"""Processes that share batches on GPUs learn what one process learns; NCCL is used by a group of one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
import safetensors.torch
import torch

from sau_solver.models.network import common_targets, stack
from sau_solver.models.targets import Targets
from sau_solver.training import learning
from sau_solver.training.buckets import Buckets
from sau_solver.training.processes import Processes
from sau_solver.training.shared_steps import SharedCudaSteps
from sau_solver.training.training_options import Precision
from sau_solver.training.training_steps import CudaSteps
from tests.commands import Command
from tests.models.problems import examples
from tests.training.launching import environments
from tests.training.shared_cases import CASES, ON_CPU, QUIET, done, on_gpu
from tests.training.tasks import task

pytestmark = [pytest.mark.gpu, pytest.mark.slow]


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Do all trainings with two processes on one GPU, which gloo allows and NCCL does not."""
    folder = tmp_path_factory.mktemp("together")
    before = f"from tests.training.shared_cases import Path, do_on_gpu; do_on_gpu(Path({str(folder)!r}))"
    with environments(2) as each, ExitStack() as ends:
        running = [ends.enter_context(Command("--version", environment=own, before=before)) for own in each]
        said = [process.communicate() for process in running]
    assert [process.returncode for process in running] == [0, 0], said
    return folder


@pytest.mark.parametrize("name", CASES)
def test_two_processes_learn_what_one_learns_on_a_gpu(together: Path, name: str) -> None:
    expected, weights = done(on_gpu(CASES[name]))
    losses = json.loads((together / f"{name}.json").read_text(encoding="utf-8"))
    for found, one in zip(losses, expected, strict=True):
        assert found == pytest.approx(one, rel=1e-2)
    first, second = (safetensors.torch.load_file(together / f"{name}.{rank}.safetensors") for rank in (0, 1))
    for part, value in weights.items():
        torch.testing.assert_close(first[part], value, rtol=1e-2, atol=2e-3)
        assert torch.equal(first[part], second[part])


@pytest.fixture
def nccl() -> Iterator[None]:
    store = torch.distributed.HashStore()  # type: ignore[attr-defined]
    torch.distributed.init_process_group("nccl", store=store, rank=0, world_size=1)
    yield
    torch.distributed.destroy_process_group()


@pytest.mark.usefixtures("nccl")
@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_a_group_of_one_does_the_steps_of_a_process_alone(precision: Precision) -> None:
    options = replace(ON_CPU, device="cuda", precision=precision, batch=6, clip=1.0)

    def steps(shared: bool) -> CudaSteps:
        own = task(options=replace(QUIET, dropout=0.3))
        (targets,) = common_targets([Targets.build([one.tree for one in examples()], 1)])
        solver = learning._fresh(own, targets)
        problems = [solver.encode(one) for one in own.learned()]
        network = stack([solver.network]).to("cuda").train()
        buckets = Buckets.build([problems], options.batch)
        made = (
            SharedCudaSteps(network, options, problems, buckets, Processes())
            if shared
            else CudaSteps(network, options, [problems], buckets)
        )
        made.set_rate(1e-3)
        for epoch in range(3):
            list(made.epoch(buckets.epoch([0], epoch), iter(range(epoch * 100, epoch * 100 + 100))))
        return made

    alone, together = steps(shared=False), steps(shared=True)
    torch.testing.assert_close(together.totals, alone.totals, rtol=1e-2, atol=1e-2)
    for one, other in zip(alone.parameters, together.parameters, strict=True):
        torch.testing.assert_close(other, one, rtol=1e-2, atol=2e-3)
