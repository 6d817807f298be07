"""The example problems have trees with the right answers and can be encoded."""

from __future__ import annotations

from collections import Counter

import pytest

from sau_solver.models.base import Example
from sau_solver.models.targets import RARE, Targets, encode_text, encode_tree
from sau_solver.solving import Outcome, decimal_of, solve
from sau_solver.text.tokens import Vocabulary
from tests.models.problems import examples


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.problem.id)
def test_the_tree_of_an_example_has_its_answers(example: Example) -> None:
    solved = solve(example.tree.equations([number.value for number in example.text.numbers]))
    assert solved.outcome is Outcome.SOLVED
    wanted = sorted(map(float, example.problem.answers))
    found = [sorted(decimal_of(value).real for value in solution.values()) for solution in solved.solutions]
    assert any(one == pytest.approx(wanted) for one in found)


def test_there_are_examples_of_three_kinds_in_two_languages() -> None:
    kinds = Counter((example.problem.kind, example.problem.language) for example in examples())
    assert len(kinds) == 6
    assert min(kinds.values()) >= 2
    assert len({example.tree for example in examples()}) > 15


def test_every_example_can_be_encoded() -> None:
    vocabulary = Vocabulary.build([example.text.words for example in examples()], 1)
    targets = Targets.build([example.tree for example in examples()], 1)
    assert (targets.equations, targets.expressions) == (True, False)
    for example in examples():
        tree = encode_tree(example.tree, targets)
        found = encode_text(example.text, vocabulary, tree)
        assert RARE not in tree.symbols
        slots = {symbol - targets.generated for symbol in tree.symbols if symbol >= targets.generated}
        assert slots <= set(found.same)
        assert len(found.places) >= len(slots) > 0
