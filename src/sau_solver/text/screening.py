"""What a user typed -> text that a model may read, a reason to abstain, or a complaint.

InputError is raised for what is no text of a problem: nothing, too much, bytes that are no characters, no words,
another language. A problem that cannot be solved with equations keeps its text and gets a reason.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sau_solver.errors import InputError
from sau_solver.problem import Language
from sau_solver.text.foreign import is_foreign
from sau_solver.text.numbers import NumberSlot, detect_language, find_numbers
from sau_solver.text.questions import Questions, questions_of

MAX_CHARACTERS = 4_000  # four times the longest problem of any corpus
MAX_NUMBERS = 60  # half as many again as in any problem of the corpora

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_LATIN, _LATIN_WORD = re.compile(r"[A-Za-z]"), re.compile(r"[A-Za-z]{2}")
_OPERATOR = re.compile(r"[-+*/×÷=＝]")
_SUM = re.compile(r"[\d□○][%)）\]\s]*[-+*/×÷^][(（\[\s]*[\d□○]")  # two numbers with an operator between them

_MESSAGES: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "empty": "The text of a math word problem was expected, nothing came; write the problem in quotes.",
        "long": "A problem of at most {limit:,} characters was expected, {came:,} came; give one problem at a time.",
        "binary": "Readable text was expected, and place {place} holds no character; give plain text in UTF-8.",
        "wordless": "A problem in words was expected, and this has none; write it in Chinese or English.",
        "equation": 'A problem in words was expected, an equation came; solve it with: sau equation "{equation}"',
        "foreign": "A problem in Chinese or English was expected, and this is neither; translate it first. "
        "请用中文或英文输入题目。",
        "numbers": "A problem with at most {limit} numbers was expected, this has {came}; give one problem at a time.",
        "nothing": "This is no math word problem: it has no number and asks for nothing; "
        "write what is known and what is asked.",
        "no_number": "There is no number in the text that an equation could use.",
        "no_question": "The text asks for nothing; end it with a question, such as: how many are there?",
        "no_quantity": "The question does not ask for a quantity, and equations give nothing else.",
    },
    "zh": {
        "long": "题目最多 {limit:,} 个字符，这里有 {came:,} 个；请一次只输入一道题。",
        "binary": "应输入可读的文字，而第 {place} 个字符不是文字；请使用 UTF-8 纯文本。",
        "numbers": "题目中最多可以有 {limit} 个数，这里有 {came} 个；请一次只输入一道题。",
        "nothing": "这不是应用题：没有数，也没有提出问题；请写明已知什么、要求什么。",
        "no_number": "题目中没有可以列方程的数。",
        "no_question": "题目没有提出问题；请在末尾写明要求什么，例如：一共有多少个？",
        "no_quantity": "所问的不是数量，方程无法给出答案。",
    },
}


Obstacle = Literal["", "nothing", "no_number", "no_question", "no_quantity"]


@dataclass(frozen=True, slots=True)
class Screened:
    """A text, its language, and what keeps it from being solved; nothing where it may be."""

    text: str
    language: Language
    numbers: tuple[NumberSlot, ...]  # `map_text` takes them, so that they are found only once
    obstacle: Obstacle = ""

    @property
    def reason(self) -> str:
        """The obstacle as a sentence in the language of the text; empty where there is none."""
        return _MESSAGES[self.language][self.obstacle] if self.obstacle else ""

    @property
    def is_problem(self) -> bool:
        """Whether a model should look at it."""
        return not self.obstacle


def screen(typed: str | bytes, language: Language | None = None, longest: int = MAX_CHARACTERS) -> Screened:
    """Look at what came before any model does; InputError where it is no problem at all, or of too many characters."""
    if language is not None and language not in _MESSAGES:
        raise InputError(
            f"A language of {', '.join(_MESSAGES)} was expected, {language!r} came; leave it out to detect it."
        )
    text = _decoded(typed, longest)
    if len(text) > longest:
        raise _complaint("long", text, limit=longest, came=len(text))
    if not text.strip():
        raise _complaint("empty", "")
    if found := _UNPRINTABLE.search(text):
        raise _complaint("binary", text, place=found.start() + 1)
    if not any(map(str.isalpha, text)):
        return _calculation(text, language)
    if is_foreign(text):
        formula = _LATIN.search(text) and not _LATIN_WORD.search(text) and _OPERATOR.search(text)
        raise _complaint("equation" if formula else "foreign", text, equation=text.strip(" \n.．。"))
    spoken = language or detect_language(text)
    numbers = _find_numbers(text, spoken)
    return Screened(text, spoken, numbers, _obstacle(len(numbers), questions_of(text, spoken)))


def _decoded(typed: str | bytes, longest: int) -> str:
    if isinstance(typed, str):
        return typed
    if len(typed) > 4 * longest:  # longer in characters, too: UTF-8 takes at most 4 bytes for one
        raise _complaint("long", "", limit=longest, came=len(typed))
    try:
        return typed.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _complaint("binary", "", place=error.start + 1) from None


def _calculation(text: str, language: Language | None) -> Screened:
    """A text without letters can still be a sum to do, such as 3.6*31.4+81.4*6.4=; Chinese school books have those."""
    if not _SUM.search(text):
        raise _complaint("wordless", text)
    language = language or "zh"
    return Screened(text, language, _find_numbers(text, language))


def _obstacle(numbers: int, questions: Questions) -> Obstacle:
    if not numbers:
        return "no_number" if questions.asks_anything else "nothing"
    if not questions.asks_anything:
        return "no_question"
    return "no_quantity" if questions.asks_for_no_quantity else ""


def _find_numbers(text: str, language: Language) -> tuple[NumberSlot, ...]:
    numbers = find_numbers(text, language)
    if len(numbers) > MAX_NUMBERS:
        raise _complaint("numbers", text, limit=MAX_NUMBERS, came=len(numbers))
    return tuple(numbers)


def _complaint(kind: str, text: str, **figures: object) -> InputError:
    """In the language of the text, where there is such a message."""
    spoken = detect_language(text[:MAX_CHARACTERS])
    message = _MESSAGES[spoken].get(kind) or _MESSAGES["en"][kind]
    return InputError(message.format(**figures))
