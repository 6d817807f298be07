"""Families of problems: one story with its numbers, bodies, questions and sentences that the answer does not need.

families/en/SKILL.toml and families/zh/SKILL.toml contain the families of a skill. docs/curriculum.md describes the
fields.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from sau_solver.curriculum.formulas import Formula, check_names, formula
from sau_solver.curriculum.number_draws import (
    UNKNOWNS,
    EquationPattern,
    Kind,
    LetterPattern,
    NumberDraw,
    read_conditions,
    read_numbers,
)
from sau_solver.curriculum.templates import Node, TemplateReader, places_in
from sau_solver.curriculum.word_pools import Word, pools, read_word
from sau_solver.errors import FamilyError
from sau_solver.phrases import Language
from sau_solver.text.asking.thing import Rounding

# What the values asked for must be: integers, at most two decimals, fractions with a small denominator, anything.
AnswerKind = Literal["whole", "decimal", "fraction", "any"]
ROUNDINGS: dict[str, Rounding] = {"up": "up", "down": "down", "rem": "remainder"}


@dataclass(frozen=True, slots=True)
class Skill:
    """Something that a school teaches, with the grade in which most pupils learn it."""

    name: str
    grade: int
    en: str
    zh: str
    about: str = ""  # one line
    transfer: bool = False  # only the transfer part of School has it


@dataclass(frozen=True, slots=True)
class AskedPattern:
    """One thing that a question asks for."""

    expression: LetterPattern
    value: Formula
    rounding: Rounding
    unit: tuple[Node, ...]
    quantity: tuple[Node, ...]

    @property
    def per_cent(self) -> bool:
        """Whether the value is a share that is shown as a percentage: 1/4 as 25%."""
        return self.unit == ("%",)


@dataclass(frozen=True, slots=True)
class Question:
    """Ways to ask one question, the equations that answer it, and what it asks for."""

    ask: tuple[tuple[Node, ...], ...]
    equations: tuple[EquationPattern, ...]
    asked: tuple[AskedPattern, ...]
    conditions: tuple[Formula, ...]
    answers: AnswerKind
    letters: frozenset[str]


@dataclass(frozen=True, slots=True)
class Family:
    """A story that can be told with many numbers, words and questions."""

    name: str
    skill: Skill
    language: Language
    held_out: bool
    draws: tuple[NumberDraw, ...]
    kinds: Mapping[str, Kind]
    conditions: tuple[Formula, ...]
    pools: Mapping[str, tuple[Word, ...]]
    bodies: tuple[tuple[Node, ...], ...]
    places: tuple[int, ...]  # of extra sentences in each body
    extras: tuple[tuple[Node, ...], ...]
    questions: tuple[Question, ...]


@cache
def skills() -> Mapping[str, Skill]:
    """Return every skill by name, in the order in which schools teach them."""
    text = files("sau_solver.curriculum").joinpath("skills.toml").read_text(encoding="utf-8")
    return {name: Skill(name, **fields) for name, fields in tomllib.loads(text).items()}


@cache
def families(language: Language) -> tuple[Family, ...]:
    """Return the families of a language."""
    return tuple(family for name in skills() for family in families_of(language, name))


@cache
def families_of(language: Language, name: str) -> tuple[Family, ...]:
    """Return the families of one skill in a language; there may be none."""
    file = files("sau_solver.curriculum").joinpath("families", language, f"{name}.toml")
    return tuple(read_families(file.read_text("utf-8"), skills()[name], language)) if file.is_file() else ()


def find_skill(name: str) -> Skill:
    """Return a skill by name; raise FamilyError with the most similar name if there is none."""
    if skill := skills().get(name):
        return skill
    similar = similar_skills(name)
    hint = f" Did you mean {' or '.join(similar)}?" if similar else ""
    raise FamilyError(f"There is no skill {name!r}.{hint} `sau generate --list` shows all.")


def similar_skills(name: str) -> list[str]:
    """Return the skills whose names contain a text, or else the most similar names; at most five."""
    wanted = name.strip().lower()
    containing = [known for known in skills() if wanted and wanted in known]
    return containing[:5] or get_close_matches(wanted, skills(), n=3, cutoff=0.5)


def read_families(text: str, skill: Skill, language: Language) -> list[Family]:
    """Return the families of a file; raise FamilyError if one is invalid."""
    tables = tomllib.loads(text).get("family", [])
    names = [table.get("name") for table in tables]
    if len(set(names)) < len(names):
        raise FamilyError(f"{skill.name}: every family must have its own name, got {names}.")
    return [_family(table, skill, language) for table in tables]


_FIELDS = {"name", "numbers", "where", "words", "bodies", "extras", "question", "answers", "held_out"}
_QUESTION_FIELDS = {"ask", "equations", "asked", "where", "answers"}


def _family(table: Mapping[str, Any], skill: Skill, language: Language) -> Family:
    try:
        if unknown := sorted(table.keys() - _FIELDS):
            raise FamilyError(f"Unknown fields: {', '.join(unknown)}.")
        draws = read_numbers(table["numbers"])
        letters = [draw.letter for draw in draws]
        own = {
            name: tuple(read_word(entry, language) for entry in entries)
            for name, entries in table.get("words", {}).items()
        }
        templates = [*table["bodies"], *table.get("extras", ())]
        templates += [ask for question in table["question"] for ask in question.get("ask", ())]
        family_pools = {**_fitting(language, " ".join(templates).lower()), **own}
        reader = TemplateReader(letters, list(family_pools), " " if language == "en" else "，")
        bodies = tuple(reader.read(body if "{?}" in body else f"{body} {{?}}") for body in table["bodies"])
        return Family(
            name=table["name"],
            skill=skill,
            language=language,
            held_out=table.get("held_out", False),
            draws=draws,
            kinds={draw.letter: draw.kind for draw in draws},
            conditions=read_conditions(table.get("where", ""), letters),
            pools=family_pools,
            bodies=bodies,
            places=tuple(map(places_in, bodies)),
            extras=tuple(map(reader.read, table.get("extras", ()))),
            questions=tuple(_question(one, reader, letters, table) for one in table["question"]),
        )
    except KeyError as missing:
        raise FamilyError(f"{skill.name}, {table.get('name')!r}: the field {missing} is missing.") from None
    except FamilyError as error:
        raise FamilyError(f"{skill.name}, {table.get('name')!r}: {error}") from None


def _fitting(language: Language, templates: str) -> dict[str, tuple[Word, ...]]:
    """Return the pools without the words that the templates themselves name, as long as three are left."""
    fitting = {}
    for name, pool in _pools_with_forms(language).items():
        kept = tuple([word for word, one, many in pool if one not in templates and many not in templates])
        fitting[name] = kept if len(kept) > 2 else pools(language)[name]
    return fitting


@cache
def _pools_with_forms(language: Language) -> Mapping[str, tuple[tuple[Word, str, str], ...]]:
    """Return the pools of a language with singular and plural of each word in small letters."""
    return {
        name: tuple((word, word.one.lower(), word.many.lower()) for word in pool)
        for name, pool in pools(language).items()
    }


def _question(
    table: Mapping[str, Any], reader: TemplateReader, letters: Sequence[str], family: Mapping[str, Any]
) -> Question:
    if unknown := sorted(table.keys() - _QUESTION_FIELDS):
        raise FamilyError(f"Unknown fields of a question: {', '.join(unknown)}.")
    equations = tuple(EquationPattern(text, letters) for text in table["equations"])
    known = [*letters, *(one.unknown for one in equations if one.computed and one.unknown not in letters)]
    answers = table.get("answers", family.get("answers", "whole"))
    if answers not in get_args(AnswerKind):
        raise FamilyError(f"answers must be one of {', '.join(get_args(AnswerKind))}, got {answers!r}.")
    return Question(
        ask=tuple(map(reader.read, table.get("ask", [""]))),
        equations=equations,
        asked=tuple(_asked(text, reader, known) for text in table["asked"]),
        conditions=read_conditions(table.get("where", ""), known),
        answers=answers,
        letters=frozenset[str]().union(*(one.letters for one in equations)),
    )


def _asked(text: str, reader: TemplateReader, known: Sequence[str]) -> AskedPattern:
    """Return what `x / {thing} / rolls`, `up(x) / buses` or `rem(a/b) / cookies` asks for."""
    expression, unit, quantity = ([*map(str.strip, text.split(" / ")), "", ""])[:3]
    rounding: Rounding = ""
    for name, kind in ROUNDINGS.items():
        if expression.startswith(f"{name}(") and expression.endswith(")"):
            rounding, expression = kind, expression[len(name) + 1 : -1]
    if rounding == "remainder":
        over, _, under = expression.rpartition("/")
        value = formula(f"({over}) % ({under})")
    else:
        value = formula(expression)
    check_names(value, known)
    if not (value.names & set(UNKNOWNS) or rounding == "remainder"):
        raise FamilyError(f"{text!r} must ask for an unknown of the equations.")
    return AskedPattern(LetterPattern(expression), value, rounding, reader.read(unit), reader.read(quantity))
