"""The target vocabulary (paper, eq. 3): symbols <-> the ids that a network scores; problems and trees -> ids.

The ids are those of the operators, the unknowns, the constants, and then the slots of each problem. A constant that is
too rare in the training trees has no id: a gold tree may contain it (RARE), but a network never writes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from sau_solver.equations.expressions import Number, Unknown
from sau_solver.equations.symbols import OPERATORS, Slot, Symbol
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError
from sau_solver.text.numbers import MappedText
from sau_solver.text.tokens import Tokens

RARE = -1
_WORDS = 48 * 1024  # the most words of a batch, with padding
SEMICOLON, EQUALS = OPERATORS.index(";"), OPERATORS.index("=")


@dataclass(frozen=True, slots=True)
class Targets:
    """The target vocabulary, and whether trees may be equations or plain arithmetic."""

    unknowns: tuple[str, ...]
    constants: tuple[Fraction, ...]
    equations: bool = True  # some training trees are equations
    expressions: bool = False  # some training trees are plain arithmetic
    padding: int = 0  # unused ids after the constants, so that stacked networks have equally many
    _ids: dict[Symbol, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        leaves: list[Symbol] = [Unknown(name) for name in self.unknowns]
        leaves += [Number(value) for value in self.constants]
        object.__setattr__(self, "_ids", {symbol: i for i, symbol in enumerate([*OPERATORS, *leaves])})

    @classmethod
    def build(cls, trees: Sequence[Uet], minimum_count: int) -> Targets:
        """Return the vocabulary of training trees, without constants that occur less than `minimum_count` times."""
        if not trees:
            raise InputError("Training needs at least one problem whose equations form a tree, got none.")
        names = Counter(symbol.name for tree in trees for symbol in tree.symbols if isinstance(symbol, Unknown))
        unknowns = tuple(sorted(names, key=lambda name: (-names[name], name)))
        stating = [tree.symbols[0] in (";", "=") for tree in trees]
        return cls(unknowns, frequent_constants(trees, minimum_count), any(stating), not all(stating))

    @property
    def operators(self) -> int:
        """The number of operators; their ids come first."""
        return len(OPERATORS)

    @property
    def leaves(self) -> int:
        """The number of unknowns and constants, with padding."""
        return len(self.unknowns) + len(self.constants) + self.padding

    @property
    def generated(self) -> int:
        """The number of symbols that all problems share; the ids of slots follow."""
        return self.operators + self.leaves

    def id_of(self, symbol: Symbol) -> int:
        """Return the id of a symbol, or RARE if it has none."""
        return self.generated + symbol.index if isinstance(symbol, Slot) else self._ids.get(symbol, RARE)

    def symbol_of(self, index: int) -> Symbol:
        """Return the symbol of an id."""
        if index >= self.generated:
            return Slot(index - self.generated)
        if index < self.operators:
            return OPERATORS[index]
        leaf = index - self.operators
        if leaf < len(self.unknowns):
            return Unknown(self.unknowns[leaf])
        return Number(self.constants[leaf - len(self.unknowns)])


def frequent_constants(trees: Sequence[Uet], minimum_count: int) -> tuple[Fraction, ...]:
    """Return the constants that occur at least `minimum_count` times, the most frequent first, then by value."""
    counts = Counter(symbol.value for tree in trees for symbol in tree.symbols if isinstance(symbol, Number))
    frequent = [value for value, count in counts.items() if count >= minimum_count]
    return tuple(sorted(frequent, key=lambda value: (-counts[value], value)))


@dataclass(frozen=True, slots=True)
class EncodedTree:
    """A gold tree in prefix order: the id, children, depth and height of every node."""

    symbols: tuple[int, ...]
    left: tuple[int, ...]  # -1 for a leaf
    right: tuple[int, ...]
    depth: tuple[int, ...]
    height: tuple[int, ...]  # 0 for a leaf

    def operators(self) -> list[int]:
        """Return the positions of the operators."""
        return [node for node, height in enumerate(self.height) if height]

    def leaves(self) -> list[int]:
        """Return the positions of the leaves."""
        return [node for node, height in enumerate(self.height) if not height]


@dataclass(frozen=True, slots=True)
class EncodedProblem:
    """A problem in ids; `same[i]` is the first slot with the same value as slot i."""

    words: tuple[int, ...]
    places: tuple[int, ...]  # positions of the numbers among the words
    same: tuple[int, ...]
    tree: EncodedTree | None

    @property
    def size(self) -> tuple[int, int]:
        """The depth and length of the tree; problems of similar size share a batch."""
        return (0, 0) if self.tree is None else (max(self.tree.depth), len(self.tree.symbols))


def encode_text(
    text: MappedText, tokens: Tokens, tree: EncodedTree | None = None, words: Sequence[str] | None = None
) -> EncodedProblem:
    """Return a text in ids; `words` replace the text's own words one by one."""
    firsts: dict[Fraction, int] = {}
    same = tuple(firsts.setdefault(number.value, slot) for slot, number in enumerate(text.numbers))
    ids, begins = tokens.read(text.words if words is None else words)
    return EncodedProblem(tuple(ids), tuple(begins[position] for position in text.positions), same, tree)


def encode_tree(tree: Uet, targets: Targets) -> EncodedTree:
    """Return a tree in ids; a slot must be the first one of its value, as in `Uet.from_equations`."""
    return encode_ids([targets.id_of(symbol) for symbol in tree.symbols], targets)


def encode_ids(ids: Sequence[int], targets: Targets) -> EncodedTree:
    """Return a tree that is given by the ids of its symbols in prefix order."""
    size = len(ids)
    left, right, depth, height = [-1] * size, [-1] * size, [0] * size, [0] * size
    open_operators: list[int] = []
    for node, symbol in enumerate(ids):
        if node:
            parent = open_operators[-1]
            depth[node] = depth[parent] + 1
            if left[parent] < 0:
                left[parent] = node
            else:
                right[parent] = node
                open_operators.pop()
        if 0 <= symbol < targets.operators:
            open_operators.append(node)
    for node in reversed(range(size)):
        if left[node] >= 0:
            height[node] = 1 + max(height[left[node]], height[right[node]])
    return EncodedTree(tuple(ids), tuple(left), tuple(right), tuple(depth), tuple(height))


def batches_by_length(problems: Sequence[EncodedProblem], most: int) -> list[list[int]]:
    """Return which problems are searched together: at most so many, of similar length.

    The longest come first, so that a lack of memory shows at once.
    """
    order = sorted(range(len(problems)), key=lambda number: -len(problems[number].words))
    chosen: list[list[int]] = []
    while order:
        together = max(1, min(most, _WORDS // len(problems[order[0]].words)))
        chosen.append(order[:together])
        order = order[together:]
    return chosen
