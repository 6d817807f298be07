"""A problem, its tree and its solutions -> the steps from the text to the answer, in the problem's language.

The steps name the words that gave each number, what the unknowns stand for, each move of the exact solver, the roots
that were dropped and why, the check, and the answer with its unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.answering.candidates import Candidate
from sau_solver.equations.expressions import Equations, Number, numbers_of, unknowns_of
from sau_solver.equations.readable import DECIMALS, FRACTIONS, NumberStyle
from sau_solver.equations.symbols import Slot
from sau_solver.equations.uet import Uet
from sau_solver.explaining.calculation import arithmetic_side
from sau_solver.explaining.derivation import explain, style_of
from sau_solver.explaining.formats import common_unit, display_all, forms_of
from sau_solver.explaining.naming import name_unknowns
from sau_solver.explaining.steps import PlainNumber, Step, StepWriter
from sau_solver.phrases import Phrase
from sau_solver.problem import Language
from sau_solver.solving import Value, decimal_of
from sau_solver.text.numbers import MappedText, NumberSlot
from sau_solver.text.questions import questions_of
from sau_solver.text.units import asks_per_cent, is_unit, leading_measure

MAX_BEFORE = 40  # characters before a bare number that are searched for the words that introduce it
MAX_UNUSED = 6  # unused numbers that are listed

_EN_AFTER = re.compile(
    r"(?:-|\s)?(?:(?:square|cubic)\s)?[A-Za-z][A-Za-z'-]*(?:\s(?:of|per)\s(?:an?\s|the\s)?[A-Za-z'-]+)?"
)
_EN_EMPTY = re.compile(
    r"^\s?(?:and|or|is|are|was|were|in|on|at|to|from|for|by|if|then|than|as|with|but|the|a|an|he|she|they|it|of|how)\b",
    re.IGNORECASE,
)
_EN_BEFORE = re.compile(r"(?:[A-Za-z'-]+\s){1,2}$")
_ZH_BEFORE = re.compile(r"[\u4e00-\u9fff]{1,4}$")
_ZH_AFTER = re.compile(r"[\u4e00-\u9fff]{1,2}")
_ZH_EMPTY = re.compile(r"^[的了和与及是为占等而且则后时]")


@dataclass(frozen=True, slots=True)
class Story:
    """The steps that lead to the answers, and the unit of the answers; the unit is empty if the question has none."""

    steps: tuple[Step, ...]
    unit: str
    reader: Language


def tell(text: MappedText, best: Candidate, reader: Language | None = None, guess: bool = False) -> Story:
    """Return the story of a solved candidate's answers in the reader's language; a guess says first that it is one."""
    reader = reader or text.language
    tree, equations, solved, chosen = best.tree, best.equations, best.solved, best.chosen
    assert solved is not None
    assert chosen is not None
    step = StepWriter(reader)
    questions = questions_of(text.text, text.language).found
    unknowns, values = unknowns_of(equations), set(numbers_of(equations))
    per_cent = asks_per_cent(questions, text.language)
    unit = common_unit(chosen.asked)
    below_one = any(_size(answer) < 1 for answer in chosen.answers)
    plain = per_cent or (below_one and any(question.after.startswith("折") for question in questions))
    named = name_unknowns(questions, unknowns, text.language, plain, reader)
    steps = [step("guess")] if guess else []
    steps += [*_number_steps(text, tree, values, step), *([named] if named else [])]
    style = style_of_text(text, equations)
    steps += explain(equations, solved, reader, style=style, dropped=chosen.dropped)
    if guess:  # a check would make it look certain
        steps = [one for one in steps if one.kind != "check"]
    if chosen.answers:
        shown = display_all(chosen.asked, reader, forms_of(text.text))
        steps.append(step("answer_guess" if guess else "answer", answer=shown))
    return Story(tuple(steps), unit, reader)


def _size(answer: Value) -> Fraction | float:
    return answer if isinstance(answer, Fraction) else decimal_of(answer)


# --- where the numbers come from -----------------------------------------------------------------------------------


def _number_steps(text: MappedText, tree: Uet, values: set[Fraction], step: StepWriter) -> Iterator[Step]:
    """Yield where the numbers come from; `values` are the numbers of the equations."""
    used = sorted({symbol.index for symbol in tree.symbols if isinstance(symbol, Slot)})
    if used:
        yield step("numbers", numbers=tuple(_number("number", text, text.numbers[index]) for index in used))
    known = {number.value for number in text.numbers}
    constants = dict.fromkeys(
        symbol.value for symbol in tree.symbols if isinstance(symbol, Number) and symbol.value not in known
    )
    shown = tuple(PlainNumber(value) for value in constants if abs(value) != 1)  # 1 is the whole, or algebra
    if shown:
        yield step("constants", values=shown)
    unused = [
        number
        for index, number in enumerate(text.numbers)
        if index not in used and number.value not in values and not _is_article(number)
    ]
    if unused:
        told = [_number("unused_number", text, number) for number in unused[:MAX_UNUSED]]
        if len(unused) > MAX_UNUSED:
            told.append(Phrase.of("unused_more", count=len(unused) - MAX_UNUSED))
        yield step("unused", numbers=tuple(told))


def _number(code: str, text: MappedText, number: NumberSlot) -> Phrase:
    return Phrase(code, (("words", number_words(text, number)), ("value", PlainNumber(number.value))))


def _is_article(number: NumberSlot) -> bool:
    """Return whether it is a one in words, which is rarely meant as a number: 一个, one of them."""
    return number.value == 1 and not any(character.isdigit() for character in number.text)


def number_words(text: MappedText, number: NumberSlot) -> str:
    """Return a number as the text writes it, with the word that it counts or the words before it."""
    start = number.start
    if start and text.text[start - 1] in "$¥￥€£-−":
        start -= 1
    later = [other.start for other in text.numbers if other.start >= number.end]
    after = text.text[number.end : min([*later, len(text.text)])]
    counted = _counted_zh(after) if text.language == "zh" else _counted_en(after)
    if not counted and start == number.start:  # a bare number is known by the words before it
        earlier = max([start - MAX_BEFORE, *(other.end for other in text.numbers if other.end <= start), 0])
        before = (_ZH_BEFORE if text.language == "zh" else _EN_BEFORE).search(text.text[earlier:start])
        start -= len(before[0]) if before else 0
    return text.text[start : number.end] + counted


def _counted_en(after: str) -> str:
    match = _EN_AFTER.match(after)
    return match[0] if match and not _EN_EMPTY.match(match[0]) else ""


def _counted_zh(after: str) -> str:
    """Return a unit (千米), or a measure word with what it counts (个头)."""
    measure = leading_measure(after)
    noun = _ZH_AFTER.match(after, len(measure))
    if len(measure) > 1 or noun is None or _ZH_EMPTY.match(noun[0]):
        return measure
    return measure + noun[0] if not is_unit(measure) else measure


# --- from the equations to the roots -------------------------------------------------------------------------------


def style_of_text(text: MappedText, equations: Equations) -> NumberStyle:
    """Return fractions where the text has some, and otherwise decimals where they end."""
    has_fraction = any("/" in number.text or "分之" in number.text for number in text.numbers if "%" not in number.text)
    if has_fraction:
        return FRACTIONS
    return DECIMALS if arithmetic_side(equations) is not None else style_of(equations)
