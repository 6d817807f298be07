"""A predictor that knows its problems: for each text, the equations it proposes and their probabilities."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from sau_solver.answering.candidates import Candidate
from sau_solver.equations.parser import parse
from sau_solver.equations.uet import Uet
from sau_solver.models.base import BEAM
from sau_solver.text.numbers import MappedText

Proposals = Sequence[tuple[str, float]]  # equations and the probability of their tree


class KnowingPredictor:
    """Proposes what it was told for a text, and counts the batches that it saw."""

    name = "knowing"

    def __init__(self, known: Mapping[str, Proposals], otherwise: Proposals = ()) -> None:
        self.known, self.otherwise = known, otherwise
        self.batches: list[int] = []

    def predict(self, texts: Sequence[MappedText], beam: int = BEAM) -> list[list[Candidate]]:
        self.batches.append(len(texts))
        return [proposed(text, self.known.get(text.text, self.otherwise))[:beam] for text in texts]


def proposed(text: MappedText, proposals: Proposals) -> list[Candidate]:
    """Candidates over the numbers of a text."""
    numbers = [number.value for number in text.numbers]
    return [
        Candidate(Uet.from_equations(parse(equations), numbers, drop_unknown=True), math.log(probability))
        for equations, probability in proposals
    ]
