"""Families -> exercises: problems with exact answers, equations, what is asked, and the numbers that are not needed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random

from sau_solver.curriculum.families import AnswerKind, AskedPattern, Family, Question
from sau_solver.curriculum.formulas import Value, is_decimal
from sau_solver.curriculum.number_draws import UNKNOWNS, Values, draw_numbers, equation_number
from sau_solver.curriculum.spelling import draw_habits, english_word
from sau_solver.curriculum.templates import Draft, Node
from sau_solver.curriculum.word_pools import WordChoice
from sau_solver.errors import FamilyError
from sau_solver.problem import AskedFor, Lesson, Problem

TRIES = 3000  # draws of numbers before a family counts as impossible
DISTRACTING = 0.5  # the share of exercises with sentences that are not needed, where a family has them

_SPACES = re.compile(r" {2,}")
_BEFORE_MARK = re.compile(r" +(?=[,.?!;:])")
_ARTICLE = re.compile(r"\b([Aa])\(n\) (?=(\w+))")
_VOWEL = re.compile(r"(?!uni|use|one|once|eu)[aeiou]|8|11\b|18\b|hour|honest|heir", re.IGNORECASE)
_SENTENCE = re.compile(
    r"(?:^|(?<=[.?!] )|(?<=[.?!][\"”] ))(?<!Mr\. )(?<!Mrs\. )(?<!Ms\. )(?<!Dr\. )(?<![ap]\.m\. )"
    r"([a-z]|\d{1,2}(?= [a-z]))"
)
_ZH_SPACES = re.compile(r"\s+")
_ZH_MARKS = (("，，", "，"), ("。。", "。"), ("，。", "。"), ("。，", "。"), ("，？", "？"), ("；。", "。"))


def make_exercise(family: Family, rng: Random, question: Question | None = None) -> Problem:
    """Return one exercise of a family. Raise FamilyError if its conditions exclude (nearly) all numbers."""
    asking = question or family.questions[int(rng.random() * len(family.questions))]
    for _ in range(TRIES):
        words = WordChoice(family.pools, rng)
        values = draw_numbers(family.draws, family.conditions, rng, words.price_range)
        if values is not None and (found := _solved(asking, values)):
            return _written(family, asking, words, *found, rng)
    raise FamilyError(f"{family.skill.name}, {family.name!r}: no numbers meet the conditions.")


def _solved(question: Question, values: Values) -> tuple[Values, tuple[Value, ...]] | None:
    """Return the numbers with the unknowns, and the answers; None if they are not sensible."""
    found = dict(values)
    try:
        for equation in question.equations:
            if equation.computed is not None:
                value = equation.computed(found)
                if found.setdefault(equation.unknown, value) != value:
                    raise FamilyError(f"{equation.text} contradicts the number {equation.unknown} of the family.")
        if not all(condition(found) for condition in question.conditions):
            return None
        answers = tuple(_asked_value(one, found) for one in question.asked)
    except ZeroDivisionError:
        return None
    sensible = all(
        _sensible(100 * answer if one.per_cent else answer, question.answers)
        for one, answer in zip(question.asked, answers, strict=True)
    )
    return (found, answers) if sensible else None


def _asked_value(asked: AskedPattern, values: Values) -> Value:
    value = asked.value(values)
    if asked.rounding == "up":
        return math.ceil(value)
    if asked.rounding == "down":
        return math.floor(value)
    return value


def _sensible(answer: Value, kind: AnswerKind) -> bool:
    if kind == "any":
        return True
    if answer <= 0:
        return False
    if kind == "whole":
        return answer.denominator == 1
    return is_decimal(answer) if kind == "decimal" else answer.denominator <= 60


def _written(
    family: Family, asking: Question, words: WordChoice, values: Values, answers: tuple[Value, ...], rng: Random
) -> Problem:
    body = int(rng.random() * len(family.bodies))
    draft = Draft(
        rng=rng,
        values=values,
        kinds=family.kinds,
        words=words,
        habits=draw_habits(rng, family.language, values.values()),
        distracting=rng.random() < DISTRACTING,
        question=rng.choice(asking.ask),
    )
    draft.links["0"] = (body + 0.5) / len(family.bodies)  # [0:...] in a question or unit follows the body
    if draft.distracting:
        draft.extras = _placed(family.extras, family.places[body], rng)
    text = draft.write(family.bodies[body])
    written = {
        letter: equation_number(values[letter], kind) for letter, kind in family.kinds.items() if letter not in UNKNOWNS
    }
    unneeded = (*draft.unneeded, *(values[letter] for letter in sorted(draft.letters - asking.letters)))
    tidy = tidy_english if family.language == "en" else tidy_chinese
    asks = tuple(_asked_for(*pair, written, draft) for pair in zip(asking.asked, answers, strict=True))
    return Problem(
        id="",
        text=tidy(text),
        language=family.language,
        equations=tuple(equation.write(written) for equation in asking.equations),
        answers=tuple(one.answer for one in asks),
        kind=family.skill.name,
        asks=asks,
        lesson=Lesson(
            family.skill.name, family.skill.grade, group=family.name, unneeded=tuple(map(Fraction, unneeded))
        ),
    )


def _asked_for(asked: AskedPattern, answer: Value, written: Mapping[str, str], draft: Draft) -> AskedFor:
    unit, quantity = draft.write(asked.unit), draft.write(asked.quantity)
    return AskedFor(asked.expression.write(written), Fraction(answer), unit, quantity, asked.rounding)


def _placed(extras: Sequence[Sequence[Node]], places: int, rng: Random) -> list[Sequence[Node]]:
    """Return one or two of the sentences for some of the places; the other places stay empty."""
    wanted = min(places, len(extras), 2 if rng.random() < 0.25 else 1)
    placed = [*rng.sample(extras, wanted), *([()] * (places - wanted))]
    rng.shuffle(placed)
    return placed


def tidy_english(text: str) -> str:
    """Return a text with single spaces, the right articles, capitals and number words at the start of sentences."""
    text = _BEFORE_MARK.sub("", _SPACES.sub(" ", text)).strip()
    if "(n)" in text:
        text = _ARTICLE.sub(lambda match: f"{match[1]}{'n' if _VOWEL.match(match[2]) else ''} ", text)
    return _SENTENCE.sub(lambda match: _capital(match[1]), text)


def _capital(start: str) -> str:
    return (english_word(int(start)) if start.isdigit() else start).capitalize()


def tidy_chinese(text: str) -> str:
    """Return a text without spaces and doubled punctuation."""
    text = _ZH_SPACES.sub("", text)
    for doubled, single in _ZH_MARKS:
        text = text.replace(doubled, single)
    return text
