"""Tiny random encoders in the format of published ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import WordPiece

from tests.models.problems import examples

if TYPE_CHECKING:
    import transformers

SIZE = 16
SIZES: dict[str, Any] = {"hidden_size": SIZE, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24}


def words() -> list[str]:
    found = {word.lower() for example in examples() for word in example.text.words}
    return sorted(found | {character for word in found for character in word})


def tiny_bert(folder: Path, seed: int = 0, dropout: float = 0.1, lowercase: bool = True) -> Path:
    """Write a tiny BERT like bge-small-zh: config.json, tokenizer.json, model.safetensors; return its folder."""
    import transformers  # takes seconds; the quick loop does without

    tokenizer = _tokenizer(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], ("[CLS]", "[SEP]"), lowercase)
    config = transformers.BertConfig(
        vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=64, hidden_dropout_prob=dropout, **SIZES
    )
    return _saved(folder, transformers.BertModel, config, tokenizer, seed)


def tiny_mpnet(folder: Path, seed: int = 0, dropout: float = 0.1) -> Path:
    """Write a tiny MPNet like all-mpnet-base-v2, whose vocabulary has BERT's marks as well; return its folder."""
    import transformers

    special = ["<s>", "<pad>", "</s>", "<unk>", "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "<mask>"]
    tokenizer = _tokenizer(special, ("<s>", "</s>"))
    config = transformers.MPNetConfig(
        vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=66, hidden_dropout_prob=dropout, **SIZES
    )
    return _saved(folder, transformers.MPNetModel, config, tokenizer, seed)


def _tokenizer(special: list[str], around: tuple[str, str], lowercase: bool = True) -> Tokenizer:
    letters = [f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    pieces = dict.fromkeys([*special, *"0123456789", *words(), *letters, "##ing", "##s", "qu", "<S>"])
    vocabulary = {piece: place for place, piece in enumerate(pieces)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    marks = [(mark, vocabulary[mark]) for mark in around]
    tokenizer.post_processor = processors.TemplateProcessing(single="{} $A {}".format(*around), special_tokens=marks)
    tokenizer.add_special_tokens(special)
    return tokenizer


def _saved(
    folder: Path,
    model: type[transformers.PreTrainedModel],
    config: transformers.PretrainedConfig,
    tokenizer: Tokenizer,
    seed: int,
) -> Path:
    from transformers import PreTrainedTokenizerFast

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        made = model(config)
        for parameter in made.parameters():  # published weights differ much from initial ones
            parameter.data.add_(torch.randn_like(parameter) * 0.05)
    made.save_pretrained(folder)
    whole = PreTrainedTokenizerFast(tokenizer_object=tokenizer)  # type: ignore[no-untyped-call]
    whole.save_pretrained(folder)
    return folder
