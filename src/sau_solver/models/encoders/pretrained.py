"""A published encoder in the BiGRU's place: hub id or folder -> tokens, shape and weights; and the layer around it.

A BERT is read into our own layers (bert.py), with the part of its vocabulary that can occur. Any other architecture
runs through the `transformers` library, with its own tokenizer. Either way a number of the text is one token.
"""

from __future__ import annotations

import hashlib
import json
import os
import string
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from safetensors.torch import load_file
from torch import Tensor, nn

from sau_solver.errors import InputError
from sau_solver.models.encoders.bert import Bert, BertShape, published_weights
from sau_solver.models.encoders.hub import HubModel, HubShape, HubTokens, open_hub
from sau_solver.models.layers.dropout import Dropout
from sau_solver.models.stacking import Linear
from sau_solver.text.pieces import Pieces
from sau_solver.text.tokens import Tokens, Vocabulary

Shape = BertShape | HubShape
ENCODERS = "SAU_ENCODERS"  # the variable that names a folder of encoders: SAU_ENCODERS/BAAI/bge-small-zh-v1.5/


@dataclass(frozen=True)
class Pretrained:
    """A published encoder, cut to what training texts need."""

    tokens: Pieces | HubTokens
    shape: Shape
    sha256: str  # of the published weights
    weights: Mapping[str, Tensor] = field(repr=False)


class PretrainedEncoder(nn.Module):
    """A pretrained encoder whose states are brought to the decoder's size."""

    def __init__(self, shape: Shape, pieces: int, hidden: int) -> None:
        super().__init__()
        self.pretrained: Bert | HubModel = shape.build(pieces)
        self.state = Linear(shape.size, hidden)
        self.goal = Linear(shape.size, hidden)

    @property
    def words(self) -> int:
        """How many ids texts have."""
        return self.pretrained.embedding.weight.shape[-2]

    def forward(self, words: Tensor, lengths: Tensor, drop: Dropout) -> tuple[Tensor, Tensor]:
        """(problems, pieces) -> states (problems, pieces, hidden) and the goal g0 (problems, hidden)."""
        states = drop(self.pretrained(words, lengths, drop))
        return self.state(states), self.goal(states[:, 0])


def read_pretrained(name: str, texts: Sequence[Sequence[str]], minimum_count: int, layers: int = 0) -> Pretrained:
    """An encoder by hub id or folder, cut to what the training texts use; `layers` keeps the first so many."""
    place = find_encoder(name)
    config = _read_json(place / "config.json") if place else {}
    weights: Mapping[str, Tensor]
    if place and config.get("model_type") == "bert" and (place / "model.safetensors").is_file():
        tokenizer = _read_json(place / "tokenizer.json")
        weights = load_file(place / "model.safetensors")
        digest = hashlib.sha256((place / "model.safetensors").read_bytes()).hexdigest()
    else:
        opened = open_hub(str(place or name))
        config, weights, digest = opened.config, opened.weights, opened.sha256
        if config["model_type"] != "bert":
            if layers:
                raise InputError(f"[sau] encoder_layers is for BERT; {name} is of type {config['model_type']}.")
            return Pretrained(opened.tokens, HubShape(config), digest, weights)
        tokenizer = json.loads(opened.tokens.text)
    return _bert(name, config, tokenizer, weights, digest, texts, minimum_count, layers)


def find_encoder(name: str) -> Path | None:
    """The folder of an encoder, where it lies on this machine."""
    places = [Path(name).expanduser()]
    if folder := os.environ.get(ENCODERS):
        places.append(Path(folder).expanduser() / name)
    return next((place for place in places if (place / "config.json").is_file()), None)


def _bert(
    name: str,
    config: Mapping[str, Any],
    tokenizer: Mapping[str, Any],
    weights: Mapping[str, Tensor],
    digest: str,
    texts: Sequence[Sequence[str]],
    minimum_count: int,
    layers: int,
) -> Pretrained:
    if tokenizer["model"].get("type") != "WordPiece":
        raise InputError(f"{name}: a BERT with a WordPiece tokenizer was expected; choose another encoder.")
    if layers > config["num_hidden_layers"]:
        raise InputError(f"[sau] encoder_layers = {layers}, and {name} has {config['num_hidden_layers']} layers.")
    published: dict[str, int] = tokenizer["model"]["vocab"]
    special = {token["content"] for token in tokenizer.get("added_tokens", ())}
    plain = [piece for piece in sorted(published, key=published.__getitem__) if piece not in special]
    # Some say that they keep capitals, and know none.
    lowercase = bool((tokenizer.get("normalizer") or {}).get("lowercase"))
    lowercase = lowercase or published.keys().isdisjoint(string.ascii_uppercase)
    pieces = Pieces.build(plain, texts, lowercase, minimum_count)
    shape = BertShape(
        layers=layers or config["num_hidden_layers"],
        size=config["hidden_size"],
        heads=config["num_attention_heads"],
        inner=config["intermediate_size"],
        positions=config["max_position_embeddings"],
        epsilon=config.get("layer_norm_eps", 1e-12),
        dropout=config.get("hidden_dropout_prob", 0.1),
    )
    if config.get("hidden_act", "gelu") != "gelu" or config.get("position_embedding_type", "absolute") != "absolute":
        raise InputError(f"{name}: a BERT with gelu and absolute positions was expected; choose another encoder.")
    rows = [[published[piece] for piece in own] for own in pieces.stand_ins(published)]
    bare = {key.removeprefix("bert."): value for key, value in weights.items()}
    return Pretrained(pieces, shape, digest, published_weights(bare, shape, rows))


def describe_encoder(shape: Shape | None, tokens: Tokens) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a checkpoint's config and its vocabulary file say of an encoder; nothing of the BiGRU's shape."""
    told = {} if shape is None else {"encoder": {"kind": shape.kind, **asdict(shape)}}
    match tokens:
        case Pieces(pieces, lowercase):
            return told, {"pieces": list(pieces), "lowercase": lowercase}
        case HubTokens(text):
            return told, {"tokenizer": text}
        case Vocabulary(words):
            return told, {"words": list(words)}
    raise TypeError(type(tokens))


def described_encoder(model: Mapping[str, Any], vocabulary: Mapping[str, Any]) -> tuple[Shape | None, Tokens]:
    """The shape and the tokens that a checkpoint describes."""
    told = dict(model.get("encoder", {}))
    kind = told.pop("kind", None)
    shape = {BertShape.kind: BertShape, HubShape.kind: HubShape}[kind](**told) if kind else None
    if "pieces" in vocabulary:
        return shape, Pieces(tuple(vocabulary["pieces"]), vocabulary["lowercase"])
    if "tokenizer" in vocabulary:
        return shape, HubTokens(vocabulary["tokenizer"])
    return shape, Vocabulary(tuple(vocabulary["words"]))


def _read_json(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: a file of a pretrained encoder was expected ({error}); copy it whole.") from None
    return found
