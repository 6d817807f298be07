"""The paper's network as a predictor, with a BiGRU or a pretrained encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar, Self

import torch

from sau_solver.equations.uet import Uet
from sau_solver.models.base import Example
from sau_solver.models.described import built, described_targets
from sau_solver.models.encoders.pretrained import describe_encoder, described_encoder, read_pretrained
from sau_solver.models.options import BIGRU, SauOptions
from sau_solver.models.predictor import NetworkPredictor
from sau_solver.models.sau.attention_maps import attention_of
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_scores import log_probabilities
from sau_solver.models.sau.verifier import VerifierShape
from sau_solver.models.targets import Targets, encode_text, encode_tree
from sau_solver.text.numbers import MappedText, shown_words
from sau_solver.text.tokens import Vocabulary


class SauPredictor(NetworkPredictor[SauNetwork]):
    """SAU-Solver: the paper's network with the vocabulary that it reads."""

    name: ClassVar[str] = SauOptions.model

    @classmethod
    def build(cls, words: int, targets: Targets, options: SauOptions) -> SauNetwork:
        """Return a network with a BiGRU and initial weights."""
        return SauNetwork(words, targets, options)

    @classmethod
    def fresh(cls, examples: Sequence[Example], targets: Targets, options: SauOptions) -> Self:
        """Return an untrained solver; a pretrained encoder brings its own weights and tokens."""
        texts = [_shown(example.text, options) for example in examples]
        if options.encoder == BIGRU:
            vocabulary = Vocabulary.build(texts, options.minimum_word_count)
            return cls(cls.build(len(vocabulary), targets, options), vocabulary)
        pretrained = read_pretrained(options.encoder, texts, options.minimum_word_count, options.encoder_layers)
        network = SauNetwork(len(pretrained.tokens), targets, options, pretrained.shape)
        network.encoder.get_submodule("pretrained").load_state_dict(pretrained.weights)
        return cls(network, pretrained.tokens)

    @classmethod
    def blank(
        cls, model: Mapping[str, Any], vocabulary: Mapping[str, Any], options: SauOptions, device: torch.device
    ) -> Self:
        """Return a solver as a checkpoint describes it, before its weights are loaded."""
        shape, tokens = described_encoder(model, vocabulary)
        network = SauNetwork(len(tokens), described_targets(vocabulary), options, shape)
        if "verifier" in model:
            network.add_verifier(built(VerifierShape, model["verifier"], "model.verifier"))
        return cls(network.to(device), tokens)

    def shown(self, text: MappedText) -> Sequence[str]:
        """Return the words that the network reads: numbers as one common word, or as they are written."""
        return _shown(text, self.network.options)

    def attended(self, text: MappedText, tree: Uet) -> list[list[float]]:
        """Return the weight of each word for each node of a tree; the weights of a node sum to 1."""
        return [[one / (sum(row) or 1.0) for one in row] for row in attention_of(self, text, tree)]

    def log_probabilities(self, texts: Sequence[MappedText], trees: Sequence[Sequence[Uet]]) -> list[list[float]]:
        """Return for each text the log-probabilities with which the network writes the given trees."""
        targets = self.network.targets
        problems = [encode_text(text, self.vocabulary, words=self.shown(text)) for text in texts]
        return log_probabilities(
            self.network, problems, [[encode_tree(tree, targets) for tree in own] for own in trees]
        )

    def describe(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the entries of a checkpoint that describe the solver, with the shape of its verifier if it has one."""
        model, vocabulary = super().describe()
        verifier = self.network.verifier
        return (model if verifier is None else {**model, "verifier": asdict(verifier.shape)}), vocabulary

    def _describe_reading(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return describe_encoder(self.network.shape, self.vocabulary)


def _shown(text: MappedText, options: SauOptions) -> Sequence[str]:
    return shown_words(text) if options.number_forms else text.words


PREDICTOR = SauPredictor
