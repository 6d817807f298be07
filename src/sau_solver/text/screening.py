"""User input -> text that a model may read, with the obstacle if equations cannot solve it.

Input that is not the text of a problem raises InputError: empty, too long, not text, without words, or in another
language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

from sau_solver.equations.expressions import Number
from sau_solver.equations.parser import parse_statements
from sau_solver.errors import EquationError, InputError, TooLargeError
from sau_solver.phrases import Phrase, say
from sau_solver.problem import Language
from sau_solver.text.asking import read_questions
from sau_solver.text.known_stories import KnownStory, known_story
from sau_solver.text.language import is_foreign
from sau_solver.text.mathematics import Kind, Request, recognize
from sau_solver.text.mathematics.typed import is_formula
from sau_solver.text.numbers import MappedText, detect_language, find_numbers, joined, map_text
from sau_solver.text.questions import Questions, questions_of

MAX_CHARACTERS = 4_000  # four times the longest problem of any corpus
MAX_NUMBERS = 60  # 1.5 times the most numbers in any problem of the corpora

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2}")
_OPERATOR = re.compile(r"[-+*/×÷=＝<>≤≥^√]")
_DIGIT = re.compile(r"\d")

LANGUAGES = get_args(Language)
Obstacle = Literal["", "nothing", "no_number", "no_question", "no_quantity", "letter"]


@dataclass(frozen=True, slots=True)
class Screened:
    """A text, its language, and the obstacle that keeps it from being solved, if any."""

    text: str
    language: Language
    mapped: MappedText
    obstacle: Obstacle = ""
    request: Request | None = None  # what it asks for, if that needs no model
    story: KnownStory | None = None  # that it tells, if rules understand it without a model

    @property
    def reason(self) -> str:
        """The obstacle as a sentence in the language of the text; empty if there is none."""
        return say(self.language, self.obstacle) if self.obstacle else ""


def screen(
    typed: str | bytes,
    language: Language | None = None,
    longest: int = MAX_CHARACTERS,
    reader: Language | None = None,
    mathematics: bool = True,
) -> Screened:
    """Check input before a model reads it; raise InputError if it is not a problem or longer than `longest`.

    `reader` is the language of error messages, and of a formula, which has no words to detect its language by. Without
    `mathematics`, every text is taken for a word problem.
    """
    if language is not None and language not in LANGUAGES:
        raise InputError(f"language must be zh or en, got {language!r}.", "Leave it out to detect it.", "language")
    text = _decoded(typed, reader or language, longest)
    own = language or detect_language(text[:longest])
    spoken = reader or own
    if len(text) > longest:
        raise InputError.phrased(spoken, "long", limit=longest, count=len(text))
    if not text.strip():
        raise InputError.phrased(spoken, "empty")
    if found := _UNPRINTABLE.search(text):
        raise InputError.phrased(spoken, "binary", place=found.start() + 1)
    if mathematics and (request := recognize(text)):
        if request.statements.conditions and not request.statements.equations:
            raise InputError.phrased(spoken, "inequality")
        own = language or request.language or reader or "en"
        return Screened(text, own, _mapped_formula(text, own), request=request)
    if not any(map(str.isalpha, text)) and not (_OPERATOR.search(text) and _DIGIT.search(text)):
        raise InputError.phrased(spoken, "wordless")
    if is_foreign(text) or not any(map(str.isalpha, text)):
        if (_OPERATOR.search(text) and not _LATIN_WORD.search(text)) or is_formula(text):
            raise _unreadable(text, spoken)
        raise InputError.phrased(reader or "en", "foreign")  # the reader's language, not that of the text
    mapped = _mapped(text, own, spoken)
    obstacle = _obstacle(len(mapped.numbers), questions_of(text, own))
    if not obstacle and mathematics and (numbers := read_questions(text, own).common):
        kind: Kind = "gcd" if read_questions(text, own).things[0].relation == "gcd" else "lcm"
        terms = tuple(Number(Fraction(number)) for number in numbers)
        return Screened(text, own, mapped, request=Request(kind, terms, language=own, text=text))
    story = known_story(text, own, bool(obstacle)) if mathematics else None
    return Screened(text, own, mapped, "" if story else obstacle, story=story)


def _decoded(typed: str | bytes, language: Language | None, longest: int) -> str:
    if isinstance(typed, str):
        return typed
    if len(typed) > 4 * longest:  # also too long in characters: UTF-8 uses at most 4 bytes for one
        raise InputError.phrased(language or "en", "long", limit=longest, count=len(typed))
    try:
        return typed.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError.phrased(language or "en", "binary", place=error.start + 1) from None


def _unreadable(text: str, spoken: Language) -> InputError:
    """Return the error of a text that looks like mathematics but cannot be read."""
    problem = Phrase("not_an_expression")
    try:
        if not parse_statements(text.strip()).equations:
            return InputError.phrased(spoken, "inequality")
    except TooLargeError as error:
        return InputError.phrased(spoken, error.code, **error.values)
    except EquationError as error:
        problem = Phrase.of(error.code, **error.values)
    return InputError.phrased(spoken, "unreadable", problem=problem)


def _mapped_formula(text: str, language: Language) -> MappedText:
    """Map a mathematical text; its numbers are only marked if they are few."""
    numbers = find_numbers(text, language)
    return map_text(text, language, numbers if len(numbers) <= MAX_NUMBERS else ())


def _obstacle(numbers: int, questions: Questions) -> Obstacle:
    if not numbers:
        return "no_number" if questions.asks_anything else "nothing"
    if not questions.asks_anything:
        return "no_question"
    if questions.asks_for_no_quantity:
        return "no_quantity"
    return "letter" if read_questions(questions.text, questions.language).letter else ""


def _mapped(text: str, language: Language, spoken: Language) -> MappedText:
    numbers = find_numbers(text, language)
    if len(numbers) > MAX_NUMBERS:
        raise InputError.phrased(spoken, "numbers_limit", limit=MAX_NUMBERS, count=len(numbers))
    return map_text(text, language, joined(text, language, numbers))
