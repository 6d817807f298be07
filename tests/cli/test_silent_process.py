"""`sau train` in several processes: one that stops without ending does not keep the others waiting."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.tiny_training import CONFIG, write_corpus
from tests.training.launching import environments

pytestmark = pytest.mark.slow

# What `sau train` does, with less patience.
PROGRAM = """
from datetime import timedelta
from sau_solver.cli import main
from sau_solver.training import heartbeats

heartbeats._SILENCE = timedelta(seconds=10)
main()
"""


@pytest.mark.parametrize("silent", [0, 1])
def test_a_silent_process_is_named(silent: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAU_DATA", str(write_corpus(tmp_path / "data")))
    monkeypatch.chdir(tmp_path)
    Path("tiny.toml").write_text(CONFIG.format(epochs=1000), encoding="utf-8")
    command = [sys.executable, "-c", PROGRAM, "train", "tiny.toml"]
    with environments(2) as both:
        processes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=one) for one in both]
        try:
            while not list(Path("runs").glob("tiny/all-seed3/checkpoints/epoch-*")):
                assert all(process.poll() is None for process in processes)
                time.sleep(0.01)
            os.kill(processes[silent].pid, signal.SIGSTOP)
            _, err = processes[1 - silent].communicate(timeout=240)
        finally:
            for process in processes:
                process.kill()
                process.communicate()
    assert processes[1 - silent].returncode == 1
    assert f"[rank {1 - silent} of 2] Rank {silent} does not answer any more." in err
    assert "To continue from the last checkpoint in runs/tiny/all-seed3, add --resume to the command." in err
