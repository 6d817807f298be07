"""A training text that copies a held-out text is found, also with other numbers or a few other words."""

from __future__ import annotations

import dataclasses

import pytest

from sau_solver.data.prepared.overlap import HeldOutTexts, masked
from sau_solver.models.baselines.jaccard import similarity
from sau_solver.text.numbers import MappedText, map_text
from tests.experiments.conftest import problems


def english(text: str) -> MappedText:
    return map_text(text, "en")


class TestOverlap:
    TESTED = english("A farmer plants 12 rows of 7 cabbages and then 30 lettuces. How many plants are there?")

    @pytest.mark.parametrize(
        ("text", "corpus", "found"),
        [
            ("a farmer plants five rows of 9 cabbages, and then 30 lettuces - how many plants are there", "b", "equal"),
            ("A farmer plants 5 rows of 9 cabbages and then 30 lettuces. How many plants are there?", "a", "equal"),
            ("The farmer plants 5 rows of 9 cabbages and then 30 lettuces. How many plants are there?", "b", "near"),
            ("The farmer plants 5 rows of 9 cabbages and then 30 lettuces. How many plants are there?", "a", "own"),
            ("She plants 12 rows of 7 cabbages and also 30 lettuces. How many are there in all?", "b", "near"),
            ("She plants 12 rows of 8 cabbages and also 30 lettuces. How many are there in all?", "b", None),
            ("How many plants are there?", "b", None),
            ("", "b", None),
        ],
    )
    def test_words_decide_and_equal_numbers_lower_the_threshold(
        self, text: str, corpus: str, found: str | None
    ) -> None:
        assert HeldOutTexts([("a", self.TESTED)]).find(corpus, english(text)) == found

    def test_within_one_corpus_other_numbers_can_make_another_problem(self) -> None:
        tested = HeldOutTexts([("a", self.TESTED)], within="text")
        other = english(self.TESTED.text.replace("12", "13"))
        assert [tested.find("a", self.TESTED), tested.find("a", other), tested.find("b", other)] == [
            "equal",
            "own",
            "equal",
        ]

    def test_the_index_finds_what_a_plain_loop_finds(self) -> None:
        texts = [dataclasses.replace(map_text(problem.text, "en"), numbers=()) for problem in problems()]
        tested, learned = texts[::2], texts[1::2]
        for least in (0.1, 0.2, 0.4, 0.6, 0.9):
            index = HeldOutTexts([("a", text) for text in tested], least)
            documents = [index.document("a", text) for text in tested]
            for text in learned:
                weights = index.document("b", text).weights
                near = any(similarity(weights, one.weights) >= least for one in documents)
                equal = masked(text) in set(map(masked, tested))
                assert index.find("b", text) == ("equal" if equal else "near" if near else None)
