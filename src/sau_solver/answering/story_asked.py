"""A story about a common divisor or multiple -> one entry for each thing that it asks for."""

from __future__ import annotations

from fractions import Fraction

from sau_solver.answering.asked import Asked
from sau_solver.text.asking import Reading, Thing
from sau_solver.text.common_stories import Ask, CommonStory

_MEASURED = ("events", "distances", "lengths", "squares", "tiles")  # the common number has the unit of the numbers


def story_asked(reading: Reading, story: CommonStory) -> tuple[Asked, ...]:
    """Return what a story asks for, with the words and units of its questions where they belong to one value each."""
    things = [thing for thing in reading.things if thing.relation != "none"]
    values = [(ask, place, value, text) for ask in story.asks for place, value, text in _shown(story, ask)]
    if len(things) != len(values):
        things = [Thing(things[0].question if things else "", "")] * len(values)
    entries = []
    for thing, (ask, place, value, text) in zip(things, values, strict=True):
        named = len(values) > 1 and ask.wanted == "quotients" and len(story.names) == len(story.numbers)
        quantity = story.names[place] if named else thing.quantity
        unit = story.unit if ask.wanted == "common" and story.scene in _MEASURED else thing.unit
        entries.append(Asked(thing.question, quantity, text, Fraction(value), unit))
    return tuple(entries)


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
