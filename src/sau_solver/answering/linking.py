"""Things that a text asks for, and quantities of solved equations -> which quantity each thing is.

The evidence, all of it from the text and the values:
  comparisons that the text states and that hold for the values (Lena is 11 years older than Tom; A是B的3倍)
  the words around the number that multiplies the quantity ($8 near `adult`; 4 legs near `goat`), or the number itself
  in the question (how much at 6 %)
  what everybody knows: a rabbit has 4 legs, a dime is 10 cents, the wind is what is added and taken away
  names of unknowns that are words, and, where nothing else decides, the order in which the things are mentioned
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

from sau_solver.answering.quantities import Factor, Quantity
from sau_solver.equations.expressions import Unknown
from sau_solver.solving import decimal_of
from sau_solver.text.asking.common_knowledge import known_factors
from sau_solver.text.asking.mentions import Mention, same_number, words_of
from sau_solver.text.asking.reading import Reading

NUMBER_IN_QUESTION = 3.0
COMPARED = 3.0
NAMED = 4.0
KNOWN = 2.0
SIZE = 1.0
CONTEXT = 1.5
ORDER = 0.4
ORDER_OF_QUESTIONS = 1.0
FIXED = 2.0
PRICED = 2.0
SLIGHT = 0.05
ALSO = 0.3
EARLIER = 0.6
FLOWS = 2.0
PLAIN = 1.5  # an unknown is more likely asked for than an expression with it
CERTAIN = 0.3  # the least margin over the next assignment
MAX_ASSIGNED = 5

_EN_LONG, _EN_WIDE = frozenset({"long"}), frozenset({"wide"})
_FLOW = {
    "en": re.compile(r"\b(?:wind|current|stream|water(?! still))\b(?!.*\bstill\b)", re.IGNORECASE),
    "zh": re.compile(r"水流|流速|风速|水速|江水|河水"),
}
_MOVER = {
    "en": re.compile(r"\bstill\b|\b(?:boat|plane|jet|airplane|kayak|canoe|ship|swimmer|ferry)\b", re.IGNORECASE),
    "zh": re.compile(r"静水|船速|船在|船的|飞机|无风"),
}

_FIXED = re.compile(
    r"\b(?:empty|fixed|flat|initial|base|starting|one-time|call-out|membership|basic)\b|空[瓶箱桶筐杯盒]|起步价|底价|固定"
)
_PRICED = re.compile(
    r"(?P<more>\b(?:more expensive|stronger|dearer|higher[- ](?:rate|priced?|interest)|costlier)\b|[较更]贵)"
    r"|\b(?:cheaper|less expensive|weaker|lower[- ](?:rate|priced?|interest))\b|较便宜",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"\bper (?:mile|hour|minute|day|km|kilometer|gallon|pound|month|person|copy|page|night)\b|每(?:千米|公里|天|月)"
)
_FIRST = re.compile(r"甲|\b(?:first|machine A|type A|plan A)\b|第一")
_SECOND = re.compile(r"乙|\b(?:second|machine B|type B|plan B)\b|第二")
_DIGIT = re.compile(r"(?P<tens>\btens\b|十位)|\b(?:units|ones)\b|个位")


def link(reading: Reading, things: Sequence[str], quantities: Sequence[Quantity]) -> tuple[list[int], float]:
    """Return the place of the quantity that each thing is, and by how much that is better than the next best way.

    `things` are the words of each thing. Without evidence the first quantities are returned with a margin of 0.
    """
    table = evidence(reading, things, quantities)
    ways = permutations(range(len(quantities)), len(things))
    scored = sorted(
        ((sum(table[i][place] for i, place in enumerate(way)), way) for way in ways), key=lambda one: (-one[0], one[1])
    )
    best = scored[0]
    margin = best[0] - scored[1][0] if len(scored) > 1 else 10.0
    return list(best[1]), margin


def evidence(reading: Reading, things: Sequence[str], quantities: Sequence[Quantity]) -> list[list[float]]:
    """Return a table of scores, one row for each thing and one column for each quantity."""
    language = reading.language
    words = _distinct([words_of(thing, language) for thing in things])
    table = [[0.0] * len(quantities) for _ in things]
    contexts = _contexts(reading, quantities)
    for row, (thing, own) in enumerate(zip(things, words, strict=True)):
        scores = table[row]
        _add_contexts(scores, own, contexts, reading)
        _add_numbers(scores, thing, reading, quantities)
        _add_comparisons(scores, own, reading, quantities)
        _add_knowledge(scores, thing, own, reading, quantities)
        _add_names(scores, own, quantities)
        _add_order(scores, (row, len(things)), thing, own, reading, quantities)
        for column, quantity in enumerate(quantities):
            if isinstance(quantity.expression, Unknown):
                scores[column] += PLAIN
    return table


def _distinct(words: list[frozenset[str]]) -> list[frozenset[str]]:
    """Leave out of each thing's words those that all things share."""
    if len(words) < 2:
        return words
    shared = frozenset.intersection(*words)
    return [own - shared or own for own in words]


# --- words around the factors ----------------------------------------------------------------------------------------


def _contexts(reading: Reading, quantities: Sequence[Quantity]) -> list[list[Mention]]:
    """Return for each quantity the mentions of the numbers that multiply it."""
    return [
        [
            mention
            for factor in sorted(quantity.factors, key=lambda f: (f.equation, f.value))
            if (mention := _mention(reading, factor, quantities))
        ]
        for quantity in quantities
    ]


def _mention(reading: Reading, factor: Factor, quantities: Sequence[Quantity]) -> Mention | None:
    """Return where the text mentions a factor; of several places, the one nearest to its equation's numbers."""
    places = [mention for mention in reading.mentions if same_number(mention.number.value, factor.value)]
    if factor.value == 1:  # the price of one rose: this 1 is not in the equations
        asked = reading.text.find(reading.things[-1].question[:-1]) if reading.things else -1
        places = [mention for mention in places if asked <= 0 or mention.number.start < asked]
    exact = [mention for mention in places if mention.number.value == factor.value]
    places = exact or places
    if len(places) < 2:
        return places[0] if places else None
    others = {
        other.value for quantity in quantities for other in quantity.factors
        if other.equation == factor.equation and other.value != factor.value
    }  # fmt: skip
    anchors = [m.number.start for m in reading.mentions if any(m.number.value == value for value in others)]
    digits = [m for m in places if any(map(str.isdigit, m.number.text))]
    if factor.value == 1 and digits:
        places = digits
    if not anchors:
        return places[0]
    return min(places, key=lambda m: min(abs(m.number.start - anchor) for anchor in anchors))


def _add_contexts(scores: list[float], own: frozenset[str], contexts: list[list[Mention]], reading: Reading) -> None:
    def weights(level: int) -> list[dict[str, float]]:
        found: list[dict[str, float]] = []
        for mentions in contexts:
            weight: dict[str, float] = {}
            for mention in mentions:  # a word near all numbers of a quantity says more than one near some of them
                for word, value in mention.near.items():
                    weight[word] = max(weight.get(word, 0.0), value) + ALSO * value / len(mentions)
                for word in frozenset().union(*mention.earlier[:level]):
                    weight.setdefault(word, EARLIER)
            found.append(weight)
        return found

    for level in range(4):
        added = [0.0] * len(scores)
        near = weights(level)
        for word in own:
            values = [weight.get(word, 0.0) for weight in near]
            least = min(values)
            for column, value in enumerate(values):
                added[column] += CONTEXT * (value - least) * reading.rarity(word)
        if max(added, default=0.0) > min(added, default=0.0):
            for column, value in enumerate(added):
                scores[column] += min(2.0, value)
            return


def _add_numbers(scores: list[float], thing: str, reading: Reading, quantities: Sequence[Quantity]) -> None:
    """A number in the question, such as 6 % or 5-dollar, is the factor of what is asked; the first one counts."""
    found = sorted(
        {
            (thing.index(mention.number.text), mention.number.value)
            for mention in reading.mentions
            if mention.number.text in thing and (mention.number.value > 1 or any(map(str.isdigit, mention.number.text)))
        }
    )
    for _, value in found:
        hits = [any(same_number(factor.value, value) for factor in quantity.factors) for quantity in quantities]
        if any(hits) and not all(hits):
            for column, hit in enumerate(hits):
                scores[column] += NUMBER_IN_QUESTION * hit
            return


# --- comparisons, common knowledge, names, order ---------------------------------------------------------------------


def _add_comparisons(
    scores: list[float], own: frozenset[str], reading: Reading, quantities: Sequence[Quantity]
) -> None:
    for comparison in reading.comparisons:
        first = own & (comparison.first - comparison.second or comparison.first)
        second = own & (comparison.second - comparison.first or comparison.second)
        leaning = sum(map(reading.weight, first)) - sum(map(reading.weight, second))
        if not comparison.second and any(map(reading.is_name, comparison.first)):  # Sue has 4 times as many as he has
            leaning = 1.0 if any(map(reading.is_name, first)) else -1.0
        if abs(leaning) < SLIGHT:
            continue
        for column, quantity in enumerate(quantities):
            for other in quantities:
                if (
                    quantity is other
                    or not isinstance(quantity.value, Fraction)
                    or not isinstance(other.value, Fraction)
                ):
                    continue
                if comparison.holds(quantity.value, other.value):
                    scores[column if leaning > 0 else quantities.index(other)] += COMPARED


def _add_knowledge(
    scores: list[float], thing: str, own: frozenset[str], reading: Reading, quantities: Sequence[Quantity]
) -> None:
    language = reading.language
    known = known_factors(thing, own, reading.text, language)
    if known:
        hits = [any(factor.value in known for factor in quantity.factors) for quantity in quantities]
        if any(hits) and not all(hits):
            for column, hit in enumerate(hits):
                scores[column] += KNOWN * hit
    flow, mover = _FLOW[language].search(thing), _MOVER[language].search(thing)
    taken = [quantity.subtracted for quantity in quantities]
    if (flow or mover) and any(taken) and not all(taken):
        for column, subtracted in enumerate(taken):
            scores[column] += FLOWS * (subtracted == bool(flow))
    fixed, each = bool(_FIXED.search(thing)), bool(_EACH.search(thing))
    if fixed != each:  # the part that does not depend on how many there are, or the part that does
        plain = [fixed == all(factor.value == 1 for factor in quantity.factors) for quantity in quantities]
        if any(plain) and not all(plain):
            for column, hit in enumerate(plain):
                scores[column] += FIXED * hit
    if (priced := _PRICED.search(thing)) and all(quantity.factors for quantity in quantities):
        sizes = [max(factor.value for factor in quantity.factors) for quantity in quantities]
        scores[sizes.index(max(sizes) if priced["more"] else min(sizes))] += PRICED
    if len(quantities) == 2:
        longer = own & {"long", "长"} and not own & {"wide", "宽"}
        wider = own & {"wide", "宽"} and not own & {"long", "长"}
        if longer or wider:
            values = [decimal_of(quantity.value) for quantity in quantities]
            scores[values.index(max(values) if longer else min(values))] += SIZE


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
    if len(quantities) != 2:
        return
    if digit := _DIGIT.search(thing):
        scores[0 if digit["tens"] else 1] += ORDER
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
