"""An encoder learns to guess masked words of the training texts before the network is trained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from sau_solver.errors import InputError
from sau_solver.models.encoders.bert import Bert
from sau_solver.models.network_shapes import BertShape
from sau_solver.text.pieces import END, START
from sau_solver.text.tokens import NUMBER, PADDING, UNKNOWN_WORD
from sau_solver.training.learning import learn
from sau_solver.training.masked_words import _hide, learn_masked_words
from sau_solver.training.trainer import EpochReport
from sau_solver.training.training_options import TrainingOptions
from tests.models.tiny_encoders import tiny_bert
from tests.training.tasks import SHORT, TINY, StoppedError, same, stop_after, task

# After 5 comes 6, after 7 comes 8: a word can be guessed from the one before it.
TEXTS = [[START, first, first + 1, NUMBER, other, other + 1, END] for first in (5, 7) for other in (9, 11, 13)] * 8


def encoder(seed: int = 0) -> Bert:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return Bert(15, BertShape(layers=1, size=16, heads=2, inner=32, positions=16, dropout=0.0))


def test_words_are_guessed_better_from_epoch_to_epoch() -> None:
    reports: list[EpochReport] = []
    learn_masked_words(encoder(), TEXTS, TrainingOptions(masked_epochs=60, masked_rate=1e-2), 3, reports.append, "toy")
    assert (reports[0].run, reports[-1].epoch, len(reports)) == ("toy", 60, 60)
    assert reports[-1].loss < 0.5 * reports[0].loss
    assert reports[-1].accuracy > 0.6


def test_the_result_depends_on_the_seed_alone() -> None:
    made = []
    for seed in (3, 3, 4):
        own = encoder()
        learn_masked_words(own, TEXTS, TrainingOptions(masked_epochs=2), seed)
        made.append(own.layers[0].get_parameter("wide.weight"))
    assert torch.equal(made[0], made[1])
    assert not torch.equal(made[0], made[2])


def test_numbers_and_marks_are_never_hidden() -> None:
    words = torch.tensor([[START, 5, NUMBER, 6, END, PADDING]] * 200)
    shown, hidden = _hide(words, 15, torch.Generator().manual_seed(1))
    plain = words > END
    assert not bool(hidden[~plain].any())
    assert torch.equal(shown[~hidden], words[~hidden])
    assert 0.1 < float(hidden[plain].float().mean()) < 0.2
    assert float((shown[hidden] == UNKNOWN_WORD).float().mean()) == pytest.approx(0.8, abs=0.12)


@pytest.mark.slow
def test_a_training_starts_with_masked_words_once(tmp_path: Path) -> None:
    options = replace(TINY, encoder=str(tiny_bert(tmp_path / "bert")))
    training = replace(SHORT, masked_epochs=2)
    reports: list[EpochReport] = []
    (whole,) = learn([task(options=options)], training, reports.append)
    assert [report.run.endswith("masked words") for report in reports[:3]] == [True, True, False]
    (plain,) = learn([task(options=options)], SHORT)
    assert not same(whole, plain)
    with pytest.raises(StoppedError):
        learn([task(tmp_path, options=options)], training, stop_after(5))
    (resumed,) = learn([task(tmp_path, options=options)], training, reports.append, resume=True)
    assert same(whole, resumed)
    assert sum(report.run.endswith("masked words") for report in reports) == 2


def test_masked_words_need_a_pretrained_encoder() -> None:
    with pytest.raises(InputError, match="masked_epochs needs a pretrained encoder"):
        learn([task()], replace(SHORT, masked_epochs=1))
    with pytest.raises(InputError, match="masked_epochs must be at least 0"):
        TrainingOptions(masked_epochs=-1)
