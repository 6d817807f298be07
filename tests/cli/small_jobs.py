"""Small jobs of `sau` for tests of kills and of broken disks, and what they write without either."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.kill_jobs import Job, jobs, prepare
from benchmarks.kill_rounds import contents
from tests import commands
from tests.by_heart import pens

BY_HEART = (
    "from sau_solver import solver as pipeline\n"
    "from tests.by_heart import solver\n"
    "pipeline.load = lambda model=None: solver()\n"
)
ONE_THREAD = "import torch\ntorch.set_num_threads(1)\n"  # several would wait for each other on a busy machine
NAMES = ("train", "bulk", "crossval", "report")


@dataclass(frozen=True)
class SmallJob:
    """A command, its inputs, and the bytes of its results."""

    name: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    before: str  # statements that run first
    inputs: Path
    expected: Mapping[str, bytes]

    def start(self, folder: Path, before: str = "") -> commands.Command:
        """Start the command in a folder; `before` are more statements that run first."""
        environment = {**os.environ, **self.environment}
        return commands.Command(*self.arguments, folder=folder, environment=environment, before=before + self.before)

    def run(self, folder: Path, before: str = "") -> tuple[int, str]:
        """Run the command to its end; return the exit code and the messages."""
        with self.start(folder, before) as process:
            _, printed = process.communicate()
        assert process.returncode is not None
        return process.returncode, printed


def command_of(name: str, inputs: Path) -> tuple[tuple[str, ...], Job, str]:
    """Write the inputs of a job and return its arguments, the job, and the statements that run first."""
    prepare(inputs)
    job = jobs(inputs)[name]
    if name == "bulk":
        lines = [json.dumps({"id": n, "text": pens(n, 3)}) for n in range(1, 700)]
        (inputs / "light" / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
        (inputs / "light" / "b.jsonl.gz").write_bytes(gzip.compress("\n".join(lines[:20]).encode(), mtime=0))
        (inputs / "light" / "c.csv").unlink()
        return ("solve", "--input", str(inputs / "light"), "--output", "new/answers"), job, BY_HEART
    if name == "report":
        return (*job.arguments[: job.arguments.index("--docs")], "--no-figures"), job, ""
    return (*job.arguments, "--set", "training.epochs=3"), job, ONE_THREAD


def small_job(name: str, folder: Path) -> SmallJob:
    """Return a job that has run once without interruption."""
    arguments, job, before = command_of(name, folder / "inputs")
    (folder / "whole").mkdir()
    made = SmallJob(name, arguments, job.environment, before, folder / "inputs", {})
    code, printed = made.run(folder / "whole")
    assert code == 0, printed
    return SmallJob(name, arguments, job.environment, before, folder / "inputs", contents(folder / "whole"))
