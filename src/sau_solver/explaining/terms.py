"""Expressions -> sums of terms and products of factors, as they are written out line by line in a school book."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.equations.expressions import Expression, Number, Operation, Unknown, walk
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate

MAX_TERMS = 40  # of an expanded side; school exercises have fewer
MAX_POWER = 3
MAX_BITS = 100  # of a number
ZERO, ONE = Number(Fraction(0)), Number(Fraction(1))

Powers = tuple[tuple[str, int], ...]  # unknowns with their exponents, by name


class NotInSchoolError(Exception):
    """Raised when the methods taught in school do not solve these equations."""


@dataclass(frozen=True, slots=True)
class Term:
    """A coefficient times powers of unknowns: 60, -2y, x²."""

    coefficient: Fraction
    powers: Powers = ()

    @property
    def degree(self) -> int:
        """The sum of the exponents."""
        return sum(power for _, power in self.powers)


def constant_value(node: Expression) -> Fraction | None:
    """Return the exact value of an expression without unknowns, or None; raise NotInSchoolError if it is very long."""
    if any(isinstance(one, Unknown) for one in walk(node)):
        return None
    try:
        value = evaluate(node, {}, exact=True)
    except NotEvaluatedError:
        return None
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise NotInSchoolError
    return value


def expand(node: Expression) -> list[Term]:
    """Return the terms of a polynomial with its brackets multiplied out, in the order in which they are written."""
    terms = [term for term in _expanded(node) if term.coefficient]
    if len(terms) > MAX_TERMS:
        raise NotInSchoolError
    return terms


def _expanded(node: Expression) -> list[Term]:
    value = constant_value(node)
    if value is not None:
        return [Term(value)]
    match node:
        case Unknown(name):
            return [Term(Fraction(1), ((name, 1),))]
        case Operation("+", left, right):
            return expand(left) + expand(right)
        case Operation("-", left, right):
            return expand(left) + scaled(expand(right), Fraction(-1))
        case Operation("*", left, right):
            return _product(expand(left), expand(right))
        case Operation("/", left, right):
            divisor = constant_value(right)
            if divisor:
                return scaled(expand(left), 1 / divisor)
        case Operation("^", base, exponent):
            power = constant_value(exponent)
            if power is not None and power in range(1, MAX_POWER + 1):
                terms = expand(base)
                result = terms
                for _ in range(int(power) - 1):
                    result = combine(_product(result, terms))
                return result
    raise NotInSchoolError


def _product(left: Sequence[Term], right: Sequence[Term]) -> list[Term]:
    if len(left) * len(right) > MAX_TERMS:
        raise NotInSchoolError
    return [Term(a.coefficient * b.coefficient, _times(a.powers, b.powers)) for a in left for b in right]


def _times(left: Powers, right: Powers) -> Powers:
    powers = dict(left)
    for name, power in right:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted(powers.items()))


def scaled(terms: Iterable[Term], factor: Fraction) -> list[Term]:
    """Return the terms times a number."""
    return [Term(term.coefficient * factor, term.powers) for term in terms]


def combine(terms: Iterable[Term]) -> list[Term]:
    """Return the terms with like ones added up, in the order of their first ones."""
    sums: dict[Powers, Fraction] = {}
    for term in terms:
        sums[term.powers] = sums.get(term.powers, Fraction(0)) + term.coefficient
    return [Term(coefficient, powers) for powers, coefficient in sums.items() if coefficient]


def falling(terms: Iterable[Term]) -> list[Term]:
    """Return combined terms, the highest power first."""
    return sorted(combine(terms), key=lambda term: -term.degree)


def coefficient_of(terms: Iterable[Term], powers: Powers) -> Fraction:
    """Return the sum of the coefficients of one product of unknowns."""
    return sum((term.coefficient for term in terms if term.powers == powers), Fraction(0))


def common_denominator(terms: Iterable[Term]) -> int:
    """Return the least common multiple of the denominators."""
    return math.lcm(*(term.coefficient.denominator for term in terms))


def to_expression(terms: Sequence[Term]) -> Expression:
    """Return the sum of terms as an expression."""
    return added((term.coefficient, _letters(term.powers)) for term in terms)


def added(parts: Iterable[tuple[Fraction, Sequence[Expression]]]) -> Expression:
    """Return the sum of products, each a number times factors; a negative one is subtracted."""
    total: Expression | None = None
    for number, factors in parts:
        if total is None:
            total = product(number, factors)
        elif number < 0:
            total = Operation("-", total, product(-number, factors))
        else:
            total = Operation("+", total, product(number, factors))
    return ZERO if total is None else total


def product(number: Fraction, factors: Sequence[Expression]) -> Expression:
    """Return a number times factors: 3, x, -x, 3x(x + 1)."""
    if not factors:
        return Number(number)
    result, *others = factors if abs(number) == 1 else [Number(number), *factors]
    for factor in others:
        result = Operation("*", result, factor)
    return Operation("-", ZERO, result) if number == -1 else result


def _letters(powers: Powers) -> list[Expression]:
    return [
        Unknown(name) if power == 1 else Operation("^", Unknown(name), Number(Fraction(power)))
        for name, power in powers
    ]


# --- products and quotients ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Quotient:
    """A number times factors, divided by factors: 3x/(x + 2)."""

    number: Fraction
    above: tuple[Expression, ...] = ()
    below: tuple[Expression, ...] = ()


def quotients(node: Expression, sign: int = 1) -> list[Quotient]:
    """Return the quotients whose sum a side is; brackets stay as they are."""
    if isinstance(node, Operation) and node.operator in "+-" and constant_value(node) is None:
        right = sign if node.operator == "+" else -sign
        left = [] if node.left == ZERO else quotients(node.left, sign)
        return left + quotients(node.right, right)
    found = quotient(node)
    return [Quotient(sign * found.number, found.above, found.below)]


def quotient(node: Expression) -> Quotient:
    """Return a product or quotient as one."""
    value = constant_value(node)
    if value is not None:
        return Quotient(value)
    match node:
        case Unknown():
            return Quotient(Fraction(1), (node,))
        case Operation("-", left, right) if left == ZERO:
            found = quotient(right)
            return Quotient(-found.number, found.above, found.below)
        case Operation("+" | "-", _, _):
            return Quotient(Fraction(1), (node,))
        case Operation("*", left, right):
            one, other = quotient(left), quotient(right)
            return Quotient(one.number * other.number, one.above + other.above, one.below + other.below)
        case Operation("/", left, right):
            one, other = quotient(left), quotient(right)
            if not other.number:
                raise NotInSchoolError
            return Quotient(one.number / other.number, one.above + other.below, one.below + other.above)
        case Operation("^", base, exponent):
            power = constant_value(exponent)
            if power is not None and power in range(1, MAX_POWER + 1):
                found = quotient(base)
                size = int(power)
                if found.below or found.number != 1:
                    return Quotient(found.number**size, found.above * size, found.below * size)
                return Quotient(Fraction(1), (node,))
    raise NotInSchoolError
