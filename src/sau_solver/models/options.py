"""The options of networks, as configurations write them; no torch here, so that a configuration reads without it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from sau_solver.errors import InputError
from sau_solver.symbols import MINIMUM_CONSTANT_COUNT
from sau_solver.tokens import MINIMUM_WORD_COUNT

# additive: eq. 7 scores every symbol alike; linear: operators by a linear layer over [n, c], as in the released code.
OperatorScore = Literal["additive", "linear"]
# hidden: operator embeddings as long as those of leaves (paper); embedding: as long as a word's (released code).
OperatorSize = Literal["hidden", "embedding"]
# norm: eq. 10, the L2 norm averaged over a problem's subtrees; squares: mean squared difference over all of a batch.
Distance = Literal["norm", "squares"]
# Which encoder state stands for a number that the text has several times: the first, or the mean of all.
RepeatedNumber = Literal["first", "mean"]
# What the loss of a batch is a mean over: problems as in eq. 12, or symbols as in the released code. Adam's step does
# not depend on the scale of a loss, but weight decay and the alignment's weight are measured by it.
LossMean = Literal["problems", "symbols"]


BIGRU = "bigru"  # the paper's encoder


@dataclass(frozen=True, slots=True)
class SauOptions:
    """SAU-Solver: sizes, regularisation, and every choice in which the released code differs from the paper."""

    encoder: str = BIGRU  # or a pretrained one: an id of the Hugging Face hub, or a folder
    encoder_layers: int = 0  # the first so many layers of a pretrained encoder; 0: all
    embedding: int = 128  # of the BiGRU's words
    hidden: int = 384
    dropout: float = 0.5
    ssar: float = 0.01  # the paper's lambda; 0 is its "w/o SSAR"
    ssar_distance: Distance = "squares"
    operator_score: OperatorScore = "additive"
    operator_size: OperatorSize = "hidden"
    repeated_number: RepeatedNumber = "first"
    loss_mean: LossMean = "problems"
    minimum_word_count: int = MINIMUM_WORD_COUNT
    minimum_constant_count: int = MINIMUM_CONSTANT_COUNT
    longest_tree: int = 45  # symbols that the search may write

    def __post_init__(self) -> None:
        for name in ("embedding", "hidden", "minimum_word_count", "minimum_constant_count", "longest_tree"):
            if getattr(self, name) < 1:
                raise InputError(f"[sau] {name} must be at least 1; {getattr(self, name)} came.")
        if not 0 <= self.dropout < 1:
            raise InputError(f"[sau] dropout is a share, 0 or more and less than 1; {self.dropout} came.")
        if self.encoder_layers < 0 or (self.encoder_layers and self.encoder == BIGRU):
            raise InputError(
                f"[sau] encoder_layers is for a pretrained encoder, and 0 or more; {self.encoder_layers} came for "
                f"{self.encoder}."
            )
        if self.ssar < 0:
            raise InputError(f"[sau] ssar weighs a loss and is 0 or more; {self.ssar} came.")
        if self.operator_size == "embedding" and self.operator_score == "additive":
            raise InputError(
                '[sau] operator_score = "additive" scores operators with the leaves and needs operator_size = "hidden".'
            )

    def like(self, other: SauOptions) -> SauOptions:
        """These options with the other's where networks of one shape may differ; then equal ones train as one."""
        names = ("ssar", "minimum_word_count", "minimum_constant_count", "longest_tree")
        return replace(self, **{name: getattr(other, name) for name in names})
