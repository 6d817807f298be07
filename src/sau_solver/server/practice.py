"""Requests of the practice endpoints -> their answers: generated problems, worksheets, marks, hints and solutions.

An equation worker does this work, not a thread of the HTTP process: reading the families of a language takes about a
second and a worksheet of 100 problems half a second of Python, which would delay all other requests. The worker also
brings the deadline, the full queue (429) and the restart after a crash. Nothing is stored: an id contains all that is
needed to make its exercise again.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sau_solver.curriculum.answer_key import solution_of
from sau_solver.curriculum.families import similar_skills, skills
from sau_solver.curriculum.generation import (
    GRADES,
    MAX_SEED,
    Choice,
    chosen_families,
    exercise_of,
    families_by_skill,
    generate,
)
from sau_solver.curriculum.hints import hints_of
from sau_solver.curriculum.marking import Marked, mark
from sau_solver.curriculum.worksheets import different, worksheet
from sau_solver.errors import FamilyError
from sau_solver.phrases import Language, hint_for, say
from sau_solver.problem import Problem
from sau_solver.server.explanation import explain_solution
from sau_solver.server.refusals import Refusal
from sau_solver.sheets.sheet_formats import SHEET_FORMATS
from sau_solver.text.questions import questions_of

MAX_PLACE = 999_999_999  # in the sequence of a seed
EXAMPLE = "en-speed-3-17"

Object = dict[str, Any]
Kind = Literal["skills", "generate", "check"]


def practice(kind: Kind, item: Mapping[str, Any]) -> Object:
    """Return the body of the response; raise Refusal for a request that cannot be met."""
    return _ANSWERS[kind](item)


def warm_up() -> None:
    """Read all families, so that the first reader does not wait for them."""
    for language in ("en", "zh"):
        families_by_skill(language)


def _skills(item: Mapping[str, Any]) -> Object:
    counts = {language: families_by_skill(language) for language in ("en", "zh")}
    listed = [
        {
            "skill": name,
            "grade": skill.grade,
            "en": skill.en,
            "zh": skill.zh,
            "families": {language: len(found.get(name, ())) for language, found in counts.items()},
        }
        for name, skill in skills().items()
    ]
    return {"skills": listed}


@dataclass(frozen=True, slots=True)
class _Reader:
    """The language of messages, hints and steps."""

    language: Language

    def refusal(self, error: str, place: str, code: str, hint: str = "", **values: object) -> Refusal:
        message, advice = say(self.language, code, **values), hint_for(self.language, code, **values)
        space = "" if self.language == "zh" else " "
        return Refusal(422, error, message, place, f"{hint}{space}{advice}" if hint else advice)

    def check_range(self, field: str, given: int | None, least: int, most: int) -> None:
        if given is not None and not least <= given <= most:
            shown = f"{given:,}" if abs(given) < 10**15 else f"{'-' if given < 0 else ''}10^{len(str(abs(given))) - 1}"
            raise self.refusal("invalid", field, "out_of_range", field=field, least=least, most=most, given=shown)


def _generate(item: Mapping[str, Any]) -> Object:
    """Return problems, or a worksheet if the request names a format."""
    named = item["lang"] if item["id"] is None else _language_of(item["id"])
    reader = _Reader(item["messages"] or named)
    exercises, name = _exercises(item, reader)
    if not item["format"]:
        return {"problems": [_problem(one, item, reader) for one in exercises]}
    answers = item["answers"]
    if isinstance(answers, bool):
        answers = "separate" if answers else "none"
    sheet = worksheet(exercises, answers, reader.language)
    return {"sheet": SHEET_FORMATS[item["format"]].write(sheet), "name": f"worksheet-{name}"}


def _exercises(item: Mapping[str, Any], reader: _Reader) -> tuple[Iterable[Problem], str]:
    """Return the exercise of an id or those of a seed, and the id or seed."""
    if item["id"] is not None:  # the other choices do not count, whatever they are
        exercise = _exercise(item["id"], reader)
        return [exercise], exercise.id
    choice = _choice(item, reader)
    reader.check_range("count", item["count"], 1, item["most_on_sheet" if item["format"] else "most"])
    reader.check_range("seed", item["seed"], 0, MAX_SEED)
    reader.check_range("place", item["place"], 0, MAX_PLACE)
    seed = secrets.randbelow(MAX_SEED + 1) if item["seed"] is None else item["seed"]
    return different(generate(choice, seed, item["place"]), item["count"]), str(seed)


def _choice(item: Mapping[str, Any], reader: _Reader) -> Choice:
    skill, grade = item["skill"], item["grade"]
    if skill is not None and skill not in skills():
        names = tuple(similar_skills(skill[:60]))
        similar = say(reader.language, "similar_skills", names=names) if names else ""
        raise reader.refusal("no_skill", "skill", "unknown_skill", similar, skill=skill[:60], path="GET /v1/skills")
    reader.check_range("grade", grade, GRADES[0], GRADES[-1])
    choice = Choice(item["lang"], skill, grade)
    try:
        chosen_families(choice)
    except FamilyError:
        raise reader.refusal("no_skill", "skill", "no_families") from None
    return choice


def _language_of(name: str) -> Language:
    return "zh" if name.startswith("zh") else "en"


def _exercise(name: str, reader: _Reader) -> Problem:
    try:
        return exercise_of(name)
    except FamilyError:
        raise reader.refusal("no_exercise", "id", "unknown_exercise", id=name[:60], example=EXAMPLE) from None


def _problem(exercise: Problem, item: Mapping[str, Any], reader: _Reader) -> Object:
    """Return a problem as JSON; its answers and steps only if the request asks for them."""
    assert exercise.lesson is not None
    question = " ".join(one.quoted for one in questions_of(exercise.text, exercise.language).found[:1])
    asked = [{"question": question, "quantity": one.quantity or one.unit, "unit": one.unit} for one in exercise.asks]
    shown: Object = {"id": exercise.id, "text": exercise.text, "language": exercise.language}
    shown |= {"skill": exercise.lesson.skill, "grade": exercise.lesson.grade, "asked": asked}
    if item["answers"] in (False, "none") and not item["steps"]:
        return shown
    solution = solution_of(exercise, reader.language).as_json()
    shown |= {name: solution[name] for name in ("answers", "display", "equations")}
    return shown | ({"steps": solution["steps"]} if item["steps"] else {})


def _check(item: Mapping[str, Any]) -> Object:
    """Return the mark of an answer, some hints, or the solution."""
    reader = _Reader(item["lang"] or item["messages"] or _language_of(item["id"]))
    exercise = _exercise(item["id"], reader)
    if item["answer"] is None and item["reveal"] is None:
        raise reader.refusal("invalid", "answer", "no_request")
    reader.check_range("steps", item["steps"], 1, MAX_PLACE)
    found: Object = {"id": exercise.id}
    if item["answer"] is not None:
        found |= _marked(exercise, item["answer"], reader)
    if item["reveal"] == "hint":
        hints = hints_of(exercise, solution_of(exercise, reader.language))
        opened = hints[: item["steps"]]
        found |= {"steps": [hint.text for hint in opened], "steps_mathml": [hint.mathml for hint in opened]}
        found |= {"step_kinds": [hint.kind for hint in opened], "left": len(hints) - len(opened)}
    elif item["reveal"] == "solution":
        solution = solution_of(exercise, reader.language)
        found["solution"] = solution.as_json() | explain_solution(solution, None)
    return found


def _marked(exercise: Problem, typed: str, reader: _Reader) -> Object:
    marked = mark(exercise, typed)
    if marked.mark == "no_number":
        raise reader.refusal("no_number", "answer", "answer_without_number")
    message = message_of(exercise, marked, reader.language)
    return {"right": marked.right, "mark": marked.mark, "parts": list(marked.parts), "message": message}


def message_of(exercise: Problem, marked: Marked, language: Language) -> str:
    """Return what to tell the reader about a mark."""
    count, right = len(exercise.asks), sum(marked.parts)
    if marked.mark == "unit":
        return say(language, "mark_unit", unit=exercise.asks[marked.verdicts.index("unit")].unit)
    if marked.mark == "count":
        return say(language, "mark_count_one" if count == 1 else "mark_count", count=count)
    if marked.mark == "wrong" and right:
        return say(language, "mark_some", right=right, count=count)
    return say(language, f"mark_{marked.mark}")


_ANSWERS: Mapping[Kind, Callable[[Mapping[str, Any]], Object]] = {
    "skills": _skills,
    "generate": _generate,
    "check": _check,
}
