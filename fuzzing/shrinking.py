"""A failing input -> a smaller one that fails in the same way, by removing and halving parts of its JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

from fuzzing.target import Spec

MAX_TRIES = 600
MAX_SECONDS = 40.0


def shrink(spec: Spec, fails: Callable[[Spec], bool]) -> Spec:
    """Return a small input for which `fails` is true, as it is for the given one."""
    tries, end = 0, time.monotonic() + MAX_SECONDS
    improved = True
    while improved:
        improved = False
        for smaller in _smaller(spec):
            tries += 1
            if tries > MAX_TRIES or time.monotonic() > end:
                return spec
            if fails(smaller):
                spec, improved = smaller, True
                break
    return spec


def size_of(spec: Spec) -> int:
    """Return the length of an input as JSON."""
    return len(json.dumps(spec, ensure_ascii=False))


def _smaller(spec: Spec) -> Iterator[Spec]:
    if isinstance(spec, bool) or spec is None:
        return
    if isinstance(spec, int):
        yield from dict.fromkeys(n for n in (0, 1, spec // 2 if spec > 0 else -(-spec // 2)) if abs(n) < abs(spec))
    elif isinstance(spec, str | list):
        yield from _parts_removed(spec)
        if isinstance(spec, list):
            for place, part in enumerate(spec):
                yield from ([*spec[:place], smaller, *spec[place + 1 :]] for smaller in _smaller(part))
    elif isinstance(spec, dict):
        for key, part in spec.items():
            yield from (spec | {key: smaller} for smaller in _smaller(part))


def _parts_removed(spec: str | list[Spec]) -> Iterator[str | list[Spec]]:
    width = len(spec)
    while width:
        for start in range(0, len(spec), width):
            yield spec[:start] + spec[start + width :]  # type: ignore[operator]
        width //= 2
