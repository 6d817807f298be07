"""A long run's memory stays level, and what a user has set stays set."""

from __future__ import annotations

import ctypes
import os

import pytest

from sau_solver.level_memory import keep_memory_level

CACHES = ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY")


class _Library:
    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def mallopt(self, parameter: int, value: int) -> int:
        self.asked.append((parameter, value))
        return 1


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> _Library:
    made = _Library()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: made)
    monkeypatch.delenv("MALLOC_ARENA_MAX", raising=False)
    for cache in CACHES:
        monkeypatch.setenv(cache, "7")
    return made


def test_caches_and_heaps_are_bounded(library: _Library, monkeypatch: pytest.MonkeyPatch) -> None:
    for cache in CACHES:
        monkeypatch.delenv(cache)
    keep_memory_level()
    assert [os.environ[cache] for cache in CACHES] == ["128", "128"]
    assert library.asked == [(-8, 2)]


def test_what_the_user_has_set_stays(library: _Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALLOC_ARENA_MAX", "5")
    keep_memory_level()
    assert [os.environ[cache] for cache in CACHES] == ["7", "7"]
    assert library.asked == []


def test_another_c_library_is_left_alone(library: _Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    keep_memory_level()
    assert library.asked == []
