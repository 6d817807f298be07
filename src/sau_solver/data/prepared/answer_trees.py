"""The numbers of a text and an annotated answer -> the trees over those numbers that give the answer, simplest first.

This is a bounded search, for problems without published equations. A tree uses each number of the text at most
once, and at most one extra leaf: a constant, or a number of the text a second time. Every value inside a tree is
positive. Two trees that are equal for all numbers, such as a*(b+c) and (c+b)*a, count as one.

Trees of up to three leaves are in tables sorted by value. A larger tree is searched from its root: one operand is
taken from a table, and the other must have the value that is then missing. Floats find a tree, exact arithmetic checks
it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from sau_solver.data.checking import after_rounding
from sau_solver.equations.expressions import Equation, Expression, Number, Operation, Operator, Unknown
from sau_solver.equations.normal_form import normal_form
from sau_solver.equations.symbols import UNKNOWN_NAMES
from sau_solver.equations.uet import Uet
from sau_solver.solving import close

# The most frequent constants of the corpora: 1, 2, pi, 4, 3, hundred and ten, hours and minutes.
CONSTANTS = tuple(map(Fraction, ("1", "2", "3.14", "4", "3", "10", "100", "60", "5", "1/2")))

# Bits of a mask of used leaves; those of the text's numbers follow.
_EXTRA = 1  # a constant, or a number for the second time
_FACTOR = 2  # a constant that only multiplies or divides: 60*a and a/100, but not a+60. Alone: _EXTRA | _FACTOR
_FIRST = 4
_IN_TABLES = 3  # leaves
_EXACT = 1e-9  # relative width of the window in which an exact value must be
ROUNDED = 0.01  # the same for rounded values; `after_rounding` must agree, but it takes 0.0204 for 0.02
_PRIMES = (101, 211, 307, 401, 503, 601, 701, 809, 907, 1009, 1103, 1201)  # what slots stand for in shadows


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far the search goes."""

    operators: int = 3  # of a tree with an extra leaf
    plain_operators: int = 4  # of a tree that uses numbers of the text only
    rounded_operators: int = 2  # of a tree whose value only rounds to the answer
    numbers: int = 8  # no search for texts with more numbers
    entries: int = 40_000  # of a table; what does not fit is not searched
    trees: int = 60  # found, the simplest first


@dataclass(frozen=True, slots=True)
class AnswerTree:
    """A tree that gives the answer."""

    tree: Uet
    operators: int
    extra: bool  # uses a constant, or a number twice
    exact: bool  # gives exactly the answer, not only after rounding

    @property
    def rank(self) -> tuple[bool, int, bool]:
        """The place in the order of simplicity."""
        return not self.exact, self.operators, self.extra


_Node = Fraction | tuple[Operator, "_Node", "_Node"]
# Value, shadow (the value with other numbers in the slots), mask of the leaves used, and the expression.
_Entry = tuple[float, float, int, _Node]


def answer_trees(
    numbers: Sequence[Fraction],
    answer: Fraction,
    constants: Sequence[Fraction] = CONSTANTS,
    bounds: Bounds = Bounds(),  # noqa: B008  # frozen
) -> list[AnswerTree]:
    """Return the trees that give an answer exactly, or if there are none, those that give it after rounding."""
    if answer <= 0 or sum(number > 0 for number in numbers) > bounds.numbers:
        return []
    search = _Search(numbers, constants, bounds)
    return search.found(answer, _EXACT) or search.found(answer, ROUNDED)


def simplest(found: Sequence[AnswerTree]) -> AnswerTree | None:
    """Return the simplest tree if no other is as simple; it must be exact and use numbers of the text only."""
    if not found or found[0].rank > (False, found[0].operators, False):
        return None
    return found[0] if len(found) == 1 or found[1].rank > found[0].rank else None


def shadow_numbers(numbers: Sequence[Fraction]) -> list[Fraction]:
    """Return other numbers for the slots of a text: trees that give the same value with them mean the same.

    A one stays a one: in most texts it is the whole (1-a of the road), or means nothing (one book).
    """
    distinct = dict.fromkeys(value for value in numbers if value != 1)
    stand_ins = {value: Fraction(_PRIMES[k % len(_PRIMES)], 97 + k) for k, value in enumerate(distinct)}
    return [stand_ins.get(value, value) for value in numbers]


class _Search:
    def __init__(self, numbers: Sequence[Fraction], constants: Sequence[Fraction], bounds: Bounds) -> None:
        self.numbers, self.bounds = numbers, bounds
        shadows = dict(zip(numbers, map(float, shadow_numbers(numbers)), strict=True))
        slots = [number for number in numbers if number > 0]
        plain: list[_Entry] = [(float(n), shadows[n], _FIRST << place, n) for place, n in enumerate(slots)]
        extras = [*(value for value in constants if value > 0 and value not in shadows), *dict.fromkeys(slots)]
        extra: list[_Entry] = []
        for value in extras:
            added = value in shadows or value == 1
            mask = _EXTRA if added else _EXTRA | _FACTOR
            extra.append((float(value), shadows.get(value, float(value)), mask, value))
        self.every = _Tables(plain + extra, bounds.entries)
        self.plain = _Tables(plain, bounds.entries) if bounds.plain_operators > bounds.operators else self.every

    def found(self, answer: Fraction, width: float) -> list[AnswerTree]:
        """Return the trees whose value is in a window around the answer and agrees with it."""
        exact = width == _EXACT
        low, high = float(answer) * (1 - width), float(answer) * (1 + width)
        trees: dict[Uet, AnswerTree] = {}
        most = self.bounds.plain_operators if exact else self.bounds.rounded_operators
        seen = {_key(shadow) for _, shadow, _, _ in self.every.tables[1]}
        for operators in range(1, most + 1):
            tables = self.every if operators <= self.bounds.operators else self.plain
            hits = sorted(tables.within(operators + 1, low, high, 0), key=lambda entry: entry[2] & _EXTRA)
            for _, shadow, mask, node in hits:
                if _key(shadow) in seen:
                    continue
                seen.add(_key(shadow))
                value = _value(node)
                if value == answer if exact else close(value, answer) or after_rounding(value, answer):
                    tree = self._tree(node)
                    trees.setdefault(tree, AnswerTree(tree, operators, bool(mask & _EXTRA), value == answer))
                if len(trees) == self.bounds.trees:
                    return list(trees.values())
        return list(trees.values())

    def _tree(self, node: _Node) -> Uet:
        equation = Equation(Unknown(UNKNOWN_NAMES[0]), _expression(node))
        return Uet.from_equations(normal_form((equation,), self.numbers, "ordered"), self.numbers, drop_unknown=True)


class _Tables:
    """All expressions of up to three leaves, sorted by value."""

    def __init__(self, leaves: Sequence[_Entry], most: int) -> None:
        # The shadows of simpler expressions: a*1, or a+b-b with a reused b, is not a new one.
        seen = {_key(shadow): mask for _, shadow, mask, _ in reversed(leaves)}
        pairs = _fresh((made for x, y in combinations(leaves, 2) for made in _joined(x, y)), seen, most)
        triples = _fresh((made for x in pairs for y in leaves for made in _joined(x, y)), seen, most)
        self.tables = [[], sorted(leaves, key=_size), sorted(pairs, key=_size), sorted(triples, key=_size)]
        self.values = [[entry[0] for entry in table] for table in self.tables]

    def within(self, leaves: int, low: float, high: float, without: int) -> Iterator[_Entry]:
        """Yield the expressions of so many leaves with a value in the window and no leaf of the mask `without`."""
        if leaves <= _IN_TABLES:
            values = self.values[leaves]
            for entry in self.tables[leaves][bisect_left(values, low) : bisect_right(values, high)]:
                if not entry[2] & without:
                    yield entry
            return
        for own in range(1, leaves // 2 + 1):
            for one in self.tables[own]:
                if not one[2] & without:
                    for least, most in _missing(one[0], low, high):
                        for other in self.within(leaves - own, least, most, without | one[2]):
                            yield from (made for made in _joined(one, other) if low <= made[0] <= high)


def _missing(value: float, low: float, high: float) -> Iterator[tuple[float, float]]:
    """Yield the windows in which a second operand gives a value between low and high with the first one."""
    if high > value:
        yield max(low - value, 0.0), high - value  # value + other
    if value > low:
        yield max(value - high, 0.0), value - low  # value - other
    yield low + value, high + value  # other - value
    yield low / value, high / value  # value * other
    yield low * value, high * value  # other / value
    if low > 0:
        yield value / high, value / low  # value / other


def _joined(one: _Entry, other: _Entry) -> Iterator[_Entry]:
    """Yield the results of every operation on two expressions, if they share no leaf."""
    (a, s, mask, left), (b, t, others, right) = one, other
    if mask & others or not s or not t:  # a shadow that is 0 by chance cannot divide
        return
    both = mask | others
    yield a * b, s * t, both, ("*", left, right)
    yield a / b, s / t, both, ("/", left, right)
    yield b / a, t / s, both, ("/", right, left)
    if _EXTRA | _FACTOR in (mask, others):
        return
    yield a + b, s + t, both, ("+", left, right)
    if a > b:
        yield a - b, s - t, both, ("-", left, right)
    elif b > a:
        yield b - a, t - s, both, ("-", right, left)


def _fresh(made: Iterator[_Entry], seen: dict[str, int], most: int) -> list[_Entry]:
    """Return the expressions, at most so many, that are not equal to one with the same leaves or some of them."""
    fresh: list[_Entry] = []
    others: set[tuple[str, int]] = set()
    for entry in made:
        key, mask = _key(entry[1]), entry[2]
        before = seen.setdefault(key, 0)
        if before and (not before & ~mask or (key, mask) in others):
            continue
        if before:  # equal, but with other leaves: two numbers of the text may have the same value
            others.add((key, mask))
        else:
            seen[key] = mask
        fresh.append(entry)
        if len(fresh) == most:
            break
    return fresh


def _size(entry: _Entry) -> float:
    return entry[0]


def _key(shadow: float) -> str:
    return f"{shadow:.9e}"


def _value(node: _Node) -> Fraction:
    if isinstance(node, Fraction):
        return node
    operator, left, right = node
    a, b = _value(left), _value(right)
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
    return a / b


def _expression(node: _Node) -> Expression:
    if isinstance(node, Fraction):
        return Number(node)
    return Operation(node[0], _expression(node[1]), _expression(node[2]))
