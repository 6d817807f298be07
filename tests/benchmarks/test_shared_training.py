"""benchmarks/shared_training.py: our steps have the losses of one process; DistributedDataParallel alone has not."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SMALL = ("--hidden", "8", "--batch", "6", "--steps", "4", "--rounds", "1")
DIFFERENCE = re.compile(r" +8 +(\d+) +(problems|symbols) +(\S.*?) {2,}(\S+) +(\S+)")


@pytest.mark.slow
def test_only_means_over_the_whole_batch_give_the_losses_of_one_process() -> None:
    command = [sys.executable, "benchmarks/shared_training.py", *SMALL]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    found = [match.groups() for line in done.stdout.splitlines() if (match := DIFFERENCE.fullmatch(line))]
    ways = ("our steps", "DDP", "DDP with counts")
    assert [row[:3] for row in found] == [
        (batch, mean, way) for batch, mean in (("6", "problems"), ("7", "problems"), ("6", "symbols")) for way in ways
    ]
    for _, _, way, loss, weight in found:
        if way == "DDP":
            assert float(weight) > 1e-4
        else:
            assert float(loss) < 1e-5
            assert float(weight) < 1e-4
    assert all(f"  {way} " in done.stdout for way in ("no exchange", "one process"))
