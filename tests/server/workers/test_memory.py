"""The memory of a long-running process stays constant, and the user's own settings are kept."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from sau_solver.server.workers.memory import give_back, keep_memory_level


class _Library:
    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []
        self.trimmed: list[int] = []

    def mallopt(self, parameter: int, value: int) -> int:
        self.asked.append((parameter, value))
        return 1

    def malloc_trim(self, kept: int) -> int:
        self.trimmed.append(kept)
        return 1


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> _Library:
    made = _Library()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: made)
    monkeypatch.delenv("MALLOC_ARENA_MAX", raising=False)
    return made


def test_heaps_are_bounded(library: _Library) -> None:
    keep_memory_level()
    assert library.asked == [(-8, 2)]


def test_settings_of_the_user_are_kept(library: _Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALLOC_ARENA_MAX", "5")
    keep_memory_level()
    assert library.asked == []


def test_another_c_library_is_left_alone(library: _Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    keep_memory_level()
    give_back()
    assert (library.asked, library.trimmed) == ([], [])


def test_what_was_freed_is_given_back(library: _Library) -> None:
    give_back()
    assert library.trimmed == [0]


def test_a_heap_in_pieces_shrinks() -> None:
    """Frees every other block with the real library, so that the heap cannot shrink from its end."""
    code = (
        "import ctypes, pathlib\n"
        "from sau_solver.server.workers.memory import give_back\n"
        "def memory():\n"
        "    status = pathlib.Path('/proc/self/status').read_text()\n"
        "    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith('VmRSS'))\n"
        "library = ctypes.CDLL(None)\n"
        "library.malloc.restype, library.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]\n"
        "blocks = [library.malloc(100_000) for _ in range(1_000)]\n"
        "for block in blocks: ctypes.memset(block, 1, 100_000)\n"
        "for block in blocks[::2]: library.free(block)\n"
        "before = memory(); give_back(); print(before - memory())\n"
    )
    if sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "malloc_trim"):
        pytest.skip("this C library has no such heaps")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 40_000  # kilobytes of the 50,000 that were freed
