"""StackDecoder computes for whole batches what a machine with a plain stack computes one step at a time."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from sau_solver.models.baselines.postfix import postfix_order, to_prefix
from sau_solver.models.baselines.stack_decoder import StackDecoder, StackState
from sau_solver.models.baselines.stack_layers import joint
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.sau.tree_batch import collate_texts
from sau_solver.models.targets import EncodedProblem
from tests.models.cases import close
from tests.models.networks import plain_search, small_solver, written_log_probability

NAME = "stack-decoder"


def solver_and_problems(seed: int, **more: Any) -> tuple[StackDecoder, list[EncodedProblem]]:
    solver, learned = small_solver(NAME, seed, 3, **more)
    return solver.network, [solver.encode(example) for example in learned]


def symbols_of(problem: EncodedProblem) -> list[int]:
    """Return the ids that are written for a problem; END has the id 0 and comes last."""
    assert problem.tree is not None
    return [*(problem.tree.symbols[node] + 1 for node in postfix_order(problem.tree)), 0]


def plain_values(network: StackDecoder, problem: EncodedProblem) -> list[Tensor]:
    """Return the vectors that a plain stack machine computes, in order."""
    texts = collate_texts([problem])
    memory, last, _ = network.read(texts, keep_all)
    operands = network.operands(memory, last, texts, keep_all)
    stack: list[Tensor] = []
    made = []
    for symbol in (symbol - 1 for symbol in symbols_of(problem)[:-1]):
        if symbol >= network.targets.operators:
            stack.append(operands.vectors[0, symbol - network.targets.operators])
        else:
            right, left = stack.pop(), stack.pop()
            pair = torch.cat([left, right]).unsqueeze(0)
            stack.append(network.apply_operator(pair, torch.tensor([symbol]))[0])
        made.append(stack[-1])
    return made


def test_the_values_of_a_batch_are_those_of_a_plain_stack() -> None:
    network, problems = solver_and_problems(0)
    ordered = sorted(problems, key=lambda problem: -len(problem.words))
    batch = network.collate(problems)
    memory, last, _ = network.read(batch.texts, keep_all)
    values = network.values(network.operands(memory, last, batch.texts, keep_all), batch, keep_all)
    for start, problem in zip(batch.trees.roots.tolist(), ordered, strict=True):
        assert problem.tree is not None
        expected = plain_values(network, problem)
        close(torch.stack([values[start + node] for node in postfix_order(problem.tree)]), torch.stack(expected))


def test_every_operator_has_its_own_network() -> None:
    network, _ = solver_and_problems(1)
    layer, hidden = network.apply_operator, network.options.hidden
    pairs = torch.randn(5, 2 * hidden, dtype=torch.float64)
    operator = torch.tensor([0, 6, 2, 2, 5])
    made = layer(pairs, operator)
    for pair, own, found in zip(pairs, operator.tolist(), made, strict=True):
        part = slice(own * hidden, (own + 1) * hidden)
        inner = torch.relu(layer.inner.weight[part] @ pair + layer.inner.bias[part])
        close(found, torch.tanh(layer.outer.weight[part] @ inner + layer.outer.bias[part]))


@pytest.mark.parametrize("seed", range(3))
def test_the_loss_of_a_batch_equals_the_score_of_the_gold_symbols_in_a_search(seed: int) -> None:
    """Training computes all steps at once, the search one after the other."""
    network, problems = solver_and_problems(seed)
    total = 0.0
    with torch.no_grad():
        for problem in problems:
            state = StackState(network, collate_texts([problem]), 1)
            total -= written_log_probability(state, symbols_of(problem))
        found = network.losses(network.collate(problems), keep_all)
    assert found.symbols.item() == pytest.approx(total, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("beam", [1, 3, 5])
def test_the_search_finds_what_one_hypothesis_at_a_time_finds(beam: int) -> None:
    network, problems = solver_and_problems(beam, longest_tree=7)
    some = problems[::5]
    for problem, found in zip(some, network.search(collate_texts(some), beam), strict=True):

        def start(one: EncodedProblem = problem) -> StackState:
            return StackState(network, collate_texts([one]), 1)

        with torch.no_grad():
            expected = plain_search(start, beam, 7)
        assert found.log_probabilities == pytest.approx([score for _, score in expected], rel=1e-9)
        written = [[symbol - 1 for symbol in symbols] for symbols, _ in expected]
        assert found.symbols == [to_prefix(symbols, network.targets.operators) for symbols in written]


def test_probabilities_of_actions_and_operands_sum_to_one() -> None:
    draw = torch.Generator().manual_seed(0)
    actions, fits = torch.randn(4, 10, generator=draw), torch.randn(4, 6, generator=draw)
    unknown = torch.tensor([1, 1, 0, 0, 0, 0]).bool().expand(4, -1)
    real = torch.tensor([1, 1, 1, 0, 1, 1]).bool().expand(4, -1)
    chances = joint(actions, fits, unknown, real).exp()
    listed = torch.cat([torch.ones(4, 8).bool(), real], 1)
    torch.testing.assert_close((chances * listed).sum(1), torch.ones(4))
    share = actions.softmax(1)
    torch.testing.assert_close(chances[:, 8:10].sum(1), share[:, 8])  # an unknown is generated
    torch.testing.assert_close(chances[:, 9] / chances[:, 8], (fits[:, 1] - fits[:, 0]).exp())


def test_the_vector_of_an_unknown_depends_on_the_text() -> None:
    network, problems = solver_and_problems(0)
    texts = collate_texts(problems)
    memory, last, _ = network.read(texts, keep_all)
    vectors = network.operands(memory, last, texts, keep_all).vectors
    unknowns, leaves = len(network.targets.unknowns), network.targets.leaves
    assert unknowns >= 2
    assert not torch.allclose(vectors[0, :unknowns], vectors[1, :unknowns])
    close(vectors[0, unknowns:leaves], vectors[1, unknowns:leaves])  # constants are the same everywhere
