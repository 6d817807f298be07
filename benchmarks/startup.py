"""Measure what a start costs: `sau --help`, `sau equation`, a first answer in each language, and the disk space.

    python benchmarks/startup.py [--runs 7] [--runtimes]

Every run is a new process, and the fastest one counts: other work on the machine only makes runs slower. CPU seconds
are those of all cores. The disk space is that of the packages that solving needs, with everything they depend on, as
they are installed here. `--runtimes` also compares ONNX Runtime and torch, which needs torch, on one core: importing,
reading and unpacking the weights, the first problem, one problem after that, 64 problems together, and whether both
propose the same trees for held-out problems (those of benchmarks/solve_speed.py).
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
from dataclasses import asdict, dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import sau_solver

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # makes `benchmarks` importable
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


@dataclass(frozen=True)
class Measured:
    """CPU milliseconds of one runtime, and the trees that it proposes for each text with their log-probabilities."""

    imports: float
    weights: float
    first: float
    one: float
    of_many: float
    proposed: list[list[tuple[str, float]]]


def show_runtimes(runs: int, problems: int) -> None:
    """Print what both runtimes cost and how far they agree, measured in processes with one thread."""
    print("\nCPU ms on one core          import   weights   first problem   one problem   of 64, each")
    found: dict[str, dict[str, Measured]] = {language: {} for language in ("en", "zh")}
    for language, own in found.items():
        for runtime in PREDICTORS:
            done = subprocess.run(
                [sys.executable, __file__, "--only", runtime, language, f"--runs={runs}", f"--problems={problems}"],
                env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True, check=False,
            )  # fmt: skip
            if done.returncode:
                sys.exit(done.stderr)
            own[runtime] = one = Measured(**json.loads(done.stdout))
            times = f"{one.imports:9.0f} {one.weights:9.0f} {one.first:15.0f} {one.one:13.1f} {one.of_many:13.1f}"
            print(f"  {language}  {runtime:18} {times}")
    print(
        "\ntrees of both runtimes    problems   same first tree   same five   largest difference of a log-probability"
    )
    for language, own in found.items():
        pairs = list(zip(*(own[runtime].proposed for runtime in PREDICTORS), strict=True))
        firsts = sum(one[:1] == [] or one[0][0] == other[0][0] for one, other in pairs)
        same = [(one, other) for one, other in pairs if [tree for tree, _ in one] == [tree for tree, _ in other]]
        widest = max(abs(a[1] - b[1]) for one, other in same for a, b in zip(one, other, strict=True))
        print(f"  {language} {len(pairs):31,} {firsts:12,} {len(same):11,} {widest:43.6f}")


def _onnx(folder: Path) -> object:
    from sau_solver.models.checkpoint_files import read_files
    from sau_solver.models.inference.array_predictor import ArrayPredictor

    return ArrayPredictor.read(read_files(folder))


def _torch(folder: Path) -> object:
    from sau_solver.models.checkpoint import load_predictor

    return load_predictor(folder)


PREDICTORS: dict[str, Callable[[Path], object]] = {"ONNX Runtime": _onnx, "torch": _torch}
MODULES = {"ONNX Runtime": "sau_solver.models.inference.array_predictor", "torch": "sau_solver.models.checkpoint"}


def compare(runtime: str, language: str, runs: int, problems: int) -> Measured:
    """Measure one runtime in this process."""
    from importlib import import_module

    from benchmarks.solve_speed import sourced_problems
    from sau_solver.models.loading import shipped_folder
    from sau_solver.problem import Language
    from sau_solver.text.screening import screen

    known: Language = "zh" if language == "zh" else "en"
    texts = [screen(text, known).mapped for text in sourced_problems(language, problems)[0]]
    spent: list[float] = []

    def timed_call(do: Callable[[], Any], repeats: int = 1) -> Any:
        times = []
        for _ in range(repeats):
            started = time.process_time()
            result = do()
            times.append(1000 * (time.process_time() - started))
        spent.append(min(times))
        return result

    timed_call(lambda: import_module(MODULES[runtime]))
    predictor = timed_call(lambda: PREDICTORS[runtime](shipped_folder(known)))
    timed_call(lambda: predictor.predict(texts[:1]))
    timed_call(lambda: predictor.predict(texts[:1]), runs)
    timed_call(lambda: predictor.predict(texts[:TOGETHER]), runs)
    imports, weights, first, one, of_many = spent
    proposed = [[(str(one.tree), one.log_probability) for one in beam] for beam in predictor.predict(texts)]
    return Measured(imports, weights, first, one, of_many / TOGETHER, proposed)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7, help="runs of each command (default 7)")
    parser.add_argument("--runtimes", action="store_true", help="compare ONNX Runtime and torch, too")
    parser.add_argument("--problems", type=int, default=500, help="problems of each language for --runtimes")
    parser.add_argument("--only", nargs=2, metavar=("RUNTIME", "LANGUAGE"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only:
        runtime, language = given.only
        print(json.dumps(asdict(compare(runtime, language, given.runs, given.problems))))
        return
    print(f"{os.cpu_count()} cores, the fastest of {given.runs} runs")
    for name, command in COMMANDS.items():
        seconds, used = timed(command, given.runs)
        print(f"  {name:20} {seconds:6.2f} s   {used:6.2f} s of CPU")
    show_sizes()
    if given.runtimes:
        show_runtimes(given.runs, given.problems)


if __name__ == "__main__":
    main()
