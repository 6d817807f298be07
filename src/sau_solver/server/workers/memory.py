"""Limits the memory of a long-running process: without limits, caches and heaps grow with every new length of text.

ONNX Runtime, which runs the shipped models, has no such caches. A network that torch runs has two: oneDNN caches a
primitive for each shape of a matrix product, and torch caches prepared data above it, 1,024 entries each by default.
`python benchmarks/worker_memory.py` measures what smaller caches, fewer heaps and trimming them save and cost.
"""

from __future__ import annotations

import ctypes
import os

_ARENA_MAX = -8  # M_ARENA_MAX of glibc
_ARENAS = 2
CACHES = ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY")  # of oneDNN and of torch
SHAPES = "128"


def keep_memory_level() -> None:
    """Limit caches and heaps of this process. Call it before torch is imported; it keeps what the user has set."""
    for cache in CACHES:
        os.environ.setdefault(cache, SHAPES)
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
