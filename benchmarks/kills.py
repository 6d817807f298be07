"""Kill trainings, bulk solving, cross-validations and reports at random moments, and compare what they write.

    python benchmarks/kills.py [ROUNDS] [--only train bulk crossval report] [--real N] [--seed S]

Each job first runs uninterrupted, in an interpreter of its own. Then it is started in an empty folder and killed with
SIGKILL, and the same command is started again, until it has been killed a few times or ends. All files that it leaves
must have the bytes of the uninterrupted run, apart from logs and measured times, and nothing may be left over. That is
repeated until there were ROUNDS kills of each job. Half of the moments are random times, the other half are just before
a random change of a file or folder. `--real N` makes N of the kills in a training on ALG514, which must be in SAU_DATA,
and in bulk solving with the shipped models. The exit code is 1 if any bytes differ.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

sys.path.insert(0, str(Path(__file__).parents[1]))  # makes `benchmarks` importable
from benchmarks.kill_jobs import Job, jobs, prepare
from benchmarks.kill_rounds import (
    Forked,
    Start,
    Wait,
    after,
    contents,
    different,
    kill_and_resume,
    until_it_ends,
)

HEAD = "| job | kills | before a change of a file | completed runs | results compared | different | slowest resume |"
NAMES = ("train", "bulk", "crossval", "report")
REAL = ("train", "bulk")  # jobs that also exist with real models and data
MOST = 8  # kills of one job before it may end


def import_everything() -> None:
    """Import every module of the package, and what commands import when they need it, for all forks."""
    import sau_solver

    for module in walk_packages(sau_solver.__path__, "sau_solver."):
        if "kernels" not in module.name and not module.name.endswith("__main__"):
            import_module(module.name)
    for name in ("safetensors.torch", "torch._dynamo", "torch.utils.tensorboard", "matplotlib.figure"):
        import_module(name)
    gc.collect()
    gc.freeze()


@dataclass
class Tally:
    """What happened in the rounds of one job."""

    name: str
    kills: int = 0
    before_changes: int = 0
    completed: int = 0
    compared: int = 0
    different: list[str] = field(default_factory=list)
    slowest: float = 0.0

    def row(self) -> str:
        """Return the line of the table."""
        counts = (self.kills, self.before_changes, self.completed, self.compared, len(self.different))
        return f"| {self.name} | {' | '.join(f'{one:,}' for one in counts)} | {self.slowest:.1f} s |"


class Killer:
    """Kills one job in fresh folders, at moments that are drawn from the length of an uninterrupted run."""

    def __init__(self, job: Job, folder: Path, seed: int) -> None:
        self._job, self._folder, self._draw = job, folder, random.Random(f"{seed} {job.name}")
        self.whole = self._empty("whole")
        self._run_in_new_interpreter(self.whole)
        self._expected = contents(self.whole)
        again = self._empty("timed")
        started = time.perf_counter()
        with self._start(again) as process:
            _, printed = process.communicate()
            self._changes = process.changes
        self._seconds = time.perf_counter() - started
        assert process.returncode == 0, printed
        assert not (wrong := different(self._expected, contents(again))), f"{job.name} is not repeatable: {wrong}"
        shutil.rmtree(again)

    def _empty(self, name: str) -> Path:
        folder = self._folder / name
        folder.mkdir(parents=True)
        for given, text in self._job.given.items():
            (folder / given).write_text(text, encoding="utf-8")
        return folder

    def _run_in_new_interpreter(self, folder: Path) -> None:
        command = [sys.executable, "-m", "sau_solver.cli", *self._job.arguments]
        environment = os.environ | dict(self._job.environment)
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def _start(self, folder: Path, die_at: int = 0) -> Forked:
        return Forked(self._job.arguments, folder, self._job.environment, die_at)

    def rounds(self, kills: int) -> Tally:
        """Kill the job until there were so many kills."""
        tally = Tally(self._job.name)
        while tally.kills < kills:
            folder = self._empty("killed")
            kinds: list[int] = []
            waits = self._moments(folder, min(kills - tally.kills, self._draw.randint(1, MOST)), kinds)
            found = kill_and_resume(partial(self._start, folder), waits)
            got = contents(folder)
            tally.kills += found.kills
            tally.before_changes += sum(kinds[: found.kills])
            tally.completed += 1
            tally.compared += len({*got, *self._expected})
            tally.different += different(self._expected, got)
            tally.slowest = max(tally.slowest, found.seconds)
            shutil.rmtree(folder)
        return tally

    def _moments(self, folder: Path, count: int, kinds: list[int]) -> Iterator[tuple[Start, Wait]]:
        """Yield how to start the job and when to kill it; add a 1 to `kinds` if that is before a change, else a 0."""
        for _ in range(count):
            kinds.append(self._draw.randrange(2))
            if kinds[-1]:
                yield partial(self._start, folder, self._draw.randint(1, self._changes)), until_it_ends
            else:
                yield partial(self._start, folder), after(self._draw.uniform(0, self._seconds))


def tallies(names: list[str], rounds: Mapping[str, int], seed: int, folder: Path) -> Iterator[Tally]:
    """Yield the result of each job; bulk solving uses the model of an uninterrupted training."""
    inputs = folder / "inputs"
    prepare(inputs)
    known = jobs(inputs)
    for name in names:
        if name == "bulk":
            trained = Killer(known["train"], folder / "for bulk", seed)
            shutil.copytree(trained.whole / "runs/train/all-seed3/model", inputs / "model")
        if rounds[name]:
            yield Killer(known[name], folder / name, seed).rounds(rounds[name])


def main() -> None:
    """Print the table, row by row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rounds", type=int, nargs="?", default=100, metavar="ROUNDS", help="kills of each job")
    parser.add_argument("--only", nargs="+", choices=NAMES, default=list(NAMES))
    parser.add_argument("--real", type=int, default=0, metavar="N", help="kills with real models and data, of ROUNDS")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"  # before torch is imported: jobs are small
    import_everything()
    print(HEAD)
    print("|---|---:|---:|---:|---:|---:|---:|", flush=True)
    real = min(given.real, given.rounds)
    rounds = {name: given.rounds - (real if name in REAL else 0) for name in NAMES}
    rounds |= {f"{name}-real": real for name in REAL}
    names = [one for name in given.only for one in (name, *([f"{name}-real"] if name in REAL else []))]
    wrong = []
    with tempfile.TemporaryDirectory(prefix="sau-kills-") as folder:
        for tally in tallies(names, rounds, given.seed, Path(folder)):
            print(tally.row(), flush=True)
            wrong += [f"{tally.name}: {path} differs from the uninterrupted run" for path in tally.different]
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
