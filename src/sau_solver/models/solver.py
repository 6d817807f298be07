"""A trained network as a Predictor: mapped texts -> ranked trees; and its checkpoint form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import torch

from sau_solver.models.base import BEAM, Candidate
from sau_solver.models.batch import collate_texts
from sau_solver.models.beam import Found, search
from sau_solver.models.options import SauOptions
from sau_solver.models.pretrained import describe_encoder, described_encoder
from sau_solver.models.sau import SauNetwork
from sau_solver.models.targets import Targets, encode_text
from sau_solver.numbers import MappedText
from sau_solver.tokens import UNKNOWN_WORD, Tokens
from sau_solver.uet import Uet

# Problems, and words with padding, that are searched at a time.
_PROBLEMS = {"cpu": 64, "cuda": 1024}
_WORDS = 48 * 1024


class SauSolver:
    """The paper's solver, ready to be used."""

    name = "sau"

    def __init__(self, network: SauNetwork, vocabulary: Tokens, half: bool = False) -> None:
        """`half` takes products in bfloat16: faster on CPUs that have it, and now and then another candidate."""
        self.network, self.vocabulary, self.half = network, vocabulary, half

    def predict(self, texts: Sequence[MappedText], beam: int = BEAM) -> list[list[Candidate]]:
        """For each text at most `beam` different trees, the most probable first."""
        self.network.eval()
        device = next(self.network.parameters()).device
        problems = [encode_text(text, self.vocabulary) for text in texts]
        # Texts of one length together, the longest first: little padding, and running out of memory shows at once.
        order = sorted(range(len(problems)), key=lambda number: -len(problems[number].words))
        candidates: list[list[Candidate]] = [[] for _ in problems]
        while order:
            together = max(1, min(_PROBLEMS[device.type], _WORDS // len(problems[order[0]].words)))
            chosen, order = order[:together], order[together:]
            batch = collate_texts([problems[number] for number in chosen], device)
            with torch.autocast(device.type, torch.bfloat16, enabled=self.half):
                searched = search(self.network, batch, beam)
            for number, found in zip(chosen, searched, strict=True):
                candidates[number] = self._candidates(found)
        return candidates

    def unknown_words(self, text: MappedText) -> float:
        """The share of a text's words that the network has never seen."""
        ids, _ = self.vocabulary.read(text.words)
        return sum(index == UNKNOWN_WORD for index in ids) / len(ids)

    def _candidates(self, found: Found) -> list[Candidate]:
        symbol_of = self.network.targets.symbol_of
        return [
            Candidate(Uet(tuple(map(symbol_of, symbols))), log_probability)
            for symbols, log_probability in zip(found.symbols, found.log_probabilities, strict=True)
        ]


def describe(solver: SauSolver) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a checkpoint's config and its vocabulary file say of a solver."""
    targets = solver.network.targets
    encoder, tokens = describe_encoder(solver.network.shape, solver.vocabulary)
    model = {"name": solver.name, "options": asdict(solver.network.options), **encoder}
    vocabulary = {
        **tokens,
        "unknowns": list(targets.unknowns),
        "constants": [str(value) for value in targets.constants],
        "equations": targets.equations,
        "expressions": targets.expressions,
        "padding": targets.padding,
    }
    return model, vocabulary


def blank(model: dict[str, Any], vocabulary: dict[str, Any], device: torch.device) -> SauSolver:
    """A solver of that description with weights of no meaning, for weights to be loaded into."""
    targets = Targets(
        tuple(vocabulary["unknowns"]),
        tuple(map(Fraction, vocabulary["constants"])),
        vocabulary["equations"],
        vocabulary["expressions"],
        vocabulary["padding"],
    )
    shape, tokens = described_encoder(model, vocabulary)
    return SauSolver(SauNetwork(len(tokens), targets, SauOptions(**model["options"]), shape).to(device), tokens)
