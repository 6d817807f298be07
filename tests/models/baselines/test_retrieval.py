"""Retrieval-Jaccard copies the tree of the most similar training problem."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError
from sau_solver.models.base import Example, Learner
from sau_solver.models.baselines.jaccard import similarity
from sau_solver.models.baselines.retrieval import RetrievalJaccard, RetrievalOptions
from sau_solver.problem import Problem
from sau_solver.text.numbers import MappedText, map_words


def text(words: str) -> MappedText:
    return map_words(words.split(), "en")


def example(words: str, tree: str) -> Example:
    return Example(Problem(words, words, "en"), text(words), Uet.from_text(tree))


TRAINING = [
    example("Ann has 3 red apples and buys 4 more apples", "+ N0 N1"),
    example("Ann had 9 red apples and ate 4 apples", "- N0 N1"),
    example("a box holds 6 eggs how many eggs in 5 boxes", "* N0 N1"),
    example("of 3 roads with 4 turns and 5 signs each how many signs", "* * N0 N1 N2"),
]


DEFAULT = RetrievalOptions()


def fitted(options: RetrievalOptions = DEFAULT, examples: Sequence[Example] = TRAINING) -> RetrievalJaccard:
    model = RetrievalJaccard(options)
    model.fit(examples)
    return model


def trees(model: Learner, words: str, beam: int = 5) -> list[str]:
    return [str(candidate.tree) for candidate in model.predict([text(words)], beam)[0]]


def test_the_first_candidate_is_the_tree_of_the_most_similar_problem() -> None:
    assert trees(fitted(), "Tom has 8 red apples and buys 2 more apples", beam=1) == ["+ N0 N1"]
    assert trees(fitted(), "a box holds 12 pens how many pens in 7 boxes", beam=1) == ["* N0 N1"]


def test_candidates_are_different_trees_with_probabilities_that_sum_to_one() -> None:
    twice = [*TRAINING, example("Ann has 3 red apples and buys 4 more apples", "+ N0 N1")]
    found = fitted(examples=twice).predict([text("Ann has 8 red apples and buys 2 more")], 5)[0]
    assert len({candidate.tree for candidate in found}) == len(found) >= 3
    probabilities = [math.exp(candidate.log_probability) for candidate in found]
    assert math.fsum(probabilities) == pytest.approx(1)
    assert probabilities == sorted(probabilities, reverse=True)


def test_a_tree_that_needs_more_numbers_than_the_text_has_is_skipped() -> None:
    question = "of 3 roads with 4 turns how many signs"
    assert trees(fitted(RetrievalOptions(match="nearest")), question)[0] == "* * N0 N1 N2"
    assert "* * N0 N1 N2" not in trees(fitted(RetrievalOptions(match="fitting")), question)


def test_a_text_without_a_known_word_has_no_candidates() -> None:
    assert fitted().predict([text("nothing shared")], 5) == [[]]


def test_the_first_of_equally_near_problems_wins() -> None:
    examples = [example("five cats", "N0"), example("five cats", "3"), example("five cats", "4")]
    assert trees(fitted(examples=examples), "five cats") == ["3", "4"]


def test_fitting_again_replaces_the_training_problems() -> None:
    model = fitted()
    model.fit([example("a box", "7")])
    assert trees(model, "Ann has 3 apples and a box") == ["7"]


def test_predicting_before_fitting_says_what_to_do() -> None:
    with pytest.raises(InputError, match="Call fit first"):
        RetrievalJaccard().predict([text("five cats")])


def test_rare_words_have_larger_weights_and_punctuation_can_be_left_out() -> None:
    weights = fitted().weights(text("red box"))
    assert weights["box"] > weights["red"]
    examples = [example("， cats", "1")]
    assert "，" in fitted(examples=examples).weights(text("，"))
    assert fitted(RetrievalOptions(punctuation=False), examples).weights(text("，")) == {}


ALL_OPTIONS = [
    RetrievalOptions(match, frequency, rarity, norm, bigrams)  # type: ignore[arg-type]
    for match, frequency, rarity, norm, bigrams in product(
        ("nearest", "fitting"),
        ("count", "logarithm", "presence"),
        ("plain", "smooth"),
        ("none", "sum", "euclidean"),
        (False, True),
    )
]
SENTENCES = st.lists(st.sampled_from(["red", "box", "cat", "3", "4", "。"]), max_size=8).map(" ".join)


@given(
    st.lists(st.tuples(SENTENCES, st.sampled_from(["N0", "+ N0 N1", "2", "* N0 2"])), min_size=1, max_size=12),
    SENTENCES,
    st.sampled_from(ALL_OPTIONS),
)
def test_every_weighting_gives_the_ranking_of_a_plain_double_loop(
    training: list[tuple[str, str]], question: str, options: RetrievalOptions
) -> None:
    examples = [example(words, tree) for words, tree in training]
    model = fitted(options, examples)
    asked = text(question)
    ranked = sorted(examples, key=lambda one: -similarity(model.weights(asked), model.weights(one.text)))
    expected = dict.fromkeys(
        one.tree
        for one in ranked
        if similarity(model.weights(asked), model.weights(one.text)) > 0
        and (options.match == "nearest" or max(one.tree.slots(), default=-1) < len(asked.numbers))
    )
    assert [candidate.tree for candidate in model.predict([asked], 5)[0]] == list(expected)[:5]


def test_the_similarity_of_a_training_text_to_itself_is_1() -> None:
    model = fitted()
    assert model.similarity(TRAINING[0].text) == 1.0
    assert 0 < model.similarity(text("Tom has 8 red apples and 2 pears")) < 1
    assert model.similarity(text("nothing similar")) == 0.0
