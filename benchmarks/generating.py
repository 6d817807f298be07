"""Measure how fast the curriculum makes problems, on one core: python benchmarks/generating.py [--count 100000]"""

from __future__ import annotations

import argparse
import hashlib
import time
from itertools import islice

from sau_solver.curriculum.families import families
from sau_solver.curriculum.generation import Choice, generate
from sau_solver.phrases import Language

LANGUAGES: tuple[Language, ...] = ("en", "zh")


def main() -> None:
    """Print seconds, and a fingerprint of the texts, which is the same for the same seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    count = parser.parse_args().count
    for language in LANGUAGES:
        start = time.perf_counter()
        loaded = len(families(language))
        ready = time.perf_counter()
        digest = hashlib.sha256()
        for problem in islice(generate(Choice(language), seed=1), count):
            digest.update(problem.text.encode())
        seconds = time.perf_counter() - ready
        print(
            f"{language}: {loaded} families read in {ready - start:.2f} s, {count:,} problems in {seconds:.1f} s, "
            f"fingerprint {digest.hexdigest()[:12]}"
        )


if __name__ == "__main__":
    main()
