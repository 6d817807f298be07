"""Measure what the settings of `sau_solver/server/workers/memory.py` save a server's worker in memory and cost in time.

    python benchmarks/worker_memory.py [--problems 1200] [--threads 1] [--torch]

Each line is a separate process. It solves batches of different sizes and prints the memory in MB when
the models are loaded and after each sixth of the problems, then the problems per second of CPU time. `two heaps` limits
the heaps of the C library, and `given back` returns freed memory to the system after each batch; the last line has
both, as the server's workers do. With `--torch`, torch runs the same networks instead of ONNX Runtime, with large and
with small caches of oneDNN and torch.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from pathlib import Path

from sau_solver.models.inference import array_predictor
from sau_solver.server.workers.memory import give_back, keep_memory_level
from sau_solver.solver import load

sys.path.insert(0, str(Path(__file__).parents[1]))  # makes `benchmarks` importable
from benchmarks.serving_load import proportional_memory
from benchmarks.solve_speed import problems

HEAPS, GIVEN_BACK = "two heaps", "given back"
KINDS = ("neither", HEAPS, GIVEN_BACK, f"{HEAPS}, {GIVEN_BACK}")
CACHES = ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY")  # of oneDNN and of torch
TORCH = tuple(f"{size} shapes, {GIVEN_BACK}" for size in ("1024", "128"))
READINGS = 6
BATCH = (12, 20)  # sizes of batches that are typical of a server under load


def measure(count: int, kind: str) -> str:
    """Measure in this process and return one line of the table."""
    if HEAPS in kind:
        keep_memory_level()
    if kind in TORCH:
        array_predictor.is_readable = lambda *_: False
    texts = [text for language in ("zh", "en") for text in problems(language, 300)]
    order = random.Random(0)
    order.shuffle(texts)
    solver = load()
    list(solver.solve_many(texts[:4], errors="return"))
    readings, done, started = [proportional_memory(os.getpid())], 0, time.process_time()
    while done < count:
        size = order.randint(*BATCH)
        list(solver.solve_many([texts[(done + place) % len(texts)] for place in range(size)], errors="return"))
        done += size
        if GIVEN_BACK in kind:
            give_back()
        if done >= len(readings) * count // READINGS:
            readings.append(proportional_memory(os.getpid()))
    rate = done / (time.process_time() - started)
    return "  ".join(f"{one:5.0f}" for one in readings) + f"   {rate:6.1f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=1200)
    parser.add_argument("--threads", type=int, default=1, help="threads of a network")
    parser.add_argument("--torch", action="store_true", help="let torch run the networks")
    parser.add_argument("--only", choices=KINDS + TORCH, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only:
        print(measure(given.problems, given.only))
        return
    print(f"MB at the start and after each {given.problems // READINGS} problems   problems/s")
    for kind in TORCH if given.torch else KINDS:
        command = [sys.executable, __file__, "--problems", str(given.problems), "--only", kind]
        environment = os.environ | {"OMP_NUM_THREADS": str(given.threads)}
        if given.torch:
            environment |= dict.fromkeys(CACHES, kind.split()[0])
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
        print(f"{done.stdout.rstrip()}  {kind}", flush=True)


if __name__ == "__main__":
    main()
