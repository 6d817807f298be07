"""Limits the memory of a long-running process: texts of many lengths make its heaps grow.

`python benchmarks/worker_memory.py` measures what fewer heaps and returning freed memory save and cost.
"""

from __future__ import annotations

import ctypes
import os

_ARENA_MAX = -8  # M_ARENA_MAX of glibc
_ARENAS = 2


def keep_memory_level() -> None:
    """Limit the heaps of this process. Call it before threads start; it keeps what the user has set."""
    if "MALLOC_ARENA_MAX" not in os.environ:
        _call_libc("mallopt", _ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Return freed memory to the system. Without this the heaps stay as large as the largest batches made them."""
    _call_libc("malloc_trim", 0)


def _call_libc(name: str, *arguments: int) -> None:
    try:
        getattr(ctypes.CDLL(None), name)(*arguments)
    except (AttributeError, OSError, TypeError):
        return  # a C library without this function
