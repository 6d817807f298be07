"""Every family of the curriculum: 40 draws of each solve, agree with their answers and are sensible."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest
from hypothesis import settings

from sau_solver.curriculum.exercises import make_exercise
from sau_solver.curriculum.families import Family, Skill, families, families_of, find_skill, read_families, skills
from sau_solver.data.asked_values import value_asked_for
from sau_solver.errors import FamilyError
from sau_solver.phrases import Language
from sau_solver.problem import Problem
from tests.curriculum.soundness import faults

DRAWS = 40 * settings().max_examples // 100  # more with HYPOTHESIS_PROFILE=thorough
FEWEST_FAMILIES = 500
FEWEST_BODIES = 4
SKILLS = [(language, name) for language in ("en", "zh") for name in skills()]


def exercises(family: Family, draws: int) -> list[Problem]:
    """Draw exercises so that every question of the family has its turn."""
    questions = family.questions
    return [
        make_exercise(family, Random(f"{family.name}{place}"), questions[place % len(questions)])
        for place in range(draws)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("language", "name"), SKILLS, ids=lambda value: value)
def test_every_family_gives_sound_problems(language: Language, name: str) -> None:
    found = families_of(language, name)
    assert found, f"{name} has no family"
    problems = [(family.name, problem) for family in found for problem in exercises(family, DRAWS)]
    broken = [(family, problem.text, fault) for family, problem in problems for fault in faults(problem)]
    assert not broken, broken[:3]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_there_are_enough_families_with_enough_bodies(language: Language) -> None:
    found = families(language)
    assert len(found) >= FEWEST_FAMILIES
    assert not [family.name for family in found if len(family.bodies) < FEWEST_BODIES]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_about_one_family_in_five_is_held_out(language: Language) -> None:
    found = families(language)
    assert 0.17 <= sum(family.held_out for family in found) / len(found) <= 0.25


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_family_has_something_that_is_not_needed(language: Language) -> None:
    """A family offers sentences that are not needed, or numbers that some question does not need."""
    for family in families(language):
        spare = any(question.letters < set(family.kinds) for question in family.questions)
        assert spare or family.extras, (family.skill.name, family.name)


SKILL = Skill("speed", 4, "speed", "速度")


def family_text(
    bodies: Sequence[str], asked: str = "x / km", more: str = "", numbers: str = "a: 3..9; b: 20..60 by 5"
) -> str:
    return f"""
[[family]]
name = "trip"
numbers = "{numbers}"
bodies = {list(bodies)!r}
{more}
[[family.question]]
ask = ["How far is that?"]
equations = ["x=a*b"]
asked = ["{asked}"]
"""


def family_of(bodies: Sequence[str], **fields: str) -> Family:
    return read_families(family_text(bodies, **fields), SKILL, "en")[0]


def test_an_exercise_has_text_equations_answers_and_what_is_asked() -> None:
    problem = make_exercise(family_of(["{N} rides {a} hours at {b} km/h."]), Random(3))
    assert problem.text.endswith("How far is that?")
    assert list(faults(problem)) == []
    assert [one.unit for one in problem.asks] == ["km"]
    assert problem.answers == problem.asked == (problem.asks[0].answer,)
    assert problem.lesson is not None
    assert (problem.lesson.skill, problem.lesson.grade, problem.lesson.group) == ("speed", 4, "trip")


def test_extra_sentences_stand_only_at_their_places_and_their_numbers_are_listed() -> None:
    family = family_of(
        ["{N} rides {a:digits} hours. <+> The speed is {b} km/h."], more='extras = ["The bag weighs {2..2} kg."]'
    )
    texts = [make_exercise(family, Random(seed)) for seed in range(40)]
    with_extra = [one for one in texts if "bag" in one.text]
    assert 5 < len(with_extra) < 35
    for one in with_extra:
        assert "hours. The bag weighs" in one.text
        assert one.lesson is not None
        assert one.lesson.unneeded == (Fraction(2),)
    assert all(one.lesson is not None and not one.lesson.unneeded for one in texts if "bag" not in one.text)


def test_a_number_that_a_question_does_not_need_is_listed() -> None:
    family = family_of(["{a}, {b} and {c}."], numbers="a: 3..9; b: 20..60; c: 70..90")
    for seed in range(10):
        problem = make_exercise(family, Random(seed))
        assert problem.lesson is not None
        (unneeded,) = problem.lesson.unneeded
        assert 70 <= unneeded <= 90


def test_rounding_and_remainders_are_computed() -> None:
    text = """
[[family]]
name = "trays"
numbers = "a: 100..140; b: 11..19"
where = "a % b != 0"
bodies = ["{a} rolls go on trays of {b}."]
[[family.question]]
ask = ["How many trays are needed?"]
equations = ["x=a/b"]
asked = ["up(x) / trays"]
[[family.question]]
ask = ["How many trays are full?"]
equations = ["x=a/b"]
asked = ["down(x) / trays"]
[[family.question]]
ask = ["How many rolls are left over?"]
equations = ["x=a/b"]
asked = ["rem(a/b) / rolls"]
"""
    family = read_families(text, SKILL, "en")[0]
    for seed in range(20):
        needed, full, left = (make_exercise(family, Random(seed), question) for question in family.questions)
        assert needed.answers[0] == full.answers[0] + 1
        assert left.asks[0].rounding == "remainder"
        assert not [fault for one in (needed, full, left) for fault in faults(one)]


def test_what_is_left_of_a_quotient_is_divided_by_the_last_number() -> None:
    family = family_of(["{a} rolls and {b}."], asked="rem(a/2/b) / rolls", numbers="a: 100..140 by 2; b: 11..19")
    for seed in range(20):
        problem = make_exercise(family, Random(seed))
        (asked,) = problem.asks
        assert asked.answer == value_asked_for(asked, {})


def test_articles_and_capitals_are_right() -> None:
    family = family_of(["{a} friends share a(n) {fruit.one} and a(n) {a:digits}-page map. there are {b} km to go."])
    texts = [make_exercise(family, Random(seed)).text for seed in range(60)]
    assert not [text for text in texts if " a 8-" in text or " an 7-" in text]
    assert all(text[0].isupper() and "There are" in text for text in texts)
    assert any(" an apple" in text or " an orange" in text for text in texts)
    assert not any(" a apple" in text for text in texts)


def test_words_of_one_problem_are_different() -> None:
    family = family_of(["{N}, {M}, {K}; {a:digits}; {thing}, {thing2}, {thing3}; {b:digits}."])
    for seed in range(30):
        names, _, things, _ = make_exercise(family, Random(seed)).text.split("; ")
        assert len(set(names.split(", "))) == len(set(things.split(", "))) == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("{a} km", "{q} km"), "not a number of the family"),
        (("{a} km", "{gadgetry} km"), "neither a number nor a word"),
        (("x=a*b", "x=a*q"), "no number defines"),
        (("{a} km", "[{a} km"), "missing"),
        (("{a} km", "{a} km]"), "too many"),
        (('"x / km"', '"a / km"'), "must ask for an unknown"),
        (("numbers", "number"), "Unknown fields"),
        (("bodies", "texts"), "Unknown fields"),
    ],
)
def test_a_family_with_a_mistake_is_refused(change: tuple[str, str], message: str) -> None:
    text = family_text(["{N} rides {a} km and {b} km."])
    with pytest.raises(FamilyError, match=message):
        read_families(text.replace(*change), SKILL, "en")


def test_an_impossible_condition_is_reported() -> None:
    family = family_of(["{a} hours at {b} km/h."], more='where = "a > 9"')
    with pytest.raises(FamilyError, match="no numbers meet the conditions"):
        make_exercise(family, Random(1))


def test_an_unknown_skill_names_similar_ones() -> None:
    with pytest.raises(FamilyError, match="Did you mean fraction-of or fraction-whole"):
        find_skill("fraction")
    with pytest.raises(FamilyError, match="Did you mean speed"):
        find_skill("sped")
