"""A ball that stands for an integer of too many bits is never written down: FLINT would end the process."""

from __future__ import annotations

import pytest
from flint import arb

from sau_solver.solving.reals import Real, UndecidedError, is_writable

HUGE = arb(2) ** 10**15  # exact, a few bytes


def test_only_small_integers_are_written_down() -> None:
    assert is_writable(arb(2) ** 1000)
    assert not is_writable(HUGE)
    assert is_writable(arb("nan"))  # it has no integer, so nothing is written


def test_the_floor_of_a_huge_number_is_undecided() -> None:
    with pytest.raises(UndecidedError):
        Real.of(3).root(2, 3).mapped(lambda _: HUGE).floor()
