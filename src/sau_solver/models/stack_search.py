"""The search of a decoder that acts on a stack: hypotheses with their stacks as tensors.

Operands and what operators made of them lie in a store that only grows; a stack holds places in it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from sau_solver.models.additive import search_keys, searched_scores
from sau_solver.models.attention import Memory
from sau_solver.models.batch import Texts
from sau_solver.models.beam import Store, taken
from sau_solver.models.network import Found, symbol_log_probabilities
from sau_solver.models.noise import keep_all
from sau_solver.models.operands import Operands, joint
from sau_solver.models.postfix import PostfixGrammar, to_prefix
from sau_solver.models.sequence_beam import Walk, search_sequences
from sau_solver.models.targets import EQUALS, SEMICOLON

if TYPE_CHECKING:
    from sau_solver.models.stack_decoder import StackDecoder

_NAMES = ("depth", "stack", "statements", "expressions", "written", "state", "cell", "shown")


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


class StackWalk(Walk):
    """Hypotheses with their stacks, and the state of the LSTM."""

    def __init__(self, network: StackDecoder, texts: Texts, beam: int) -> None:
        self.network, self.targets = network, network.targets
        memory, last, cell = network.read(texts, keep_all)
        operands = network.operands(memory, last, texts, keep_all)
        problems, hidden = last.shape
        device = last.device
        self.memory = replace(memory, keys=search_keys(memory.keys))
        self.operands: Operands = replace(operands, keys=search_keys(operands.keys))
        self.grammar = PostfixGrammar(self.targets, network.options.longest_tree)
        self.store = Store(hidden, last)
        self.empty = int(self.store.add(network.nothing)[0])
        # (problems, operands): where each operand lies
        self.places = self.store.add(operands.vectors.flatten(0, 1)).view(problems, -1)

        def filled(value: int, *more: int) -> Tensor:
            return torch.full((problems, beam, *more), value, device=device)

        self.depth, self.statements, self.expressions, self.written = (filled(0) for _ in range(4))
        # Two places below the stack show that it is empty.
        self.stack = filled(self.empty, network.options.longest_tree + 3)
        self.state, self.cell = (each.unsqueeze(1).expand(-1, beam, -1) for each in (last, cell))
        self.shown = self.state.new_empty(problems, beam, 2 * hidden)
        self._read_stack()

    def look(self) -> Tensor:
        """The log-probabilities of what may come next."""
        network = self.network
        context = network.attention.search(self.state, self.memory)
        actions = network.action(network.look_at_action(self.state, self.shown, context))
        query = network.operand_query(network.look_at_operand(self.state, self.shown, context))
        fits = searched_scores(query, self.operands.keys, network.operand_weights)
        operands = self.operands
        real = operands.real[:, 1 + self.targets.operators :].unsqueeze(1)
        scores = joint(actions.to(fits.dtype), fits, operands.unknown.unsqueeze(1), real)
        chances = symbol_log_probabilities(scores, operands.real, operands.classes)
        may = self.grammar.permitted(self.statements, self.expressions, self.written, chances.shape[2] - 1)
        return torch.where(may, chances, -torch.inf)

    def follow(self, parent: Tensor, symbol: Tensor) -> None:
        """Reorder the hypotheses and write one more symbol of each."""
        for name in _NAMES:
            setattr(self, name, taken(getattr(self, name), parent))
        symbol = symbol - 1
        operators = self.targets.operators
        pushes, applies = symbol >= operators, (symbol >= 0) & (symbol < operators)
        # A beam without a hypothesis may name any symbol: its stack is left alone.
        applies = applies & (self.depth >= 2)
        joins, states = applies & (symbol == SEMICOLON), applies & (symbol == EQUALS)
        self.statements = self.statements + states.long() - joins.long()
        self.expressions = self.expressions + pushes.long() - 2 * states.long() - (applies & ~joins & ~states).long()
        self.written = self.written + pushes.long() + applies.long()

        stack, depth = self.stack.flatten(0, 1), self.depth.flatten()
        top = torch.gather(self.places, 1, (symbol - operators).clamp(min=0, max=self.places.shape[1] - 1)).flatten()
        rows = applies.flatten().nonzero().squeeze(1)
        if len(rows):
            right, left = (self.store[stack[rows, depth[rows] + back]] for back in (1, 0))
            made = self.network.apply_operator(torch.cat([left, right], 1), symbol.flatten()[rows])
            top[rows] = self.store.add(made.to(left.dtype))
        depth = depth + pushes.flatten().long() - applies.flatten().long()
        changed = (pushes | applies).flatten().nonzero().squeeze(1)
        stack[changed, depth[changed] + 1] = top[changed]
        self.stack, self.depth = stack.view_as(self.stack), depth.view_as(self.depth)
        self._read_stack()

    def keep(self, problems: Tensor) -> None:
        """Go on with these problems alone."""
        for name in _NAMES:
            setattr(self, name, getattr(self, name).index_select(0, problems))
        self.places = self.places.index_select(0, problems)
        memory, operands = self.memory, self.operands
        states, keys, real = (each.index_select(0, problems) for each in (memory.states, memory.keys, memory.real))
        self.memory = Memory(states, keys, real, None)
        names = ("vectors", "keys", "unknown", "real", "classes")
        self.operands = replace(
            operands, counts=None, **{name: getattr(operands, name).index_select(0, problems) for name in names}
        )

    def _read_stack(self) -> None:
        """The LSTM reads the two on top."""
        places = self.depth.unsqueeze(-1) + torch.tensor([1, 0], device=self.depth.device)  # of the top, and below it
        problems, beams = self.depth.shape
        self.shown = self.store[self.stack.gather(2, places).flatten()].view(problems, beams, -1)
        self.state, self.cell = self.network.decoder.step(self.shown, self.state, self.cell)
