"""A problem, its tree and its solutions -> the steps from the text to the answer, in the problem's language.

The steps name the words that gave each number, what the unknowns stand for, each move of the exact solver, the roots
that were dropped and why, the check, and the answer with its unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sau_solver.answering.asked import Asked
from sau_solver.answering.candidates import Candidate
from sau_solver.equations.expressions import (
    Equations,
    Expression,
    Number,
    Unknown,
    number_text,
    numbers_of,
    unknowns_of,
)
from sau_solver.equations.parser import parse_expression
from sau_solver.equations.readable import DECIMALS, FRACTIONS, MIXED, NumberStyle
from sau_solver.equations.symbols import Slot
from sau_solver.equations.uet import Uet
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.explaining.calculation import Operand, arithmetic_side, worded_steps
from sau_solver.explaining.derivation import explain, style_of
from sau_solver.explaining.formats import common_unit, display_all, forms_of
from sau_solver.explaining.naming import name_asked, name_unknowns
from sau_solver.explaining.number_words import as_written, is_rate, number_words, things_of
from sau_solver.explaining.one_unknown import put
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.explaining.work import comparable
from sau_solver.phrases import Phrase
from sau_solver.problem import Language
from sau_solver.solving import Assignment
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from sau_solver.text.asking.decimals import tells_decimals
from sau_solver.text.numbers import MappedText, NumberSlot
from sau_solver.text.questions import questions_of
from sau_solver.text.units import asks_per_cent, power_of_length

_DECIMAL = re.compile(r"[.．%％折]|百分之")
_RATIO_AFTER = re.compile(r"\s*[:：比]\s*\d|\s+to\s+\d")
_RATIO_BEFORE = re.compile(r"\d\s*[:：比]\s*$")
OBVIOUS = (2, 100)  # constants that need no explanation: squares, halves, both sides of a rectangle, percent
SMALL = 12  # a number word up to here needs no explanation
MAX_UNUSED = 6  # unused numbers that are listed


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
    questions = questions_of(text.text, text.language).found
    unknowns, values = unknowns_of(equations), set(numbers_of(equations))
    per_cent = asks_per_cent(questions, text.language)
    unit = common_unit(chosen.asked)
    below_one = any(comparable(answer) < 1 for answer in chosen.answers)
    plain = per_cent or (below_one and any(question.after.startswith("折") for question in questions))
    step = StepWriter(reader, DECIMALS if per_cent else style_of_text(text, equations))
    steps = [step("guess")] if guess else []
    steps += _number_steps(text, tree, values, step)
    calculated = _calculated(text, tree, equations, step)
    if calculated is not None:
        steps += calculated
    else:
        named = name_asked(chosen.asked, unknowns, text, reader)
        if named is None and not _asks_for_others(chosen.asked, unknowns):
            asked = [replace(one, several=one.several and len(chosen.asked) > 1) for one in questions]
            named = name_unknowns(asked, unknowns, text.language, plain, reader)
        steps += [named] if named else []
        steps += explain(equations, solved, reader, style=step.style, dropped=chosen.dropped)
    steps += _concluding_steps(chosen.asked, chosen.kept, step)
    if guess:  # a check would make it look certain
        steps = [one for one in steps if one.kind != "check"]
    if chosen.answers:
        shown = display_all(chosen.asked, reader, forms_of(text.text))
        steps.append(step("answer_guess" if guess else "answer", answer=shown))
        skipped = skipped_questions(chosen.asked)
        steps += [step("skipped", questions=skipped)] if skipped else []
    return Story(tuple(steps), unit, reader)


def skipped_questions(entries: Sequence[Asked]) -> tuple[str, ...]:
    """Return the questions without an answer; of a question with several things, only those without one."""
    answered = {one.question for one in entries if one.answer is not None}
    return tuple(
        one.quantity if one.quantity and (one.question in answered or not one.question) else one.question
        for one in entries
        if one.answer is None
    )


def _asks_for_others(entries: Sequence[Asked], unknowns: Sequence[str]) -> bool:
    """Return whether something is asked that is not an unknown but an expression with unknowns, such as x+2."""
    return any(one.unknown and one.unknown not in unknowns for one in entries)


# --- where the numbers come from -----------------------------------------------------------------------------------


def _number_steps(text: MappedText, tree: Uet, values: set[Fraction], step: StepWriter) -> Iterator[Step]:
    """Yield where the numbers come from; `values` are the numbers of the equations."""
    used = sorted({symbol.index for symbol in tree.symbols if isinstance(symbol, Slot)})
    numbers = [text.numbers[index] for index in used]
    spelled = [number for number in numbers if not _is_plain(number)]
    if spelled:
        yield step("numbers", numbers=tuple(_number("number", text, number) for number in spelled))
    known = {number.value for number in text.numbers}
    constants = dict.fromkeys(
        symbol.value for symbol in tree.symbols if isinstance(symbol, Number) and symbol.value not in known
    )
    shown = tuple(Number(value) for value in constants if abs(value) != 1)  # 1 is the whole, or algebra
    if any(number.value not in OBVIOUS for number in shown):
        yield step("constants", values=shown)
    unused = [
        number
        for index, number in enumerate(text.numbers)
        if index not in used and number.value not in values and any(map(str.isdigit, number.text))
        if not (_is_mark(text, number) or _is_one_of_a_ratio(text, number))
        if not tells_decimals(text.text, text.language, number.start, number.end)
    ]
    if unused:
        every = list(dict.fromkeys(_number("unused_number", text, number) for number in unused))
        told = every[:MAX_UNUSED]
        if len(every) > MAX_UNUSED:
            told.append(Phrase.of("unused_more", count=len(every) - MAX_UNUSED))
        yield step("unused", numbers=tuple(told))


def _number(code: str, text: MappedText, number: NumberSlot) -> Phrase:
    value: object = Number(number.value)
    if number.unit:
        value = Phrase.of("number_in_unit", value=value, unit=number.unit)
    return Phrase.of(code, words=number_words(text, number), value=value)


def _is_mark(text: MappedText, number: NumberSlot) -> bool:
    """Return whether a number marks a part of the problem: (1), （2）, 3)."""
    before, after = text.text[: number.start].rstrip(), text.text[number.end :].lstrip()
    opened = not before or before[-1] in "(（。！？.!?；;：:\n"
    return opened and after[:1] in (")", "）") and number.text.isdigit() and number.value <= SMALL


def _is_plain(number: NumberSlot) -> bool:
    """Return whether a number is small or written in digits, so that nothing needs to be said about its value."""
    written = number.text.replace(",", "").replace("，", "")
    small = number.value.denominator == 1 and number.value <= SMALL
    if number.unit:
        return False
    return small or bool(as_written(number) or re.fullmatch(r"\d+(?:\.\d+)?", written))


def _is_article(number: NumberSlot) -> bool:
    """Return whether it is the number 1 as a word, which is rarely meant as a number: 一个, one of them."""
    return number.value == 1 and not any(character.isdigit() for character in number.text)


def _is_one_of_a_ratio(text: MappedText, number: NumberSlot) -> bool:
    """Return whether it is the 1 of a scale or ratio such as 1:500, which equations seldom write."""
    before, after = text.text[: number.start], text.text[number.end :]
    return number.value == 1 and bool(_RATIO_AFTER.match(after) or _RATIO_BEFORE.search(before))


# --- from the equations to the roots -------------------------------------------------------------------------------


def _calculated(text: MappedText, tree: Uet, equations: Equations, step: StepWriter) -> list[Step] | None:
    """Return the lines of a problem that is plain arithmetic, with the words of its numbers; None for others.

    A problem is also plain arithmetic if its unknowns are defined one after the other: x = 240/4, y = 7x.
    """
    marked = Uet(tuple(Unknown(f"N{s.index}") if isinstance(s, Slot) else s for s in tree.symbols)).equations()
    sides: dict[str, Expression] = {}
    for equation, template in zip(equations, marked, strict=True):
        if isinstance(equation.left, Unknown):
            name, side = equation.left.name, template.right
        elif isinstance(equation.right, Unknown) and len(equations) == 1:
            name, side = equation.right.name, template.left
        else:
            return None
        if name in sides:
            return None
        sides[name] = side
    operands = {f"N{index}": _operand(text, number) for index, number in enumerate(text.numbers)}
    return worded_steps(sides, operands, step) or None


def _operand(text: MappedText, number: NumberSlot) -> Operand:
    """Return a number with its words; without words if the text has the number twice, because either may be meant."""
    if _is_article(number):
        return Operand(number.value, scalar=True)
    same = [other for other in text.numbers if other.value == number.value]
    if len(same) > 1:
        return Operand(number.value, measured=any(power_of_length(things_of(text, other)) for other in same))
    words, things = number_words(text, number), things_of(text, number)
    if not things and not words[0].isdigit() and words[0] not in "$¥￥€£" and not as_written(number):
        words = ""  # only words before the number, which may belong to another one
    part = not things and (number.value.denominator > 1 or "%" in as_written(number))
    return Operand(number.value, words, things, is_rate(text, number), part, as_written(number))


def style_of_text(text: MappedText, equations: Equations) -> NumberStyle:
    """Return fractions or mixed numbers where the text has some, and otherwise decimals where they end."""
    broken = [
        number_text(number.value) if number.unit else number.text
        for number in text.numbers
        if number.value.denominator > 1
    ]
    if any(_DECIMAL.search(written) for written in broken):
        return DECIMALS
    if broken:
        return MIXED if forms_of(text.text).mixed else FRACTIONS
    return DECIMALS if arithmetic_side(equations) is not None else style_of(equations)


def _concluding_steps(entries: Sequence[Asked], kept: Sequence[Assignment], step: StepWriter) -> Iterator[Step]:
    """Yield how the answers follow from the only solution; nothing where they are unknowns of the equations."""
    if len(kept) != 1:
        return
    solution = kept[0]
    for one in entries:
        if isinstance(one.answer, Fraction):
            yield from _conclusion(one, one.answer, solution, step)


def _conclusion(one: Asked, answer: Fraction, solution: Assignment, step: StepWriter) -> Iterator[Step]:
    if one.unknown in solution:
        if one.rounding and solution[one.unknown] != answer:
            yield step(f"round_{one.rounding}", value=Number(answer))
        return
    try:
        expression = parse_expression(one.unknown, tuple(solution))
        value = evaluate(expression, solution, exact=True)
    except (EquationError, TooLargeError, NotEvaluatedError):
        return
    if one.rounding and value != answer:
        yield step(f"round_{one.rounding}", value=Number(answer))
    elif value == answer:
        known: dict[str, Expression] = {name: Number(v) for name, v in solution.items() if isinstance(v, Fraction)}
        filled = put(expression, known)
        code = "find_value" if filled == expression else "find"  # 120 × 3 has nothing to fill in
        yield step(code, expression=expression, filled=filled, value=Number(value))
