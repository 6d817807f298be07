"""The sizes of encoders, and the shapes of all weights of a network; no torch is needed to know them.

A checkpoint describes a network by these sizes. What is built from it must have weights of exactly these shapes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from sau_solver.errors import InputError
from sau_solver.models.described import built, wrong
from sau_solver.models.options import SauOptions, check_sizes
from sau_solver.models.targets import Targets

# The distances at which a new bucket starts: every distance up to 8, then each is 8 times a power of the root of 2.
STARTS = (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91)
BUCKETS = 2 * (1 + len(STARTS))  # the second half is for pieces to the right


@dataclass(frozen=True, slots=True)
class BertShape:
    """The sizes of a BERT without its vocabulary."""

    kind: ClassVar[str] = "bert"
    layers: int
    size: int
    heads: int
    inner: int  # width of the feed-forward layer
    positions: int
    epsilon: float = 1e-12
    dropout: float = 0.1

    def __post_init__(self) -> None:
        check_sizes("encoder", layers=self.layers, size=self.size, heads=self.heads, inner=self.inner)
        check_sizes("encoder", positions=self.positions)
        if not 0 < self.epsilon < 1 or not 0 <= self.dropout < 1:
            raise InputError(
                "[encoder] epsilon must be between 0 and 1 and dropout at least 0 and less than 1, "
                f"got {self.epsilon} and {self.dropout}."
            )


@dataclass(frozen=True, slots=True)
class MpnetShape(BertShape):
    """The sizes of an MPNet without its vocabulary."""

    kind: ClassVar[str] = "mpnet"


SHAPES: Mapping[str, type[BertShape]] = {shape.kind: shape for shape in (BertShape, MpnetShape)}


def described_shape(model: Mapping[str, Any]) -> BertShape | None:
    """Return the shape of the pretrained encoder that a checkpoint describes, or None for the BiGRU."""
    told = model.get("encoder", {})
    if not isinstance(told, dict):
        raise wrong("model.encoder", "a JSON object", told)
    if not told:
        return None
    kind = told.get("kind")
    if not isinstance(kind, str) or kind not in SHAPES:
        raise wrong("model.encoder.kind", f"one of {', '.join(SHAPES)}", kind)
    return built(SHAPES[kind], {name: value for name, value in told.items() if name != "kind"}, "model.encoder")


Shape = tuple[int, ...]


def network_shapes(options: SauOptions, encoder: BertShape, targets: Targets, words: int) -> dict[str, Shape]:
    """Return the shape of each weight that solving needs, of a SAU network with a pretrained encoder."""
    hidden = options.hidden
    size = hidden if options.operator_size == "hidden" else options.embedding
    shapes: dict[str, Shape] = {
        **_under("encoder.pretrained", _encoder(encoder, words)),
        **_linear("encoder.state", encoder.size, hidden),
        **_linear("encoder.goal", encoder.size, hidden),
        "decoder.operators": (targets.operators, size),
        "decoder.leaves": (targets.leaves + 1, hidden),
        "decoder.attention.key.weight": (hidden, hidden),
        "decoder.attention.weights": (hidden,),
        "decoder.score_symbol.weight": (hidden, hidden),
        "decoder.score_weights": (hidden,),
        **_linear("decoder.attention.query", hidden, hidden),
        **_linear("decoder.score_node", 2 * hidden, hidden),
    }
    inputs = {"left_node": hidden, "right_node": 2 * hidden}
    inputs |= dict.fromkeys(("left_goal", "right_goal", "merge"), 2 * hidden + size)
    for gate, taken in inputs.items():
        shapes |= _linear(f"decoder.{gate}.both", taken, 2 * hidden)
    if options.operator_score == "linear":
        shapes |= _linear("decoder.score_operators", 2 * hidden, targets.operators)
    return shapes


def _encoder(shape: BertShape, words: int) -> dict[str, Shape]:
    size = shape.size
    shapes: dict[str, Shape] = {"embedding.weight": (words, size), "positions": (shape.positions, size)}
    shapes |= _norm("norm", size)
    for layer in range(shape.layers):
        shapes |= _under(
            f"layers.{layer}",
            {
                **_linear("looking", size, 3 * size),
                **_linear("seen", size, size),
                **_norm("seen_norm", size),
                **_linear("wide", size, shape.inner),
                **_linear("narrow", shape.inner, size),
                **_norm("norm", size),
            },
        )
    return shapes | ({"distances": (BUCKETS, shape.heads)} if shape.kind == MpnetShape.kind else {})


def _linear(name: str, inputs: int, outputs: int) -> dict[str, Shape]:
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def _norm(name: str, size: int) -> dict[str, Shape]:
    return {f"{name}.weight": (size,), f"{name}.bias": (size,)}


def _under(place: str, shapes: Mapping[str, Shape]) -> dict[str, Shape]:
    return {f"{place}.{name}": shape for name, shape in shapes.items()}
