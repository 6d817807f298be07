"""The limits of one input: seconds of work, and memory above what the process needs anyway."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path

MAX_SECONDS = 3.0  # of the processor, of this process and of those that it has started
MAX_MEGABYTES = 512.0  # above the base
HANGING_SECONDS = 60.0  # of the processor: the process is killed
WAITING_SECONDS = 900.0  # of the wall clock, likewise
_TICKS = os.sysconf("SC_CLK_TCK")


def seconds_of_work() -> float:
    """Return the processor time of this process and of all that it has started."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime + sum(map(seconds_of, _children()))


def peak_megabytes() -> float:
    """Return the largest memory that this process has had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def limit_memory(megabytes: int) -> None:
    """Let this process allocate at most so much more than now, so that a defect does not stop the machine."""
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + megabytes * 2**20, resource.RLIM_INFINITY))


def _children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


def seconds_of(process: int | str) -> float:
    """Return the processor time of another process."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has just ended
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS
