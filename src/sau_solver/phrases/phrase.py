"""Phrase: a sentence as a code and its values. `say` turns it into text in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Literal, Self

from sau_solver.phrases.angle_sentences import ANGLES
from sau_solver.phrases.calendar_sentences import CALENDAR
from sau_solver.phrases.digit_sentences import DIGITS
from sau_solver.phrases.messages import MESSAGES
from sau_solver.phrases.practice_messages import PRACTICE
from sau_solver.phrases.server_messages import SERVER
from sau_solver.phrases.step_sentences import STEPS

Language = Literal["zh", "en"]

PHRASES: Mapping[str, tuple[str, str]] = {  # (en, zh)
    **MESSAGES,
    **STEPS,
    **ANGLES,
    **DIGITS,
    **CALENDAR,
    **PRACTICE,
    **SERVER,
}


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence that is not written yet: a code and the values it is filled with."""

    code: str
    values: tuple[tuple[str, object], ...] = ()

    @classmethod
    def of(cls, code: str, **values: object) -> Self:
        """Return the phrase of a code with its values."""
        return cls(code, tuple(values.items()))

    def said(self, language: Language) -> str:
        """Write the phrase in a language."""
        return "".join(map(str, self.parts(language)))

    def parts(self, language: Language) -> Iterator[object]:
        """Yield the pieces of the sentence: its own text, and the values that fill it."""
        english, chinese = PHRASES[self.code]
        values = dict(self.values)
        for literal, name, form, _ in Formatter().parse(chinese if language == "zh" else english):
            if literal:
                yield literal
            if name is not None:
                yield from _parts(language, format(values[name], form) if form else values[name])

    def __str__(self) -> str:
        return self.said("en")


def say(language: Language, code: str, **values: object) -> str:
    """Return the sentence of a code, filled with the values; phrases among them are written, tuples are listed."""
    return Phrase(code, tuple(values.items())).said(language)


def _parts(language: Language, value: object) -> Iterator[object]:
    if isinstance(value, Phrase):
        yield from value.parts(language)
    elif isinstance(value, tuple):
        for place, one in enumerate(value):
            if place:
                yield say(language, "list")
            yield from _parts(language, one)
    else:
        yield value


def hint_for(language: Language, code: str, **values: object) -> str:
    """Return the advice that belongs to an error code, or an empty string if there is none."""
    return say(language, f"{code}_hint", **values) if f"{code}_hint" in PHRASES else ""


def hint_of(phrase: Phrase) -> Phrase | str:
    """Return the advice that belongs to a phrase, or an empty string if there is none."""
    code = f"{phrase.code}_hint"
    return Phrase(code, phrase.values) if code in PHRASES else ""
