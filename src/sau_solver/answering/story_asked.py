"""A story that rules understand -> one entry for each thing that it asks for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.asked import Asked
from sau_solver.equations.expressions import number_text
from sau_solver.phrases import Phrase, say
from sau_solver.problem import Language
from sau_solver.text.angle_stories import AngleStory
from sau_solver.text.asking import Reading, Thing
from sau_solver.text.common_stories import Ask, CommonStory

_MEASURED = ("events", "distances", "lengths", "squares", "tiles")  # the common number has the unit of the numbers
_NAMED = frozenset(
    (
        "vertex",
        "base",
        "small",
        "smaller",
        "mid",
        "large",
        "larger",
        "compl",
        "suppl",
        *(f"ord{place}" for place in range(1, 6)),
    )
)  # the angles whose names are phrases


def story_asked(reading: Reading, story: CommonStory) -> tuple[Asked, ...]:
    """Return what a story asks for, with the words and units of its questions where they belong to one value each."""
    values = [(ask, place, value, text) for ask in story.asks for place, value, text in _shown(story, ask)]
    entries = []
    for thing, (ask, place, value, text) in zip(_things(reading, len(values)), values, strict=True):
        named = len(values) > 1 and ask.wanted == "quotients" and len(story.names) == len(story.numbers)
        quantity = story.names[place] if named else thing.quantity
        unit = story.unit if ask.wanted == "common" and story.scene in _MEASURED else thing.unit
        entries.append(Asked(thing.question, quantity, text, Fraction(value), unit))
    return tuple(entries)


def values_asked(reading: Reading, values: Sequence[tuple[str, Fraction | int]]) -> tuple[Asked, ...]:
    """Return an entry for each value, given with the expression that it comes from."""
    things = _things(reading, len(values))
    return tuple(
        Asked(thing.question, thing.quantity if len(values) > 1 else "", text, Fraction(value), thing.unit)
        for thing, (text, value) in zip(things, values, strict=True)
    )


def _things(reading: Reading, count: int) -> list[Thing]:
    """Return the things that the questions ask for if they are `count`; else that many with the first question."""
    things = [thing for thing in reading.things if thing.relation != "none"]
    if len(things) == count:
        return things
    return [Thing(things[0].question if things else "", "")] * count


def angles_asked(reading: Reading, story: AngleStory, language: Language) -> tuple[Asked, ...]:
    """Return what a story about angles asks for. Several angles have the names that the text gives them, if it does."""
    names = [angle_name(one.name) for one in story.asked] if len(story.asked) > 1 else []
    entries = []
    for place, (thing, one) in enumerate(zip(_things(reading, len(story.asked)), story.asked, strict=True)):
        name = names[place] if names and all(names) else None
        unit = "%" if one.unit == "percent" else say(language, f"angle_unit_{one.unit}")
        digits = number_text(one.value)
        shown = "" if one.value.denominator == 1 or "/" in digits or unit == "%" else f"{digits} {unit}"
        quantity = name.said(language) if name else ""
        entries.append(Asked(thing.question, quantity, one.expression, one.value, unit, shown=shown))
    return tuple(entries)


def angle_name(name: str) -> Phrase | None:
    """Return the words for an angle that a text calls by a letter, a number or its place; None if it has no name."""
    if name.startswith("∠"):
        return Phrase.of("angle_name_letter", letter=name[1:])
    return Phrase(f"angle_name_{name}") if name in _NAMED else None


def _shown(story: CommonStory, ask: Ask) -> list[tuple[int, int, str]]:
    """Return each value of one thing asked for, with the place of its number and the expression that gives it."""
    common = f"{story.relation}({','.join(map(str, story.numbers))})"
    values = story.values(ask)
    match ask.wanted:
        case "quotients":
            numbers = [story.numbers[place] for place in ask.places]
            texts = [f"{number}/{common}" if story.relation == "gcd" else f"{common}/{number}" for number in numbers]
        case "times":
            texts = [f"floor({story.span}/{common})"]
        case "sum" | "product":
            texts = [("+" if ask.wanted == "sum" else "*").join(map(str, story.quotients))]
        case _:
            texts = [f"{common}{story.shift:+}" if story.shift else common]
    return list(zip(ask.places or (0,), values, texts, strict=True))
