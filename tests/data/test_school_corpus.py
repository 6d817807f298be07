"""School: every problem parses, solves and gives its answers; groups, parts and skills are as the data card says."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from sau_solver.curriculum.families import skills
from sau_solver.data import Corpus, corpora, load
from sau_solver.data.checking import check
from sau_solver.problem import Lesson, Problem
from sau_solver.text.numbers.mapping import find_numbers

NAMES = ("school-en", "school-zh")


@pytest.fixture(scope="module", params=NAMES)
def school(request: pytest.FixtureRequest) -> Corpus:
    return load(request.param)


def lesson(problem: Problem) -> Lesson:
    assert problem.lesson is not None
    return problem.lesson


@pytest.mark.slow
def test_every_problem_parses_solves_and_agrees(school: Corpus) -> None:
    found = check(school)
    assert found.parsed == found.solved == found.agreeing == len(school) == corpora()[school.name].problems
    assert not school.rejected


def test_there_are_enough_problems_of_every_skill(school: Corpus) -> None:
    assert len(school) >= 5000
    counts = Counter(lesson(problem).skill for problem in school)
    assert counts.keys() == skills().keys()
    assert min(counts.values()) >= 40


def test_texts_and_ids_are_different(school: Corpus) -> None:
    assert len({problem.id for problem in school}) == len({problem.text for problem in school}) == len(school)


def test_a_group_has_three_to_six_problems_of_one_part(school: Corpus) -> None:
    groups = defaultdict(list)
    for problem in school:
        groups[lesson(problem).group].append(problem)
    for name, members in groups.items():
        assert 3 <= len(members) <= 6, name
        assert len({problem.split for problem in members}) == 1, name
        assert len({lesson(problem).contrast for problem in members}) >= 2, name


def test_transfer_has_skills_that_no_other_part_has(school: Corpus) -> None:
    by_split = defaultdict(set)
    for problem in school:
        by_split[problem.split].add(lesson(problem).skill)
    assert set(by_split) == {"train", "validation", "test", "transfer"}
    kept = {name for name, skill in skills().items() if skill.transfer}
    assert by_split["transfer"] == kept
    assert len(kept) >= 10
    for split in ("train", "validation", "test"):
        assert not by_split[split] & kept


def test_a_quarter_has_numbers_that_are_not_needed(school: Corpus) -> None:
    spare = [problem for problem in school if lesson(problem).unneeded]
    assert len(spare) >= len(school) / 4
    for problem in spare:
        stated = Counter(number.value for number in find_numbers(problem.text, problem.language))
        assert not Counter(lesson(problem).unneeded) - stated, problem.id


def test_every_thing_asked_has_an_answer(school: Corpus) -> None:
    for problem in school:
        assert problem.asks
        assert problem.answers == tuple(asked.answer for asked in problem.asks)
