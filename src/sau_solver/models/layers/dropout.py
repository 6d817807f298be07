"""Dropout from a generator of one's own, so that a run's noise depends on its seed and step alone.

Masks are cut from pools that are drawn a few million at a time: one kernel where each site would launch its own, and
random bytes instead of random floats on the CPU, where drawing them is ten times faster.
"""

from __future__ import annotations

import math
import zlib
from typing import Protocol

import torch
from torch import Tensor

_POOL = {"cpu": 1 << 20, "cuda": 1 << 22}  # masks drawn at a time
_BYTE = 256


class Dropout(Protocol):
    """What layers call on values that training disturbs."""

    def __call__(self, values: Tensor) -> Tensor:
        """Values of the same shape."""
        ...

    def of(self, share: float) -> Dropout:
        """The same with another share dropped: a pretrained encoder has its own."""
        ...


class Noise:
    """Drops a share of a tensor's entries and scales the others; a share of 0 leaves everything as it is."""

    def __init__(self, share: float, generator: torch.Generator) -> None:
        self._dropped = min(round(share * _BYTE), _BYTE - 1)  # of 256; 0.5 is exact, others are within 0.004
        self.generator = generator
        self._pool = torch.empty(0)
        self._used = 0
        self._others: dict[float, Noise] = {}

    def of(self, share: float) -> Noise:
        """Noise of another share from the same generator."""
        if share not in self._others:
            self._others[share] = Noise(share, self.generator)
        return self._others[share]

    def seed(self, seed: int) -> None:
        """Start over: everything drawn from here on depends on this seed."""
        # The CPU's generator looks at 32 bits alone; the checksums of steps of one run all differ.
        self.generator.manual_seed(zlib.crc32(seed.to_bytes(16, "little", signed=True)))
        self.reset()

    def reset(self) -> None:
        """Forget what is left of the pool."""
        self._pool, self._used = torch.empty(0), 0
        for other in self._others.values():
            other.reset()

    def __call__(self, values: Tensor) -> Tensor:
        """Values with a share dropped, scaled so that the expectation stays."""
        if not self._dropped:
            return values
        count = values.numel()
        if self._used + count > self._pool.numel():
            self._draw(max(count, _POOL[values.device.type]), values)
        mask = self._pool[self._used : self._used + count].view(values.shape)
        self._used += count
        return values * mask

    def _draw(self, count: int, like: Tensor) -> None:
        words = torch.empty(math.ceil(count / 8), dtype=torch.int64, device=like.device)
        words.random_(-(1 << 63), None, generator=self.generator)
        kept = words.view(torch.uint8) >= self._dropped
        self._pool = kept * torch.tensor(_BYTE / (_BYTE - self._dropped), dtype=like.dtype)
        self._used = 0


class _KeepAll:
    def __call__(self, values: Tensor) -> Tensor:
        return values

    def of(self, share: float) -> _KeepAll:
        return self


keep_all = _KeepAll()  # what stands for noise outside training
