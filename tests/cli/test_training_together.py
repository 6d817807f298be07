"""`sau train` in several processes: one result, one voice, and what is said and kept when a process ends too early."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import safetensors.torch
import torch

from tests.cli.progress_lines import without_progress
from tests.cli.tiny_training import CONFIG, write_corpus
from tests.commands import Command
from tests.experiments import test_answer_rounds
from tests.training.launching import environments

pytestmark = pytest.mark.slow

QUIET = ("--set", "sau.dropout=0.0")  # masks depend on the number of processes
LOST = "Another process has ended or cannot be reached"
RESUME = "To continue from the last checkpoint in {}/tiny/all-seed3, add --resume to the command."


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAU_DATA", str(write_corpus(tmp_path / "data")))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.toml").write_text(CONFIG.format(epochs=12), encoding="utf-8")


@contextmanager
def started(size: int, *arguments: str, command: str = "train") -> Iterator[list[Command]]:
    """Start a command in several processes, as torchrun does."""
    with environments(size) as each, ExitStack() as ends:
        yield [ends.enter_context(Command(command, "tiny.toml", *arguments, environment=own)) for own in each]


def ended(processes: list[Command]) -> list[tuple[int | None, str, str]]:
    """Return exit code, output and messages of each process, without progress."""
    said = [process.communicate() for process in processes]
    return [
        (process.returncode, out, without_progress(err)) for process, (out, err) in zip(processes, said, strict=True)
    ]


def train(size: int, runs: str, *arguments: str) -> str:
    """Train to the end; return what the first process prints. The others print nothing."""
    with started(size, "--runs", runs, *arguments) as processes:
        first, *others = ended(processes)
    assert (first[0], first[2]) == (0, "")
    assert others == [(0, "", "")] * (size - 1)
    return first[1]


def wait_for_checkpoint(runs: str, training: Command | subprocess.Popen[str]) -> None:
    while not list(Path(runs).glob("tiny/all-seed3/checkpoints/epoch-*")):
        assert training.poll() is None, training.communicate()
        time.sleep(0.01)


def interrupted(lost: int, size: int, runs: str, *arguments: str) -> list[tuple[int | None, str, str]]:
    """Kill the process of rank `lost` after the first checkpoint; return how the others end."""
    with started(size, "--runs", runs, *arguments) as processes:
        wait_for_checkpoint(runs, processes[0])
        processes[lost].kill()
        ends = ended(processes)
    assert ends.pop(lost)[0] == -signal.SIGKILL
    return ends


def model(runs: str) -> Path:
    return Path(runs) / "tiny/all-seed3/model"


def assert_close(one: str, other: str) -> None:
    first, second = (safetensors.torch.load_file(model(runs) / "model.safetensors") for runs in (one, other))
    for name, value in first.items():
        torch.testing.assert_close(second[name], value, rtol=1e-3, atol=1e-4)


@pytest.mark.kills
@pytest.mark.parametrize("lost", [0, 1])
def test_a_training_that_lost_a_process_continues_with_any_number_of_processes(lost: int) -> None:
    assert "trained on 20 problems in" in train(1, "whole", *QUIET)
    ((code, out, err),) = interrupted(lost, 2, "two", *QUIET)
    assert (code, out) == (1, "")
    assert err.startswith(f"[rank {1 - lost} of 2] {LOST}")
    assert err.endswith(RESUME.format("two") + "\n")
    for size in (1, 3):
        shutil.copytree("two", f"resumed by {size}")
        assert "trained on 20 problems" in train(size, f"resumed by {size}", "--resume", *QUIET)
        assert_close("whole", f"resumed by {size}")


@pytest.mark.kills
@pytest.mark.parametrize("lost", [0, 1])
def test_the_same_number_of_processes_continues_with_the_same_bits(lost: int) -> None:
    assert "tiny/all-seed3: trained on 20 problems by 2 processes in" in train(2, "whole")
    interrupted(lost, 2, "parts")
    train(2, "parts", "--resume")
    for name in ("model.safetensors", "vocabulary.json", "config.json"):
        assert (model("parts") / name).read_bytes() == (model("whole") / name).read_bytes(), name


def test_a_process_that_waits_for_another_ends_at_once_when_torchrun_ends_it() -> None:
    with started(2) as (first, second):
        wait_for_checkpoint("runs", first)
        os.kill(second.pid, signal.SIGSTOP)
        os.kill(first.pid, signal.SIGTERM)
        _, err = first.communicate()
        second.kill()
    assert first.returncode == 128 + signal.SIGTERM
    assert "[rank 0 of 2] Stopped by SIGTERM: another process has ended, or the job was canceled." in err
    assert RESUME.format("runs") in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "training.epoch=5"], "Did you mean epochs?"),
        (["--set", "experiment.corpus=dolphin1878"], "Run: sau data fetch dolphin1878"),
        (["--set", "sau.alignment=infonce"], "Train it with one process."),
    ],
)
def test_an_error_of_all_processes_is_shown_once(arguments: list[str], said: str) -> None:
    with started(2, *arguments) as processes:
        first, second = ended(processes)
    assert (first[0], first[1]) == (2, "")
    assert first[2].startswith("[rank 0 of 2] ")
    assert said in first[2]
    assert second == (2, "", "")


def test_an_error_of_one_process_ends_all() -> None:
    with environments(2) as each, ExitStack() as ends:
        files = ("tiny.toml", "missing.toml")
        processes = [
            ends.enter_context(Command("train", file, environment=own)) for file, own in zip(files, each, strict=True)
        ]
        first, second = ended(processes)
    assert first == (2, "", "")
    assert second[0] == 2
    assert second[2].startswith("[rank 1 of 2] missing.toml")


def test_a_finished_training_is_not_repeated() -> None:
    train(2, "runs", "--set", "training.epochs=1")
    assert "is already trained" in train(2, "runs", "--set", "training.epochs=1")


def test_two_processes_learn_from_answers_alone_what_one_learns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    test_answer_rounds.write(tmp_path / "answers", test_answer_rounds.toy())
    monkeypatch.setenv("SAU_DATA", str(tmp_path / "answers"))
    (tmp_path / "tiny.toml").write_text(test_answer_rounds.CONFIG.replace('"toy"\nmodel', '"tiny"\nmodel'))
    for size in (1, 2):
        train(size, f"{size}", "--seed", "3", "--set", "training.epochs=4")
    one, two = (Path(f"{size}/tiny/all-seed3/round1/labels.jsonl").read_text(encoding="utf-8") for size in (1, 2))
    assert [json.loads(line)["equations"] for line in one.splitlines()]
    assert [json.loads(line)["equations"] for line in two.splitlines()] == [
        json.loads(line)["equations"] for line in one.splitlines()
    ]
    assert_close("1", "2")


def test_crossval_does_not_run_in_several_processes() -> None:
    with started(2, command="crossval") as processes:
        for code, out, err in ended(processes):
            assert (code, out) == (2, "")
            assert "sau crossval must run in one process, but torchrun started 2." in err
