"""Dropout with its own random generator, so that a run's noise depends only on its seed and step.

Stacked networks that differ only in their objectives can share masks, so that their results can be compared.

Masks are slices of a pool of a few million random values. This needs one kernel per pool instead of one per layer, and
the pool consists of random bytes, which the CPU draws ten times faster than random floats.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor

_POOL = {"cpu": 1 << 20, "cuda": 1 << 22}  # values drawn at a time
_BYTE = 256


class Dropout(Protocol):
    """The function that layers apply to values that training disturbs."""

    def __call__(self, values: Tensor) -> Tensor:
        """Return values of the same shape."""
        ...

    def of(self, share: float) -> Dropout:
        """Return the same dropout with another share, such as that of a pretrained encoder."""
        ...

    def kept(self, values: Tensor) -> tuple[Tensor | None, float]:
        """Return a byte for each value that is 0 if it is dropped, and the factor of the others; None keeps all."""
        ...


class Noise:
    """Dropout that sets a share of a tensor's entries to 0 and scales the others.

    `masks` is the number of each stacked network's mask; those with the same number share it. By default every network
    has its own.
    """

    def __init__(self, share: float, generator: torch.Generator, masks: Sequence[int] = ()) -> None:
        self._dropped = min(round(share * _BYTE), _BYTE - 1)  # of 256; 0.5 is exact, other shares within 0.004
        self.generator = generator
        self._masks = tuple(masks)
        self._different = len(set(masks))
        self._chosen = torch.tensor(self._masks, dtype=torch.int64, device=generator.device)
        self._factor = _BYTE / (_BYTE - self._dropped)
        self._pool, self._used = torch.empty(0), 0  # factors to multiply with
        self._bytes, self._taken = torch.empty(0), 0  # for kernels that multiply themselves
        self._others: dict[float, Noise] = {}

    def of(self, share: float) -> Noise:
        """Return noise with another share from the same generator."""
        if share not in self._others:
            self._others[share] = Noise(share, self.generator, self._masks)
        return self._others[share]

    def seed(self, seed: int) -> None:
        """Set the seed on which everything drawn from now on depends."""
        # The CPU's generator uses only 32 bits of a seed; the checksums of the steps of one run all differ.
        self.generator.manual_seed(zlib.crc32(seed.to_bytes(16, "little", signed=True)))
        self.reset()

    def reset(self) -> None:
        """Discard the rest of the pools."""
        self._pool, self._used = torch.empty(0), 0
        self._bytes, self._taken = torch.empty(0), 0
        for other in self._others.values():
            other.reset()

    def __call__(self, values: Tensor) -> Tensor:
        """Return the values with a share dropped and the others scaled, so that the expectation stays the same."""
        if not self._dropped:
            return values
        if not self._masks:
            return values * self._next(values.numel(), values).view(values.shape)
        drawn = self._next(values.numel() // len(self._masks) * self._different, values)
        # The rows of a batch are those of the first network, then those of the second, and so on.
        return values * drawn.view(self._different, -1).index_select(0, self._chosen).view(values.shape)

    def kept(self, values: Tensor) -> tuple[Tensor | None, float]:
        """Return a byte for each value that is 0 if it is dropped, and the factor of the others; None keeps all."""
        if not self._dropped:
            return None, 1.0
        if not self._masks:
            return self._next_bytes(values.numel(), values), self._factor
        drawn = self._next_bytes(values.numel() // len(self._masks) * self._different, values)
        return drawn.view(self._different, -1).index_select(0, self._chosen).view(-1), self._factor

    def _next(self, count: int, like: Tensor) -> Tensor:
        """Return the next values of the pool of factors."""
        if self._used + count > self._pool.numel():
            kept = self._drawn(max(count, _POOL[like.device.type]), like.device)
            self._pool, self._used = kept * torch.tensor(self._factor, dtype=like.dtype), 0
        self._used += count
        return self._pool[self._used - count : self._used]

    def _next_bytes(self, count: int, like: Tensor) -> Tensor:
        """Return the next values of the pool of bytes."""
        if self._taken + count > self._bytes.numel():
            self._bytes, self._taken = self._drawn(max(count, _POOL[like.device.type]), like.device), 0
        self._taken += count
        return self._bytes[self._taken - count : self._taken]

    def _drawn(self, count: int, device: torch.device) -> Tensor:
        """Return which of some values are kept."""
        words = torch.empty(math.ceil(count / 8), dtype=torch.int64, device=device)
        words.random_(-(1 << 63), None, generator=self.generator)
        return words.view(torch.uint8) >= self._dropped


class _KeepAll:
    def __call__(self, values: Tensor) -> Tensor:
        return values

    def of(self, share: float) -> _KeepAll:
        return self

    def kept(self, values: Tensor) -> tuple[None, float]:
        return None, 1.0


keep_all = _KeepAll()  # no dropout, for everything but training
