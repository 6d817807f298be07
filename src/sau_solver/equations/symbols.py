"""The symbols of trees (paper, eq. 3): operators, unknowns, constants, and slots for the numbers of the text.

A symbol is an operator character, an `Unknown`, a constant `Number`, or a `Slot`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from sau_solver.equations.expressions import Number, Unknown
from sau_solver.errors import NotATreeError

OPERATORS = (";", "=", "+", "-", "*", "/", "^")
ARITHMETIC = frozenset("+-*/^")

# Unknowns are renamed to these in order of appearance before a model sees them.
UNKNOWN_NAMES = ("x", "y", "z", "u", "v", "w", "p", "q", "r", "s", "t", "k")

# As in the paper, constants are kept if the training equations use them at least this often.
MINIMUM_CONSTANT_COUNT = 5


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot for the number with that index in a problem's text."""

    index: int

    def __str__(self) -> str:
        return f"N{self.index}"


Symbol = str | Unknown | Number | Slot

_SLOT = re.compile(r"N(0|[1-9][0-9]{0,5})")
_NUMBER = re.compile(r"-?[0-9]{1,200}(/0*[1-9][0-9]{0,199})?")


def symbol_text(symbol: Symbol) -> str:
    """Return a symbol as text without spaces: `+`, `x`, `N0`, `3`, `-1/3`."""
    return str(symbol.value) if isinstance(symbol, Number) else str(symbol)


@lru_cache(1024)
def read_symbol(text: str) -> Symbol:
    """Return the symbol that `symbol_text` wrote."""
    if text in OPERATORS:
        return text
    if slot := _SLOT.fullmatch(text):
        return Slot(int(slot[1]))
    if _NUMBER.fullmatch(text):
        return Number(Fraction(text))
    if text.isidentifier():
        return Unknown(text)
    raise NotATreeError(f"A symbol must be an operator, an unknown, a number or a slot such as N0, got {text!r}.")
