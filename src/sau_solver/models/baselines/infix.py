"""Convert trees to words in infix order and back; numbers of the text are slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sau_solver.equations.expressions import LEAF_PRECEDENCE, PRECEDENCE
from sau_solver.equations.symbols import Symbol, symbol_text
from sau_solver.equations.uet import Uet
from sau_solver.errors import NotATreeError

OPEN, CLOSE = "(", ")"
_SUMS, _PRODUCTS = ("+", "-"), ("*", "/")
_Part = Callable[[], list[Symbol]]


def infix(tree: Uet) -> list[Symbol]:
    """Return the words of a tree with as few brackets as possible; brackets and operators are strings."""
    stack: list[tuple[list[Symbol], int]] = []  # the words of a subtree and their precedence
    for symbol in reversed(tree.symbols):
        if not isinstance(symbol, str):
            stack.append(([symbol], LEAF_PRECEDENCE))
            continue
        own, power = PRECEDENCE[symbol], symbol == "^"
        left, right = stack.pop(), stack.pop()
        nothing_closes = symbol == ";"
        words = [*_bracketed(left, own + power), symbol, *_bracketed(right, own + (not power and not nothing_closes))]
        stack.append((words, own))
    return stack[0][0]


def infix_text(words: Sequence[Symbol]) -> str:
    """Return the words joined by spaces."""
    return " ".join(map(symbol_text, words))


def read_infix(words: Sequence[Symbol]) -> Uet:
    """Return the tree of words in infix order; raise NotATreeError if they do not form one."""
    return _Reader(words).tree()


def _bracketed(part: tuple[list[Symbol], int], least: int) -> list[Symbol]:
    words, binds = part
    return words if binds >= least else [OPEN, *words, CLOSE]


class _Reader:
    """A recursive-descent parser; each method returns the symbols of a subtree in prefix order."""

    def __init__(self, words: Sequence[Symbol]) -> None:
        self.words, self.place = words, 0

    def tree(self) -> Uet:
        found = self._chain(self._statement, (";",))
        if self.place < len(self.words):
            raise self._unexpected("the end")
        return Uet(tuple(found))

    def _statement(self) -> list[Symbol]:
        left = self._sum()
        return ["=", *left, *self._sum()] if self._take("=") else left

    def _sum(self) -> list[Symbol]:
        return self._chain(self._product, _SUMS)

    def _product(self) -> list[Symbol]:
        return self._chain(self._power, _PRODUCTS)

    def _power(self) -> list[Symbol]:
        base = self._operand()
        return ["^", *base, *self._power()] if self._take("^") else base  # 2^3^4 is 2^(3^4)

    def _operand(self) -> list[Symbol]:
        if self._take(OPEN):
            inside = self._sum()
            if not self._take(CLOSE):
                raise self._unexpected(CLOSE)
            return inside
        if self.place < len(self.words) and not isinstance(word := self.words[self.place], str):
            self.place += 1
            return [word]
        raise self._unexpected("a number, an unknown or (")

    def _chain(self, part: _Part, operators: tuple[str, ...]) -> list[Symbol]:
        """Read a left-associative chain of parts joined by operators of equal precedence."""
        found = part()
        while self.place < len(self.words) and (operator := self.words[self.place]) in operators:
            self.place += 1
            found = [operator, *found, *part()]
        return found

    def _take(self, word: str) -> bool:
        taken = self.place < len(self.words) and self.words[self.place] == word
        self.place += taken
        return taken

    def _unexpected(self, expected: str) -> NotATreeError:
        found = symbol_text(self.words[self.place]) if self.place < len(self.words) else "nothing"
        return NotATreeError(f"Word {self.place + 1} of an equation must be {expected}, got {found}.")
