"""A vocabulary contains the frequent words of its training texts, no digits, and one word for each form of number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.errors import InputError
from sau_solver.text.numbers import NUMBER_WORD, form_of, map_text, shown_words
from sau_solver.text.tokens import NUMBER, PADDING, UNKNOWN_WORD, Vocabulary

words = st.lists(st.sampled_from(["鸡", "兔", "the", "a", "m2", "3", "²", NUMBER_WORD]), max_size=30)


def test_words_that_occur_five_times_are_known() -> None:
    vocabulary = Vocabulary.build([["a"] * 3, ["b"] * 4, ["a", "c"], ["a"], ["c"] * 5])
    assert vocabulary.words == ("c", "a")
    assert vocabulary.ids(["a", "b", "c", "d"]) == [4, UNKNOWN_WORD, 3, UNKNOWN_WORD]
    assert len(vocabulary) == 5


def test_words_of_equal_frequency_are_in_alphabetical_order() -> None:
    assert Vocabulary.build([["b", "a", "c", "b"]], 1).words == ("b", "a", "c")


def test_a_number_is_a_word_of_its_own_however_rare() -> None:
    vocabulary = Vocabulary.build([[NUMBER_WORD, "x"]], 5)
    assert vocabulary.words == ()
    assert vocabulary.ids([NUMBER_WORD, "x"]) == [NUMBER, UNKNOWN_WORD]


def test_a_number_whose_form_is_rare_is_just_a_number() -> None:
    shown = shown_words(map_text("一辆车5小时行了60千米"))
    vocabulary = Vocabulary.build([shown, [shown[0]]], 2)
    assert vocabulary.words == (shown[0],)
    assert vocabulary.ids([word for word in shown if form_of(word) is not None]) == [3, NUMBER, NUMBER]


def test_words_with_a_digit_are_unknown_however_frequent() -> None:
    """Check that the network never sees the value of a number."""
    vocabulary = Vocabulary.build([["m2", "3", "x²", "第１", "cm", NUMBER_WORD] * 9])
    assert vocabulary.words == ("cm",)
    assert vocabulary.ids(["m2", "3", "x²", "第１"]) == [UNKNOWN_WORD] * 4


@given(st.lists(words, max_size=6), words, st.integers(1, 4))
def test_there_is_one_id_for_each_word(texts: list[list[str]], asked: list[str], least: int) -> None:
    vocabulary = Vocabulary.build(texts, least)
    ids = vocabulary.ids(asked)
    assert len(ids) == len(asked)
    assert PADDING not in ids
    assert all(index < len(vocabulary) for index in ids)
    names = {index: word for word, index in zip(vocabulary.words, vocabulary.ids(vocabulary.words), strict=True)}
    assert len(names) == len(vocabulary.words) == len(vocabulary) - 3
    flat = [word for text in texts for word in text]
    for word, index in zip(asked, ids, strict=True):
        if index == NUMBER:
            assert word == NUMBER_WORD
        elif index == UNKNOWN_WORD:
            assert flat.count(word) < least or any(map(str.isdigit, word))
        else:
            assert names[index] == word


@given(st.lists(words, max_size=6), st.randoms())
def test_the_order_of_texts_does_not_matter(texts: list[list[str]], draw: object) -> None:
    again = list(texts)
    draw.shuffle(again)  # type: ignore[attr-defined]
    assert Vocabulary.build(texts, 2) == Vocabulary.build(again, 2)


def test_a_vocabulary_can_be_rebuilt_from_its_words() -> None:
    vocabulary = Vocabulary.build([["a", "b", "b"]], 1)
    assert Vocabulary(vocabulary.words).ids(["a", "b"]) == vocabulary.ids(["a", "b"])


def test_a_repeated_word_is_rejected() -> None:
    with pytest.raises(InputError, match="must be unique"):
        Vocabulary(("a", "b", "a"))
