"""School: every problem parses, solves and gives its answers; groups, parts and skills are as the data card says."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache

import pytest

from sau_solver.curriculum.families import skills
from sau_solver.data import Corpus, corpora, load
from sau_solver.problem import Lesson, Problem
from sau_solver.text.numbers.mapping import find_numbers
from tests.data.sound_labels import unsound_labels

pytestmark = pytest.mark.slow  # reads 13,000 problems

NAMES = ("school-en", "school-zh")
# Numbers in digits that shape an equation without being written in it: bounds, 3 numbers in a row, 5角 for 0.5元.
SHAPING = {"school-en": 32, "school-zh": 108}


read = cache(load)
numbers_of = cache(find_numbers)


@cache
def by_id(name: str) -> dict[str, Problem]:
    return {problem.id: problem for problem in read(name)}


@pytest.fixture(scope="module", params=NAMES)
def school(request: pytest.FixtureRequest) -> Corpus:
    return read(request.param)


def lesson(problem: Problem) -> Lesson:
    assert problem.lesson is not None
    return problem.lesson


def test_every_problem_parses_solves_and_agrees(school: Corpus) -> None:
    assert unsound_labels(school) == []
    assert len(school) == corpora()[school.name].problems
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
        stated = Counter(number.value for number in numbers_of(problem.text, problem.language))
        assert not Counter(lesson(problem).unneeded) - stated, problem.id


def test_every_thing_asked_has_an_answer(school: Corpus) -> None:
    for problem in school:
        assert problem.asks
        assert problem.answers == tuple(asked.answer for asked in problem.asks)


def uses(problem: Problem) -> set[Fraction]:
    """Return the numbers of equations and of what is asked. A fraction that the text states counts as one number."""
    stated = {abs(number.value) for number in numbers_of(problem.text, problem.language) if "." not in number.text}
    used: set[Fraction] = set()

    def whole(match: re.Match[str]) -> str:
        value = Fraction(match[0])
        if value.denominator == 1 or value not in stated or str(value) != match[0]:
            return match[0]
        used.add(value)
        return " "

    for expression in (*problem.equations, *(asked.unknown for asked in problem.asks)):
        rest = re.sub(r"(?<![\d.])\d+/\d*[1-9]\d*(?![\d.])", whole, str(expression))
        used.update(Fraction(number) for number in re.findall(r"\d+(?:\.\d+)?", rest))
    return used


def test_a_number_that_is_used_is_not_called_unneeded(school: Corpus) -> None:
    for problem in school:
        used = uses(problem) - {Fraction(1)}  # a 1 of an equation is seldom one of the text
        assert not used & {abs(value) for value in lesson(problem).unneeded}, problem.id


def test_numbers_in_digits_that_nothing_uses_are_called_unneeded(school: Corpus) -> None:
    left = []
    for problem in school:
        used = uses(problem) | {Fraction(1)}
        for number in numbers_of(problem.text, problem.language):
            if re.fullmatch(r"[\d.,]+", number.text) and number.value not in used | {*lesson(problem).unneeded}:
                left.append((problem.id, number.text))
    assert len(left) == SHAPING[school.name], left


@pytest.mark.parametrize(
    ("name", "unneeded"),
    [
        ("en1-system-prices-3-4", ""),  # used only in what is asked
        ("zh5-digits-7-2", "12 280"),  # 百位 and 十位 are names of places
        ("zh4-quadratic-profit-10-1", ""),  # 20千
        ("en-test-11-7-3", "30 6 800"),
        ("en4-quadratic-profit-5-4", "6/5"),
        ("en-test-08-1-3", ""),  # (450/6)
        ("zh4-fraction-add-6-3", "5"),  # not the 5 of 1/5
    ],
)
def test_unneeded_numbers_of_a_problem(name: str, unneeded: str) -> None:
    assert lesson(by_id(f"school-{name[:2]}")[name]).unneeded == tuple(map(Fraction, unneeded.split()))


def test_chinese_punctuation_is_full_width() -> None:
    for problem in read("school-zh"):
        assert not re.search(r'[,?;!"]|:(?!\d)|(?<!\d):', problem.text), problem.id
