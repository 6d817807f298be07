"""A published encoder in the BiGRU's place: hub id or folder -> tokens, shape and weights; and the layer around it.

The weights are read into our own layers (bert.py, mpnet.py), with only the part of the vocabulary that can occur. A
number of the text is always one token.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from sau_solver.errors import InputError
from sau_solver.models.described import described_tokens
from sau_solver.models.encoders import bert, mpnet
from sau_solver.models.encoders.bert import Bert
from sau_solver.models.encoders.mpnet import Mpnet
from sau_solver.models.layers.dropout import Dropout
from sau_solver.models.layers.stacked import Linear
from sau_solver.models.network_shapes import BUCKETS, BertShape, MpnetShape, described_shape
from sau_solver.text.pieces import Marks, Pieces
from sau_solver.text.tokens import Tokens, Vocabulary

ENCODERS = "SAU_ENCODERS"  # environment variable: a folder of encoders, such as SAU_ENCODERS/BAAI/bge-small-zh-v1.5/
_LAYER = re.compile(r"encoder\.layer\.(\d+)\.(.+)")
_FILES = ("config.json", "tokenizer.json", "model.safetensors")


@dataclass(frozen=True)
class Kind:
    """A kind of published encoder: its layers here, and what is different in its files."""

    shape: type[BertShape]
    layers: type[Bert]
    weights: Callable[[Mapping[str, Tensor], BertShape, list[list[int]]], dict[str, Tensor]]
    marks: Marks
    first: int  # the position of the first piece


# By `model_type` in config.json, which is also the kind in our checkpoints.
KINDS: Mapping[str, Kind] = {
    BertShape.kind: Kind(BertShape, Bert, bert.published_weights, Marks("[PAD]", "[UNK]", "[CLS]", "[SEP]"), 0),
    MpnetShape.kind: Kind(
        MpnetShape, Mpnet, mpnet.published_weights, Marks("<pad>", "[UNK]", "<s>", "</s>"), mpnet.FIRST
    ),
}


@dataclass(frozen=True)
class Pretrained:
    """A published encoder, reduced to the vocabulary of the training texts."""

    tokens: Pieces
    shape: BertShape
    sha256: str  # of the published weights
    weights: Mapping[str, Tensor] = field(repr=False)


class PretrainedEncoder(nn.Module):
    """A pretrained encoder with linear layers that bring its states to the decoder's size."""

    def __init__(self, shape: BertShape, pieces: int, hidden: int) -> None:
        super().__init__()
        self.pretrained = KINDS[shape.kind].layers(pieces, shape)
        self.state = Linear(shape.size, hidden)
        self.goal = Linear(shape.size, hidden)

    @property
    def words(self) -> int:
        """The number of token ids."""
        return self.pretrained.embedding.weight.shape[-2]

    def forward(self, words: Tensor, lengths: Tensor, drop: Dropout) -> tuple[Tensor, Tensor]:
        """(problems, pieces) -> states (problems, pieces, hidden) and the goal g0 (problems, hidden)."""
        states = drop(self.pretrained(words, lengths, drop))
        return self.state(states), self.goal(states[:, 0])


def read_pretrained(name: str, texts: Sequence[Sequence[str]], minimum_count: int, layers: int = 0) -> Pretrained:
    """Read an encoder, reduced to the vocabulary of the training texts.

    `layers` is the number of its first layers to use; 0 uses all. With a multiple of their number each layer is there
    several times, one after the other, as a start for a deeper encoder.
    """
    folder = find_encoder(name) or _downloaded(name)
    config, tokenizer = (_read_json(folder / file) for file in ("config.json", "tokenizer.json"))
    shape = _shape(name, config, layers)
    kind = KINDS[shape.kind]
    if tokenizer["model"].get("type") != "WordPiece":
        raise InputError(f"{name}: the encoder must have a WordPiece tokenizer. Choose another encoder.")
    published: dict[str, int] = tokenizer["model"]["vocab"]
    special = {token["content"] for token in tokenizer.get("added_tokens", ())}
    plain = [piece for piece in sorted(published, key=published.__getitem__) if piece not in special]
    # Some tokenizers claim to keep capital letters although their vocabulary has none.
    lowercase = bool((tokenizer.get("normalizer") or {}).get("lowercase"))
    lowercase = lowercase or published.keys().isdisjoint(string.ascii_uppercase)
    pieces = Pieces.build(plain, texts, lowercase, minimum_count)
    path = folder / "model.safetensors"
    try:
        rows = [[published[piece] for piece in own] for own in pieces.stand_ins(published, kind.marks)]
        weights = {key.removeprefix(f"{shape.kind}."): value for key, value in load_file(path).items()}
        depth = config["num_hidden_layers"]
        if shape.layers > depth:
            weights = _repeated(weights, shape.layers // depth)
        return Pretrained(pieces, shape, _digest(path), kind.weights(weights, shape, rows))
    except KeyError as error:
        raise InputError(f"{name}: {error} is missing in this {shape.kind}. Choose another encoder.") from None
    except (OSError, SafetensorError) as error:
        raise _unreadable(path, error) from None


def _repeated(weights: Mapping[str, Tensor], times: int) -> dict[str, Tensor]:
    """Return published weights with every layer several times."""
    found: dict[str, Tensor] = {}
    for name, value in weights.items():
        if match := _LAYER.fullmatch(name):
            first = times * int(match[1])
            found |= {f"encoder.layer.{first + place}.{match[2]}": value for place in range(times)}
        else:
            found[name] = value
    return found


def find_encoder(name: str) -> Path | None:
    """Return the folder of an encoder on this machine, or None."""
    places = [Path(name).expanduser()]
    if folder := os.environ.get(ENCODERS):
        places.append(Path(folder).expanduser() / name)
    return next((place for place in places if (place / "config.json").is_file()), None)


def _downloaded(name: str) -> Path:
    """Return the folder of an encoder of the Hugging Face hub, downloaded unless it is in the hub's cache."""
    try:
        import huggingface_hub
    except ImportError:
        raise InputError(
            f"{name} is not a folder, and downloading it from the Hugging Face hub needs huggingface_hub. "
            "Run in a checkout: pip install '.[pretrained]'"
        ) from None
    try:
        return Path(huggingface_hub.snapshot_download(name, allow_patterns=list(_FILES)))
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(
            f"{name} must be an encoder of the Hugging Face hub or a folder with one ({reason}). "
            f"Check the name, or copy the encoder to {ENCODERS} and name it as on the hub."
        ) from None


def _shape(name: str, config: Mapping[str, Any], layers: int) -> BertShape:
    kind = KINDS.get(config.get("model_type", ""))
    if kind is None:
        raise InputError(
            f"{name}: model_type of the encoder must be {' or '.join(KINDS)}, got {config.get('model_type')}. "
            "Choose another encoder."
        )
    if config.get("hidden_act", "gelu") != "gelu" or config.get("position_embedding_type", "absolute") != "absolute":
        raise InputError(f"{name}: the encoder must use gelu and absolute positions. Choose another encoder.")
    if config.get("relative_attention_num_buckets", BUCKETS) != BUCKETS:
        raise InputError(f"{name}: the encoder must use {BUCKETS} buckets of distances. Choose another encoder.")
    depth = config["num_hidden_layers"]
    if layers > depth and layers % depth:
        raise InputError(f"[sau] encoder_layers must be at most {depth} for {name}, or a multiple of it, got {layers}.")
    return kind.shape(
        layers=layers or config["num_hidden_layers"],
        size=config["hidden_size"],
        heads=config["num_attention_heads"],
        inner=config["intermediate_size"],
        positions=config["max_position_embeddings"] - kind.first,
        epsilon=config.get("layer_norm_eps", 1e-12),
        dropout=config.get("hidden_dropout_prob", 0.1),
    )


def describe_encoder(shape: BertShape | None, tokens: Tokens) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the entries about an encoder in a checkpoint's config and vocabulary; the BiGRU has no shape."""
    told = {} if shape is None else {"encoder": {"kind": shape.kind, **asdict(shape)}}
    match tokens:
        case Pieces(pieces, lowercase):
            return told, {"pieces": list(pieces), "lowercase": lowercase}
        case Vocabulary(words):
            return told, {"words": list(words)}
    raise TypeError(type(tokens))


def described_encoder(model: Mapping[str, Any], vocabulary: Mapping[str, Any]) -> tuple[BertShape | None, Tokens]:
    """Return the shape and the tokens that a checkpoint describes."""
    return described_shape(model), described_tokens(vocabulary)


def _read_json(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    return found


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _unreadable(path: Path, error: Exception) -> InputError:
    return InputError(
        f"{path}: this file of the pretrained encoder cannot be read ({error}). Copy the whole folder again."
    )
