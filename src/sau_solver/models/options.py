"""The options of models, as configurations write them; no torch here, so that a configuration reads without it.

Options build their model: those of a learner at once, those of a network name the module that does, which is imported
where the network is built and no sooner.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from sau_solver.equations.symbols import MINIMUM_CONSTANT_COUNT
from sau_solver.equations.uet import Uet, without_unknown
from sau_solver.errors import InputError
from sau_solver.models.base import Learner
from sau_solver.text.tokens import MINIMUM_WORD_COUNT

if TYPE_CHECKING:
    from sau_solver.models.predictor import NetworkSolver

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
class LearnerOptions(ABC):
    """The options of a model that learns in one call."""

    model: ClassVar[str]  # what configurations and results call the model

    @abstractmethod
    def build(self) -> Learner:
        """The model, before it has learned anything."""


@dataclass(frozen=True, slots=True)
class NetworkOptions:
    """What the options of every network say; a network adds its own."""

    model: ClassVar[str]  # what configurations, results and checkpoints call the network
    module: ClassVar[str]  # where its class `SOLVER` is, a `NetworkSolver`

    embedding: int = 128  # of the words
    hidden: int = 512
    dropout: float = 0.5
    minimum_word_count: int = MINIMUM_WORD_COUNT
    minimum_constant_count: int = MINIMUM_CONSTANT_COUNT
    longest_tree: int = 45  # symbols that the search may write

    def __post_init__(self) -> None:
        for name in ("embedding", "hidden", "minimum_word_count", "minimum_constant_count", "longest_tree"):
            if getattr(self, name) < 1:
                raise InputError(f"[{self.model}] {name} must be at least 1; {getattr(self, name)} came.")
        if not 0 <= self.dropout < 1:
            raise InputError(f"[{self.model}] dropout is a share, 0 or more and less than 1; {self.dropout} came.")

    def like(self, other: Self) -> Self:
        """These options with the other's where networks of one shape may differ; then equal ones train as one."""
        names = ("minimum_word_count", "minimum_constant_count", "longest_tree")
        return replace(self, **{name: getattr(other, name) for name in names})

    def expressed(self, tree: Uet) -> Uet | None:
        """A gold tree as the network learns to write it; None where it cannot express it."""
        return tree

    @property
    def selective(self) -> bool:
        """Whether there are gold trees that the network cannot express."""
        return type(self).expressed is not NetworkOptions.expressed

    @classmethod
    def solver(cls) -> type[NetworkSolver[Any]]:
        """The class that builds, trains and searches the network; this needs torch."""
        found: type[NetworkSolver[Any]] = import_module(cls.module).SOLVER
        return found


ModelOptions = LearnerOptions | NetworkOptions


@dataclass(frozen=True, slots=True)
class SauOptions(NetworkOptions):
    """SAU-Solver: sizes, regularisation, and every choice in which the released code differs from the paper."""

    model: ClassVar[str] = "sau"
    module: ClassVar[str] = "sau_solver.models.sau.sau_solver"

    hidden: int = 384
    encoder: str = BIGRU  # or a pretrained one: an id of the Hugging Face hub, or a folder
    encoder_layers: int = 0  # the first so many layers of a pretrained encoder; 0: all
    ssar: float = 0.01  # the paper's lambda; 0 is its "w/o SSAR"
    ssar_distance: Distance = "squares"
    operator_score: OperatorScore = "additive"
    operator_size: OperatorSize = "hidden"
    repeated_number: RepeatedNumber = "first"
    number_forms: bool = False  # numbers are read as they are written (一, 25 %, 1/3), not as one word for all
    loss_mean: LossMean = "problems"

    def __post_init__(self) -> None:
        NetworkOptions.__post_init__(self)
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

    def like(self, other: Self) -> Self:
        """The same; the alignment may weigh nothing in one of the networks."""
        return replace(NetworkOptions.like(self, other), ssar=other.ssar)


@dataclass(frozen=True, slots=True)
class GtsOptions(NetworkOptions):
    """GTS (Xie and Sun, 2019): its sizes are those of all networks."""

    model: ClassVar[str] = "gts"
    module: ClassVar[str] = "sau_solver.models.baselines.gts"

    def expressed(self, tree: Uet) -> Uet | None:
        """Plain arithmetic alone: `x = expression` without the `x =`."""
        return without_unknown(tree)


@dataclass(frozen=True, slots=True)
class StackOptions(NetworkOptions):
    """StackDecoder (Chiang and Chen, 2019)."""

    model: ClassVar[str] = "stack-decoder"
    module: ClassVar[str] = "sau_solver.models.baselines.stack_decoder"

    hidden: int = 256


@dataclass(frozen=True, slots=True)
class Seq2SeqOptions(NetworkOptions):
    """Seq2Seq with attention and significant number identification (Wang et al., 2017)."""

    model: ClassVar[str] = "seq2seq"
    module: ClassVar[str] = "sau_solver.models.baselines.seq2seq"

    slots: int = 15  # numbers of a text that the decoder has a word for
    window: int = 3  # words on either side of a number that tell whether it is needed; 0: every number has a slot
    longest_sequence: int = 80  # words of an equation that the search may write, brackets among them

    def __post_init__(self) -> None:
        NetworkOptions.__post_init__(self)
        for name in ("slots", "longest_sequence"):
            if getattr(self, name) < 1:
                raise InputError(f"[seq2seq] {name} must be at least 1; {getattr(self, name)} came.")
        if self.window < 0:
            raise InputError(f"[seq2seq] window must be 0 or more; {self.window} came.")
