"""The words of a thing, and quantities of solved equations -> scores that say which quantity the thing is.

The evidence: the words around the numbers that multiply a quantity, a number in the question itself, and comparisons
that the text states and that hold for the values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.asked.quantities import Quantity
from sau_solver.equations.roles import Factor
from sau_solver.solving import decimal_of
from sau_solver.text.asking.mentions import Mention, same_number, words_of
from sau_solver.text.asking.reading import Reading
from sau_solver.text.asking.thing import Thing
from sau_solver.text.numbers import NumberSlot

NUMBER_IN_QUESTION = 3.0
LABELED = 1.5
AFTER = 10  # characters by which a factor after the total counts as farther
LABEL = 20  # characters between the number that names a thing and the one that multiplies it
COMPARED = 3.0
CONTEXT = 1.5
MORE = 0.5  # a comparison whose number fits no pair of values still says which value is larger
SLIGHT = 0.05
ALSO = 0.3
EARLIER = 0.6
HEAD = 0.5  # difference from which the noun that is counted decides without the rest of the question

ZH_NOUN = re.compile(r"\s*([\u4e00-\u9fff]{1,4})")  # after a number; 平方厘米 is the longest unit
_NEXT = re.compile(r"[\s-]*([A-Za-z/%]+|[\u4e00-\u9fff]|[%％])")
_RATE_AFTER = re.compile(
    r"\s*(?:mph|km/h|kph|m/s|千?米[/／每]|(?:[a-z]+ ){1,3}?(?:per|an?|each|every|apiece)\b)", re.IGNORECASE
)
_RATE_BEFORE = re.compile(r"每[^\d，。；]{1,12}(?:\d+[^\d，。；]{1,4}[，、]?(?:要么|或者?)[^\d，。；]{1,4})?$")
_SENTENCE_END = re.compile(r"[。；;？?！!]|\.(?!\d)")
_EQUAL = re.compile(
    r"\bas (?:many|much|far|long|heavy) as\b|\bequals?\b|\bthe same\b|一样|相等|相同|等于|同样", re.IGNORECASE
)
_NUMBER_WORDS = frozenset(("three", "four", "five", "six", "seven", "eight", "nine", "ten"))
_TIMES = re.compile(r"\s*(?:(?:twice|thrice|double|triple|times)\b|倍)", re.IGNORECASE)
_NOT_OF_TIMES = re.compile(r"[，。；：,;]|等于|[比是为]")  # a number before these words is compared, not multiplied
_MEASURE = re.compile(r"[$€£]|mph|km|km/h|%|percent|cents|dollars|points|hours|minutes|kg|g|[元角千米分小克％]")
_NOT_ONE = re.compile(r"[天共起样定般半些直同]|[辆列艘架]\w{1,3}从")  # 一天, 一共 and the like do not count things
_ONE_OF_A_KIND = re.compile(r"[\s-]*(?:[元角分%％]|dollars?\b|cents?\b|-)", re.IGNORECASE)


def contexts_of(reading: Reading, quantities: Sequence[Quantity]) -> list[list[Mention]]:
    """Return for each quantity the mentions of the numbers that multiply it."""
    return [mentions_of_factors(reading, quantity, quantities) for quantity in quantities]


def mentions_of_factors(
    reading: Reading, quantity: Quantity, quantities: Sequence[Quantity] | None = None
) -> list[Mention]:
    """Return the mentions of the numbers that multiply a quantity. In a*x=b*y only rates count: 3 km/h, 每小时3千米."""
    among = quantities or [quantity]
    found = [
        mention
        for factor in sorted(quantity.role.factors, key=lambda f: (f.equation, f.value))
        if (mention := _mention(reading, factor, among))
    ]
    rates = [_mention(reading, factor, among) for factor in sorted(quantity.role.rates, key=lambda f: f.value)]
    return found + [mention for mention in rates if mention and _is_rate(reading.text, mention)]


def next_noun(text: str, place: int) -> str:
    """Return the word after a place of the text in lower case; in Chinese its first character."""
    noun = _NEXT.match(text, place)
    return noun[1].lower() if noun else ""


def _unit_at(text: str, number: NumberSlot) -> str:
    """Return the sign of money before a number, or the word after it."""
    sign = text[: number.start].rstrip()[-1:]
    return sign if sign and sign in "$€£" else next_noun(text, number.end)


def _is_rate(text: str, mention: Mention) -> bool:
    number = mention.number
    if number.value < 1:  # 2/3 of it is taken away
        return True
    start = max(map(text[: number.start].rfind, ".。？?；;")) + 1
    end = min((place for mark in ".。？?；;" if (place := text.find(mark, number.end)) > 0), default=len(text))
    if _EQUAL.search(text, start, end):  # A in 3 hours makes as many as B in 6
        return True
    return bool(_RATE_AFTER.match(text, number.end) or _RATE_BEFORE.search(text[: number.start]))


def _mention(reading: Reading, factor: Factor, quantities: Sequence[Quantity]) -> Mention | None:
    """Return where the text mentions a factor; of several places, the one nearest to its equation's numbers."""
    places = [mention for mention in reading.mentions if same_number(mention.number.value, factor.value)]
    if not places and factor.value.numerator == 1:  # x/210 at 210 m a minute
        places = [mention for mention in reading.mentions if mention.number.value == factor.value.denominator]
    if factor.value == 1:  # the price of one rose: this 1 is not in the equations
        asked = len(reading.before(reading.things[-1].question)) if reading.things else 0
        places = [mention for mention in places if not asked or mention.number.start < asked]
        places = [m for m in places if m.number.text != "一" or not _NOT_ONE.match(reading.text, m.number.end)]
    exact = [mention for mention in places if mention.number.value == factor.value]
    places = exact or places
    times = [
        m for m in places if _TIMES.match(reading.text, m.number.start) or _TIMES.match(reading.text, m.number.end)
    ]
    if len(times) == 1 and factor.equation not in quantities[0].role.totals:
        return Mention(times[0].number, dict.fromkeys(_multiplied(times[0].number, reading), 1.0), ())
    if len(places) < 2:
        return places[0] if places else None
    others = {
        other.value for quantity in quantities for other in quantity.role.factors
        if other.equation == factor.equation and other.value != factor.value
    }  # fmt: skip
    anchors = [m.number.start for m in reading.mentions if any(m.number.value == value for value in others)]
    digits = [m for m in places if any(map(str.isdigit, m.number.text))]
    if factor.value == 1 and digits:
        places = digits
    if not anchors:
        return places[0]
    nouns = {_unit_at(reading.text, m.number) for m in reading.mentions if m.number.start in anchors}
    nouns = set(filter(_MEASURE.fullmatch, nouns))
    alike = [m for m in places if _unit_at(reading.text, m.number) in nouns]  # 3 mph goes with 5 mph, not 3 hours
    total = quantities[0].role.totals.get(factor.equation)
    ends = [m.number.start for m in reading.mentions if m.number.value == total]
    if len(ends) == 1:
        return min(alike or places, key=lambda m: _distance(reading.text, m.number.start, ends[0], anchors))
    return min(alike or places, key=lambda m: min(abs(m.number.start - anchor) for anchor in anchors))


def _multiplied(number: NumberSlot, reading: Reading) -> frozenset[str]:
    """Return the words of what is multiplied: Ben in "twice Ben's age", 梨 in 苹果比梨的3倍多4千克."""
    if reading.language == "zh":
        return words_of(_NOT_OF_TIMES.split(reading.text[: number.start])[-1], "zh")
    return words_of(re.split(r"[,.;]", reading.text[number.end :])[0], "en")


def _distance(text: str, place: int, total: int, anchors: Sequence[int]) -> int:
    """Return how far a number is from the total of its equation and from the next factor; a new sentence is far."""
    between = text[min(place, total) : max(place, total)]
    cuts = len(_SENTENCE_END.findall(between))
    return 200 * cuts + abs(place - total) + min(abs(place - anchor) for anchor in anchors) + (place > total) * AFTER


def add_hits(scores: list[float], weight: float, hits: Sequence[bool]) -> bool:
    """Add a weight where there is a hit, if that tells the quantities apart; return whether it does."""
    if all(hits) or not any(hits):
        return False
    for column, hit in enumerate(hits):
        scores[column] += weight * hit
    return True


def add_contexts(
    scores: list[float],
    heads: Sequence[frozenset[str]],
    own: frozenset[str],
    contexts: list[list[Mention]],
    reading: Reading,
) -> None:
    """Add to each score how many words of the thing are near the quantity's factors; the thing's noun decides first."""
    for head in heads:
        added = _near(head & own, contexts, reading)
        if max(added) - min(added) >= HEAD:
            break
    else:
        added = _near(own, contexts, reading)
    least = min(added, default=0.0)
    for column, value in enumerate(added):
        scores[column] += min(2.0, value - least)


def _near(own: frozenset[str], contexts: list[list[Mention]], reading: Reading) -> list[float]:
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

    added = [0.0] * len(contexts)
    for level in range(4):
        near = weights(level)
        for word in own:
            values = [weight.get(word, 0.0) for weight in near]
            least = min(values)
            for column, value in enumerate(values):
                added[column] += CONTEXT * (value - least) * reading.rarity(word)
        if max(added, default=0.0) > min(added, default=0.0):
            break
    return added


def add_numbers(scores: list[float], asked: Thing, reading: Reading, quantities: Sequence[Quantity]) -> None:
    """Prefer the quantity whose factor is the first number in the question, such as 6 % or 5-dollar."""
    thing = asked.words or asked.quantity
    found = sorted(
        {
            (thing.index(mention.number.text), mention.number.value)
            for mention in reading.mentions
            if mention.number.text in thing and _tells(mention.number, thing, asked.counted)
        }
    )
    for _, named in found:
        values = (named, Fraction(100)) if named == 1 and "100" in thing else (named,)  # pure alcohol has 100 %
        hits = [
            any(same_number(f.value, value) for f in (*quantity.role.factors, *quantity.role.rates) for value in values)
            for quantity in quantities
        ]
        if add_hits(scores, NUMBER_IN_QUESTION, hits):
            return
    for _, value in found:  # 14-carat gold (58% gold): the factor is the number after the one in the question
        names = [place for place, m in enumerate(reading.mentions[:-1]) if m.number.value == value]
        after = [reading.mentions[place + 1].number for place in names[:1]]
        close = [n.value for n in after if n.start - reading.mentions[names[0]].number.end <= LABEL]
        hits = [any(same_number(f.value, v) for f in quantity.role.factors for v in close) for quantity in quantities]
        if add_hits(scores, LABELED, hits):
            return


def _tells(number: NumberSlot, thing: str, counted: bool) -> bool:
    """Return whether a number of a question names a thing: a 5-dollar bill does, one pen and 1 kg of pears do not."""
    if number.value != 1 or number.text.lower().removesuffix("percent").strip("%％ ") == "100":
        return True
    after = thing[thing.index(number.text) + len(number.text) :]
    return any(map(str.isdigit, number.text)) and (counted or _ONE_OF_A_KIND.match(after) is not None)


def add_comparisons(scores: list[float], own: frozenset[str], reading: Reading, quantities: Sequence[Quantity]) -> None:
    """Add what the comparisons of the text say: their numbers decide, or, if no number fits, which value is larger."""
    for comparison in reading.comparisons:
        one, two = comparison.first - comparison.second, comparison.second - comparison.first
        if not one and own & comparison.first and not own & two:  # an angle and its supplement: only one has a name
            one = comparison.first
        elif not two and own & comparison.second and not own & one:
            two = comparison.second
        first, second = own & one, own & two
        leaning = sum(map(reading.weight, first)) - sum(map(reading.weight, second))
        if not comparison.second and any(map(reading.is_name, comparison.first)):  # Sue has 4 times as many as he has
            leaning = 1.0 if any(map(reading.is_name, first)) else -1.0
        if abs(leaning) < SLIGHT:
            continue
        fits = [
            (comparison.fit(quantity.value, other.value), column if leaning > 0 else place)
            for column, quantity in enumerate(quantities)
            for place, other in enumerate(quantities)
            if quantity is not other and isinstance(quantity.value, Fraction) and isinstance(other.value, Fraction)
        ]
        best = max((fit for fit, _ in fits), default=0)
        for fit, column in fits:
            scores[column] += COMPARED * (fit == best > 0)
        named = bool(comparison.first - _NUMBER_WORDS and comparison.second and comparison.factors)
        sign = comparison.sign or int(named and min(comparison.factors) > 1)  # Karl was twice as old as Rosa
        if best == 0 and sign and len(quantities) == 2:
            larger = int(decimal_of(quantities[1].value) > decimal_of(quantities[0].value))
            scores[larger if sign * leaning > 0 else 1 - larger] += MORE
