"""What keeps the memory of a long run level: texts of many lengths would fill caches and heaps that are never emptied.

Chinese problems, 900 to 1,800 of them: 490 to 1,140 MB and rising without it. With 16 primitives 560 MB and slower,
with 64 level at 660 MB, with 256 up to 990 MB.
"""

from __future__ import annotations

import ctypes
import os

_ARENA_MAX = -8  # glibc's M_ARENA_MAX
_ARENAS = 2
_PRIMITIVES = "128"  # one for each shape of a product; torch keeps 1,024 otherwise


def keep_memory_level() -> None:
    """To be called before torch is imported; what the user has set stays."""
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", _PRIMITIVES)
    if "MALLOC_ARENA_MAX" not in os.environ:
        try:
            ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS)
        except (AttributeError, OSError, TypeError):
            return  # another C library, which has no such heaps
