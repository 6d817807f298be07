"""The one budget of a solve: how much work, how many bits and how many seconds it may take, from reading to the steps.

`Budget` is asked before each operation, with an upper bound of the size of its result, and the clock is read. What
exceeds the budget ends in the outcome `too_hard`. An operation of python-flint cannot be interrupted, so the size of
its operands is bounded such that it takes a fraction of a second. SymPy has a process of its own, which is killed.

Seconds are processor time, so that the same equations have the same outcome on a busy machine.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from sau_solver.solving.outcomes import TooHardError

TOTAL_SECONDS = 2.0  # of a solve with its conditions and steps
EXACT_SECONDS = 1.0  # of the exact path
DECISION_SECONDS = 0.5  # of the checks of solutions, and again of the conditions
STEP_SECONDS = 0.5  # of the steps
LEAST_SECONDS = 0.5  # left for conditions and steps, however long SymPy took
CHEAP_BITS = 512  # numbers below are not counted one by one
MAX_CASES = 200  # of an elimination
MAX_BITS = 14_000  # of a number that is printed, and of a power of numbers: 4,200 digits
MAX_COEFFICIENT_BITS = 30_000  # of an intermediate coefficient
MAX_VOLUME = 4_000_000  # bits of one polynomial, all its coefficients together
MAX_WORK = 200_000_000  # bits of all polynomials that are made
MAX_DETERMINANT_BITS = 30_000  # of the minors of a matrix that python-flint reduces, which takes 0.2 s

MAX_PRECISION = 20_000  # bits of an enclosure that decides a condition
MAX_ROOT_WORK = 3_000_000  # bits times the square of the degree of an algebraic number that is enclosed
MAX_RATIONAL_BITS = 60_000  # of a number in a condition, and of one that is put into an equation
MAX_COMPOSITE_BITS = 4_500  # of a number that is tested for being composite
MAX_PRIME_BITS = 400  # of a number that is proven to be prime
MAX_WHOLE = 1_000  # argument of a factorial, a combination or a permutation
MAX_BOXES = 4_000  # intervals in which roots of functions such as 2^x - x^2 are looked for
ROOT_BITS = 100  # precision of these roots


class Budget:
    """What may still be spent; the seconds of this thread count from when it is made."""

    __slots__ = ("cases", "end", "start", "waited", "work")

    def __init__(self, seconds: float = TOTAL_SECONDS, cases: int = MAX_CASES, work: int = MAX_WORK) -> None:
        self.cases = cases
        self.work = work
        self.waited = 0.0  # seconds of SymPy's process
        self.start = time.thread_time()
        self.end = self.start + seconds

    @property
    def spent(self) -> float:
        """The seconds since it was made."""
        return time.thread_time() - self.start

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return time.thread_time() >= self.end

    def case(self) -> None:
        """Count one case of an elimination."""
        self.cases -= 1
        if self.cases < 0:
            raise TooHardError("many_cases")
        self.spend(0)

    def spend(self, bits: int) -> None:
        """Count a polynomial of that many bits that is about to be made."""
        if bits > MAX_VOLUME:
            raise TooHardError("large_coefficients")
        self.work -= bits
        if self.work < 0 or self.is_over:
            raise TooHardError("budget")

    def charge(self, seconds: float) -> None:
        """Count seconds of SymPy's process; a little time is left in any case."""
        self.waited += seconds
        self.end = max(self.end - seconds, min(self.end, time.thread_time() + LEAST_SECONDS))


_current: ContextVar[Budget | None] = ContextVar("_current", default=None)


@contextmanager
def spending() -> Iterator[Budget]:
    """Give the budget that is being spent, or a new one if there is none yet."""
    current = _current.get()
    if current is not None:
        yield current
        return
    budget = Budget()
    token = _current.set(budget)
    try:
        yield budget
    finally:
        _current.reset(token)


@contextmanager
def limited(seconds: float) -> Iterator[Budget]:
    """Give the current budget, of which at most so many seconds may be spent here."""
    with spending() as budget:
        end = budget.end
        budget.end = min(end, time.thread_time() + seconds)
        try:
            yield budget
        finally:
            budget.end = end


def is_over() -> bool:
    """Return whether no time is left in the current budget, if there is one."""
    budget = _current.get()
    return budget is not None and budget.is_over
