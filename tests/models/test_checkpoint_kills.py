"""The newest checkpoint is whole, even if its writer is killed at any moment.

Run as a module, this file is the writer process that the tests kill.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sau_solver.models.checkpoint import Checkpoints, read_checkpoint, write_checkpoint
from tests.models.numbered_checkpoints import filled, names, number_of

KILLS = 15


class Writer:
    """A process with torch loaded that forks a child for each request; the child writes until it is killed."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.models.test_checkpoint_kills"],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, target: Path, numbered: bool, die_at: int) -> None:
        """Start a child that kills itself at its `die_at`-th step; with 0 it writes until it is killed."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps([str(target), numbered, die_at]) + "\n")
        self.process.stdin.flush()

    def answer(self, kind: str) -> int:
        """Return the next number: the child's process id for "written", its exit code for "ended"."""
        assert self.process.stdout
        came, value = self.process.stdout.readline().split()
        assert came == kind, f"{came} {value}"
        return int(value)

    def close(self) -> None:
        with self.process:
            pass  # closing its pipes ends the process; leaving the block waits for it


@pytest.fixture(scope="module")
def writer() -> Iterator[Writer]:
    process = Writer()
    yield process
    process.close()


def newest_number(target: Path, numbered: bool) -> int:
    for path in (*target.glob("epoch-*"), *target.parent.glob(".*.replaced")):
        number_of(read_checkpoint(path, with_state=True))  # every checkpoint with a name is complete
    found = Checkpoints(target).latest() if numbered else target
    assert found is not None
    return number_of(read_checkpoint(found, with_state=True))


def write_number(number: int, target: Path, numbered: bool) -> None:
    if numbered:
        Checkpoints(target).write(filled(number), number // 10, number)
    else:
        write_checkpoint(filled(number), target)


@pytest.mark.slow
@pytest.mark.parametrize("numbered", [True, False], ids=["numbered", "fixed"])
class TestKilled:
    def test_at_any_moment_the_newest_is_whole(self, writer: Writer, tmp_path: Path, numbered: bool) -> None:
        target = tmp_path / "run"
        write_number(0, target, numbered)
        before = 0
        for _ in range(KILLS):
            writer.start(target, numbered, die_at=0)
            child = writer.answer("written")
            time.sleep(random.uniform(0, 0.1))
            os.kill(child, signal.SIGKILL)
            assert writer.answer("ended") == -signal.SIGKILL
            after = newest_number(target, numbered)
            assert after > before
            before = after

    def test_before_each_change_to_the_disk_the_newest_is_whole(
        self, writer: Writer, tmp_path: Path, numbered: bool
    ) -> None:
        target = tmp_path / "run"
        write_number(0, target, numbered)
        before, steps, ended = 0, 0, -signal.SIGKILL
        while ended == -signal.SIGKILL:
            steps += 1
            writer.start(target, numbered, die_at=steps)
            ended = writer.answer("ended")
            after = newest_number(target, numbered)
            assert after in (before, before + 1)
            before = after
        assert ended == 0
        assert steps > 15  # a folder and four files created, a folder renamed, another one deleted
        assert len(names(target if numbered else tmp_path)) == 1


def serve() -> None:
    """For each line of standard input, fork a child that writes, and print how it ended."""
    for line in sys.stdin:
        target, numbered, die_at = json.loads(line)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                write_till_killed(Path(target), numbered, die_at)
                code = 0
            finally:
                if code:
                    traceback.print_exc()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        print("ended", os.waitstatus_to_exitcode(status), flush=True)


def write_till_killed(target: Path, numbered: bool, die_at: int) -> None:
    parent = os.getppid()
    number = newest_number(target, numbered) + 1
    if die_at:
        die_before_step(die_at, target.parent)
        write_number(number, target, numbered)
        return
    write_number(number, target, numbered)
    print("written", os.getpid(), flush=True)
    while os.getppid() == parent:
        number += 1
        write_number(number, target, numbered)


def die_before_step(die_at: int, root: Path) -> None:
    """Kill this process just before its `die_at`-th change to the disk: open, create, rename or delete."""
    steps = 0

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal steps
        # While a folder is being deleted, names are relative to it.
        changes = event in ("os.mkdir", "os.rename", "os.remove", "os.rmdir")
        if changes or (event == "open" and str(arguments[0]).startswith(str(root))):
            steps += 1
            if steps == die_at:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


if __name__ == "__main__":
    serve()
