"""Measure how long a user waits: loading, first answer, single problems and batches; also the memory.

    python benchmarks/solve_speed.py [--model DIR] [--problems 300]

The problems are held-out problems of the shipped models, or the problems of examples/ if the corpora are missing. Each
measurement runs in a new process, so that nothing is cached before it starts.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from sau_solver.data.prepared.mixtures import held_out
from sau_solver.errors import SauError
from sau_solver.experiments.config import load_config
from sau_solver.solver import load

ROOT = Path(__file__).parents[1]
PARTS = {"zh": ("math23k/test", "hmwp/fold0"), "en": ("mawps/fold0", "draw1k/test")}


def problems(language: str, count: int) -> list[str]:
    """Return texts of one language, equally many of each held-out part."""
    return sourced_problems(language, count)[0]


def sourced_problems(language: str, count: int) -> tuple[list[str], str]:
    """Return texts of one language, equally many of each held-out part, and where they come from."""
    config = load_config(ROOT / f"configs/shipped/shipped-{language}.toml")
    try:
        mixture = config.one_mixture()
        parts = [held_out(mixture, part, config.text, config.equations) for part in PARTS[language]]
        texts = [one.problem.text for part in parts for one in part[: count // len(parts)]]
        source = ", ".join(PARTS[language])
    except SauError:
        lines = (ROOT / "examples/problems.jsonl").read_text(encoding="utf-8").splitlines()
        samples = [one for one in map(json.loads, lines) if f"-{language}" in one["id"]]
        texts = [one["text"] for one in samples] * (count // len(samples) + 1)
        source = "examples/problems.jsonl, repeated; the corpora are missing"
    return texts[:count], source


def loading(model: str | None, language: str, texts: list[str]) -> dict[str, float]:
    """Return the seconds until the weights are loaded, including the imports of the runtime."""
    started = time.perf_counter()
    load(model).model("zh" if language == "zh" else "en")
    return {"seconds": time.perf_counter() - started}


def one_by_one(model: str | None, language: str, texts: list[str]) -> dict[str, float]:
    """Return the milliseconds per problem after a short warm-up, and the peak memory."""
    solver = load(model)
    for text in texts[:5]:
        solver.solve(text)
    spent = []
    for text in texts:
        started = time.perf_counter()
        solver.solve(text)
        spent.append(1000 * (time.perf_counter() - started))
    return {"median": statistics.median(spent), "99 %": sorted(spent)[len(spent) * 99 // 100], **_memory()}


def in_batches(model: str | None, language: str, texts: list[str]) -> dict[str, float]:
    """Return the problems per second, and the peak memory."""
    solver = load(model)
    list(solver.solve_many(texts[:64], errors="return"))
    started = time.perf_counter()
    count = sum(1 for _ in solver.solve_many(texts, errors="return"))
    return {"problems/s": count / (time.perf_counter() - started), **_memory()}


def _memory() -> dict[str, float]:
    return {"MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


MEASURED: dict[str, Callable[[str | None, str, list[str]], dict[str, float]]] = {
    "loading": loading,
    "one by one": one_by_one,
    "in batches": in_batches,
}


def first_answer(model: str | None, text: str) -> float:
    """Return the seconds that `sau solve` takes for one problem."""
    command = [sys.executable, "-c", "from sau_solver.cli import main; main()", "solve", text]
    started = time.perf_counter()
    subprocess.run([*command, *(["--model", model] if model else [])], capture_output=True, check=False)
    return time.perf_counter() - started


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="folder of a model (default: the shipped models)")
    parser.add_argument("--problems", type=int, default=300, help="problems per language (default 300)")
    parser.add_argument("--only", nargs=2, metavar=("MEASUREMENT", "LANGUAGE"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only:
        kind, language = given.only
        print(json.dumps(MEASURED[kind](given.model, language, problems(language, given.problems))))
        return
    print(f"{os.cpu_count()} cores, {given.problems} problems a language")
    for language in PARTS:
        print(f"{language}  first answer  {first_answer(given.model, problems(language, 2)[0]):.2f} seconds")
        for kind in MEASURED:
            done = subprocess.run(
                [sys.executable, __file__, *sys.argv[1:], "--only", kind, language],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            if done.returncode:
                sys.exit(done.stderr)
            print(f"{language}  {kind:12}  " + ", ".join(f"{v:.4g} {k}" for k, v in json.loads(done.stdout).items()))


if __name__ == "__main__":
    main()
