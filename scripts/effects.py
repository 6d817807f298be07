"""Compare stored experiments with a control: effect sizes and intervals from a paired bootstrap over folds and seeds.

    python scripts/effects.py sau-hmwp-without-ssar sau-hmwp
    python scripts/effects.py --results results/choices g0-alg-none g1-alg-idle g3-alg-infonce-10

The first experiment is the control. All must have the same data, folds and tested part.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from sau_solver.errors import SauError
from sau_solver.experiments.judging import METRICS
from sau_solver.experiments.report.effects import effect_table
from sau_solver.experiments.report.merging import load_experiments
from sau_solver.experiments.report.rendering import json_fields, markdown

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Print one table per metric."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("control", help="the experiment that the others are compared with")
    arguments.add_argument("names", nargs="+", metavar="NAME", help="an experiment with results")
    arguments.add_argument("--results", type=Path, default=ROOT / "results", help="the folder of the results")
    arguments.add_argument("--metric", action="append", choices=METRICS, help="default: reference")
    arguments.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    options = arguments.parse_args()
    try:
        experiments = load_experiments(options.results, ROOT / "configs", [options.control, *options.names])
        tables = [
            effect_table(experiments, options.control, options.names, metric)
            for metric in options.metric or ["reference"]
        ]
    except SauError as error:
        sys.exit(str(error))
    shown = json.dumps([json_fields(table) for table in tables], indent=1, ensure_ascii=False) + "\n"
    print(shown if options.json else markdown(tables), end="")


if __name__ == "__main__":
    main()
