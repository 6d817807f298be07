"""Measure the time and memory of reading corpora, each in a new process.

SAU_DATA=... python benchmarks/reading.py [CORPUS ...]
"""

from __future__ import annotations

import argparse
import subprocess
import sys

CORPORA = ("math23k", "hmwp", "gsm8k", "dolphin18k")
CODE = """
import resource, sys, time
start = time.perf_counter()
from sau_solver.data import load
corpus = load(sys.argv[1])
seconds = time.perf_counter() - start
megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"{sys.argv[1]:20} {len(corpus):7,} problems {seconds:6.2f} s {megabytes:6.0f} MB")
"""


def main() -> None:
    """Print one row per corpus."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpora", nargs="*", metavar="CORPUS", default=CORPORA)
    for name in arguments.parse_args().corpora:
        subprocess.run([sys.executable, "-c", CODE, name], check=True)


if __name__ == "__main__":
    main()
