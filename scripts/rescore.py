"""Score the stored predictions in results/ again, after a protocol, a label or a rule has changed.

    SAU_DATA=... python scripts/rescore.py [NAME...]

Prints for each experiment how many verdicts became right (+) and wrong (−) by each metric. Run `sau report` afterwards.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from sau_solver.experiments.judging import METRICS
from sau_solver.experiments.rescoring import rescore
from sau_solver.experiments.results import ResultStore

RESULTS = Path(__file__).parents[1] / "results"


def main() -> None:
    """Score the named experiments again, or all of them."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("names", nargs="*", metavar="NAME", help="an experiment in results/; default: all")
    options = arguments.parse_args()
    for name in options.names or sorted(path.stem for path in RESULTS.glob("*.json")):
        start = time.monotonic()
        changes = rescore(ResultStore(RESULTS, name))
        by_metric = ", ".join(f"{metric} +{changes.gained[metric]} −{changes.lost[metric]}" for metric in METRICS)
        seconds = time.monotonic() - start
        print(f"{name}: {changes.problems:,} predictions, {by_metric}, {changes.outcomes} outcomes ({seconds:.0f} s)")


if __name__ == "__main__":
    main()
