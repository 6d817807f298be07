"""A story about angles -> its answers with steps: a fact of geometry, the equation if there is one, calculations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sau_solver.answering.asked import Asked
from sau_solver.answering.story_asked import angle_name, angles_asked
from sau_solver.equations.expressions import Unknown, number_text
from sau_solver.equations.parser import parse
from sau_solver.explaining.formats import Forms, display_all, forms_of, value_shown
from sau_solver.explaining.school import derive
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.phrases import Phrase
from sau_solver.solving import solve
from sau_solver.text.angle_stories import AngleStory, Working
from sau_solver.text.asking import read_questions
from sau_solver.text.numbers import MappedText

_SIGNS = {"+": " + ", "-": " − ", "*": " × ", "/": " ÷ "}
_UNITS = {"degrees": "°", "percent": "%"}  # the units that stand behind a number in a calculation


def angle_answer(story: AngleStory, text: MappedText, step: StepWriter) -> tuple[tuple[Asked, ...], tuple[Step, ...]]:
    """Return what the story of a text asks for, and the steps that lead there in the writer's language."""
    asked = angles_asked(read_questions(text.text, text.language), story, text.language)
    steps = [step(f"angle_{story.reason}", **dict(story.values)), *_solved(story, step)]
    steps += [_calculation(one, len(story.workings) > 1, step) for one in story.workings if _calculates(one)]
    steps.append(step("answer", answer=display_all(asked, step.language, forms_of(text.text))))
    return asked, tuple(dict.fromkeys(steps))


def _solved(story: AngleStory, step: StepWriter) -> Iterator[Step]:
    """Yield the meaning of x and the lines from the equation to its root."""
    if not story.equation:
        return
    name = angle_name(story.unknown)
    if name is None:
        name = Phrase("angle_name_other" if story.unknown == "other" else "angle_name_angle")
    if not story.unknown.startswith("∠"):
        name = Phrase.of("angle_the", name=name)
    yield step("let_thing", unknown=Unknown("x"), thing=name)
    equations = parse(story.equation)
    derived = derive(equations, solve(equations), step)
    if derived is not None:
        yield from derived.steps


def _calculates(working: Working) -> bool:
    return bool(re.search(r"[-+*/]", working.expression))


def _calculation(working: Working, named: bool, step: StepWriter) -> Step:
    """Return a calculation, with the name of the angle if there are several."""
    name = angle_name(working.name) if named else None
    operation = re.sub(r"[-+*/]", lambda sign: _SIGNS[sign[0]], working.expression)
    digits = number_text(working.value)
    shown = value_shown(working.value, Forms()) if "/" in digits else digits
    unit = _UNITS.get(working.unit, "")
    meaning = Phrase.of("meaning", words=name) if name else ""
    return step("calculation", meaning=meaning, operation=operation, value=shown, unit=unit)
