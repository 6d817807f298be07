"""Seq2Seq with significant number identification: unneeded numbers become words, and outputs may not be trees."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.answering.candidates import UNFILLABLE
from sau_solver.equations.uet import Uet
from sau_solver.models.base import Example
from sau_solver.models.baselines.number_significance import keep_numbers, needed_numbers, windows
from sau_solver.models.baselines.seq2seq import Seq2Seq, Seq2SeqPredictor, Seq2SeqState
from sau_solver.models.baselines.sequence_batch import EncodedSequence
from sau_solver.models.layers.dropout import keep_all
from sau_solver.models.layers.stacked import Linear
from sau_solver.models.network import Found
from sau_solver.models.sau.tree_batch import collate_texts
from sau_solver.models.targets import RARE
from sau_solver.text.numbers import NUMBER_WORD, map_text
from sau_solver.text.tokens import PADDING
from tests.models.networks import plain_search, small_solver, written_log_probability

TEXT = map_text("In 2 shops 12 hens and 5 cows eat 12 cakes.", "en")


def solver_and_problems(seed: int, scale: float = 3, **more: Any) -> tuple[Seq2SeqPredictor, list[EncodedSequence]]:
    solver, learned = small_solver("seq2seq", seed, scale, **more)
    assert isinstance(solver, Seq2SeqPredictor)
    problems = [solver.encode(example) for example in learned]
    return solver, [one for one in problems if isinstance(one, EncodedSequence)]


@given(st.lists(st.integers(3, 9), min_size=1, max_size=12), st.data(), st.integers(0, 4))
def test_a_window_has_the_words_around_a_number(ids: list[int], data: st.DataObject, reach: int) -> None:
    places = data.draw(st.lists(st.integers(0, len(ids) - 1), unique=True).map(sorted))
    found = windows(ids, places, reach)
    assert len(found) == len(places)
    for place, window in zip(places, found, strict=True):
        for offset, word in zip(range(-reach, reach + 1), window, strict=True):
            inside = 0 <= place + offset < len(ids)
            assert word == (ids[place + offset] if inside else PADDING)


def test_a_number_is_needed_if_the_gold_tree_uses_its_value() -> None:
    assert [int(number.value) for number in TEXT.numbers] == [2, 12, 5, 12]
    assert needed_numbers(TEXT, Uet.from_text("= x + N1 N2")) == [False, True, True, True]
    assert needed_numbers(TEXT, Uet.from_text("= x 7")) == [False] * 4


def test_a_number_that_is_not_needed_becomes_a_word() -> None:
    kept = keep_numbers(TEXT, [False, True, False, True])
    assert [number.start for number in kept.numbers] == [TEXT.numbers[1].start, TEXT.numbers[3].start]
    assert [kept.words[place] for place in kept.positions] == [NUMBER_WORD] * 2
    assert [kept.words[place] for place in TEXT.positions] == ["2", NUMBER_WORD, "5", NUMBER_WORD]
    assert (kept.text, kept.spans, len(kept.words)) == (TEXT.text, TEXT.spans, len(TEXT.words))


def test_equations_are_encoded_with_the_slots_of_the_text_that_is_read() -> None:
    solver, _ = solver_and_problems(0)
    tree = Uet.from_text("= x * N1 + 99 N2")
    example = Example(None, TEXT, tree)  # type: ignore[arg-type]
    one = solver.encode(example)
    assert isinstance(one, EncodedSequence)
    first = 3 + solver.network.targets.generated  # the id of the first slot
    assert one.symbols[2:] == (first, 3 + 4, 1, RARE, 3 + 2, first + 1, 2, 0)  # N0 * ( 99 + N1 ), END
    assert one.needed == (False, True, True, True)
    assert len(one.windows) == 4


def test_outputs_get_the_slots_of_the_whole_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second number has no slot; a slot that the text does not have stays a slot."""
    solver, _ = solver_and_problems(0)
    first = 3 + solver.network.targets.generated
    written = [[first + 1], [1, first + 1, 2], [first, 3 + 2, first + 3], [1, first], []]
    found = Found(written, [-1.0, -2.0, -3.0, -4.0, -5.0])
    monkeypatch.setattr(Seq2SeqPredictor, "significant", lambda *_: [[True, False, True, True]])
    monkeypatch.setattr(Seq2Seq, "search", lambda *_: [found])
    (candidates,) = solver.predict([TEXT])
    trees = [str(one.tree) for one in candidates]
    assert trees == [
        "N2",
        "+ N0 N4",
        str(UNFILLABLE),
        str(UNFILLABLE),
    ]  # the second output was the first one in brackets
    assert [one.unreadable for one in candidates] == ["", "", "( N0", "nothing"]
    assert [one.log_probability for one in candidates] == [-1.0, -3.0, -4.0, -5.0]
    with pytest.raises(Exception, match="4 numbers"):
        candidates[1].tree.equations([Fraction(1)] * 4)


def test_the_classifier_decides_which_numbers_have_a_slot() -> None:
    solver, _ = solver_and_problems(0)
    classifier = solver.network.significance
    assert classifier is not None
    score = classifier.score
    assert isinstance(score, Linear)
    with torch.no_grad():
        score.weight.zero_()
        for sign in (1.0, -1.0):
            score.bias.fill_(sign)
            assert solver.significant([TEXT, TEXT]) == [[sign > 0] * 4] * 2
    without, _ = solver_and_problems(0, window=0)
    assert without.network.significance is None
    assert without.significant([TEXT]) == [[True] * 4]


@pytest.mark.parametrize("seed", range(3))
def test_the_loss_of_a_batch_equals_the_score_of_the_gold_words_in_a_search(seed: int) -> None:
    solver, problems = solver_and_problems(seed)
    network = solver.network
    with torch.no_grad():
        total = 0.0
        for problem in problems:
            state = Seq2SeqState(network, collate_texts([problem]), 1)
            total -= written_log_probability(state, list(problem.symbols))
        found = network.losses(network.collate(problems), keep_all)
    assert found.symbols.item() == pytest.approx(total, rel=1e-9)


@pytest.mark.parametrize("beam", [1, 2, 5])
def test_the_search_finds_what_one_hypothesis_at_a_time_finds(beam: int) -> None:
    solver, problems = solver_and_problems(beam, 4, longest_sequence=6)
    network, some = solver.network, problems[::6]
    with torch.no_grad():  # a random network rarely predicts END
        network.score.bias[0] += 2
    for problem, found in zip(some, network.search(collate_texts(some), beam), strict=True):

        def start(one: EncodedSequence = problem) -> Seq2SeqState:
            return Seq2SeqState(network, collate_texts([one]), 1)

        with torch.no_grad():
            expected = plain_search(start, beam, 6)
        assert found.symbols == [symbols for symbols, _ in expected]
        assert found.log_probabilities == pytest.approx([score for _, score in expected], rel=1e-9)
