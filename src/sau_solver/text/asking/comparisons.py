"""Text of a problem -> the comparisons that it states: A is 11 years older than B, A比B的2倍多5.

A comparison has the words of both sides and its numbers. The solved values later decide which unknowns it is about, so
the way in which the equations are written does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.problem import Language
from sau_solver.text.asking.mentions import words_of
from sau_solver.text.numbers import NumberSlot


@dataclass(frozen=True, slots=True)
class Comparison:
    """A stated relation `a * first = b * second + sign * added` of two things, known by their words."""

    first: frozenset[str]
    second: frozenset[str]
    sign: int  # 1 for more, -1 for less, 0 if it is only a multiple
    factors: tuple[Fraction, ...]  # numbers that may multiply the second thing
    summands: tuple[Fraction, ...]  # numbers that may be added
    first_factors: tuple[Fraction, ...] = ()  # numbers that may multiply the first thing

    def holds(self, first: Fraction, second: Fraction) -> bool:
        """Return whether two values are related as the text says."""
        return self.fit(first, second) > 0

    def fit(self, first: Fraction, second: Fraction) -> int:
        """Return how well two values fit the relation: 0 for not at all, 2 if both its multiple and its summand fit."""
        best = 0
        for own in (Fraction(1), *self.first_factors):
            for factor in (Fraction(1), *self.factors):
                added = own * first - factor * second
                multiple = factor != 1 or own != 1
                if added == 0 and multiple and first != second:
                    best = max(best, 1)
                if self.sign and added != 0 and added * self.sign in self.summands:
                    best = max(best, 1 + multiple)
        return best


def comparisons_of(text: str, language: Language, numbers: Sequence[NumberSlot]) -> tuple[Comparison, ...]:
    """Return the comparisons of a text, without those that are themselves asked for."""
    return tuple(_chinese(text, numbers) if language == "zh" else _english(text, numbers))


def _values(numbers: Sequence[NumberSlot], start: int, end: int) -> tuple[Fraction, ...]:
    return tuple(number.value for number in numbers if start <= number.start < end)


# --- Chinese ---------------------------------------------------------------------------------------------------------

ATTRIBUTE = 4  # characters of 的棵数, which belongs to both things
_ZH_CLAUSE = re.compile(r"[^，。；？！,;?!\n：:]+")
_ZH_THAN = re.compile(r"比(?!例|赛|分(?![子母])|值|为|是)")
_ZH_MORE = re.compile(r"多|大|长|高|贵|重|快|远|宽|早|超")
_ZH_LESS = re.compile(r"少|节约|节省|小(?!\w{0,2}[的数队组班])|短|低|矮|便宜|轻|慢|近|窄|晚|迟")
_ZH_ASKED = re.compile(r"多少|几|多[大长高重远久快]|什么")
_ZH_EQUALS = re.compile(r"是|等于|相当于|占|为|有|正好|恰好")
_ZH_SIDE = re.compile(r"[长宽高底]边?")
_ZH_LEAD = re.compile(r"^(?:已知|如果|若|其中|且|而|并且|又|又知|现在|今年)")


def _chinese(text: str, numbers: Sequence[NumberSlot]) -> Iterator[Comparison]:
    previous = ""
    for match in _ZH_CLAUSE.finditer(text):
        clause, start, end = match[0], match.start(), match.end()
        if than := _ZH_THAN.search(clause):
            yield from _zh_than(text, numbers, (start, start + than.start(), end), previous)
        elif not _ZH_ASKED.search(clause):
            yield from _zh_times(text, numbers, start, end, previous)
        previous = clause


def _zh_than(
    text: str, numbers: Sequence[NumberSlot], spans: tuple[int, int, int], previous: str
) -> Iterator[Comparison]:
    start, than, end = spans
    rest = text[than + 1 : end]
    inside = [(n.start - than - 1, n.end - than - 1) for n in numbers if than < n.start < end]
    marks = [
        (found.start(), sign)
        for pattern, sign in ((_ZH_MORE, 1), (_ZH_LESS, -1))
        for found in pattern.finditer(rest)
        if found.start() > 0 and not any(a <= found.start() < b for a, b in inside)
    ]
    for place, sign in sorted(marks, reverse=True):  # the last word for more or less before a number
        if _ZH_ASKED.search(rest[place:]):
            return
        added = _values(numbers, than + 1 + place, end)
        if not added:
            continue
        first = text[start:than]
        if "的" in first[1:] and "的" not in rest[:place] and not _ZH_SIDE.fullmatch(rest[:place]):
            # 甲的边长比乙多4米: 边长 belongs to both; but not 三角形的底比高多3厘米
            first = first[: first.rindex("的")]
        own = words_of(_ZH_LEAD.sub("", first), "zh") or words_of(previous, "zh")
        yield Comparison(
            own,
            words_of(rest[:place], "zh"),
            sign,
            _values(numbers, than, than + 1 + place),
            added,
            _values(numbers, start, than),
        )
        return


def _zh_times(text: str, numbers: Sequence[NumberSlot], start: int, end: int, previous: str) -> Iterator[Comparison]:
    for number in numbers:
        if not (start < number.start < end and text[number.start - 1] == "的"):
            continue
        before = text[start : number.start - 1]
        verbs = list(_ZH_EQUALS.finditer(before))
        if not verbs:
            continue
        verb = verbs[-1]
        first, second = before[: verb.start()], before[verb.end() :]
        if "的" in first[1:] and "的" not in second and len(first) - first.rindex("的") <= ATTRIBUTE:
            first = first[: first.rindex("的")]  # 桃树的棵数是杏树的2倍
        own = words_of(_ZH_LEAD.sub("", first), "zh") or words_of(previous, "zh")
        rest = text[number.end : end]
        sign = 1 if _ZH_MORE.search(rest) else -1 if _ZH_LESS.search(rest) else 0
        yield Comparison(own, words_of(second, "zh"), sign, (number.value,), _values(numbers, number.end, end))


# --- English ---------------------------------------------------------------------------------------------------------

_EN_SENTENCE = re.compile(r"(?:[^.?!\n;]|\.(?=\d))+")
_EN_MORE = (
    "more|older|longer|greater|larger|bigger|taller|higher|heavier|faster|farther|further|wider|deeper|above|over|later"
)
_EN_LESS = "less|fewer|younger|shorter|smaller|lower|lighter|slower|narrower|cheaper|below|under|earlier"
_EN_THAN = re.compile(
    rf"\b(?:(?P<more>{_EN_MORE})|(?P<less>{_EN_LESS}))\b(?P<middle>[^.?!;]*?)\b(?:than|that)\b", re.IGNORECASE
)
_EN_TIMES = re.compile(
    r"\b(?:(?P<two>twice|double)|(?P<three>triple|thrice)|(?P<half>half)|(?:times|as (?:many|much|old"
    r"|long|fast|large|far|heavy|tall|high)))\b",
    re.IGNORECASE,
)
_KIN = re.compile(
    r"\b(?:\w+ ?['’]s|\w+s['’]) (?=(?:\w+ )?(?:sister|brother|son|daughter|(?:grand)?(?:mother|father|pa|ma)|cousin"
    r"|uncle|aunt|friend|wife|husband)\b)",
    re.IGNORECASE,
)  # kevin's sister is not kevin
_AS_MANY = re.compile(r"\bas (?:many|much|old|long|fast|large|far|heavy|tall|high)\b", re.IGNORECASE)
_EN_SHARE = re.compile(
    r"\b(?:is|was|are|were|equals|be)\s+(?:only\s+)?(?P<number>[\w./%-]+(?:\s(?:thirds?|fourths?|fifths?|percent|%))?)\s+of\s",
    re.IGNORECASE,
)
_EN_BARE_PLURAL = re.compile(r"(?!his\b|its\b)[a-z-]+s|(?:wo)?men|people|children|geese|sheep")
_EN_EQUAL = re.compile(
    r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve)\s+(?P<what>[a-z -]+?)\s"
    r"(?:cost|weigh|hold|last|are worth|are|make|contain|carry)\s(?:just |exactly )?$",
    re.IGNORECASE,
)
_EN_PRONOUN = re.compile(r"\s*(?:it|he|she|they) ", re.IGNORECASE)
_EN_WHERE = re.compile(r"\s(?:on|in|at|with|by|during)\s(?!least|most|all\b)", re.IGNORECASE)
_EN_AS_LONG = re.compile(r"\bas (long|high|tall|wide|deep)\b", re.IGNORECASE)
_EN_IT_IS_WIDE = re.compile(
    r"^\s*(?:it is |its )?(?:wide|high|tall|deep|long|width|height|length|depth)\b", re.IGNORECASE
)
_EN_MULTIPLES = {"two": Fraction(2), "three": Fraction(3), "half": Fraction(1, 2)}
_EN_SUBJECT_CUT = re.compile(
    r",|\b(?:if|that|and|but|while|because|when|where|knowing)\b(?!\s+(?:is|are|has|was)\b)", re.IGNORECASE
)
_EN_OBJECT_CUT = re.compile(r",|\b(?:and|but|if|while|in|so|when|how|what|find)\b", re.IGNORECASE)
_EN_ASKED = re.compile(r"\bhow (?:many|much|old|long|far)\b[^,]*$|\bwhat\b[^,]*$", re.IGNORECASE)
_EN_WORDS_OF_RELATION = re.compile(
    r"\b(?:as (?:many|much|old|long|fast|large|far|heavy|tall|high)|more|less|fewer|twice|times|half"
    r"|double|triple|years?|the number of)\b",
    re.IGNORECASE,
)
_COMPARED = {"longer": "long", "wider": "wide", "taller": "tall", "higher": "high", "older": "old", "faster": "fast"}


def _english(text: str, numbers: Sequence[NumberSlot]) -> Iterator[Comparison]:
    for sentence in _EN_SENTENCE.finditer(text):
        start, end = sentence.span()
        than = _EN_THAN.search(text, start, end)
        if than is None:
            yield from _en_times(text, numbers, start, end)
        if than is None or _EN_SHARE.search(text, start, end):
            yield from _en_shares(text, numbers, start, end)
        if than is None:
            continue
        if not _EN_ASKED.search(text[start : than.start()]):
            first = _subject(text[start : than.start()])
            place = text.index(first, start)
            yield _en_than(text, numbers, than, (place, end))
            yield from _en_times(text, numbers, start, place)


def _en_than(text: str, numbers: Sequence[NumberSlot], than: re.Match[str], span: tuple[int, int]) -> Comparison:
    start, end = span
    first, stop = _KIN.sub(" ", text[start : than.start()]), _object_end(text, than.end(), end)
    second = text[than.end() : stop]
    if _EN_BARE_PLURAL.fullmatch(second.strip()) and _EN_BARE_PLURAL.fullmatch(than["middle"].strip()):
        first = ""  # a choir has 5 more boys than girls: the choir is not compared
    if _EN_PRONOUN.match(second) and (where := _EN_WHERE.search(first)):
        first = first[where.start() :]  # it is faster on the road than it is on the track: the same thing twice
    extra = _COMPARED.get((than["more"] or than["less"]).lower(), "")
    if extra and _EN_IT_IS_WIDE.search(second):  # 5 m longer than it is wide
        first = ""
    return Comparison(
        words_of(f"{first} {than['middle']} {extra}", "en"),
        words_of(_EN_WORDS_OF_RELATION.sub(" ", second), "en"),
        1 if than["more"] else -1,
        (*_values(numbers, than.end(), stop), *_multiples(second)),
        _values(numbers, start, than.end()),
        (*_multiples(first), *(n.value for n in numbers if start <= n.start < than.start() and _times(text, n))),
    )


def _times(text: str, number: NumberSlot) -> bool:
    return text[number.end :].lstrip().startswith("times")


def _en_times(text: str, numbers: Sequence[NumberSlot], start: int, end: int) -> Iterator[Comparison]:
    for times in _EN_TIMES.finditer(text, start, end):
        before = text[start : times.start()]
        if _EN_ASKED.search(before):
            return
        factors = _values(numbers, max(start, times.start() - 30), times.start() + 1) + _multiples(times[0])
        if not factors:
            continue
        stop = _object_end(text, times.end(), end)
        if times[0].lower().startswith("as ") and (
            equal := _EN_EQUAL.search(before)
        ):  # four small bags cost as much as three large ones
            others = _values(numbers, times.end(), stop) or (Fraction(1),)
            counts = _values(numbers, start + equal.start(), times.start())
            yield Comparison(
                words_of(equal["what"], "en"), words_of(text[times.end() : stop], "en"), 0, others, (), counts
            )
            return
        after = _AS_MANY.sub(" ", text[times.end() : stop], count=1)
        counted, _, second = after.rpartition(" as ") if " as " in after else ("", "", after)
        subject = _EN_WORDS_OF_RELATION.sub(" ", _subject(before))
        if (own := _EN_AS_LONG.search(text, times.start(), stop)) and _EN_IT_IS_WIDE.search(second):
            subject, counted = "", own[1]  # 3 times as long as it is wide: the length is compared with the width
        yield Comparison(words_of(f"{subject} {counted}", "en"), words_of(second, "en"), 0, factors, ())
        return


def _en_shares(text: str, numbers: Sequence[NumberSlot], start: int, end: int) -> Iterator[Comparison]:
    """Yield comparisons such as: the number of girls is 0.4 of the number of boys."""
    for share in _EN_SHARE.finditer(text, start, end):
        factors = _values(numbers, share.start("number"), share.end("number"))
        if factors and not _EN_ASKED.search(text[start : share.start()]):
            stop = _object_end(text, share.end(), end)
            first = words_of(_subject(text[start : share.start()]), "en")
            yield Comparison(first, words_of(text[share.end() : stop], "en"), 0, factors, ())


def _multiples(text: str) -> tuple[Fraction, ...]:
    return tuple(value for found in _EN_TIMES.finditer(text) for name, value in _EN_MULTIPLES.items() if found[name])


def _subject(text: str) -> str:
    """Return the last clause of the words before a comparison that names something."""
    parts = [part for part in _EN_SUBJECT_CUT.split(text) if part]
    for part in reversed(parts):
        if words_of(re.sub(r"[\d.,]+|\b(?:years?|dollars?|feet|inches|meters?|cm|m)\b", " ", part), "en"):
            return part
    return text


def _object_end(text: str, start: int, end: int) -> int:
    cut = _EN_OBJECT_CUT.search(text, start, end)
    return cut.start() if cut else end
