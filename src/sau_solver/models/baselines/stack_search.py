"""The search of a decoder that acts on a stack: hypotheses with their stacks as tensors.

Operands and what operators made of them lie in a store that only grows; a stack holds places in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from sau_solver.models.baselines.operands import joint
from sau_solver.models.baselines.postfix import PostfixGrammar, to_prefix
from sau_solver.models.baselines.sequence_beam import Walk, search_sequences
from sau_solver.models.layers.additive import search_keys, searched_scores
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.network import Found, symbol_log_probabilities
from sau_solver.models.sau.tree_batch import Texts
from sau_solver.models.sau.tree_beam import Hypotheses, Store
from sau_solver.models.targets import EQUALS, SEMICOLON

if TYPE_CHECKING:
    from sau_solver.models.baselines.stack_decoder import StackDecoder


@torch.no_grad()
def search(network: StackDecoder, texts: Texts, beam: int) -> list[Found]:
    """The `beam` most probable trees of each text that the search finds, in prefix order."""
    walk = StackWalk(network, texts, beam)
    longest = network.options.longest_tree
    operators = network.targets.operators
    found = search_sequences(walk, len(texts.words), beam, longest, texts.words.device)
    return [
        Found(
            [to_prefix([symbol - 1 for symbol in symbols], operators) for symbols in one.symbols], one.log_probabilities
        )
        for one in found
    ]


@dataclass
class _Stacks(Hypotheses):
    """The stack of each hypothesis and the state of the LSTM; two places below a stack show that it is empty."""

    depth: Tensor
    stack: Tensor  # (…, places): where in the store its vectors lie
    statements: Tensor  # how many of them lie on the stack
    expressions: Tensor
    written: Tensor  # how many symbols
    shown: Tensor  # (…, 2 * hidden): the vector on top and the one below it
    state: Tensor  # (…, hidden): of the LSTM after it has read them
    cell: Tensor


class StackWalk(Walk):
    """Hypotheses with their stacks."""

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
        # (problems, operands): where each operand lies
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

    def look(self) -> Tensor:
        """The log-probabilities of what may come next."""
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

    def follow(self, parent: Tensor, symbol: Tensor) -> None:
        """Reorder the hypotheses and write one more symbol of each."""
        self.beams = beams = self.beams.reordered(parent)
        symbol = symbol - 1  # the END comes first
        operators = self.targets.operators
        # A beam without a hypothesis may name any symbol: its stack is left alone.
        applies = (symbol >= 0) & (symbol < operators) & (beams.depth >= 2)
        pushes = symbol >= operators
        joins, states = applies & (symbol == SEMICOLON), applies & (symbol == EQUALS)
        beams.statements += states.long() - joins.long()
        beams.expressions += pushes.long() - 2 * states.long() - (applies & ~joins & ~states).long()
        beams.written += pushes.long() + applies.long()
        place = torch.gather(self.places, 1, (symbol - operators).clamp(min=0))
        self._write(pushes.flatten(), applies.flatten(), symbol.flatten(), place.flatten())
        self._read_stack()

    def keep(self, problems: Tensor) -> None:
        """Go on with these problems alone."""
        self.beams, self.memory = self.beams.of_problems(problems), self.memory.of_problems(problems)
        self.operands, self.places = self.operands.of_problems(problems), self.places.index_select(0, problems)

    def _write(self, pushes: Tensor, applies: Tensor, symbol: Tensor, place: Tensor) -> None:
        """Push what lies at `place` in some rows; in others apply an operator to the two on top."""
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
        """The LSTM reads the two on top."""
        beams = self.beams
        places = beams.depth.unsqueeze(-1) + torch.tensor([1, 0], device=beams.depth.device)  # the top, and below it
        beams.shown = self.store[beams.stack.gather(2, places).flatten()].view(beams.shown.shape)
        beams.state, beams.cell = self.network.decoder.step(beams.shown, beams.state, beams.cell)
