"""The command of the fuzzer: `python -m fuzzing --minutes 10 --seed 1`, and `python -m fuzzing --table`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fuzzing.campaign import Campaign
from fuzzing.fuzz_state import State
from fuzzing.targets import TARGETS

FOLDER = Path(".fuzzing")


def table(state: State) -> str:
    """Return the table of a campaign: inputs and findings of each target, and the largest time and memory of one."""
    rows: list[tuple[str, ...]] = [("target", "inputs", "findings", "open", "slowest (s)", "memory (MB)")]
    totals = [0, 0, 0, 0.0, 0.0]
    for name in TARGETS:
        known = [one for key, one in state.progress.items() if key.partition("/")[0] == name]
        found = [one for _, one in state.stored_findings(name)]
        figures = [
            sum(one.inputs for one in known),
            len(found),
            sum(one["open"] for one in found),
            max((one.slowest for one in known), default=0.0),
            max((one.memory for one in known), default=0.0),
        ]
        rows.append((name, *_shown(figures)))
        totals = [sum(pair) for pair in zip(totals[:3], figures[:3], strict=True)] + [
            max(pair) for pair in zip(totals[3:], figures[3:], strict=True)
        ]
    rows.append(("all", *_shown(totals)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return "\n".join(lines)


def _shown(figures: list[float]) -> tuple[str, ...]:
    inputs, found, still_open, slowest, memory = figures
    return f"{inputs:,}", f"{found}", f"{still_open}", f"{slowest:.2f}", f"{memory:.0f}"


def main() -> None:
    """Fuzz, check the findings again, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m fuzzing", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, choices=(1, 2), default=2, help="processes at a time")
    parser.add_argument("--target", action="append", choices=tuple(TARGETS), help="only these; default: all")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where state, corpus and findings are")
    parser.add_argument("--recheck", action="store_true", help="only check the findings again")
    parser.add_argument("--table", action="store_true", help="only print the table")
    options = parser.parse_args()
    if options.table and not (options.folder / "state.json").exists():
        # `make fuzz-table` keeps the stored table if this fails.
        sys.exit(f"There is no campaign in {options.folder}, so there is nothing to print. Run `make fuzz` first.")
    state = State(options.folder)
    campaign = Campaign(state, options.seed)
    if not options.table:
        if not options.recheck:
            campaign.run(options.target or list(TARGETS), options.minutes, options.workers)
        campaign.recheck()
    print(table(state))
    still_open = [(file, one) for file, one in state.stored_findings() if one["open"]]
    for file, finding in still_open:
        print(f"{file}: {finding['rule']}", file=sys.stderr)
    sys.exit(1 if still_open and not options.table else 0)


if __name__ == "__main__":
    main()
