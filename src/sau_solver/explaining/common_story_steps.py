"""A story about a common divisor or multiple -> its answers with steps: the reason, prime factors, what follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from sau_solver.answering.asked import Asked
from sau_solver.answering.story_asked import story_asked
from sau_solver.explaining.formats import display_all, forms_of
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.phrases import say
from sau_solver.problem import Language
from sau_solver.solving.whole_numbers import prime_powers
from sau_solver.text.asking import read_questions
from sau_solver.text.common_stories import Ask, CommonStory
from sau_solver.text.numbers import MappedText


def common_answer(story: CommonStory, text: MappedText, step: StepWriter) -> tuple[tuple[Asked, ...], tuple[Step, ...]]:
    """Return what the story of a text asks for, and the steps that lead there in the writer's language."""
    asked = story_asked(read_questions(text.text, text.language), story)
    steps = [_reason(story, step), *_common(story, step)]
    for ask in story.asks:
        steps += _derived(story, ask, step)
    steps.append(step("answer", answer=display_all(asked, step.language, forms_of(text.text))))
    return asked, tuple(dict.fromkeys(steps))


def _reason(story: CommonStory, step: StepWriter) -> Step:
    numbers = _listed(story.numbers, step.language)
    if story.shift:
        return step("story_left_over" if story.shift > 0 else "story_missing", rest=abs(story.shift), numbers=numbers)
    return step(f"story_{story.scene}", numbers=numbers)


def _common(story: CommonStory, step: StepWriter) -> Iterator[Step]:
    """Yield the prime factors of the numbers, and the common number from them."""
    factors = [Counter(dict(prime_powers(number))) for number in story.numbers]
    for number, own in zip(story.numbers, factors, strict=True):
        if own.total() > 1:
            yield step("product", number=number, product=_product(own))
    chosen = factors[0]
    for own in factors[1:]:
        chosen = chosen & own if story.relation == "gcd" else chosen | own
    shown = f"{_product(chosen)} = {story.common}" if chosen.total() > 1 else str(story.common)
    code = "greatest_of" if story.relation == "gcd" else "least_of"
    yield step(code, numbers=_listed(story.numbers, step.language), product=shown)


def _derived(story: CommonStory, ask: Ask, step: StepWriter) -> Iterator[Step]:
    """Yield the calculations from the common number to what is asked for."""
    common = story.common
    if ask.wanted == "common":
        if story.shift:
            sign = "+" if story.shift > 0 else "−"
            yield _calculation(f"{common} {sign} {abs(story.shift)}", common + story.shift, step)
    elif ask.wanted == "times":
        quotient, rest = divmod(story.span, common)
        if rest:
            yield step("euclid", one=story.span, divisor=common, quotient=quotient, rest=rest)
        else:
            yield _calculation(f"{story.span} ÷ {common}", quotient, step)
    else:
        for place in ask.places or range(len(story.numbers)):
            number = story.numbers[place]
            line = f"{number} ÷ {common}" if story.relation == "gcd" else f"{common} ÷ {number}"
            yield _calculation(line, story.quotients[place], step)
        if ask.wanted != "quotients":
            sign = " + " if ask.wanted == "sum" else " × "
            yield _calculation(sign.join(map(str, story.quotients)), story.values(ask)[0], step)


def _calculation(operation: str, value: int, step: StepWriter) -> Step:
    return step("calculation", meaning="", operation=operation, value=value, unit="")


def _product(factors: Counter[int]) -> str:
    return " × ".join(str(prime) for prime in sorted(factors.elements()))


def _listed(numbers: Sequence[int], language: Language) -> str:
    """Return numbers as a list: 9, 12 and 15."""
    *first, last = map(str, numbers)
    return say(language, "names").join(first) + say(language, "and") + last
