"""The machine and its container -> the number of CPU cores that this process may use.

`os.cpu_count` counts the cores of the machine. A container on a machine with 64 cores may be allowed two of them, and a
worker for each of the 64 would need more memory than the container has.
"""

from __future__ import annotations

import math
import os
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")


def usable_cores(groups: Path = CGROUPS) -> int:
    """Return how many cores this process may use: at least 1, a part of a core counts as one."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limit = _limit(groups)
    return max(1, allowed if limit is None else min(allowed, math.ceil(limit)))


def _limit(groups: Path) -> float | None:
    """Return the limit of the container in cores (cgroup version 2, then 1), or None if it has none."""
    try:
        if (file := groups / "cpu.max").is_file():
            quota, period = file.read_text(encoding="ascii").split()
        else:
            quota = (groups / "cpu" / "cpu.cfs_quota_us").read_text(encoding="ascii")
            period = (groups / "cpu" / "cpu.cfs_period_us").read_text(encoding="ascii")
        return int(quota) / int(period) if int(quota) > 0 else None
    except (OSError, ValueError, ZeroDivisionError):  # no cgroups, or "max": no limit
        return None
