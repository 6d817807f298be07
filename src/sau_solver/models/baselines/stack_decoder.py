"""StackDecoder (Chiang and Chen, 2019), a baseline of the paper: a BiLSTM reads, an LSTM acts on a stack in postfix
order. An action pushes a number or a constant, generates an unknown, or applies an operator, `=` and `;` among them.

Operands are vectors: a number's is its encoder state, an unknown's is made of what its name finds in the text, and each
operator has a small network that combines the two on top of the stack. With the gold tree known all of them are
computed from the leaves up, the whole batch at once; then the LSTM reads the two on top before each step, and all
actions are scored in one go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import torch
from torch import Tensor, nn

from sau_solver.models.baselines.operands import Operands, joint
from sau_solver.models.baselines.stack_batch import StackBatch, StackShelf, collate_stacks
from sau_solver.models.baselines.stack_search import search
from sau_solver.models.layers.additive import Rows, additive_scores
from sau_solver.models.layers.attention import Attention, Memory
from sau_solver.models.layers.dropout import Dropout
from sau_solver.models.layers.lstm import BiLstm, Lstm
from sau_solver.models.network import Found, Losses, Network, missed_symbols
from sau_solver.models.options import StackOptions
from sau_solver.models.predictor import NetworkSolver
from sau_solver.models.sau.tree_batch import Texts
from sau_solver.models.stacking import Embedding, Linear, per_problem
from sau_solver.models.targets import EncodedProblem, Targets
from sau_solver.text.tokens import PADDING

_SPREAD = 0.1  # of initial embeddings


class Operators(nn.Module):
    """A network of one hidden layer for each operator: two operands -> their combination."""

    def __init__(self, operators: int, hidden: int) -> None:
        super().__init__()
        self.inner = Linear(2 * hidden, operators * hidden)
        self.outer = Linear(hidden, operators * hidden)

    def forward(self, pairs: Tensor, operator: Tensor) -> Tensor:
        """(rows, 2 * hidden) and (rows,) -> (rows, hidden)."""
        inner = torch.relu(_own(self.inner(pairs), operator, pairs.shape[1] // 2))
        return torch.tanh(_own(self.outer(inner), operator, inner.shape[1]))


class Gated(nn.Module):
    """State, stack and context, each weighed by a gate that looks at all of them."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.gates = Linear(4 * hidden, 3)

    def forward(self, state: Tensor, stack: Tensor, context: Tensor) -> Tensor:
        """(…, hidden), (…, 2 * hidden), (…, hidden) -> (…, 4 * hidden)."""
        of_state, of_stack, of_context = self.gates(torch.cat([state, stack, context], -1)).sigmoid().split(1, -1)
        return torch.cat([of_state * state, of_stack * stack, of_context * context], -1)


class StackDecoder(Network[StackBatch]):
    """The network; ids in, scores and losses out."""

    options: StackOptions
    known: Tensor
    unknown: Tensor

    def __init__(self, words: int, targets: Targets, options: StackOptions) -> None:
        super().__init__()
        hidden = options.hidden
        self.options, self.targets = options, targets
        self.embedding = Embedding(words, options.embedding, padding_idx=PADDING)
        self.encoder = BiLstm(options.embedding, hidden)
        self.leaves = nn.Parameter(torch.randn(targets.leaves + 1, hidden) * _SPREAD)  # the last is any rare constant
        self.nothing = nn.Parameter(torch.randn(1, hidden) * _SPREAD)  # what an empty stack shows
        place = torch.arange(targets.leaves + 1)
        self.register_buffer("known", place < targets.leaves - targets.padding, persistent=False)
        self.register_buffer("unknown", place < len(targets.unknowns), persistent=False)
        self.want = Linear(2 * hidden, hidden)
        self.attention = Attention(hidden)
        self.apply_operator = Operators(targets.operators, hidden)
        self.decoder = Lstm(2 * hidden, hidden)
        self.look_at_action, self.look_at_operand = Gated(hidden), Gated(hidden)
        # The END, the operators, an unknown, a number.
        self.action = nn.Sequential(Linear(4 * hidden, hidden), nn.ReLU(), Linear(hidden, 1 + targets.operators + 2))
        self.operand_query = Linear(4 * hidden, hidden)
        self.operand_key = Linear(hidden, hidden, bias=False)
        self.operand_weights = nn.Parameter(torch.empty(hidden).uniform_(-(hidden**-0.5), hidden**-0.5))

    @property
    def words(self) -> int:
        """How many ids texts have."""
        return self.embedding.weight.shape[-2]

    @classmethod
    def spanning(cls, networks: Sequence[Self]) -> Self:
        """A network for the most words and unknowns."""
        most = max((network.targets for network in networks), key=lambda targets: len(targets.unknowns))
        return cls(max(network.words for network in networks), most, networks[0].options)

    def collate(self, problems: Sequence[EncodedProblem]) -> StackBatch:
        """A batch on the CPU."""
        return collate_stacks(problems, self.targets)

    def shelf(self, problems: Sequence[EncodedProblem], device: torch.device) -> StackShelf:
        """Problems padded to one shape."""
        return StackShelf(problems, self.targets, device)

    def read(self, texts: Texts, drop: Dropout) -> tuple[Memory, Tensor, Tensor]:
        """What attention reads, and the last state and cell of the encoder."""
        states, last, cell = self.encoder(drop(self.embedding(texts.words)), texts.lengths)
        real = torch.arange(texts.words.shape[1], device=states.device) < texts.lengths.unsqueeze(1)
        return self.attention.remember(states, real, texts.word_counts), last, cell

    def operands(self, memory: Memory, last: Tensor, texts: Texts, drop: Dropout) -> Operands:
        """The vectors of unknowns, constants and numbers of each problem."""
        problems, hidden = last.shape
        names = per_problem(self.leaves[..., :-1, :], problems)
        count = len(self.targets.unknowns)
        if count:
            wanted = self.want(
                drop(torch.cat([names[:, :count], last.unsqueeze(1).expand(-1, count, -1)], -1).flatten(0, 1))
            )
            rows = Rows.even(problems, count, last.device, ragged=texts.word_counts is not None)
            made = self.attention(wanted, memory, rows).view(problems, count, hidden)
            some = per_problem(self.unknown.unsqueeze(-1), problems)[:, :count]
            names = torch.cat([names[:, :count] + some * made, names[:, count:]], 1)
        places = texts.places.unsqueeze(-1).expand(-1, -1, hidden)
        vectors = torch.cat([names, memory.states.gather(1, places)], 1)
        known, unknown = (per_problem(each.unsqueeze(-1), problems)[:, :-1, 0] for each in (self.known, self.unknown))
        always = known.new_ones(problems, 1 + self.targets.operators)
        generated = 1 + self.targets.generated
        ids = torch.arange(generated, device=last.device).expand(problems, -1)
        leaves = names.shape[1]
        return Operands(
            vectors=vectors,
            keys=self.operand_key(drop(vectors)),
            unknown=torch.cat([unknown, torch.zeros_like(texts.slots)], 1),
            real=torch.cat([always, known, texts.slots], 1),
            classes=torch.cat([ids, texts.same + generated], 1),
            counts=None if texts.slot_counts is None else [leaves + count for count in texts.slot_counts],
        )

    def values(self, operands: Operands, batch: StackBatch, drop: Dropout) -> Tensor:
        """The vector of every node of every tree, (rows, hidden), from the leaves up; then those of empty stacks."""
        trees, targets = batch.trees, self.targets
        width = operands.vectors.shape[1]
        place = batch.owner * width + (trees.symbols - targets.operators).clamp(min=0)
        # Rare constants stand after the operands.
        rare = operands.vectors.shape[0] * width + batch.owner // (len(operands.vectors) // len(batch.problems))
        table = torch.cat([operands.vectors.flatten(0, 1), self.leaves[..., -1:, :].flatten(0, -2)])
        values = table.index_select(0, torch.where(trees.scored > 0, place, rare))
        for level in trees.up:
            pairs = torch.cat([values.index_select(0, level.left), values.index_select(0, level.right)], 1)
            operator = trees.operator.index_select(0, level.rows.index) % targets.operators
            combined = self.apply_operator(drop(pairs), operator)
            values.index_copy_(0, level.rows.index, combined.to(values.dtype))
        return torch.cat([values, self.nothing.flatten(0, -2)])

    def scores(
        self, state: Tensor, stack: Tensor, context: Tensor, operands: Operands, rows: Rows, drop: Dropout
    ) -> Tensor:
        """Log-probabilities of all symbols at the rows, the END first: (rows, symbols)."""
        actions = self.action(drop(self.look_at_action(state, stack, context)))
        query = self.operand_query(drop(self.look_at_operand(state, stack, context)))
        fits = additive_scores(query, operands.keys, self.operand_weights, rows, operands.counts)
        real = rows.repeated(operands.real[:, 1 + self.targets.operators :])
        return joint(actions, fits, rows.repeated(operands.unknown), real)

    def losses(self, batch: StackBatch, drop: Dropout, smoothing: float = 0.0) -> Losses:
        """The objective of a batch: a mean over its problems."""
        memory, last, cell = self.read(batch.texts, drop)
        operands = self.operands(memory, last, batch.texts, drop)
        values = self.values(operands, batch, drop)
        stack = torch.cat(
            [values.index_select(0, each.flatten()).view(*each.shape, -1) for each in (batch.top, batch.below)], -1
        )  # (problems, steps, 2 * hidden)
        states = self.decoder(drop(stack), last, cell)
        state, stack = batch.steps.gathered(states), batch.steps.gathered(stack)
        context = self.attention(state, memory, batch.steps)
        scores = self.scores(state, stack, context, operands, batch.steps, drop)
        if scores.dtype is torch.bfloat16:
            scores = scores.float()
        gold, scored = (batch.steps.gathered(each.unsqueeze(-1)).squeeze(1) for each in (batch.gold, batch.scored))
        real, classes = batch.steps.repeated(operands.real), batch.steps.repeated(operands.classes)
        missed, right = missed_symbols(scores, gold, scored, real, classes, smoothing)
        missed, right, counted = (each.view(len(batch.problems), -1).sum(1) for each in (missed, right, scored))
        total = missed / batch.problems.clamp(min=1)
        return Losses(total.sum(), missed, torch.zeros_like(total), right, counted)

    def search(self, texts: Texts, beam: int) -> list[Found]:
        """The `beam` most probable trees of each text that the search finds, in prefix order."""
        return search(self, texts, beam)


def _own(values: Tensor, operator: Tensor, size: int) -> Tensor:
    """(rows, operators * size) -> (rows, size): what belongs to each row's operator."""
    rows = values.view(len(values), -1, size)
    return rows.gather(1, operator.view(-1, 1, 1).expand(-1, 1, size)).squeeze(1)


class StackSolver(NetworkSolver[StackDecoder]):
    """StackDecoder, ready to be used."""

    name: ClassVar[str] = StackOptions.model

    @classmethod
    def build(cls, words: int, targets: Targets, options: StackOptions) -> StackDecoder:
        """A network with first weights."""
        return StackDecoder(words, targets, options)


SOLVER = StackSolver
