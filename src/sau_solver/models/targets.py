"""Symbols <-> the ids that a network scores, and problems and trees in those ids; no tensors yet.

Ids: the operators, the unknowns, the constants, then the slots of the problem at hand. A constant that training does
not see often enough has no id: it can be read as a part of a gold tree (RARE) but never written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from sau_solver.equations.expressions import Number, Unknown
from sau_solver.equations.symbols import OPERATORS, Slot, Symbol, TargetVocabulary
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError
from sau_solver.text.numbers import MappedText
from sau_solver.text.tokens import Tokens

RARE = -1
SEMICOLON, EQUALS = OPERATORS.index(";"), OPERATORS.index("=")


@dataclass(frozen=True, slots=True)
class Targets:
    """The target vocabulary in ids, and what the root of a tree may be."""

    unknowns: tuple[str, ...]
    constants: tuple[Fraction, ...]
    equations: bool = True  # training has trees of equations
    expressions: bool = False  # training has trees that are plain arithmetic
    padding: int = 0  # ids after the constants that mean nothing, where several networks need equally many
    _ids: dict[Symbol, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        leaves: list[Symbol] = [Unknown(name) for name in self.unknowns]
        leaves += [Number(value) for value in self.constants]
        object.__setattr__(self, "_ids", {symbol: i for i, symbol in enumerate([*OPERATORS, *leaves])})

    @classmethod
    def build(cls, trees: Sequence[Uet], minimum_count: int) -> Targets:
        """What training trees use."""
        if not trees:
            raise InputError("A model learns from at least one problem whose equations form a tree; none came.")
        vocabulary = TargetVocabulary.build([tree.symbols for tree in trees], minimum_count)
        stating = [tree.symbols[0] in (";", "=") for tree in trees]
        return cls(vocabulary.unknowns, vocabulary.constants, any(stating), not all(stating))

    @property
    def operators(self) -> int:
        """How many operators there are; their ids come first."""
        return len(OPERATORS)

    @property
    def leaves(self) -> int:
        """How many unknowns and constants there are, padding counted."""
        return len(self.unknowns) + len(self.constants) + self.padding

    @property
    def generated(self) -> int:
        """How many symbols do not depend on the problem; slots follow them."""
        return self.operators + self.leaves

    def id_of(self, symbol: Symbol) -> int:
        """The id of a symbol, RARE where it has none."""
        return self.generated + symbol.index if isinstance(symbol, Slot) else self._ids.get(symbol, RARE)

    def symbol_of(self, index: int) -> Symbol:
        """The symbol of an id."""
        if index >= self.generated:
            return Slot(index - self.generated)
        if index < self.operators:
            return OPERATORS[index]
        leaf = index - self.operators
        if leaf < len(self.unknowns):
            return Unknown(self.unknowns[leaf])
        return Number(self.constants[leaf - len(self.unknowns)])


@dataclass(frozen=True, slots=True)
class EncodedTree:
    """A gold tree in prefix order: ids, and for each operator its two children, its depth and its height."""

    symbols: tuple[int, ...]
    left: tuple[int, ...]  # -1 for a leaf
    right: tuple[int, ...]
    depth: tuple[int, ...]
    height: tuple[int, ...]  # 0 for a leaf

    def operators(self) -> list[int]:
        """The places of operators."""
        return [node for node, height in enumerate(self.height) if height]

    def leaves(self) -> list[int]:
        """The places of leaves."""
        return [node for node, height in enumerate(self.height) if not height]


@dataclass(frozen=True, slots=True)
class EncodedProblem:
    """A problem in ids; `same[i]` is the first slot that has the value of slot i."""

    words: tuple[int, ...]
    places: tuple[int, ...]  # of the numbers, among the words
    same: tuple[int, ...]
    tree: EncodedTree | None

    @property
    def size(self) -> tuple[int, int]:
        """How large what is to be learned is: problems of about one size share a batch."""
        return (0, 0) if self.tree is None else (max(self.tree.depth), len(self.tree.symbols))


def encode_text(
    text: MappedText, tokens: Tokens, tree: EncodedTree | None = None, words: Sequence[str] | None = None
) -> EncodedProblem:
    """A text in ids; `words` are read in the place of its own, one for each."""
    firsts: dict[Fraction, int] = {}
    same = tuple(firsts.setdefault(number.value, slot) for slot, number in enumerate(text.numbers))
    ids, begins = tokens.read(text.words if words is None else words)
    return EncodedProblem(tuple(ids), tuple(begins[position] for position in text.positions), same, tree)


def encode_tree(tree: Uet, targets: Targets) -> EncodedTree:
    """A tree in ids; a slot must be the first of its value, as `Uet.from_equations` makes them."""
    size = len(tree.symbols)
    left, right, depth, height = [-1] * size, [-1] * size, [0] * size, [0] * size
    open_operators: list[int] = []
    for node, symbol in enumerate(tree.symbols):
        if node:
            parent = open_operators[-1]
            depth[node] = depth[parent] + 1
            if left[parent] < 0:
                left[parent] = node
            else:
                right[parent] = node
                open_operators.pop()
        if isinstance(symbol, str):
            open_operators.append(node)
    for node in reversed(range(size)):
        if left[node] >= 0:
            height[node] = 1 + max(height[left[node]], height[right[node]])
    ids = tuple(targets.id_of(symbol) for symbol in tree.symbols)
    return EncodedTree(ids, tuple(left), tuple(right), tuple(depth), tuple(height))
