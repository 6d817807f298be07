"""Read stories (docs/data.md): each is told in several ways and asked about in many ways. -> Rows of our JSON lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from sau_solver.data.rows import Row
from sau_solver.problem import Language
from sau_solver.text.numbers import find_numbers

PLACE = "{Q}"  # where a telling has the question
_NUMERAL = re.compile(r"\d+(?:\.\d+)?")
_FRACTION = re.compile(r"(?<![\d.])(\d+)/(\d+)(?![\d.])")


def story_problems(row: Row) -> Iterator[Row]:
    """Yield a row for each telling with each question."""
    tellings, questions = row.texts("tellings"), row.need("questions")
    if not isinstance(questions, list) or not all(isinstance(one, dict) for one in questions):
        raise row.error("questions must be a list of objects")
    left_out = row.get("without") or []
    shared = {name: row.fields[name] for name in ("language", "split", "skill", "grade", "group") if name in row.fields}
    for telling_number, telling in enumerate(tellings, start=1):
        if telling.count(PLACE) != 1:
            raise row.error(f"a telling must have {PLACE} once, got {telling!r}")
        for number, question in enumerate(questions, start=1):
            place = f"{telling_number}-{number}"
            if isinstance(left_out, list) and place in left_out:
                continue
            text = telling.replace(PLACE, str(question.get("question", "")))
            yield replace(row, fields={**shared, **_problem(text, question, row), "id": f"{row.text('group')}-{place}"})


def _problem(text: str, question: dict[str, Any], row: Row) -> dict[str, object]:
    """Return the fields of one problem that differ from those of its story."""
    equations, asked = question.get("equations"), question.get("asked")
    if not isinstance(equations, list) or not isinstance(asked, list):
        raise row.error("a question must have the lists equations and asked")
    things = [one for one in asked if isinstance(one, dict)]
    written = " ".join(map(str, [*equations, *(one.get("unknown", "") for one in things)]))
    unneeded = unneeded_numbers(text, "zh" if row.get("language") == "zh" else "en", written)
    return {
        "text": text,
        "equations": equations,
        "asked": asked,
        "answers": [one.get("answer") for one in things],
        "unneeded": [str(value) for value in unneeded],
        "contrast": _contrast(things, unneeded),
    }


def _contrast(things: list[dict[str, object]], unneeded: list[Fraction]) -> str:
    """Return how a problem differs from the others of its story."""
    if len(things) > 1:
        return "several questions"
    if any(one.get("rounding") for one in things):
        return "rounded"
    return "unneeded numbers" if unneeded else "other question"


def unneeded_numbers(text: str, language: Language, written: str) -> list[Fraction]:
    """Return the numbers of a text, other than one, that are not written in its equations, in the order of the text."""
    stated = [number.value for number in find_numbers(text, language)]
    used: set[Fraction] = set()

    def without(fraction: re.Match[str]) -> str:
        above, below = map(Fraction, fraction.groups())
        if below > 1 and above / below in stated and (above / below).denominator == below:
            used.add(above / below)
            return ""
        return fraction[0]

    rest = _FRACTION.sub(without, written)  # 1/4 is one number of the text, but 20/40 are two
    used.update(map(Fraction, _NUMERAL.findall(rest)))
    return [value for value in stated if value not in used and value != 1]
