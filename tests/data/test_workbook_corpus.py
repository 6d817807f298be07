"""Workbook and Stories: problems parse, solve and give their answers; none has a skill kept for transfer by School."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from sau_solver.curriculum.families import skills
from sau_solver.data import Corpus, corpora
from sau_solver.problem import Lesson, Problem
from sau_solver.text.numbers.mapping import find_numbers
from tests.data.read_corpora import corpus_of
from tests.data.sound_labels import unsound_labels

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("workbook")]  # reads 90,000 problems


@pytest.fixture(scope="module", params=["workbook-en", "workbook-zh", "stories-en", "stories-zh"])
def workbook(request: pytest.FixtureRequest) -> Corpus:
    return corpus_of(request.param)


def lesson(problem: Problem) -> Lesson:
    assert problem.lesson is not None
    return problem.lesson


def test_every_problem_parses_solves_and_agrees(workbook: Corpus) -> None:
    assert unsound_labels(workbook) == []
    assert len(workbook) == corpora()[workbook.name].problems
    assert not workbook.rejected


def test_texts_and_ids_are_different_also_from_those_of_school(workbook: Corpus) -> None:
    school = corpus_of(f"school-{workbook.name[-2:]}")
    both = [*workbook, *school]
    assert len({problem.id for problem in both}) == len({problem.text for problem in both}) == len(both)


def test_no_skill_is_one_that_school_keeps_for_transfer(workbook: Corpus) -> None:
    counts = Counter(lesson(problem).skill for problem in workbook)
    learned = {name for name, skill in skills().items() if not skill.transfer}
    assert counts.keys() <= learned
    if workbook.name.startswith("workbook"):
        assert counts.keys() == learned
        assert min(counts.values()) >= 20


def test_everything_is_to_learn_from(workbook: Corpus) -> None:
    assert {problem.split for problem in workbook} == {"train"}


def test_every_thing_asked_has_an_answer_and_unneeded_numbers_are_stated(workbook: Corpus) -> None:
    spare = 0
    for problem in workbook:
        assert problem.asks
        assert problem.answers == tuple(asked.answer for asked in problem.asks)
        if unneeded := lesson(problem).unneeded:
            spare += 1
            stated = Counter(number.value for number in find_numbers(problem.text, problem.language))
            assert not Counter(unneeded) - stated, problem.id
    assert spare >= len(workbook) / 4


def test_chinese_punctuation_is_full_width() -> None:
    for problem in corpus_of("workbook-zh"):
        assert not re.search(r'(?<!\d)[,?;!"](?!\d)|:(?!\d)|(?<!\d):', problem.text), problem.id
