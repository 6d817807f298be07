"""A story that rules understand -> its answers, with worked steps and a confidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sau_solver.answering.asked import Asked
from sau_solver.explaining.angle_steps import angle_answer
from sau_solver.explaining.calendar_steps import calendar_answer
from sau_solver.explaining.common_story_steps import common_answer
from sau_solver.explaining.digit_steps import digit_answer
from sau_solver.explaining.elapsed_time import clock_answer
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.problem import Language
from sau_solver.text.angle_stories import AngleStory
from sau_solver.text.calendar_days import CalendarStory
from sau_solver.text.clock import ClockStory
from sau_solver.text.common_stories import CommonStory
from sau_solver.text.digits import DigitStory
from sau_solver.text.known_stories import KnownStory
from sau_solver.text.numbers import MappedText

# The share of right answers, with one right and one wrong answer added, on problems that no rule was written on
# (EXPERIMENTS.md). Clock: 98 of 101. Common divisors and multiples: 44 of 47 in the training parts of corpora; the
# validation file gives more, but its author wrote the rules. Angles 34 of 35, digits 31 of 31, calendar 16 of 16: the
# validation files, whose author did not know the rules.
CONFIDENCES: Mapping[type[KnownStory], float] = {
    ClockStory: 99 / 103,
    CommonStory: 0.92,
    AngleStory: 35 / 37,
    DigitStory: 32 / 33,
    CalendarStory: 17 / 18,
}


@dataclass(frozen=True, slots=True)
class StoryAnswer:
    """What a story asks for, the steps that lead there, and the probability that the answers are right."""

    asked: tuple[Asked, ...]
    steps: tuple[Step, ...]
    confidence: float


def answer_story(story: KnownStory, text: MappedText, reader: Language) -> StoryAnswer:
    """Answer the story of a text, with steps in the reader's language."""
    step = StepWriter(reader)
    match story:
        case ClockStory():
            asked, steps = clock_answer(story, text, step)
        case CommonStory():
            asked, steps = common_answer(story, text, step)
        case AngleStory():
            asked, steps = angle_answer(story, text, step)
        case DigitStory():
            asked, steps = digit_answer(story, text, step)
        case CalendarStory():
            asked, steps = calendar_answer(story, text, step)
    return StoryAnswer(asked, steps, CONFIDENCES[type(story)])
