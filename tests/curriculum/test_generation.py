"""Exercises by skill, grade and part: reproducible, in sequence, and made again from their ids."""

from __future__ import annotations

from itertools import islice

import pytest

from sau_solver.curriculum.answer_key import solution_of
from sau_solver.curriculum.generation import Choice, Part, exercise_of, families_by_skill, generate
from sau_solver.data import load
from sau_solver.errors import FamilyError
from sau_solver.phrases import Language

LANGUAGES: tuple[Language, ...] = ("en", "zh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_seed_gives_the_same_exercises_and_another_seed_others(language: Language) -> None:
    first, again, other = (list(islice(generate(Choice(language), seed), 20)) for seed in (5, 5, 6))
    assert first == again
    assert first != other


def test_a_sequence_can_be_continued() -> None:
    choice = Choice("en", grade=4)
    assert list(islice(generate(choice, 3), 5, 10)) == list(islice(generate(choice, 3, start=5), 5))


@pytest.mark.parametrize("part", ["all", "train", "held-out"])
def test_an_exercise_is_made_again_from_its_id(part: Part) -> None:
    for exercise in islice(generate(Choice("zh", part=part), 9), 30):
        assert exercise_of(exercise.id) == exercise


def test_a_choice_limits_skill_and_grade() -> None:
    assert {one.kind for one in islice(generate(Choice("en", "speed")), 20)} == {"speed"}
    lessons = [one.lesson for one in islice(generate(Choice("en", grade=6)), 40)]
    assert {lesson.grade for lesson in lessons if lesson} == {6}


@pytest.mark.slow
def test_training_never_sees_a_held_out_family() -> None:
    for language in LANGUAGES:
        held = {(name, one.name) for name, group in families_by_skill(language, "held-out").items() for one in group}
        for exercise in islice(generate(Choice(language, part="train"), 1), 2000):
            assert exercise.lesson is not None
            assert (exercise.lesson.skill, exercise.lesson.group) not in held


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_held_out_problems_are_those_that_the_command_makes(language: Language) -> None:
    stored = load(f"families-{language}").problems
    assert len(stored) == 2000
    for problem, made in zip(stored, generate(Choice(language, part="held-out"), 2026), strict=False):
        assert (problem.id, problem.text, problem.equations) == (made.id, made.text, made.equations)


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (Choice("en", "flying"), "no skill 'flying'"),
        (Choice("en", grade=12), "between 1 and 9"),
    ],
)
def test_a_choice_without_exercises_is_refused(choice: Choice, message: str) -> None:
    with pytest.raises(FamilyError, match=message):
        generate(choice)


def test_a_skill_has_its_own_grade() -> None:
    assert next(generate(Choice("en", "speed", 6), 3)) == next(generate(Choice("en", "speed"), 3))


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(FamilyError, match="seed must be between"):
        generate(Choice("en"), seed)


@pytest.mark.parametrize("name", ["", "en-speed-3", "en-flying-3-4", "fr-speed-3-4", "en-speed-99999999999-1"])
def test_an_unknown_id_is_refused(name: str) -> None:
    with pytest.raises(FamilyError):
        exercise_of(name)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answer_key_has_the_answers_and_steps_of_every_exercise(language: Language) -> None:
    for exercise in islice(generate(Choice(language), 4), 150):
        solution = solution_of(exercise)
        assert tuple(solution.answers) == exercise.answers, exercise.text
        assert solution.steps
        assert not solution.abstained
