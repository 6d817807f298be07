"""Encoders of any architecture through the `transformers` library: hub id or folder -> model and tokenizer.

The library's own dropout stays off: it draws from torch's global generator, which no checkpoint of ours restores.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from sau_solver.errors import InputError
from sau_solver.models.layers.dropout import Dropout
from sau_solver.text.numbers import form_of

_NUMBER = "[NUM]"  # the token that is added for numbers


@dataclass(frozen=True)
class HubTokens:
    """A tokenizer of the `tokenizers` library, with one token more: a number."""

    text: str = field(repr=False)  # its JSON
    _tokenizer: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_tokenizer", _required("tokenizers").Tokenizer.from_str(self.text))

    def read(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """The ids of a text with the tokenizer's own marks around it, and where each word begins."""
        shown = [word if form_of(word) is None else _NUMBER for word in words]
        encoding = self._tokenizer.encode(shown, is_pretokenized=True)
        begins: dict[int, int] = {}
        for place, word in enumerate(encoding.word_ids):
            if word is not None:
                begins.setdefault(word, place)
        # A word that the tokenizer drops begins where the next one does.
        places = []
        last = max(len(encoding.ids) - 1, 0)
        for word in reversed(range(len(shown))):
            last = begins.get(word, last)
            places.append(last)
        return list(encoding.ids), places[::-1]

    def __len__(self) -> int:
        return int(self._tokenizer.get_vocab_size())


@dataclass(frozen=True)
class HubShape:
    """The library's configuration of an encoder."""

    kind: ClassVar[str] = "transformers"
    config: dict[str, Any]

    @property
    def size(self) -> int:
        """The length of its states."""
        return int(self.config.get("hidden_size") or self.config["dim"])

    def build(self, pieces: int) -> HubModel:
        """An encoder with weights of no meaning."""
        transformers = _required("transformers")
        described = {key: value for key, value in self.config.items() if key != "model_type"}
        config = transformers.AutoConfig.for_model(self.config["model_type"], **described)
        model = transformers.AutoModel.from_config(config)
        model.resize_token_embeddings(pieces, mean_resizing=False)
        return HubModel(model)


class HubModel(nn.Module):
    """An encoder of the library behind our interface."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    @property
    def embedding(self) -> nn.Embedding:
        """The embeddings of tokens."""
        found: nn.Embedding = self.model.get_input_embeddings()  # type: ignore[operator]
        return found

    def forward(self, pieces: Tensor, lengths: Tensor, drop: Dropout) -> Tensor:
        """(problems, pieces) -> (problems, pieces, size)."""
        self.model.eval()
        length = pieces.shape[1]
        limit = getattr(self.model.config, "max_position_embeddings", length)
        if length > limit:
            raise InputError(f"A text of at most {limit} tokens was expected, {length} came; shorten it.")
        real = torch.arange(length, device=pieces.device) < lengths.unsqueeze(1)
        states: Tensor = self.model(input_ids=pieces, attention_mask=real.long()).last_hidden_state
        return states


@dataclass(frozen=True)
class Opened:
    """What the library read of a published encoder."""

    config: dict[str, Any]
    tokens: HubTokens
    weights: Mapping[str, Tensor] = field(repr=False)
    sha256: str


def open_hub(name: str) -> Opened:
    """Read an encoder; one that is not on this machine is downloaded by the library."""
    transformers = _required("transformers")
    try:
        model = transformers.AutoModel.from_pretrained(name)
        tokenizer = transformers.AutoTokenizer.from_pretrained(name)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(
            f"{name}: an encoder of the Hugging Face hub, or a folder with one, was expected ({reason}); check the "
            "name, or copy the encoder to SAU_ENCODERS and name it as on the hub."
        ) from None
    if not tokenizer.is_fast:
        raise InputError(f"{name}: its tokenizer has no tokenizer.json; choose an encoder that has one.")
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    tokenizer.add_special_tokens({"additional_special_tokens": [_NUMBER]})
    described = json.loads(model.config.to_json_string(use_diff=False))
    config = {key: value for key, value in described.items() if key not in _OF_NO_EFFECT}
    config["model_type"] = model.config.model_type
    published = {key: value.detach().clone() for key, value in model.state_dict().items()}
    model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    weights = {f"model.{key}": value.detach().clone() for key, value in model.state_dict().items()}
    tokens = HubTokens(tokenizer.backend_tokenizer.to_str())
    return Opened(config, tokens, published if config["model_type"] == "bert" else weights, _digest(published))


_OF_NO_EFFECT = frozenset(
    (
        "_name_or_path",
        "transformers_version",
        "architectures",
        "dtype",
        "torch_dtype",
        "vocab_size",
        "id2label",
        "label2id",
    )
)


def _digest(weights: Mapping[str, Tensor]) -> str:
    """SHA-256 of all weights in the order of their names."""
    digest = hashlib.sha256()
    for name in sorted(weights):
        digest.update(name.encode())
        digest.update(weights[name].contiguous().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def _required(package: str) -> Any:
    try:
        return __import__(package)
    except ImportError:
        raise InputError(
            "A pretrained encoder of this kind needs the transformers library; "
            "run: pip install 'sau-solver[pretrained]'"
        ) from None
