"""Codes and values -> worked steps with a kind and, when they are read, a sentence in the reader's language."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Literal

from sau_solver.equations.notation import mathml
from sau_solver.equations.readable import DECIMALS, NumberStyle, Shown, readable
from sau_solver.equations.typesetting import MAX_INLINE, sentence_mathml
from sau_solver.phrases import Language, Phrase

StepKind = Literal["guess", "numbers", "unknowns", "work", "check", "answer"]

# The kind of a step by its code; all other codes are work.
_KINDS: Mapping[str, StepKind] = {
    **dict.fromkeys(("numbers", "unused", "constants"), "numbers"),
    **dict.fromkeys(("let_question", "let_number", "let_clause", "let_thing", "let_several", "let_all"), "unknowns"),
    **dict.fromkeys(("check", "check_sides"), "check"),
    "guess": "guess",
    **dict.fromkeys(("answer", "answer_guess", "skipped"), "answer"),
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a worked solution. Its sentence is written when it is read."""

    language: Language
    phrase: Phrase
    style: NumberStyle = DECIMALS

    @property
    def kind(self) -> StepKind:
        """What the step is about."""
        return _KINDS.get(self.phrase.code, "work")

    @property
    def text(self) -> str:
        """The sentence in the reader's language."""
        return "".join(part if isinstance(part, str) else readable(part, self.style) for part in self.parts())

    def parts(self) -> Iterator[str | Shown]:
        """Yield the sentence in pieces: text, and the equations and expressions in it."""
        text = ""
        for part in self.phrase.parts(self.language):
            if isinstance(part, Shown):
                if text:
                    yield text
                yield part
                text = ""
            else:
                text += str(part)
        if text:
            yield text

    def mathml(self, unknowns: Collection[str]) -> str:
        """Return the sentence as escaped text with its formulas as MathML; a long formula stays text and can wrap."""
        shown = []
        for part in self.parts():
            if isinstance(part, str):
                shown.append(sentence_mathml(part, unknowns))
            elif len(text := readable(part, self.style)) > MAX_INLINE:
                shown.append(escape(text, quote=False))
            else:
                shown.append(mathml(part, block=False, style=self.style))
        return "".join(shown)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class StepWriter:
    """Writes steps in one language, with numbers in one style."""

    language: Language
    style: NumberStyle = DECIMALS

    def __call__(self, code: str, **values: object) -> Step:
        """Return the step of a code of `sau_solver.phrases`, filled with the values."""
        return Step(self.language, Phrase(code, tuple(values.items())), self.style)
