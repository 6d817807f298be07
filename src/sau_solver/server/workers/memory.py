"""What keeps the memory of a long run level: texts of many lengths would fill caches and heaps that are never emptied.

For each shape of a product oneDNN keeps a primitive, and torch, above it, what it prepared for one; 1,024 each unless
they are told otherwise. `python benchmarks/level_memory.py` measures what smaller caches, and giving memory back after
each batch, cost and save.
"""

from __future__ import annotations

import ctypes
import os

_ARENA_MAX = -8  # glibc's M_ARENA_MAX
_ARENAS = 2
CACHES = ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY")  # oneDNN's own, and torch's
SHAPES = "128"


def keep_memory_level() -> None:
    """To be called before torch is imported; what the user has set stays."""
    for cache in CACHES:
        os.environ.setdefault(cache, SHAPES)
    if "MALLOC_ARENA_MAX" not in os.environ:
        _ask_library("mallopt", _ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Let the system have what was freed: else the heaps keep the room of the largest batches, in pieces."""
    _ask_library("malloc_trim", 0)


def _ask_library(name: str, *arguments: int) -> None:
    try:
        getattr(ctypes.CDLL(None), name)(*arguments)
    except (AttributeError, OSError, TypeError):
        return  # another C library, which has no such heaps
