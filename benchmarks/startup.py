"""Measure what a start costs: `sau --help`, `sau equation`, a first answer in each language, and the disk space.

    python benchmarks/startup.py [--runs 7] [--runtimes]

Every run is a new process, and the fastest one counts: other work on the machine only makes runs slower. CPU seconds
are those of all cores. The disk space is that of the packages that solving needs, with everything they depend on, as
they are installed here. `--runtimes` also compares ONNX Runtime and torch, which needs torch: the time of an import
and of encoding and searching, for one problem and for 64 problems together, on one core.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import sau_solver

ROOT = Path(__file__).parents[1]
SAU = [sys.executable, "-c", "from sau_solver.cli import main; main()"]
COMMANDS = {
    "python": [sys.executable, "-c", "pass"],
    "sau --help": [*SAU, "--help"],
    "sau equation": [*SAU, "equation", "2x+3=7"],
    "sau solve, English": [*SAU, "solve", "Tom has 3 apples and buys 5 more. How many apples does he have?"],
    "sau solve, Chinese": [*SAU, "solve", "一支钢笔8元，买3支钢笔要多少元？"],
}
TOGETHER = 64
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def timed(command: list[str], runs: int) -> tuple[float, float]:
    """Return the fewest seconds and the fewest CPU seconds that a command takes."""
    seconds, used = [], []
    for _ in range(runs):
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        seconds.append(time.perf_counter() - started)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(seconds), min(used)


def needed(names: list[str]) -> dict[str, Distribution]:
    """Return the installed packages of these names and everything that they require; extras are left out."""
    found: dict[str, Distribution] = {}
    while names:
        name = re.sub(r"[-_.]+", "-", names.pop()).lower()
        try:
            own = distribution(name)
        except PackageNotFoundError:  # required on another system only
            continue
        if name not in found:
            found[name] = own
            names += [match[0] for one in own.requires or () if "extra ==" not in one and (match := _NAME.match(one))]
    return found


def size_of(package: Distribution) -> int:
    """Return the bytes of an installed package, with compiled modules."""
    return sum(path.stat().st_size for one in package.files or () if (path := Path(str(one.locate()))).is_file())


def show_sizes() -> None:
    """Print the disk space of solving and of the largest packages."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    listed = re.search(r"^dependencies = \[(.*?)^\]", project, re.MULTILINE | re.DOTALL)
    assert listed
    sizes = {name: size_of(one) for name, one in needed(re.findall(r'"([A-Za-z0-9-]+)>=', listed[1])).items()}
    own = Path(sau_solver.__file__).parent
    sizes["sau-solver"] = sum(path.stat().st_size for path in own.rglob("*") if path.is_file())
    print(f"\ninstalled for solving: {sum(sizes.values()) / 1e6:.0f} MB in {len(sizes)} packages")
    for name, size in sorted(sizes.items(), key=lambda item: -item[1])[:6]:
        print(f"  {name:14} {size / 1e6:6.1f} MB")


def show_runtimes(runs: int) -> None:
    """Print how long both runtimes take to start and to predict, in processes with one thread."""
    print("\nCPU ms on one core         import    one problem    of 64, each")
    for language in ("en", "zh"):
        for runtime in PREDICTORS:
            done = subprocess.run(
                [sys.executable, __file__, "--only", runtime, language, "--runs", str(runs)],
                env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True, check=False,
            )  # fmt: skip
            if done.returncode:
                sys.exit(done.stderr)
            started, alone, each = json.loads(done.stdout)
            print(f"  {language}  {runtime:18} {started:9.0f} {alone:14.1f} {each:14.1f}")


def _onnx(folder: Path) -> object:
    from sau_solver.models.checkpoint_files import read_files
    from sau_solver.models.inference.array_predictor import ArrayPredictor

    return ArrayPredictor.read(read_files(folder))


def _torch(folder: Path) -> object:
    from sau_solver.models.checkpoint import load_predictor

    return load_predictor(folder)


PREDICTORS: dict[str, Callable[[Path], object]] = {"ONNX Runtime": _onnx, "torch": _torch}
MODULES = {"ONNX Runtime": "sau_solver.models.inference.array_predictor", "torch": "sau_solver.models.checkpoint"}


def compare(runtime: str, language: str, runs: int) -> list[float]:
    """Return the CPU milliseconds of the imports, of one problem, and of each of many problems together."""
    from importlib import import_module

    from sau_solver.models.loading import shipped_folder
    from sau_solver.text.screening import screen

    started = time.process_time()
    import_module(MODULES[runtime])
    spent = [time.process_time() - started]
    lines = map(json.loads, (ROOT / "examples/problems.jsonl").read_text(encoding="utf-8").splitlines())
    texts = [screen(one["text"]).mapped for one in lines if f"-{language}" in one["id"]]
    many = (texts * TOGETHER)[:TOGETHER]
    predict = PREDICTORS[runtime](shipped_folder("zh" if language == "zh" else "en")).predict  # type: ignore[attr-defined]
    for given in ([texts[0]], many):
        times = []
        for _ in range(runs):
            started = time.process_time()
            predict(given)
            times.append((time.process_time() - started) / len(given))
        spent.append(min(times))
    return [1000 * one for one in spent]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7, help="runs of each command (default 7)")
    parser.add_argument("--runtimes", action="store_true", help="compare ONNX Runtime and torch, too")
    parser.add_argument("--only", nargs=2, metavar=("RUNTIME", "LANGUAGE"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only:
        runtime, language = given.only
        print(json.dumps(compare(runtime, language, given.runs)))
        return
    print(f"{os.cpu_count()} cores, the fastest of {given.runs} runs")
    for name, command in COMMANDS.items():
        seconds, used = timed(command, given.runs)
        print(f"  {name:20} {seconds:6.2f} s   {used:6.2f} s of CPU")
    show_sizes()
    if given.runtimes:
        show_runtimes(given.runs)


if __name__ == "__main__":
    main()
