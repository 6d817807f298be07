"""A story about the digits of a number -> its answers with steps: equations if they decide it, else the numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from sau_solver.answering.asked import Asked
from sau_solver.answering.story_asked import values_asked
from sau_solver.equations.expressions import Condition, Equation, Expression, Function, Number, walk_equations
from sau_solver.explaining.derivation import explain
from sau_solver.explaining.formats import display_all, forms_of
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.phrases import Phrase
from sau_solver.solving import Outcome, Solved, solve
from sau_solver.solving.budget import spending
from sau_solver.text.asking import read_questions
from sau_solver.text.digits.digit_story import (
    DigitAsk,
    DigitStory,
    Numeral,
    Said,
    all_numbers,
    assigned,
    fitting,
    value_of,
)
from sau_solver.text.numbers import MappedText

MAX_LISTED = 30  # numbers that a step lists


def digit_answer(story: DigitStory, text: MappedText, step: StepWriter) -> tuple[tuple[Asked, ...], tuple[Step, ...]]:
    """Return what the story of a text asks for, and the steps that lead there in the writer's language."""
    values = [one for ask in story.asks for one in zip(_texts(story, ask), story.values(ask), strict=True)]
    asked = values_asked(read_questions(text.text, text.language), values)
    with spending():
        steps = list(_made_of_cards(story, step) if story.cards else _of_digits(story, step))
    steps.append(step("answer", answer=display_all(asked, step.language, forms_of(text.text))))
    return asked, tuple(dict.fromkeys(steps))


def _texts(story: DigitStory, ask: DigitAsk) -> Sequence[str]:
    """Return the expression of each value that is asked for; n stands for all numbers that fit."""
    match ask.wanted:
        case "value":
            return (str(ask.expression),)
        case "digits":
            return tuple(digit.name for digit in reversed(Numeral(story.length).digits))
        case "largest" | "smallest":
            return ("max(n)" if ask.wanted == "largest" else "min(n)",)
        case "difference" | "sum":
            return (f"max(n){'-' if ask.wanted == 'difference' else '+'}min(n)",)
    return ("n",)


# --- numbers with unknown digits -------------------------------------------------------------------------------------


def _of_digits(story: DigitStory, step: StepWriter) -> Iterator[Step]:
    numeral = Numeral(story.length)
    if story.said:
        yield step(f"digits_let_{story.length}", number=numeral.number())
    if story.turned:
        yield step("digits_turned", number=numeral.number(story.turned))
    single = story.asks[0].wanted in ("value", "digits")
    if single and (solved := _system(story)):
        yield from explain(*solved, step.language)
    else:
        yield from _narrowed(story, step)
    if single:
        (number,) = story.numbers
        yield step("digits_so", number=number)
        turned = numeral.number(story.turned)
        if story.turned and any(ask.expression == turned for ask in story.asks):
            yield step("digits_new", number=value_of(turned, assigned(story.length, number)))
    for ask in story.asks:
        yield from _chosen(story, ask, step)


def _system(story: DigitStory) -> tuple[tuple[Equation, ...], Solved] | None:
    """Return equations that have the digits as their only solution; None if equations alone do not decide it."""
    equations = tuple(one for one in story.said if isinstance(one, Equation))
    if len(equations) < story.length or any(isinstance(node, Function) for node in walk_equations(equations)):
        return None
    digits = {name: Fraction(value) for name, value in assigned(story.length, story.numbers[0]).items()}
    for chosen in (equations[: story.length], equations):
        solved = solve(chosen)
        if solved.outcome is Outcome.SOLVED and list(map(dict, solved.solutions)) == [digits]:
            return chosen, solved
    return None


def _narrowed(story: DigitStory, step: StepWriter) -> Iterator[Step]:
    """Yield the numbers that are left after each thing that is said, as soon as they are few."""
    numbers = all_numbers(story)
    listed = False
    pending: list[Said] = []
    for said in story.said:
        pending.append(said)
        numbers = fitting(said, story.length, numbers)
        if len(numbers) <= MAX_LISTED:
            code = "digits_of_these" if listed else "digits_first"
            yield step(code, said=tuple(map(_told, pending)), numbers=tuple(numbers))
            pending, listed = [], True
    if pending:
        yield step("digits_count_said", count=len(numbers), said=tuple(map(_told, pending)))
    elif not story.said and len(numbers) > MAX_LISTED:  # how many two-digit numbers are there?
        yield from _choices([9, *[10] * (story.length - 1)], len(numbers), step)


def _told(said: Said) -> Expression | Equation | Condition | Phrase:
    """Return something said as a step shows it."""
    if isinstance(said, Equation) or said.relation in ("<", ">", "!="):
        return said
    if said.relation in ("odd", "even"):
        return Phrase.of(f"digits_{said.relation}", number=said.left)
    assert isinstance(said.left, Function)
    number, divisor = said.left.arguments
    if said.right == Number(Fraction(0)):
        return Phrase.of("digits_divisible", number=number, divisor=divisor)
    return Phrase.of("digits_remainder", number=number, divisor=divisor, rest=said.right)


def _chosen(story: DigitStory, ask: DigitAsk, step: StepWriter) -> Iterator[Step]:
    """Yield how the answer comes from all numbers that fit."""
    if ask.wanted == "count" and len(story.numbers) <= MAX_LISTED:
        yield step("digits_count", count=len(story.numbers))
    elif ask.wanted in ("largest", "smallest"):
        yield step(f"digits_{ask.wanted}", number=story.values(ask)[0])


# --- numbers made of cards -------------------------------------------------------------------------------------------


def _made_of_cards(story: DigitStory, step: StepWriter) -> Iterator[Step]:
    (ask,) = story.asks
    numbers = story.numbers
    if story.said or (ask.wanted == "count" and len(numbers) <= MAX_LISTED and 0 in story.cards):
        if len(numbers) <= MAX_LISTED:
            yield step("digits_all", numbers=numbers)
        yield from _chosen(story, ask, step)
    elif ask.wanted == "count":
        cards = len(story.cards)
        choices = [cards - (0 in story.cards), *(cards - place for place in range(1, story.length))]
        yield from _choices(choices, len(numbers), step)
    else:
        if ask.wanted != "smallest":
            yield step("digits_largest_of", number=numbers[-1])
        if ask.wanted != "largest":
            yield step("digits_smallest_of", number=numbers[0])
        if ask.wanted in ("difference", "sum"):
            operation = f"{numbers[-1]} {'−' if ask.wanted == 'difference' else '+'} {numbers[0]}"
            yield step("calculation", meaning="", operation=operation, value=story.values(ask)[0], unit="")


def _choices(choices: Sequence[int], count: int, step: StepWriter) -> Iterator[Step]:
    """Yield the choices for each digit and their product."""
    assert math.prod(choices) == count
    rest = tuple(Phrase.of("digits_choices_for_next", choices=one) for one in choices[1:])
    yield step("digits_choices", first=choices[0], rest=rest)
    yield step("calculation", meaning="", operation=" × ".join(map(str, choices)), value=count, unit="")
