"""A quotient and the words of a question -> whether it asks for what the last, incomplete group has, or what it lacks.

74 bulbs in pots of 8 fill 9 pots. 2 bulbs are left, and 6 more would fill another pot. The question names one of both:
"How many more bulbs fill another pot?" or "How many bulbs does the neighbor get?", if the neighbor gets the rest.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Literal

from sau_solver.answering.asked.word_evidence import ZH_NOUN
from sau_solver.equations.expressions import Expression, Number, Operation, walk
from sau_solver.text.asking import Reading, Thing
from sau_solver.text.asking.mentions import stem, words_of

Division = tuple[Expression, Expression]  # dividend and divisor
LastGroup = Literal["", "has", "lacks"]

_EMPTY = re.compile(  # how many seats stay empty in the buses
    r"\b(?:seats|places|beds|spaces|chairs|slots)\b[^.?!,]*\b(?:empty|free|unused|unoccupied|vacant)\b"
    r"|\b(?:empty|free|unused|vacant) (?:seats|places|beds|spaces|chairs|slots)\b"
    r"|空[出着了余]?[^，。？\d]{0,3}(?:座|床位|位子)"
    r"|(?:座位?|床位?|位子)[^，。？]{0,4}空",
    re.IGNORECASE,
)
_NEXT = r"\b(?:another|one more|the next)\b(?! (?:\d|time|day|week|month|year|hour|minute|than))"
_LACKS = re.compile(
    rf"\bmore\b[^?]*{_NEXT}|\b(?:missing|lack\w*|too (?:few|little|short|small|narrow))\b[^?]*{_NEXT}"
    r"|\bmore\b(?![^?]*\bthan\b)[^?]*\b(?:fill|full|fit|complete|as (?:large|big|many) as)\b[^?]*\b(?:last|smaller)\b"
    r"|\bmore\b(?![^?]*\bthan\b)[^?]*\b(?:last|smaller)\b[^?]*\b(?:full|complete|as (?:large|big|many) as)\b"
    r"|\bmore\b[^?]*\bso that (?:nobody|no one|none|nothing)\b"
    r"|\b(?:too many|too much|left|over|keep|remain)\b[^?]*"
    r"\b(?:just enough|just as often as|as few (?:\w+ ){1,2}as possible|all the \w+ (?:I|he|she|they|we|you) needs?)\b"
    r"|(?:再|还[差缺少要]|[差缺])[^，。]{0,8}(?:多少|几)[^，。？]*?(?:才|就|正好|刚好)"
    r"[^，。？]*(?:再|凑|满|平均分|正好|刚好|分完|没有剩)",
    re.IGNORECASE,
)
_HAS = re.compile(
    r"\bstays? (?:free|over)\b|\b(?:is|are|be|gets?) (?:thrown away|wasted)\b"
    r"|^How many (?:\w+ ){1,2}(?:are|were|is|must be) (?:given|put|sent) back\b"
    r"|\bthat (?:is|was) not (?:quite )?full\b"
    r"|\b(?:on|in) the last\b[^?]*\b(?:others?|before it)\b[^?]*\bfull\b",
    re.IGNORECASE,
)
_EACH_ASKED = re.compile(r"\b(?:do|does|did|per|average|mean) each\b|每", re.IGNORECASE)
_GETS = r"gets?|eats?|keeps?|takes?|receives?"
_REST = r"(?:the |all )?(?:rest|remainder|leftovers)\b|what(?:ever)? (?:is|was|are) (?:left|over)"
_WHO_GETS_REST = re.compile(  # Rex, the dog, gets the rest; what is left over goes to a neighbor; what remains he eats
    rf"(?P<before>[^.;?!]*?)\b(?P<verb>{_GETS}) (?:{_REST}|the \w+ that (?:are|is) (?:left|over))"
    r"|\b(?:rest|left(?: over)?|remains?|over) (?:goes?|is given|are given) to (?:the|an?|his|her|its|their|our|my)?"
    r" ?(?P<to>\w+)"
    rf"|\bwhat(?:ever)? (?:remains|is (?:left|over))(?: over)?,? (?P<one>\w+) (?P<does>{_GETS})\b",
    re.IGNORECASE,
)
_OF_SOMETHING = re.compile(r" of (?:the|his|her|its|their|my|our|these|those) (\w+)")
_NO_NAMES = frozenset({"the", "his", "her", "their", "my", "our", "of"})
_ANYBODY = re.compile(r"(?:each|every\w*|one|an?|all|both)\b", re.IGNORECASE)
_WHO_IS_ASKED = re.compile(
    rf"\b(?:does|do|did|will|would) (?P<who>[^?]*?) (?P<verb>{_GETS})\b(?! (?:up|each|after|at|for|on|every))",
    re.IGNORECASE,
)
_ZH_WHO_GETS_REST = re.compile(
    r"(?:剩下|余下|多出来?|多余)[^，。；\d每]{0,6}?(?:当|作为?|归|送给|留给|给)(?P<who>[^，。；\d每平各的]{2,5})"
)
_SHORT_MEASURES = {
    "millimeters": "mm", "millimetres": "mm", "centimeters": "cm", "centimetres": "cm", "meters": "m", "metres": "m",
    "kilometers": "km", "kilometres": "km", "grams": "g", "kilograms": "kg", "milliliters": "ml", "millilitres": "ml",
}  # fmt: skip
_EN_NOUN = re.compile(  # an adjective may come first
    r"\s+(of them\b|people|children|men|women|(?:[a-z-]+[a-rt-z] )?[A-Za-z]+)"
)
_SIMPLE = frozenset("+-*")


def last_group(thing: Thing, reading: Reading, division: Division | None) -> LastGroup:
    """Return whether a question asks for the things in the last, incomplete group or for those that it lacks.

    Both are things that the equation divides: bulbs of 74 bulbs in pots of 8. A question for pots is about groups.
    """
    if division is None or not thing.unit or _EACH_ASKED.search(thing.question):
        return ""
    asked = thing.question or thing.words
    found: LastGroup = "lacks" if _LACKS.search(asked) else "has" if _HAS.search(asked) else ""
    if not found and thing.rounding not in ("up", "remainder") and _gets_rest(thing, reading):
        found = "has"
    return found if found and any(map(_is_whole, division)) and _is_divided(thing.unit, division, reading) else ""


def asks_for_empty(thing: Thing) -> bool:
    """Return whether a question asks for the empty seats of things with a number of seats each."""
    return _EMPTY.search(thing.words or thing.question) is not None


def may_be_empty(division: Division | None) -> bool:
    """Return whether a quotient may be about seats: half of those not taken, (1-2/3)*36/2, are not of the last bus."""
    return division is None or all(map(_is_whole, division))


def follows(unit: str, node: Expression, reading: Reading) -> bool:
    """Return whether an expression is a number and the text has the unit right after it."""
    if not isinstance(node, Number):
        return False
    pattern = ZH_NOUN if reading.language == "zh" else _EN_NOUN
    for number in reading.numbers:
        if number.value != node.value:
            continue
        if _measured_in(unit, reading.text[number.end :]):
            return True
        if noun := pattern.match(reading.text, number.end):
            if reading.language == "zh" and noun[1].startswith(unit):
                return True
            if reading.language == "en" and words_of(unit, "en") & words_of(noun[1], "en"):
                return True
            if noun[1] == "of them" and words_of(unit, "en") & words_of(reading.text[: number.start], "en"):
                return True
    return False


def follows_part(unit: str, node: Expression, reading: Reading) -> bool:
    """Return whether the text has the unit after a number that an expression is, adds or subtracts: 128-15 photos."""
    if isinstance(node, Operation) and node.operator in "+-":
        return follows_part(unit, node.left, reading) or follows_part(unit, node.right, reading)
    return follows(unit, node, reading)


def _measured_in(unit: str, after: str) -> bool:
    """Return whether the words after a number begin with an abbreviated measure: 250 cm."""
    short = _SHORT_MEASURES.get(unit, unit)
    return short in _SHORT_MEASURES.values() and re.match(rf"[\s-]*{short}\b", after) is not None


def is_conversion(unit: str, division: Division, reading: Reading) -> bool:
    """Return whether a division by 10, 100 or 1000 only changes the unit: 250*85/1000 for 250 g and kilograms."""
    divisor = division[1]
    if not isinstance(divisor, Number) or divisor.value not in (10, 100, 1000, 10000):
        return False
    stated = any(number.value == divisor.value for number in reading.numbers)
    return not stated and not any(follows(unit, node, reading) for node in _numbers(division[0]))


def _is_whole(node: Expression) -> bool:
    """Return whether an expression adds, subtracts and multiplies whole numbers."""
    return all(
        part.value.denominator == 1 if isinstance(part, Number) else getattr(part, "operator", "") in _SIMPLE
        for part in walk(node)
    )


def _is_divided(unit: str, division: Division, reading: Reading) -> bool:
    """Return whether the text counts the dividend or the divisor in a unit: 74 bulbs, pots of 8 bulbs, $45."""
    numbers = [number for node in division for number in _numbers(node)]
    if any(follows(unit, node, reading) for node in numbers):
        return True
    paid = {number.value for number in reading.numbers if reading.text[: number.start].rstrip().endswith("$")}
    return unit == "dollars" and any(node.value in paid for node in numbers)


def _numbers(node: Expression) -> list[Number]:
    return [part for part in walk(node) if isinstance(part, Number)]


def _gets_rest(thing: Thing, reading: Reading) -> bool:
    """Return whether the text says that the one whom the question names gets the rest."""
    if reading.language == "zh":
        return any(told["who"] in thing.question for told in _ZH_WHO_GETS_REST.finditer(reading.text))
    asked = _WHO_IS_ASKED.search(thing.question)
    if asked is None or _ANYBODY.match(asked["who"]):
        return False
    names, verb = _words(asked["who"]) - _NO_NAMES, stem(asked["verb"].lower())
    for told in _WHO_GETS_REST.finditer(reading.text):
        of = _OF_SOMETHING.match(reading.text, told.end())
        if of and not words_of(of[1], "en") & words_of(thing.unit, "en"):
            continue  # the rest of the soup
        if told["to"]:
            found = told["to"].lower() in names
        elif told["does"]:
            found = stem(told["does"].lower()) == verb
        else:
            found = stem(told["verb"].lower()) == verb and bool(names & _subject(told["before"]))
        if found:
            return True
    return False


def _subject(before: str) -> set[str]:
    """Return the words before a verb in its clause; those of the sentence if the clause has none: Jo …, and eats."""
    return _words(re.split(r",|\b(?:and|then|while)\b", before)[-1]) or _words(before)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def lacking(quotient: Fraction, divisor: Fraction) -> Fraction:
    """Return what the last group lacks: 6 of 74/8."""
    return -quotient * divisor % divisor
