"""Seconds and megabytes for reading corpora in a fresh process.

    SAU_DATA=... python benchmarks/reading.py [CORPUS ...]

Asked for: Math23K in under 2 s and 300 MB.
"""

from __future__ import annotations

import subprocess
import sys

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
    """Print a row a corpus."""
    for name in sys.argv[1:] or ("math23k", "hmwp", "gsm8k", "dolphin18k"):
        subprocess.run([sys.executable, "-c", CODE, name], check=True)


if __name__ == "__main__":
    main()
