"""Word dropout hides words from training steps: never numbers, marks or padding, and nothing outside training."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from sau_solver.errors import InputError
from sau_solver.models.layers.dropout import Noise, keep_all
from sau_solver.models.options import SauOptions
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.sau.tree_batch import Texts
from sau_solver.text.tokens import UNKNOWN_WORD
from tests.models.cases import TARGETS

OPTIONS = SauOptions(embedding=4, hidden=6, word_dropout=0.25)
WORDS = 40


def many_texts() -> Texts:
    """200 texts of 30 words with numbers at the places 3 and 7, and 5 places of padding."""
    words = torch.randint(5, WORDS, (200, 35), generator=torch.Generator().manual_seed(0))
    words[:, 0], words[:, 29], words[:, 30:] = 3, 4, 0
    places, slots = torch.tensor([[3, 7, 0]] * 200), torch.tensor([[True, True, False]] * 200)
    return Texts(words, torch.full((200,), 30), places, slots, torch.zeros_like(places))


def read_words(network: SauNetwork, texts: Texts, drop: Noise) -> Tensor:
    read: list[Tensor] = []
    network.encoder.register_forward_pre_hook(lambda _, given: read.append(given[0]))
    network.encode(texts, drop)
    return read[0]


def test_about_a_quarter_of_the_words_is_unknown_and_numbers_stay() -> None:
    texts, noise = many_texts(), Noise(0.0, torch.Generator())
    noise.seed(1)
    read = read_words(SauNetwork(WORDS, TARGETS, OPTIONS), texts, noise)
    changed = read != texts.words
    assert (read[changed] == UNKNOWN_WORD).all()
    kept = [0, 3, 7, 29, *range(30, 35)]
    assert not changed[:, kept].any()
    others = [place for place in range(30) if place not in kept]
    assert 0.22 < changed[:, others].float().mean() < 0.28


def test_nothing_is_hidden_without_dropout() -> None:
    texts = many_texts()
    network = SauNetwork(WORDS, TARGETS, OPTIONS)
    plain = SauNetwork(WORDS, TARGETS, replace(OPTIONS, word_dropout=0.0))
    plain.load_state_dict(network.state_dict())
    for one, other in zip(network.encode(texts, keep_all), plain.encode(texts, keep_all), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("share", [-0.1, 1.0])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(InputError, match="word_dropout must be at least 0 and less than 1"):
        SauOptions(word_dropout=share)
