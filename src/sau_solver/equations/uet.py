"""The universal expression tree (UET): all equations of a problem as one binary tree, joined by the operator `;`.

A `Uet` holds its symbols in prefix order. It converts to equations and back without loss, for any number of equations
and unknowns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Function,
    Number,
    Operation,
    Unknown,
    replaced,
    unknowns_of,
)
from sau_solver.equations.symbols import ARITHMETIC, OPERATORS, UNKNOWN_NAMES, Slot, Symbol, read_symbol, symbol_text
from sau_solver.errors import NotATreeError

_Part = Expression | Equations


@dataclass(frozen=True, slots=True)
class Uet:
    """A complete tree, as its symbols in prefix order."""

    symbols: tuple[Symbol, ...]

    def __post_init__(self) -> None:
        _check(self.symbols)

    @classmethod
    def from_equations(cls, equations: Equations, numbers: Sequence[Fraction] = (), drop_unknown: bool = False) -> Uet:
        """Return the tree of equations; a number of the text becomes its first slot, any other number a constant.

        `drop_unknown` omits `x=` if one unknown equals plain arithmetic, as the literature does for Math23K.
        """
        slots: dict[Fraction, Slot] = {}
        for index, value in enumerate(numbers):
            slots.setdefault(value, Slot(index))
        if drop_unknown and is_arithmetic(equations):
            return cls(tuple(_prefix(equations[0].right, slots)))
        symbols: list[Symbol] = [";"] * (len(equations) - 1)
        for equation in equations:
            symbols += ["=", *_prefix(equation.left, slots), *_prefix(equation.right, slots)]
        return cls(tuple(symbols))

    @classmethod
    def from_text(cls, text: str) -> Uet:
        """Return the tree that `str` wrote: symbols separated by spaces."""
        return cls(tuple(map(read_symbol, text.split())))

    def equations(self, numbers: Sequence[Fraction] = ()) -> Equations:
        """Return the equations with the numbers of the text in the slots; plain arithmetic becomes `x=`."""
        part = _fold(self.symbols, numbers)
        return part if isinstance(part, tuple) else (Equation(Unknown(UNKNOWN_NAMES[0]), part),)

    def slots(self) -> frozenset[int]:
        """Return the indices of the numbers that the tree uses."""
        return frozenset(symbol.index for symbol in self.symbols if isinstance(symbol, Slot))

    def require_numbers(self, count: int) -> None:
        """Raise NotATreeError if the tree uses a number that a text with `count` numbers does not have."""
        if (last := max(self.slots(), default=-1)) >= count:
            raise NotATreeError(f"The tree uses N{last}, but the text has {count} numbers.")

    def __len__(self) -> int:
        return len(self.symbols)

    def __str__(self) -> str:
        return " ".join(map(symbol_text, self.symbols))


def fill(trees: Iterable[Uet], numbers: Sequence[Fraction]) -> list[Equations | None]:
    """Return the equations of each tree, or None for a tree with a slot that has no number."""
    filled: list[Equations | None] = []
    for tree in trees:
        try:
            filled.append(tree.equations(numbers))
        except NotATreeError:
            filled.append(None)
    return filled


def is_arithmetic(equations: Equations) -> bool:
    """Return whether the equations are a single `unknown = expression` without unknowns in the expression."""
    return (
        len(equations) == 1
        and isinstance(equations[0].left, Unknown)
        and not unknowns_of((Equation(Number(Fraction(0)), equations[0].right),))
    )


def without_unknown(tree: Uet) -> Uet | None:
    """Return the expression of a tree that is plain arithmetic or `x = plain arithmetic`; None for other trees."""
    symbols = tree.symbols
    if symbols[0] == "=" and isinstance(symbols[1], Unknown):
        symbols = symbols[2:]
    if any(isinstance(symbol, Unknown) or symbol in (";", "=") for symbol in symbols):
        return None
    return Uet(symbols)


def rename_unknowns(equations: Equations, first: str | None = None) -> Equations:
    """Return the equations with unknowns renamed to x, y, z … in order of appearance; `first` becomes x in any case."""
    names = sorted(unknowns_of(equations), key=lambda name: name != first)
    if len(names) > len(UNKNOWN_NAMES):
        raise NotATreeError(f"Equations may have at most {len(UNKNOWN_NAMES)} unknowns, got {len(names)}.")
    if names == list(UNKNOWN_NAMES[: len(names)]):
        return equations
    renamed = zip(names, UNKNOWN_NAMES, strict=False)
    return replaced(equations, {Unknown(name): Unknown(new) for name, new in renamed})


def _prefix(expression: Expression, slots: dict[Fraction, Slot]) -> list[Symbol]:
    symbols: list[Symbol] = []
    pending = [expression]
    while pending:
        match pending.pop():
            case Operation(operator, left, right):
                symbols.append(operator)
                pending += (right, left)
            case Number(value) as number:
                symbols.append(slots.get(value, number))
            case Unknown() as unknown:
                symbols.append(unknown)
            case Function(name, _):
                raise NotATreeError(f"A tree has only binary operators; the function {name} cannot be part of it.")
    return symbols


def _check(symbols: Sequence[Symbol]) -> None:
    """Raise NotATreeError unless prefix symbols are one tree."""
    stack: list[bool] = []  # for each part, whether it is an equation or several
    for symbol in reversed(symbols):
        if not isinstance(symbol, str):
            stack.append(False)
            continue
        if symbol not in OPERATORS:
            raise NotATreeError(f"An operator must be one of {' '.join(OPERATORS)}, got {symbol!r}.")
        if len(stack) < 2:
            raise NotATreeError(f"The operator {symbol!r} lacks an operand.")
        left, right = stack.pop(), stack.pop()
        if symbol == ";" and not (left and right):
            raise NotATreeError("';' joins equations; one of its operands is not an equation.")
        if symbol != ";" and (left or right):
            raise NotATreeError(f"{symbol!r} joins expressions; one of its operands is an equation.")
        stack.append(symbol in (";", "="))
    if len(stack) != 1:
        raise NotATreeError(
            f"The symbols must form one tree, got {len(stack)}." if stack else "The tree is empty; give its symbols."
        )


def _fold(symbols: Sequence[Symbol], numbers: Sequence[Fraction]) -> _Part:
    """Return what the prefix symbols of a tree stand for."""
    stack: list[_Part] = []
    for symbol in reversed(symbols):
        if isinstance(symbol, str):
            stack.append(_joined(symbol, stack.pop(), stack.pop()))
        elif isinstance(symbol, Slot):
            stack.append(Number(_filled(symbol, numbers)))
        else:
            stack.append(symbol)
    return stack[0]


def _joined(symbol: str, left: _Part, right: _Part) -> _Part:
    if isinstance(left, tuple) or isinstance(right, tuple):
        assert isinstance(left, tuple)
        assert isinstance(right, tuple)
        return left + right
    if symbol == "=":
        return (Equation(left, right),)
    assert symbol in ARITHMETIC
    return Operation(symbol, left, right)  # type: ignore[arg-type]


def _filled(slot: Slot, numbers: Sequence[Fraction]) -> Fraction:
    if slot.index >= len(numbers):
        raise NotATreeError(f"The tree uses {slot}, but the text has {len(numbers)} numbers.")
    return numbers[slot.index]
