"""Tiny random encoders in the form in which real ones are published."""

from __future__ import annotations

from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import WordLevel, WordPiece

from tests.models.problems import examples

SIZE = 16


def words() -> list[str]:
    found = {word.lower() for example in examples() for word in example.text.words}
    return sorted(found | {character for word in found for character in word})


def tiny_bert(folder: Path, seed: int = 0, dropout: float = 0.1, lowercase: bool = True) -> Path:
    """A folder such as that of bge-small-zh: config.json, tokenizer.json, model.safetensors."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    pieces = dict.fromkeys([*special, *"0123456789", *words(), *letters, "##ing", "##s", "qu", "<S>"])
    vocabulary = {piece: place for place, piece in enumerate(pieces)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    marks = [(mark, vocabulary[mark]) for mark in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=marks)
    tokenizer.add_special_tokens(special)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=SIZE,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=24,
        max_position_embeddings=64,
        hidden_dropout_prob=dropout,
    )
    return _saved(folder, transformers.BertModel, config, tokenizer, seed)


def tiny_distilbert(folder: Path, seed: int = 0) -> Path:
    """An encoder that is no BERT, with a tokenizer that cuts at spaces."""
    vocabulary = {word: place for place, word in enumerate(dict.fromkeys(["<pad>", "<unk>", "<s>", "</s>", *words()]))}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    marks = [(mark, vocabulary[mark]) for mark in ("<s>", "</s>")]
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=marks)
    config = transformers.DistilBertConfig(
        vocab_size=len(vocabulary), dim=SIZE, n_layers=2, n_heads=2, hidden_dim=24, max_position_embeddings=64
    )
    return _saved(folder, transformers.DistilBertModel, config, tokenizer, seed)


def _saved(
    folder: Path,
    model: type[transformers.PreTrainedModel],
    config: transformers.PretrainedConfig,
    tokenizer: Tokenizer,
    seed: int,
) -> Path:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        made = model(config)
        for parameter in made.parameters():  # published weights are far from those that a network starts with
            parameter.data.add_(torch.randn_like(parameter) * 0.05)
    made.save_pretrained(folder)
    whole = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer)  # type: ignore[no-untyped-call]
    whole.save_pretrained(folder)
    return folder
