"""A problem with only an answer gets equations where one meaning is clear, and none where it is not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from sau_solver.data.prepared.answer_labels import (
    Label,
    LabelOptions,
    likely_labels,
    reader_accepts,
    unambiguous_labels,
)
from sau_solver.equations.parser import parse
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError
from sau_solver.problem import Problem
from sau_solver.text.numbers import MappedText, map_text
from tests.predictors import KnowingPredictor, Proposals


def problem(name: str, text: str, answer: int) -> Problem:
    return Problem(name, text, "en", answers=(Fraction(answer),))


PEARS = problem("pears", "Ann has 12 pears and buys 4 more pears. How many pears has she?", 16)
TWO = problem("two", "Bob has 2 red cups and 2 blue cups. How many cups has he?", 4)
BUSES = problem("buses", "A bus takes 30 people. How many buses do 100 people need?", 4)
IDLE = problem("idle", "In 3 years Eve read 50 books and Tom 7 books. How many books did they read?", 57)
SALE = problem("sale", "A coat of 50 dollars is 20% cheaper today. What does it cost?", 40)


class ScoringPredictor(KnowingPredictor):
    """Finds each tree as likely as it was told, by the equations of the tree; all others are very unlikely."""

    def __init__(self, known: Mapping[str, Proposals], scores: Mapping[str, float]) -> None:
        super().__init__(known)
        self.scores = scores

    def log_probabilities(self, texts: Sequence[MappedText], trees: Sequence[Sequence[Uet]]) -> list[list[float]]:
        return [[self._score(text, tree) for tree in own] for text, own in zip(texts, trees, strict=True)]

    def _score(self, text: MappedText, tree: Uet) -> float:
        written = "; ".join(map(str, tree.equations([number.value for number in text.numbers])))
        return math.log(self.scores.get(written, 1e-12))


def label(problem: Problem, proposals: Proposals, scores: Mapping[str, float], **options: float) -> Label | None:
    predictor = ScoringPredictor({problem.text: proposals}, scores)
    (found,) = likely_labels([problem], predictor, "raw", replace(LabelOptions(), **options))  # type: ignore[arg-type]
    return found


class TestWithoutANetwork:
    def test_only_unambiguous_problems_get_equations(self) -> None:
        assert list(unambiguous_labels([PEARS, TWO, BUSES], "raw")) == [Label("pears", ("x=12+4",))]

    def test_a_tree_that_leaves_out_numbers_is_not_unambiguous(self) -> None:
        assert list(unambiguous_labels([IDLE], "raw")) == []

    def test_problems_with_equations_or_for_testing_get_none(self) -> None:
        assert not list(
            unambiguous_labels([replace(PEARS, equations=("x=12+4",)), replace(PEARS, split="test")], "raw")
        )


class TestWithANetwork:
    def test_the_network_decides_between_trees_that_give_the_answer(self) -> None:
        assert label(TWO, [("x=2*2", 0.01), ("x=2-2", 0.5)], {"x=2+2": 0.4}) == Label("two", ("x=2+2",), math.log(0.4))
        assert label(TWO, [("x=2*2", 0.4), ("x=2-2", 0.5)], {"x=2+2": 0.01}) == Label("two", ("x=2*2",), math.log(0.4))

    def test_it_must_be_clear(self) -> None:
        assert label(TWO, [("x=2*2", 0.2)], {"x=2+2": 0.3}) is None
        assert label(TWO, [("x=2*2", 0.2)], {"x=2+2": 0.3}, share=0.55) is not None

    def test_it_must_be_likely(self) -> None:
        assert label(PEARS, [("x=12-4", 0.9)], {"x=12+4": 1e-5}) is None
        assert label(PEARS, [("x=12-4", 0.9)], {"x=12+4": 1e-5}, probability=1e-6) is not None

    def test_trees_that_mean_the_same_count_together(self) -> None:
        found = label(SALE, [("x=50-50*0.2", 0.3), ("x=50*(1-0.2)", 0.2), ("x=50*0.2*4", 0.02)], {})
        assert found is not None
        assert found.equations == ("x=50-50*0.2",)
        assert found.log_probability == pytest.approx(math.log(0.5))

    def test_equations_of_the_beam_count_as_a_reader_takes_the_answer_from_them(self) -> None:
        found = label(BUSES, [("x=100/30", 0.6), ("x=100-30", 0.3)], {})
        assert found == Label("buses", ("x=100/30",), math.log(0.6))
        text = map_text(BUSES.text, "en")
        numbers = [number.value for number in text.numbers]
        assert reader_accepts(BUSES, text, Uet.from_equations(parse("x=100/30"), numbers))
        assert not reader_accepts(BUSES, text, Uet.from_equations(parse("x=100+30"), numbers))

    def test_a_tree_without_numbers_of_the_text_is_no_label(self) -> None:
        assert label(PEARS, [("x=16", 0.9)], {}) is None

    def test_problems_for_testing_and_without_answers_get_none(self) -> None:
        asked = [replace(PEARS, split="test"), replace(PEARS, answers=()), replace(PEARS, equations=("x=1",)), PEARS]
        predictor = ScoringPredictor({PEARS.text: [("x=12+4", 0.9)]}, {})
        assert [found and found.id for found in likely_labels(asked, predictor, "raw")] == [None, None, None, "pears"]
        assert predictor.batches == [1]

    def test_a_model_that_cannot_score_trees_is_refused(self) -> None:
        with pytest.raises(InputError, match="a model that scores trees, such as sau, got knowing"):
            list(likely_labels([PEARS], KnowingPredictor({}), "raw"))

    @pytest.mark.parametrize("wrong", [{"beam": 0}, {"share": 1.5}, {"probability": -0.1}])
    def test_wrong_options_are_explained(self, wrong: dict[str, float]) -> None:
        with pytest.raises(InputError, match=f"{next(iter(wrong))} must be"):
            replace(LabelOptions(), **wrong)  # type: ignore[arg-type]
