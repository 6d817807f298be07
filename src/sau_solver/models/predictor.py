"""A network as a predictor: mapped texts -> ranked trees.

A predictor is built from training examples or from the description in a checkpoint. Each network has its own subclass,
which defines how texts are encoded and what the ids that the network writes mean.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from typing import Any, ClassVar, Generic, Self, TypeVar

import torch

from sau_solver.answering.candidates import Candidate
from sau_solver.equations.uet import Uet
from sau_solver.models.base import BEAM, Example
from sau_solver.models.described import described_targets, described_tokens
from sau_solver.models.devices import side_by_side
from sau_solver.models.network import Found, Network
from sau_solver.models.options import NetworkOptions
from sau_solver.models.sau.tree_batch import collate_texts
from sau_solver.models.targets import EncodedProblem, Targets, batches_by_length, encode_text, encode_tree
from sau_solver.text.numbers import MappedText
from sau_solver.text.tokens import Tokens, Vocabulary, share_unknown

_PROBLEMS = {"cpu": 16, "cuda": 1024}  # the most problems of one search

N = TypeVar("N", bound=Network[Any])


class NetworkPredictor(ABC, Generic[N]):
    """A network with the vocabulary that it reads."""

    name: ClassVar[str]

    def __init__(self, network: N, vocabulary: Tokens) -> None:
        self.network, self.vocabulary = network, vocabulary

    @classmethod
    @abstractmethod
    def build(cls, words: int, targets: Targets, options: Any) -> N:
        """Return a network with initial weights for texts of `words` word ids."""

    @classmethod
    def fresh(cls, examples: Sequence[Example], targets: Targets, options: Any) -> Self:
        """Return an untrained solver whose vocabulary comes from the training examples."""
        vocabulary = Vocabulary.build([example.text.words for example in examples], options.minimum_word_count)
        return cls(cls.build(len(vocabulary), targets, options), vocabulary)

    def encode(self, example: Example) -> EncodedProblem:
        """Return an example in ids, for training."""
        tree = encode_tree(example.tree, self.network.targets)
        return encode_text(example.text, self.vocabulary, tree, self.shown(example.text))

    def shown(self, text: MappedText) -> Sequence[str]:
        """Return the words of a text as the network reads them, one for each word of the text."""
        return text.words

    def predict(self, texts: Sequence[MappedText], beam: int = BEAM) -> list[list[Candidate]]:
        """Return for each text at most `beam` different trees, the most probable first."""
        self.network.eval()
        device = next(self.network.parameters()).device
        problems = [encode_text(text, self.vocabulary, words=self.shown(text)) for text in texts]
        chosen = batches_by_length(problems, _PROBLEMS[device.type])

        def searched(numbers: list[int]) -> list[Found]:
            batch = collate_texts([problems[number] for number in numbers], device)
            return self.network.search(batch, beam)

        candidates: list[list[Candidate]] = [[] for _ in problems]
        for numbers, found in zip(chosen, side_by_side(searched, chosen, device), strict=True):
            for number, one in zip(numbers, found, strict=True):
                candidates[number] = self.candidates(one)
        return candidates

    def candidates(self, found: Found) -> list[Candidate]:
        """Return the outputs of a search as trees; here the ids are a tree in prefix order."""
        symbol_of = self.network.targets.symbol_of
        written = [tuple(map(symbol_of, symbols)) for symbols in found.symbols]
        verified = found.verified or [0.0] * len(written)
        return [
            Candidate(Uet(symbols), log_probability, verified=score)
            for symbols, log_probability, score in zip(written, found.log_probabilities, verified, strict=True)
        ]

    def unknown_words(self, text: MappedText) -> float:
        """Return the share of a text's words that are not in the vocabulary."""
        return share_unknown(self.vocabulary, self.shown(text))

    def describe(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the entries of a checkpoint's config and vocabulary that describe the solver."""
        targets = self.network.targets
        encoder, tokens = self._describe_reading()
        model = {"name": self.name, "options": asdict(self.network.options), **encoder}
        vocabulary = {
            **tokens,
            "unknowns": list(targets.unknowns),
            "constants": [str(value) for value in targets.constants],
            "equations": targets.equations,
            "expressions": targets.expressions,
            "padding": targets.padding,
        }
        return model, vocabulary

    @classmethod
    def blank(cls, model: Mapping[str, Any], vocabulary: Mapping[str, Any], options: Any, device: torch.device) -> Self:
        """Return a solver as a checkpoint describes it, before its weights are loaded."""
        tokens = described_tokens(vocabulary)
        return cls(cls.build(len(tokens), described_targets(vocabulary), options).to(device), tokens)

    def _describe_reading(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the entries of both files that describe how texts are read."""
        assert isinstance(self.vocabulary, Vocabulary)
        return {}, {"words": list(self.vocabulary.words)}


def predictor_class(options: type[NetworkOptions]) -> type[NetworkPredictor[Any]]:
    """Return the class that builds and uses the network of these options."""
    found: type[NetworkPredictor[Any]] = import_module(options.module).PREDICTOR
    return found
