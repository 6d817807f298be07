"""Run the parts of a batch side by side, one CPU core each.

Two parts on two cores take less time than one part after the other on both, since a search is many small steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import torch

Part = TypeVar("Part")
Made = TypeVar("Made")


def side_by_side(work: Callable[[Part], Made], parts: Sequence[Part], device: torch.device) -> Iterator[Made]:
    """What `work` makes of each part, in order; on a CPU in as many threads as torch would use for one."""
    threads = torch.get_num_threads()
    if device.type != "cpu" or threads < 2 or len(parts) < 2:
        yield from map(work, parts)
        return
    try:
        with ThreadPoolExecutor(min(threads, len(parts)), initializer=torch.set_num_threads, initargs=(1,)) as pool:
            yield from pool.map(work, parts)
    finally:
        torch.set_num_threads(threads)
