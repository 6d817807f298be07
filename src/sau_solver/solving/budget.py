"""The budget of one solve: how much work, how many bits and how many seconds the exact path may spend.

`Budget` is asked before each operation, with an upper bound of the size of its result. An operation beyond the budget
raises TooHardError, which becomes the outcome `too_hard`. SymPy has a process of its own, which is killed at the limit.

Seconds are processor time, so that the same equations have the same outcome on a busy machine.
"""

from __future__ import annotations

import time

from sau_solver.solving.outcomes import TooHardError

EXACT_SECONDS = 1.0  # of the exact path
MAX_CASES = 200  # of an elimination
MAX_BITS = 14_000  # of a number that is printed, and of a power of numbers: 4,200 digits
MAX_COEFFICIENT_BITS = 30_000  # of an intermediate coefficient
MAX_VOLUME = 4_000_000  # bits of one polynomial, all its coefficients together
MAX_WORK = 200_000_000  # bits of all polynomials that are made

MAX_PRECISION = 20_000  # bits of an enclosure that decides a condition
MAX_ROOT_WORK = 3_000_000  # bits times the square of the degree of an algebraic number that is enclosed
DECISION_SECONDS = 0.5  # of all conditions and checks of one solve
MAX_RATIONAL_BITS = 60_000  # of a number in a condition
MAX_COMPOSITE_BITS = 4_500  # of a number that is tested for being composite
MAX_PRIME_BITS = 400  # of a number that is proven to be prime
MAX_WHOLE = 1_000  # argument of a factorial, a combination or a permutation
MAX_BOXES = 4_000  # intervals in which roots of functions such as 2^x - x^2 are looked for
ROOT_BITS = 100  # precision of these roots


class Budget:
    """What may still be spent; the seconds of this thread count from when it is made."""

    __slots__ = ("cases", "end", "start", "work")

    def __init__(self, seconds: float = EXACT_SECONDS, cases: int = MAX_CASES, work: int = MAX_WORK) -> None:
        self.cases = cases
        self.work = work
        self.start = time.thread_time()
        self.end = self.start + seconds

    @property
    def spent(self) -> float:
        """The seconds since it was made."""
        return time.thread_time() - self.start

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
        if self.work < 0 or time.thread_time() > self.end:
            raise TooHardError("budget")
