"""Two processes that share every batch get the losses and the weights of one process with the whole batch."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import pytest
import safetensors.torch
import torch

from sau_solver.training.learning import learn
from tests.commands import Command
from tests.training.launching import environments
from tests.training.shared_cases import CASES, ON_CPU, QUIET, done, taught
from tests.training.tasks import task

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("shared steps")]


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Do all trainings with two processes; return the folder of their results."""
    folder = tmp_path_factory.mktemp("together")
    learn([task(folder / "teacher", seed=3, options=QUIET)], ON_CPU)
    before = f"from tests.training.shared_cases import Path, do_all; do_all(Path({str(folder)!r}))"
    with environments(2) as each, ExitStack() as ends:
        running = [ends.enter_context(Command("--version", environment=own, before=before)) for own in each]
        said = [process.communicate() for process in running]
    assert [process.returncode for process in running] == [0, 0], said
    return folder


@pytest.mark.parametrize("name", [*CASES, "teachers"])
def test_two_processes_learn_what_one_learns(together: Path, name: str) -> None:
    expected, weights = done(CASES[name] if name in CASES else taught(together / "teacher" / "model"))
    losses = json.loads((together / f"{name}.json").read_text(encoding="utf-8"))
    assert len(losses) == ON_CPU.epochs
    for found, one in zip(losses, expected, strict=True):
        assert found == pytest.approx(one, rel=1e-4)
    first, second = (safetensors.torch.load_file(together / f"{name}.{rank}.safetensors") for rank in (0, 1))
    for part, value in weights.items():
        torch.testing.assert_close(first[part], value, rtol=1e-3, atol=1e-4)
        assert torch.equal(first[part], second[part])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("infonce", "compares the problems of a batch with each other"),
        ("vicreg", "Train it with one process"),
        ("batch", "[training] batch must be at least the number of processes, 2, got 1"),
    ],
)
def test_what_cannot_be_shared_is_refused_once(together: Path, name: str, said: str) -> None:
    first, second = (json.loads((together / f"refused.{rank}.json").read_text(encoding="utf-8")) for rank in (0, 1))
    assert said in first[name]
    assert second[name] == "ToldElsewhereError"
