"""StackDecoder (Chiang and Chen, 2019), a baseline of the paper: a BiLSTM reads the text, an LSTM writes the tree in
postfix order with a stack. An action pushes a number or a constant, generates an unknown, or applies an operator; `=`
and `;` are operators.

Operands are vectors. A number has its encoder state, an unknown attends to the text with its name, and each operator
has a small network that combines the two vectors on top of the stack. In training the gold tree is known, so all
vectors are computed from the leaves up for the whole batch; then the LSTM reads the two on top before each step, and
all actions are scored at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import torch
from torch import Tensor, nn

from sau_solver.models.baselines.postfix import PostfixGrammar, to_prefix
from sau_solver.models.baselines.sequence_beam import DecodingState, search_sequences
from sau_solver.models.baselines.stack_batch import PaddedStacks, StackBatch, collate_stacks
from sau_solver.models.baselines.stack_layers import Gated, Operands, Operators, joint
from sau_solver.models.layers.additive import Rows, additive_scores, search_keys, searched_scores
from sau_solver.models.layers.attention import Attention, Memory
from sau_solver.models.layers.dropout import Dropout, keep_all
from sau_solver.models.layers.lstm import BiLstm, Lstm
from sau_solver.models.layers.stacked import Embedding, Linear, per_problem
from sau_solver.models.network import Found, Losses, Mean, Network, missed_symbols, symbol_log_probabilities
from sau_solver.models.options import StackOptions
from sau_solver.models.predictor import NetworkPredictor
from sau_solver.models.sau.tree_batch import Texts
from sau_solver.models.sau.tree_beam import Hypotheses, Store
from sau_solver.models.targets import EQUALS, SEMICOLON, EncodedProblem, Targets
from sau_solver.text.tokens import PADDING

_SPREAD = 0.1  # standard deviation of initial embeddings


class StackDecoder(Network[StackBatch]):
    """The network: ids in, scores and losses out."""

    options: StackOptions
    known: Tensor
    unknown: Tensor

    def __init__(self, words: int, targets: Targets, options: StackOptions) -> None:
        super().__init__()
        hidden = options.hidden
        self.options, self.targets = options, targets
        self.embedding = Embedding(words, options.embedding, padding_idx=PADDING)
        self.encoder = BiLstm(options.embedding, hidden)
        self.leaves = nn.Parameter(
            torch.randn(targets.leaves + 1, hidden) * _SPREAD
        )  # the last one stands for all rare constants
        self.nothing = nn.Parameter(torch.randn(1, hidden) * _SPREAD)  # the vector of an empty place of the stack
        place = torch.arange(targets.leaves + 1)
        self.register_buffer("known", place < targets.leaves - targets.padding, persistent=False)
        self.register_buffer("unknown", place < len(targets.unknowns), persistent=False)
        self.want = Linear(2 * hidden, hidden)
        self.attention = Attention(hidden)
        self.apply_operator = Operators(targets.operators, hidden)
        self.decoder = Lstm(2 * hidden, hidden)
        self.look_at_action, self.look_at_operand = Gated(hidden), Gated(hidden)
        # (…, 1 + operators + 2): END, the operators, "generate an unknown", "push a number"
        self.action = nn.Sequential(Linear(4 * hidden, hidden), nn.ReLU(), Linear(hidden, 1 + targets.operators + 2))
        self.operand_query = Linear(4 * hidden, hidden)
        self.operand_key = Linear(hidden, hidden, bias=False)
        self.operand_weights = nn.Parameter(torch.empty(hidden).uniform_(-(hidden**-0.5), hidden**-0.5))

    @property
    def words(self) -> int:
        """Return the size of the word vocabulary."""
        return self.embedding.weight.shape[-2]

    @classmethod
    def spanning(cls, networks: Sequence[Self]) -> Self:
        """Return a network for the largest word vocabulary and the most unknowns."""
        most = max((network.targets for network in networks), key=lambda targets: len(targets.unknowns))
        return cls(max(network.words for network in networks), most, networks[0].options)

    def collate(self, problems: Sequence[EncodedProblem]) -> StackBatch:
        """Return a batch on the CPU."""
        return collate_stacks(problems, self.targets)

    def padded(self, problems: Sequence[EncodedProblem], device: torch.device) -> PaddedStacks:
        """Return the problems padded to one shape."""
        return PaddedStacks(problems, self.targets, device)

    def read(self, texts: Texts, drop: Dropout) -> tuple[Memory, Tensor, Tensor]:
        """Encode the texts; return what attention reads, and the last state and cell of the encoder."""
        states, last, cell = self.encoder(drop(self.embedding(texts.words)), texts.lengths)
        real = torch.arange(texts.words.shape[1], device=states.device) < texts.lengths.unsqueeze(1)
        return self.attention.remember(states, real, texts.word_counts), last, cell

    def operands(self, memory: Memory, last: Tensor, texts: Texts, drop: Dropout) -> Operands:
        """Return the vectors of unknowns, constants and numbers of each problem."""
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
        """Return the vectors of all nodes, computed from the leaves up, then those of empty stacks: (rows, hidden)."""
        trees, targets = batch.trees, self.targets
        width = operands.vectors.shape[1]
        place = batch.owner * width + (trees.symbols - targets.operators).clamp(min=0)
        # Rare constants come after the operands.
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
        """Return the log-probabilities of all symbols at the rows, END first: (rows, symbols)."""
        actions = self.action(drop(self.look_at_action(state, stack, context)))
        query = self.operand_query(drop(self.look_at_operand(state, stack, context)))
        fits = additive_scores(query, operands.keys, self.operand_weights, rows, operands.counts)
        real = rows.repeated(operands.real[:, 1 + self.targets.operators :])
        return joint(actions, fits, rows.repeated(operands.unknown), real)

    def losses(self, batch: StackBatch, drop: Dropout, smoothing: float = 0.0) -> Losses:
        """Return the loss of a batch, averaged over its problems."""
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
        mean = Mean(missed, batch.problems)
        total = mean.value
        return Losses(total.sum(), missed, torch.zeros_like(total), right, counted, (mean,))

    @torch.no_grad()
    def search(self, texts: Texts, beam: int) -> list[Found]:
        """Return the `beam` most probable trees that the search finds for each text, in prefix order."""
        state, longest = StackState(self, texts, beam), self.options.longest_tree
        found = search_sequences(state, len(texts.words), beam, longest, texts.words.device)

        def prefix(symbols: list[int]) -> list[int]:
            return to_prefix([symbol - 1 for symbol in symbols], self.targets.operators)

        return [Found([prefix(symbols) for symbols in one.symbols], one.log_probabilities) for one in found]


@dataclass
class _Stacks(Hypotheses):
    """The stack of each hypothesis and the state of the LSTM; each stack begins with two empty places."""

    depth: Tensor
    stack: Tensor  # (…, places): the index in the store of each vector
    statements: Tensor  # how many statements lie on the stack
    expressions: Tensor  # how many expressions lie on the stack
    written: Tensor  # how many symbols are written
    shown: Tensor  # (…, 2 * hidden): the vector on top and the one below it
    state: Tensor  # (…, hidden): of the LSTM after it has read them
    cell: Tensor  # (…, hidden)


class StackState(DecodingState):
    """Hypotheses with their stacks as tensors.

    Operands and the results of operators lie in a store that only grows; a stack holds indices into it.
    """

    def __init__(self, network: StackDecoder, texts: Texts, beam: int) -> None:
        self.network, self.targets = network, network.targets
        memory, last, cell = network.read(texts, keep_all)
        operands = network.operands(memory, last, texts, keep_all)
        problems, hidden = last.shape
        self.memory = replace(memory, keys=search_keys(memory.keys))
        self.operands = replace(operands, keys=search_keys(operands.keys))
        self.grammar = PostfixGrammar(self.targets, network.options.longest_tree)
        self.store = Store(hidden, last)
        empty = int(self.store.add(network.nothing)[0])
        # (problems, operands): the index of each operand in the store
        self.places = self.store.add(operands.vectors.flatten(0, 1)).view(problems, -1)

        def filled(value: int, *more: int) -> Tensor:
            return torch.full((problems, beam, *more), value, device=last.device)

        state, first_cell = (each.unsqueeze(1).expand(-1, beam, -1) for each in (last, cell))
        self.beams = _Stacks(
            depth=filled(0),
            stack=filled(empty, network.options.longest_tree + 3),
            statements=filled(0),
            expressions=filled(0),
            written=filled(0),
            shown=state.new_empty(problems, beam, 2 * hidden),
            state=state,
            cell=first_cell,
        )
        self._read_stack()

    def log_probabilities(self) -> Tensor:
        """Return the log-probabilities of the next symbol."""
        network, beams, operands = self.network, self.beams, self.operands
        context = network.attention.search(beams.state, self.memory)
        actions = network.action(network.look_at_action(beams.state, beams.shown, context))
        query = network.operand_query(network.look_at_operand(beams.state, beams.shown, context))
        fits = searched_scores(query, operands.keys, network.operand_weights)
        real = operands.real[:, 1 + self.targets.operators :].unsqueeze(1)
        scores = joint(actions.to(fits.dtype), fits, operands.unknown.unsqueeze(1), real)
        chances = symbol_log_probabilities(scores, operands.real, operands.classes)
        may = self.grammar.permitted(beams.statements, beams.expressions, beams.written, chances.shape[2] - 1)
        return torch.where(may, chances, -torch.inf)

    def advance(self, parent: Tensor, symbol: Tensor) -> None:
        """Reorder the hypotheses and append a symbol to each."""
        self.beams = beams = self.beams.reordered(parent)
        symbol = symbol - 1  # END has the id 0
        operators = self.targets.operators
        # A beam without a hypothesis may hold any symbol; its stack does not change.
        applies = (symbol >= 0) & (symbol < operators) & (beams.depth >= 2)
        pushes = symbol >= operators
        joins, states = applies & (symbol == SEMICOLON), applies & (symbol == EQUALS)
        beams.statements += states.long() - joins.long()
        beams.expressions += pushes.long() - 2 * states.long() - (applies & ~joins & ~states).long()
        beams.written += pushes.long() + applies.long()
        place = torch.gather(self.places, 1, (symbol - operators).clamp(min=0))
        self._write(pushes.flatten(), applies.flatten(), symbol.flatten(), place.flatten())
        self._read_stack()

    def select(self, problems: Tensor) -> None:
        """Keep only these problems."""
        self.beams, self.memory = self.beams.of_problems(problems), self.memory.of_problems(problems)
        self.operands, self.places = self.operands.of_problems(problems), self.places.index_select(0, problems)

    def _write(self, pushes: Tensor, applies: Tensor, symbol: Tensor, place: Tensor) -> None:
        """Push the vector at `place` in some rows; apply an operator to the two vectors on top in others."""
        stack, depth = self.beams.stack.flatten(0, 1), self.beams.depth.flatten()
        rows = applies.nonzero().squeeze(1)
        if len(rows):
            right, left = (self.store[stack[rows, depth[rows] + above]] for above in (1, 0))
            made = self.network.apply_operator(torch.cat([left, right], 1), symbol[rows])
            place[rows] = self.store.add(made.to(left.dtype))
        depth = depth + pushes.long() - applies.long()
        rows = (pushes | applies).nonzero().squeeze(1)
        stack[rows, depth[rows] + 1] = place[rows]
        self.beams.stack, self.beams.depth = stack.view_as(self.beams.stack), depth.view_as(self.beams.depth)

    def _read_stack(self) -> None:
        beams = self.beams
        places = beams.depth.unsqueeze(-1) + torch.tensor([1, 0], device=beams.depth.device)  # top, below
        beams.shown = self.store[beams.stack.gather(2, places).flatten()].view(beams.shown.shape)
        beams.state, beams.cell = self.network.decoder.step(beams.shown, beams.state, beams.cell)


class StackPredictor(NetworkPredictor[StackDecoder]):
    """StackDecoder with its vocabulary."""

    name: ClassVar[str] = StackOptions.model

    @classmethod
    def build(cls, words: int, targets: Targets, options: StackOptions) -> StackDecoder:
        """Return a network with initial weights."""
        return StackDecoder(words, targets, options)


PREDICTOR = StackPredictor
