"""Things that a text asks for, and quantities of solved equations -> which quantity each thing is.

The evidence comes from the text and the values:
  comparisons that the text states and that hold for the values (Lena is 11 years older than Tom; A是B的3倍)
  the words around the number that multiplies the quantity ($8 near `adult`; 4 legs near `goat`), or the number itself
  in the question (how much at 6 %); for a pair of things also the words around the other one's numbers
  general knowledge: a rabbit has 4 legs, a dime is 10 cents, the speed of the wind is both added and subtracted
  names of unknowns that are words, and, where nothing else decides, the order in which the things are mentioned
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations

from sau_solver.answering.asked.known_evidence import add_knowledge, tens_digit
from sau_solver.answering.asked.quantities import Quantity
from sau_solver.answering.asked.word_evidence import add_comparisons, add_contexts, add_numbers, contexts_of
from sau_solver.equations.expressions import Unknown
from sau_solver.text.asking.mentions import Mention, words_of
from sau_solver.text.asking.reading import Reading
from sau_solver.text.asking.thing import Thing

NAMED = 4.0
ORDER = 0.4
ORDER_OF_QUESTIONS = 1.0
PLAIN = 1.5  # an unknown is more likely asked for than an expression with it
CERTAIN = 0.3  # the least margin over the next assignment
MAX_ASSIGNED = 5

_FIRST = re.compile(r"甲|\b(?:first|(?:[a-z]+ )?A)\b|第一|∠1")
_SECOND = re.compile(r"乙|\b(?:second|(?:[a-z]+ )?B)\b|第二|∠2")
_THIRD = re.compile(r"丙|\b(?:third|(?:[a-z]+ )?C)\b|第三|∠3")
_DIGIT = re.compile(r"(?P<tens>\btens\b|十位)|\b(?:units|ones)\b|个位")


def link(
    reading: Reading, things: Sequence[str | Thing], quantities: Sequence[Quantity], ordered: bool = True
) -> tuple[list[int], float]:
    """Return the index of the quantity that each thing is, and the margin over the second-best assignment.

    A thing is a Thing or its words. Without evidence the first quantities are returned with a margin of 0. Pass
    `ordered=False` if the order of the things is not evidence.
    """
    table = evidence(reading, things, quantities, ordered)
    ways = permutations(range(len(quantities)), len(things))
    scored = sorted(
        ((sum(table[i][place] for i, place in enumerate(way)), way) for way in ways), key=lambda one: (-one[0], one[1])
    )
    best = scored[0]
    margin = best[0] - scored[1][0] if len(scored) > 1 else 10.0
    return list(best[1]), margin


def evidence(
    reading: Reading, things: Sequence[str | Thing], quantities: Sequence[Quantity], ordered: bool = True
) -> list[list[float]]:
    """Return a table of scores, one row for each thing and one column for each quantity."""
    language = reading.language
    read = [Thing("", "", words=one) if isinstance(one, str) else one for one in things]
    named = [one.words or one.quantity for one in read]
    words = _distinct([words_of(name, language) for name in named])
    table = [[0.0] * len(quantities) for _ in things]
    contexts = contexts_of(reading, quantities)
    for row, (thing, name, own) in enumerate(zip(read, named, words, strict=True)):
        scores = table[row]
        add_contexts(scores, _heads(thing) if language == "en" else [], own, contexts, reading)
        add_numbers(scores, thing, reading, quantities)
        add_comparisons(scores, own, reading, quantities)
        add_knowledge(scores, thing, own, reading, quantities)
        _add_names(scores, own, quantities)
        if len(things) == 1 and len(quantities) == 2:
            _add_counterpart(scores, own, reading, quantities, contexts)
        if ordered:
            _add_order(scores, (row, len(things)), name, own, reading, quantities)
        for column, quantity in enumerate(quantities):
            if isinstance(quantity.expression, Unknown):
                scores[column] += PLAIN
    return table


def _heads(thing: Thing) -> list[frozenset[str]]:
    """Return the words of an English thing's noun. For "students who came": first "students", then all words."""
    whole = words_of(thing.quantity, "en")
    return [words_of(thing.unit, "en"), whole] if thing.unit and thing.quantity.startswith(thing.unit) else [whole]


def _distinct(words: list[frozenset[str]]) -> list[frozenset[str]]:
    """Remove the words that all things share."""
    if len(words) < 2:
        return words
    shared = frozenset.intersection(*words)
    return [own - shared or own for own in words]


def _add_counterpart(
    scores: list[float],
    own: frozenset[str],
    reading: Reading,
    quantities: Sequence[Quantity],
    contexts: list[list[Mention]],
) -> None:
    """Add the evidence of a pair: if the other thing fits one quantity, this thing fits the other quantity."""
    pair = reading.counterpart(own)
    if pair is None:
        return
    for words, columns in zip(pair, ((0, 1), (1, 0)), strict=True):
        added = [0.0, 0.0]
        add_contexts(added, [], words, contexts, reading)
        add_comparisons(added, words, reading, quantities)
        for column, other in enumerate(columns):
            scores[column] += added[other]


def _add_names(scores: list[float], own: frozenset[str], quantities: Sequence[Quantity]) -> None:
    for column, quantity in enumerate(quantities):
        name = quantity.text
        if len(name) > 1 and isinstance(quantity.expression, Unknown):
            scores[column] += NAMED * bool(words_of(name.replace("_", " "), "en") & own)


def _add_order(
    scores: list[float],
    places: tuple[int, int],
    thing: str,
    own: frozenset[str],
    reading: Reading,
    quantities: Sequence[Quantity],
) -> None:
    row, rows = places
    if rows > 1:
        if row < len(scores):
            scores[row] += ORDER_OF_QUESTIONS
        return
    if len(quantities) == 3 and (places_named := _places_named(thing)):
        scores[places_named - 1] += ORDER
    if len(quantities) != 2:
        return
    if digit := _DIGIT.search(thing):
        tens = tens_digit(reading, quantities)
        scores[tens if digit["tens"] else 1 - tens] += ORDER
        return
    one, two = bool(_FIRST.search(thing)), bool(_SECOND.search(thing))
    if one != two:
        scores[0 if one else 1] += ORDER
        return
    for first, second in reading.pairs:
        in_first, in_second = bool(own & (first - second)), bool(own & (second - first))
        if in_first != in_second:
            scores[0 if in_first else 1] += ORDER
            return


def _places_named(thing: str) -> int:
    """Return 1 for the first, 2 for the second, 3 for the third, as the words of a thing say; 0 if they do not."""
    found = [place for place, pattern in enumerate((_FIRST, _SECOND, _THIRD), 1) if pattern.search(thing)]
    return found[0] if len(found) == 1 else 0


def places_of(reading: Reading, labels: Sequence[str]) -> list[int]:
    """Return where the text first mentions the labels of the unknowns; the order of the unknowns if there are none."""
    if all(labels) and len(set(labels)) == len(labels):
        return [reading.text.find(label) for label in labels]
    return list(range(len(labels)))
