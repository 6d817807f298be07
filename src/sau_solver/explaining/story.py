"""A problem, its tree and its solutions -> the story of the answer, in the problem's language.

Which words gave which number, what the unknowns stand for, each move of the exact solver, which roots were dropped and
why, the check, and the answer with its unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.answering.roots import Chosen
from sau_solver.equations.expressions import Equations, Number, Unknown, numbers_of, unknowns_of
from sau_solver.equations.symbols import Slot
from sau_solver.equations.uet import Uet
from sau_solver.explaining.calculation import arithmetic_side, calculation_steps, number_text
from sau_solver.explaining.moves import assignment_text, check_steps, explain, value_text
from sau_solver.explaining.naming import name_unknowns
from sau_solver.explaining.phrases import PHRASES
from sau_solver.solving import Outcome, Solved, Value, decimal_of
from sau_solver.text.numbers import MappedText, NumberSlot
from sau_solver.text.questions import Question, questions_of
from sau_solver.text.units import asks_per_cent, is_unit, leading_measure, unit_of

MAX_BEFORE = 40  # characters before a bare number in which the words that introduce it are looked for
MAX_UNUSED = 6  # numbers that are named although they are not needed
PER_CENT = (Fraction(100), Fraction(1, 100))

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
    """The steps that lead to the answers, and the unit of the answers where the question says it."""

    steps: tuple[str, ...]
    unit: str


def tell(text: MappedText, tree: Uet, equations: Equations, solved: Solved, chosen: Chosen) -> Story:
    """The story of how the answers were found; `equations` are those of the tree with the text's numbers."""
    say = PHRASES[text.language]
    questions = questions_of(text.text, text.language).found
    unknowns = unknowns_of(equations)
    unit = _unit(text, tree, questions, unknowns, chosen.answers)
    steps = list(_number_steps(text, tree, equations))
    below_one = any(decimal_of(answer) < 1 for answer in chosen.answers)
    if named := name_unknowns(questions, unknowns, text.language, below_one):
        steps.append(named)
    steps += _solving_steps(equations, solved, text)
    steps += [say[dropped.reason].format(solution=assignment_text(dropped.solution)) for dropped in chosen.dropped]
    if chosen.answers:
        steps.append(say["answer"].format(answer=answer_text(text, tree, chosen.answers, unit)))
    return Story(tuple(steps), unit)


def answer_text(text: MappedText, tree: Uet | None, answers: Sequence[Value], unit: str) -> str:
    """The answers as a reader wants them: exact, with a decimal, the unit, and shares also in per cent."""
    say = PHRASES[text.language]
    shares = tree is not None and _are_shares(answers) and _is_share(text, tree)
    shown = [_as_share(answer, say["per_cent"]) if shares else value_text(answer) for answer in answers]
    unknowns = {symbol.name for symbol in tree.symbols if isinstance(symbol, Unknown)} if tree else set()
    either = len(unknowns) <= 1  # several values of one unknown: each is an answer
    spaced = f" {unit}" if unit and (text.language == "en" or unit[0].isascii()) else unit
    if text.language == "zh":
        return say["or" if either else "list"].join(value + spaced for value in shown)
    if not shown:
        return ""
    *first, last = shown
    return (say["list"].join(first) + say["or" if either else "and"] if first else "") + last + spaced


def _unit(
    text: MappedText, tree: Uet, questions: Sequence[Question], unknowns: Sequence[str], answers: Sequence[Value]
) -> str:
    if asks_per_cent(questions, text.language):
        return "%" if len(unknowns) == 1 and _scales(text, tree) == "per cent" else ""
    unit = unit_of(questions, len(unknowns), text.text, text.language)
    if unit == "折" and any(decimal_of(answer) < 1 for answer in answers):  # 0.8 is 8折
        return ""
    return unit


def _scales(text: MappedText, tree: Uet) -> str:
    """Whether a tree computes with shares of one, or with per cent, which takes a constant 100."""
    if any(isinstance(symbol, Number) and symbol.value in PER_CENT for symbol in tree.symbols):
        return "per cent"
    used = (text.numbers[symbol.index].value for symbol in tree.symbols if isinstance(symbol, Slot))
    return "unknown" if any(value in PER_CENT for value in used) else "shares"


def _are_shares(answers: Sequence[Value]) -> bool:
    """Whether the answers are parts of a whole; 25 is more likely 25 % than 25 wholes."""
    return all(0 < decimal_of(answer) <= 1 for answer in answers)


def _is_share(text: MappedText, tree: Uet) -> bool:
    questions = questions_of(text.text, text.language).found
    return asks_per_cent(questions, text.language) and _scales(text, tree) == "shares"


def _as_share(answer: Value, phrase: str) -> str:
    if isinstance(answer, Fraction):
        percent = number_text(answer * 100)
        if "/" not in percent:
            return phrase.format(value=number_text(answer), percent=percent)
    return phrase.format(value=str(answer), percent=f"{100 * decimal_of(answer):.4g}").replace("=", "≈")


# --- where the numbers come from -----------------------------------------------------------------------------------


def _number_steps(text: MappedText, tree: Uet, equations: Equations) -> Iterator[str]:
    say = PHRASES[text.language]
    used = sorted(tree.slots())
    if used:
        told = [
            say["number"].format(
                words=number_words(text, text.numbers[index]), value=number_text(text.numbers[index].value)
            )
            for index in used
        ]
        yield say["numbers"].format(numbers=say["list"].join(told))
    values = set(numbers_of(equations))
    known = {number.value for number in text.numbers}
    constants = dict.fromkeys(
        symbol.value for symbol in tree.symbols if isinstance(symbol, Number) and symbol.value not in known
    )
    shown = [number_text(value) for value in constants if abs(value) != 1]  # 1 is the whole, or algebra
    if shown:
        yield say["constants"].format(values=say["list"].join(shown))
    unused = [
        number
        for index, number in enumerate(text.numbers)
        if index not in used and number.value not in values and not _is_article(number)
    ]
    if unused:
        told = [
            say["unused_number"].format(words=number_words(text, number), value=number_text(number.value))
            for number in unused[:MAX_UNUSED]
        ]
        if len(unused) > MAX_UNUSED:
            told.append(say["unused_more"].format(count=len(unused) - MAX_UNUSED))
        yield say["unused"].format(numbers=say["list"].join(told))


def _is_article(number: NumberSlot) -> bool:
    """Whether it is a one in words, which is rarely meant as a number: 一个, one of them."""
    return number.value == 1 and not any(character.isdigit() for character in number.text)


def number_words(text: MappedText, number: NumberSlot) -> str:
    """A number as the text writes it, with the word that it counts, or with the words before it."""
    start = number.start
    if start and text.text[start - 1] in "$¥￥€£-−":
        start -= 1
    later = [other.start for other in text.numbers if other.start >= number.end]
    after = text.text[number.end : min([*later, len(text.text)])]
    counted = _counted_zh(after) if text.language == "zh" else _counted_en(after)
    if not counted and start == number.start:  # a bare number is known by what stands before it
        earlier = max([start - MAX_BEFORE, *(other.end for other in text.numbers if other.end <= start), 0])
        before = (_ZH_BEFORE if text.language == "zh" else _EN_BEFORE).search(text.text[earlier:start])
        start -= len(before[0]) if before else 0
    return text.text[start : number.end] + counted


def _counted_en(after: str) -> str:
    match = _EN_AFTER.match(after)
    return match[0] if match and not _EN_EMPTY.match(match[0]) else ""


def _counted_zh(after: str) -> str:
    """A unit, or a measure word and what it counts: 千米; 个头."""
    measure = leading_measure(after)
    noun = _ZH_AFTER.match(after, len(measure))
    if len(measure) > 1 or noun is None or _ZH_EMPTY.match(noun[0]):
        return measure
    return measure + noun[0] if not is_unit(measure) else measure


# --- from the equations to the roots -------------------------------------------------------------------------------


def _solving_steps(equations: Equations, solved: Solved, text: MappedText) -> list[str]:
    say = PHRASES[text.language]
    side = arithmetic_side(equations)
    if side is None or solved.outcome is not Outcome.SOLVED or isinstance(side, Number):
        return explain(equations, solved, text.language)
    worked = calculation_steps(side, text.language)
    if worked is None:
        return explain(equations, solved, text.language)
    return [say["calculate"].format(equation=equations[0]), *worked, *check_steps(equations, solved, text.language)]
