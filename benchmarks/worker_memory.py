"""Measure what the caches of torch and oneDNN cost a server's worker in memory and save in time.

    python benchmarks/worker_memory.py [--problems 1200]

Each line is a separate process with one thread and one size of the caches (`sau_solver/server/workers/memory.py` sets
it). It solves batches of different sizes and prints the memory in MB when the models are loaded and after each sixth of
the problems, then the problems per second of CPU time. In the last line, memory is returned to the system after each
batch, as the server's workers do.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from pathlib import Path

from sau_solver.server.workers.memory import CACHES, SHAPES, give_back
from sau_solver.solver import load

sys.path.insert(0, str(Path(__file__).parents[1]))  # makes `benchmarks` importable
from benchmarks.serving_load import proportional_memory
from benchmarks.solve_speed import problems

SIZES = ("1", "32", SHAPES, "256", "1024")
KINDS = ("kept", "given back")  # what happens to freed memory
READINGS = 6
BATCH = (12, 20)  # sizes of batches that are typical of a server under load


def measure(count: int, giving_back: bool) -> str:
    """Measure in this process and return one line of the table."""
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
        if giving_back:
            give_back()
        if done >= len(readings) * count // READINGS:
            readings.append(proportional_memory(os.getpid()))
    rate = done / (time.process_time() - started)
    return "  ".join(f"{one:5.0f}" for one in readings) + f"   {rate:6.1f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=1200)
    parser.add_argument("--only", choices=KINDS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only:
        print(measure(given.problems, given.only == KINDS[1]))
        return
    print(f"shapes kept  MB at the start and after each {given.problems // READINGS} problems   problems/s")
    for size, kind in [*((size, KINDS[0]) for size in SIZES), (SHAPES, KINDS[1])]:
        environment = os.environ | dict.fromkeys(CACHES, size) | {"OMP_NUM_THREADS": "1"}
        command = [sys.executable, __file__, *sys.argv[1:], "--only", kind]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
        print(f"{size:>11}  {done.stdout.rstrip()}  {kind}", flush=True)


if __name__ == "__main__":
    main()
