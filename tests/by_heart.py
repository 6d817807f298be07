"""A solver without a network: the real pipeline over a predictor that knows its trees by heart."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

from sau_solver.answering.candidates import Candidate
from sau_solver.equations.uet import Uet
from sau_solver.models.base import BEAM
from sau_solver.models.loading import Model
from sau_solver.solver import Solver
from sau_solver.text.numbers import MappedText
from sau_solver.text.screening import MAX_CHARACTERS

CHICKENS = "鸡兔同笼，上有20个头，下有50条腿，鸡和兔各有多少只？"
GARDEN = "A garden is 5 meters longer than wide, and its area is 84 square meters. How wide is it, in meters?"
DOUBTFUL = "A box holds 7 pens. How many pens are in 3 boxes?"
TREES = {
    CHICKENS: "; = + x y N0 = + * 2 x * 4 y N1",
    GARDEN: "= * x + x N0 N1",
    "Divide 3 by zero pens. How many pens are there?": "/ N0 - N0 N0",
}


def pens(held: int, boxes: int) -> str:
    """A problem that is known by heart; one with a multiple of 7 pens is not known well."""
    return f"A box holds {held} pens. How many pens are in {boxes} boxes?"


@dataclass(frozen=True)
class ByHeart:
    """Multiplies the first two numbers of every text that it has not learned."""

    delay: float = 0.0  # seconds a problem
    name: str = "by heart"

    def predict(self, texts: Sequence[MappedText], beam: int = BEAM) -> list[list[Candidate]]:
        time.sleep(self.delay * len(texts))
        return [[self._candidate(text)] for text in texts]

    def _candidate(self, text: MappedText) -> Candidate:
        product = "* N0 N1" if len(text.numbers) > 1 else "N0"
        doubtful = text.text not in TREES and text.numbers[0].value % 7 == 0
        return Candidate(Uet.from_text(TREES.get(text.text, product)), math.log(0.31 if doubtful else 0.87))


def solver(delay: float = 0.0, longest: int = MAX_CHARACTERS) -> Solver:
    """The pipeline over a predictor for both languages."""
    model = Model(ByHeart(delay), name="by heart")
    return Solver({"zh": lambda: model, "en": lambda: model}, longest)
