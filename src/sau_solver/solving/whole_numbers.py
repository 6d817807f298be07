"""Whole numbers -> greatest common divisors, prime factors and divisors, with the lines that show how."""

from __future__ import annotations

import math
from functools import lru_cache

from flint import fmpz

from sau_solver.solving.budget import MAX_COMPOSITE_BITS, MAX_PRIME_BITS
from sau_solver.solving.outcomes import TooHardError

MAX_FACTORED_BITS = 120  # of a number that is factored
MAX_DIVISORS = 500


def euclid(one: int, other: int) -> list[tuple[int, int, int, int]]:
    """Return the divisions of Euclid's algorithm: dividend, divisor, quotient, remainder."""
    one, other = max(abs(one), abs(other)), min(abs(one), abs(other))
    lines: list[tuple[int, int, int, int]] = []
    while other:
        quotient, rest = divmod(one, other)
        lines.append((one, other, quotient, rest))
        one, other = other, rest
    return lines


def prime_powers(number: int) -> list[tuple[int, int]]:
    """Return the prime factors of a number above 1 with their exponents, in increasing order."""
    if number.bit_length() > MAX_FACTORED_BITS:
        raise TooHardError("large_factors")
    return sorted((int(prime), int(power)) for prime, power in fmpz(number).factor())


@lru_cache(maxsize=256)  # conditions repeat the same numbers
def is_prime(number: int) -> bool:
    """Return whether a number is prime; raise TooHardError if it is too large to tell.

    A quick test finds composite numbers. A number that passes it still needs a proof.
    """
    if number < 2:
        return False
    if number.bit_length() > MAX_COMPOSITE_BITS:
        raise TooHardError("large_prime")
    if not fmpz(number).is_probable_prime():
        return False
    if number.bit_length() > MAX_PRIME_BITS:
        raise TooHardError("large_prime")
    return bool(fmpz(number).is_prime())


def divisors(number: int) -> list[int]:
    """Return every positive divisor in increasing order."""
    powers = prime_powers(number) if number > 1 else []
    if math.prod(power + 1 for _, power in powers) > MAX_DIVISORS:
        raise TooHardError("large_factors")
    found = [1]
    for prime, power in powers:
        found = [one * prime**k for one in found for k in range(power + 1)]
    return sorted(found)


def product_text(powers: list[tuple[int, int]]) -> str:
    """Return a factorization as text: 2^3*3^2*5."""
    return "*".join(str(prime) if power == 1 else f"{prime}^{power}" for prime, power in powers)
