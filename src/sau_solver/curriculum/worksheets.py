"""Exercises -> worksheets with an answer key and worked steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from sau_solver.curriculum.answer_key import solution_of
from sau_solver.phrases import Language
from sau_solver.problem import Problem
from sau_solver.sheets.sheet import Answers, Sheet, SheetItem, item_of, make_sheet


def different(exercises: Iterable[Problem], count: int, tries: int = 20) -> Iterator[Problem]:
    """Yield `count` exercises with different texts; fewer if `count * tries` exercises do not have as many."""
    seen: set[str] = set()
    for exercise in islice(exercises, count * tries):
        if exercise.text not in seen:
            seen.add(exercise.text)
            yield exercise
        if len(seen) == count:
            return


def worksheet(exercises: Iterable[Problem], answers: Answers, reader: Language) -> Sheet:
    """Return a worksheet of exercises; its headings and steps are in the reader's language."""
    return make_sheet([sheet_item(one, reader) for one in exercises], answers, reader)


def sheet_item(exercise: Problem, reader: Language) -> SheetItem:
    """Return an exercise with its answer and steps as an item of a worksheet."""
    solution = solution_of(exercise, reader)
    record = solution.as_json() | {"step_kinds": [step.kind for step in solution.steps], "kind": "exercise"}
    return item_of(record, exercise.text)
