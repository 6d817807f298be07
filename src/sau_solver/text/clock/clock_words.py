"""What the words of a language say about a story of the clock: its question, the role of each time, doubts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from sau_solver.text.clock.clock_story import ClockTime, ClockUnit, Duration, Half

Role = Literal["start", "end", "now", ""]
Direction = Literal["forward", "backward"]


@dataclass(frozen=True, slots=True)
class ClockQuestion:
    """The question of a story: for a duration in a unit, or for a time of day, the start or the end of something."""

    start: int  # where its words start in the text
    quoted: str
    duration: bool
    unit: ClockUnit = ""
    half: Half = ""  # of the day, if the question names it
    role: Role = ""  # of the time that is asked for; "now" if the question is what time it is


class ClockWords(Protocol):
    """The words of one language. Texts are in lower case."""

    def question(self, text: str, raw: str) -> ClockQuestion | None:
        """Return the only question of a text; None if there is none, several, or one about something else."""

    def role(self, text: str, time: ClockTime, begin: int, end: int) -> Role:
        """Return whether something starts or ends at a time, by the words in text[begin:end] around it."""

    def is_span(self, text: str, first: ClockTime, second: ClockTime) -> bool:
        """Return whether two times are written as a span: from 9 to 11, 9:00—17:30."""

    def goes_to_next_day(self, text: str) -> bool | None:
        """Return whether the text says that it ends on the next day; None if it names other days."""

    def is_doubtful(self, text: str, question: ClockQuestion, durations: int) -> bool:
        """Return whether the text has words that may change the calculation."""

    def relation(self, text: str, time: ClockTime, durations: list[Duration]) -> Direction | Literal["", "odd"]:
        """Return the direction that words beside a duration name: 15 minutes before 9:00; "odd" if it is not clear."""

    def is_departure(self, question: ClockQuestion) -> bool:
        """Return whether the question is when somebody leaves or gets up, which may be before or after the time."""

    def departs_for(self, text: str, time: ClockTime, question: ClockQuestion) -> bool:
        """Return whether somebody leaves in order to be in place at the time of the text."""

    def travels_after(self, text: str, time: ClockTime, question: ClockQuestion) -> bool:
        """Return whether the question is for an arrival after something that ends at the time of the text."""

    def is_about_all(self, question: ClockQuestion) -> bool:
        """Return whether the question is when everything starts or ends, not one of several things."""
