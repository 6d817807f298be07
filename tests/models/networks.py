"""Every network of the package, small and random, with problems for it; and a search one hypothesis at a time."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from sau_solver.models.base import Example
from sau_solver.models.baselines.sequence_beam import END, DecodingState
from sau_solver.models.network import Network
from sau_solver.models.options import NETWORKS, NetworkOptions
from sau_solver.models.predictor import NetworkPredictor, predictor_class
from sau_solver.models.sau.tree_batch import Texts, collate_texts
from sau_solver.models.targets import Targets, encode_text
from sau_solver.training.learning import TrainingTask
from tests.models.problems import examples

NAMES = list(NETWORKS)


def small_options(name: str, **more: Any) -> NetworkOptions:
    sizes = {"embedding": 4, "hidden": 6, "dropout": 0.0, "minimum_word_count": 1, "minimum_constant_count": 1}
    return NETWORKS[name](**(sizes | more))


def small_solver(
    name: str, seed: int = 0, scale: float = 1.0, left_out: int = 0, targets: Targets | None = None, **more: Any
) -> tuple[NetworkPredictor[Any], list[Example]]:
    """Return a random network in float64 and its examples; a larger scale gives more extreme probabilities."""
    options = small_options(name, **more)
    learned = TrainingTask("", examples()[left_out:], options, seed).learned()
    known = targets or Targets.build([example.tree for example in learned], 1)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        solver = predictor_class(NETWORKS[name]).fresh(learned, known, options)
    solver.network.double()
    with torch.no_grad():
        for parameter in solver.network.parameters():
            parameter.mul_(scale)
    return solver, learned


def texts_of(solver: NetworkPredictor[Any], learned: list[Example]) -> Texts:
    return collate_texts([encode_text(example.text, solver.vocabulary) for example in learned])


def written_log_probability(state: DecodingState, symbols: list[int]) -> float:
    """Return the log-probability of symbols, written one after the other by a state of one problem with one beam."""
    total = 0.0
    for symbol in symbols:
        total += float(state.log_probabilities()[0, 0, symbol])
        state.advance(torch.zeros(1, 1, dtype=torch.int64), torch.tensor([[symbol]]))
    return total


def plain_search(start: Any, beam: int, longest: int) -> list[tuple[list[int], float]]:
    """Search with one state per hypothesis; `start` returns a new state of one problem with one beam."""
    hypotheses: list[tuple[list[int], float]] = [([], 0.0)]
    for length in range(longest + 1):
        grown: list[tuple[list[int], float]] = []
        for symbols, score in hypotheses:
            if symbols and symbols[-1] == END:
                grown.append((symbols, score))
                continue
            state = start()
            written_log_probability(state, symbols)
            chances: Tensor = state.log_probabilities()[0, 0]
            grown += [
                ([*symbols, symbol], score + float(chance))
                for symbol, chance in enumerate(chances)
                if chance > -torch.inf and (length < longest or symbol == END)
            ]
        hypotheses = sorted(grown, key=lambda one: -one[1])[:beam]
    return [(symbols[:-1], score) for symbols, score in hypotheses]


def gradients(network: Network[Any], loss: Tensor) -> dict[str, Tensor]:
    """Return the gradients of all parameters, zeros for those that do not matter."""
    names, parameters = zip(*network.named_parameters(), strict=True)
    found = torch.autograd.grad(loss, parameters, allow_unused=True)
    return {
        name: torch.zeros_like(parameter) if gradient is None else gradient
        for name, parameter, gradient in zip(names, parameters, found, strict=True)
    }
