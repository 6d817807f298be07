"""The options of models as configurations write them, and the networks of this package by name.

Reading options needs no torch: the options of a network name the module that builds it, which is imported only then.
To add a network to the package, add its file under models/, its options here, and an entry in `NETWORKS`; a
configuration can also name a network of your own (docs/adding-a-model.md).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self, get_args

from sau_solver.equations.symbols import MINIMUM_CONSTANT_COUNT
from sau_solver.equations.uet import Uet, without_unknown
from sau_solver.errors import InputError
from sau_solver.models.base import Learner
from sau_solver.text.tokens import MINIMUM_WORD_COUNT

# additive: every symbol is scored by eq. 7; linear: a linear layer over [n, c] scores operators (released code).
OperatorScore = Literal["additive", "linear"]
# Size of operator embeddings. hidden: that of leaves (paper); embedding: that of words (released code).
OperatorSize = Literal["hidden", "embedding"]
# norm: eq. 10, the L2 norm averaged over a problem's subtrees; squares: the mean squared difference over a batch.
Distance = Literal["norm", "squares"]
# What the alignment of subtrees with the text minimizes. paper: the distance of eq. 10. infonce: the error of finding a
# subtree's text vector among those of other problems. span: how far its attention is from the words around its numbers.
# vicreg: the distance, while both sides stay spread out. Weight decay shrinks the head of the alignment to nothing, so
# train all but the first with `decay_alignment = false` in [training].
Objective = Literal["paper", "infonce", "span", "vicreg"]
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)
# Encoder state of a number that occurs several times in the text: the first one, or the mean of all.
RepeatedNumber = Literal["first", "mean"]
# The loss of a batch is a mean over problems (eq. 12) or over symbols (released code). Adam's step does not depend on
# the scale of a loss, but weight decay and the alignment's weight are relative to it.
LossMean = Literal["problems", "symbols"]
DeviceName = Literal["auto", "cpu", "cuda"]


BIGRU = "bigru"  # the paper's encoder

MAX_SIZE = 1 << 16  # of a vector or a sequence
MAX_LAYERS = 200


def check_sizes(table: str, **sizes: int) -> None:
    """Raise InputError for sizes that no network has; layers and heads have lower limits than other sizes."""
    for name, size in sizes.items():
        most = MAX_LAYERS if name in ("layers", "heads") else MAX_SIZE
        if not 1 <= size <= most:
            raise InputError(f"[{table}] {name} must be between 1 and {most}, got {size}.")
    if "heads" in sizes and sizes["size"] % sizes["heads"]:
        raise InputError(f"[{table}] size must be a multiple of heads, got {sizes['size']} and {sizes['heads']}.")


@dataclass(frozen=True, slots=True)
class LearnerOptions(ABC):
    """The options of a model that learns in one call."""

    model: ClassVar[str]  # its name in configurations and results

    @abstractmethod
    def build(self) -> Learner:
        """Return the model before it has learned anything."""


@dataclass(frozen=True, slots=True)
class NetworkOptions:
    """The options that all networks share; each network adds its own."""

    model: ClassVar[str]  # its name in configurations, results and checkpoints
    module: ClassVar[str]  # the module that defines its `NetworkPredictor` as `PREDICTOR`

    embedding: int = 128  # size of word embeddings
    hidden: int = 512
    dropout: float = 0.5
    minimum_word_count: int = MINIMUM_WORD_COUNT
    minimum_constant_count: int = MINIMUM_CONSTANT_COUNT
    longest_tree: int = 45  # symbols of the longest tree that a search may write

    def __post_init__(self) -> None:
        check_sizes(self.model, embedding=self.embedding, hidden=self.hidden, longest_tree=self.longest_tree)
        for name in ("minimum_word_count", "minimum_constant_count"):
            if getattr(self, name) < 1:
                raise InputError(f"[{self.model}] {name} must be at least 1, got {getattr(self, name)}.")
        if not 0 <= self.dropout < 1:
            raise InputError(f"[{self.model}] dropout must be at least 0 and less than 1, got {self.dropout}.")

    def like(self, other: Self) -> Self:
        """Return these options with the other's values where stacked networks may differ."""
        names = ("minimum_word_count", "minimum_constant_count", "longest_tree")
        return replace(self, **{name: getattr(other, name) for name in names})

    def expressed(self, tree: Uet) -> Uet | None:
        """Return a gold tree as the network learns to write it, or None if the network cannot express it."""
        return tree

    @property
    def selective(self) -> bool:
        """Whether there are gold trees that the network cannot express."""
        return type(self).expressed is not NetworkOptions.expressed


ModelOptions = LearnerOptions | NetworkOptions


@dataclass(frozen=True, slots=True)
class SauOptions(NetworkOptions):
    """Options of SAU-Solver, with every choice in which the released code differs from the paper."""

    model: ClassVar[str] = "sau"
    module: ClassVar[str] = "sau_solver.models.sau.sau_predictor"

    hidden: int = 384
    encoder: str = BIGRU  # or a pretrained BERT or MPNet: an id of the Hugging Face hub or a folder
    encoder_layers: int = 0  # use only the first layers of a pretrained encoder; 0 uses all
    ssar: float = 0.01  # the paper's lambda; 0 is its "w/o SSAR"
    ssar_distance: Distance = "squares"  # of alignment = "paper"
    alignment: Objective = "paper"
    idle_head: bool = False  # give a network with ssar = 0 the head of the alignment, as a control
    operator_score: OperatorScore = "additive"
    operator_size: OperatorSize = "hidden"
    repeated_number: RepeatedNumber = "first"
    number_forms: bool = False  # read numbers as written (一, 25 %, 1/3) instead of one common word
    word_dropout: float = 0.0  # share of the words that are unknown in a training step; numbers stay
    loss_mean: LossMean = "problems"

    def __post_init__(self) -> None:
        NetworkOptions.__post_init__(self)
        if not 0 <= self.word_dropout < 1:
            raise InputError(f"[sau] word_dropout must be at least 0 and less than 1, got {self.word_dropout}.")
        if self.encoder_layers < 0 or (self.encoder_layers and self.encoder == BIGRU):
            raise InputError(
                f"[sau] encoder_layers must be 0 or more and needs a pretrained encoder, got {self.encoder_layers} "
                f"for {self.encoder}."
            )
        if self.ssar < 0:
            raise InputError(f"[sau] ssar must be 0 or more, got {self.ssar}.")
        if self.operator_size == "embedding" and self.operator_score == "additive":
            raise InputError('[sau] operator_score = "additive" needs operator_size = "hidden", got "embedding".')

    def like(self, other: Self) -> Self:
        """Return these options with the other's values; what the alignment minimizes and its weight may also differ."""
        names = ("ssar", "alignment", "idle_head")
        return replace(NetworkOptions.like(self, other), **{name: getattr(other, name) for name in names})

    @property
    def aligns(self) -> bool:
        """Whether the network has the head of the alignment."""
        return self.ssar > 0 or self.idle_head


@dataclass(frozen=True, slots=True)
class GtsOptions(NetworkOptions):
    """Options of GTS (Xie and Sun, 2019)."""

    model: ClassVar[str] = "gts"
    module: ClassVar[str] = "sau_solver.models.baselines.gts"

    def expressed(self, tree: Uet) -> Uet | None:
        """Return the expression of `x = expression`; GTS writes only plain arithmetic."""
        return without_unknown(tree)


@dataclass(frozen=True, slots=True)
class StackOptions(NetworkOptions):
    """Options of StackDecoder (Chiang and Chen, 2019)."""

    model: ClassVar[str] = "stack-decoder"
    module: ClassVar[str] = "sau_solver.models.baselines.stack_decoder"

    hidden: int = 256


@dataclass(frozen=True, slots=True)
class Seq2SeqOptions(NetworkOptions):
    """Options of Seq2Seq with attention and significant number identification (Wang et al., 2017)."""

    model: ClassVar[str] = "seq2seq"
    module: ClassVar[str] = "sau_solver.models.baselines.seq2seq"

    slots: int = 15  # numbers of a text that the decoder can write
    window: int = 3  # words on either side of a number that show whether it is significant; 0 gives every number a slot
    longest_sequence: int = 80  # tokens of the longest equation that a search may write, with brackets

    def __post_init__(self) -> None:
        NetworkOptions.__post_init__(self)
        check_sizes(self.model, slots=self.slots, longest_sequence=self.longest_sequence)
        if not 0 <= self.window <= MAX_SIZE:
            raise InputError(f"[seq2seq] window must be between 0 and {MAX_SIZE}, got {self.window}.")


NETWORKS: Mapping[str, type[NetworkOptions]] = {
    options.model: options for options in (SauOptions, GtsOptions, StackOptions, Seq2SeqOptions)
}
