"""How a CPU is put to work: parts of a batch side by side, one core each, and products in the precision it is fast in.

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


def is_fast_in_half() -> bool:
    """Whether this CPU multiplies in bfloat16 by instructions of its own; where nobody can tell, it does not."""
    told = (getattr(torch.cpu, name, None) for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"))
    return any(ask() for ask in told if ask is not None)
