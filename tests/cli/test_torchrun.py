"""`sau train` under torchrun itself: on one machine, and as two machines do it that share a folder."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.cli.test_training_together import RESUME, model
from tests.cli.tiny_training import CONFIG, write_corpus

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc to find the processes of torchrun"),
]

TORCHRUN = (sys.executable, "-m", "torch.distributed.run")
TRAIN = ("-m", "sau_solver.cli", "train", "tiny.toml", "--runs", "runs", "--resume")
DONE = "tiny/all-seed3: trained on 20 problems by 2 processes in"
BEGINS = "Training starts from the beginning."
SECONDS = 240

Agent = subprocess.Popen[str]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAU_DATA", str(write_corpus(tmp_path / "data")))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.toml").write_text(CONFIG.format(epochs=12), encoding="utf-8")


def started(*options: str) -> Agent:
    """Start torchrun, which starts the processes of a training."""
    command = [*TORCHRUN, *options, *TRAIN]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@contextmanager
def two_machines() -> Iterator[list[Agent]]:
    """Start torchrun twice with the options of docs/training.md for several machines, one process each."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ("--nnodes=2", "--nproc-per-node=1", "--rdzv-backend=c10d", f"--rdzv-endpoint=localhost:{port}")
    with ExitStack() as ends:
        agents = [ends.enter_context(started(*options, "--rdzv-id=en", "--max-restarts=3")) for _ in range(2)]
        try:
            yield agents
        finally:
            for agent in agents:
                agent.terminate()  # it ends its processes first; nothing happens if it has ended


def processes_of(agents: list[Agent]) -> dict[int, int]:
    """Return the processes that torchrun has started, by rank."""
    found = {}
    for agent in agents:
        for child in Path(f"/proc/{agent.pid}/task/{agent.pid}/children").read_text(encoding="utf-8").split():
            environment = Path(f"/proc/{child}/environ").read_bytes().split(b"\0")
            found.update({int(one[5:]): int(child) for one in environment if one.startswith(b"RANK=")})
    return found


def kill_after_a_checkpoint(agents: list[Agent], rank: int) -> None:
    """Kill the process of a rank as soon as there is something to continue."""
    while not list(Path("runs").glob("tiny/all-seed3/checkpoints/epoch-*")):
        assert all(agent.poll() is None for agent in agents), [agent.communicate() for agent in agents]
        time.sleep(0.01)
    processes = processes_of(agents)
    assert sorted(processes) == [0, 1]
    os.kill(processes[rank], signal.SIGKILL)


def ended(agents: list[Agent]) -> tuple[str, str]:
    """Return what all of them print and say."""
    said = [agent.communicate(timeout=SECONDS) for agent in agents]
    assert [agent.returncode for agent in agents] == [0] * len(agents), said
    return "".join(out for out, _ in said), "".join(err for _, err in said)


def said_by_the_other(rank: int, err: str) -> bool:
    """Return whether the process that was not killed said why it ends, unless torchrun ended it before it could."""
    told = f"[rank {rank} of 2]" in err and RESUME.format("runs") in err
    return told or "closing signal SIGTERM" in err


@pytest.mark.kills
@pytest.mark.parametrize("lost", [0, 1])
def test_torchrun_starts_a_training_again_after_a_process_was_killed(lost: int) -> None:
    with started("--nproc-per-node=2", "--max-restarts=1") as agent:
        kill_after_a_checkpoint([agent], lost)
        out, err = ended([agent])
    assert said_by_the_other(1 - lost, err)
    assert err.count(BEGINS) == 1  # the second start went on at the checkpoint
    assert out.count(DONE) == 1
    assert model("runs").is_dir()


def test_two_machines_train_one_network() -> None:
    with two_machines() as agents:
        out, _ = ended(agents)
    assert out.count(DONE) == 1
    assert model("runs").is_dir()


@pytest.mark.kills
@pytest.mark.parametrize("lost", [0, 1])
def test_two_machines_start_again_after_a_process_of_one_was_killed(lost: int) -> None:
    with two_machines() as agents:
        kill_after_a_checkpoint(agents, lost)
        out, err = ended(agents)
    assert said_by_the_other(1 - lost, err)
    assert err.count(BEGINS) == 1  # the second start went on at the checkpoint
    assert out.count(DONE) == 1
    assert model("runs").is_dir()
