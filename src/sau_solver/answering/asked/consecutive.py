"""Texts about consecutive numbers, and an equation with one unknown -> the expressions of all these numbers.

The equation may contain only some of them: 3*x+2=x+2+10 has x and x+2 of three odd numbers. It may also count even and
odd numbers by k, so that 2*k-1, 2*k+1 and 2*k+3 are the numbers and k is none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.answering.asked.quantities import value_of
from sau_solver.equations.expressions import Equations, Expression, Number, Operation, Unknown
from sau_solver.equations.structure import has_unknown
from sau_solver.solving import Assignment
from sau_solver.text.asking import Reading, Thing

_COUNTS = {"two": 2, "both": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_COUNT = r"(?P<count>two|three|four|five|six|seven|[2-7])"
_RUN = re.compile(
    rf"\b(?:{_COUNT} (?:\w+ ){{0,2}}?)?(?P<before>(?:even|odd),? )?(?:positive )?consecutives?"
    r"(?: positive| negative| whole| natural| counting)*(?: (?P<kind>even|odd)\b)?",
    re.IGNORECASE,
)
_MULTIPLES = re.compile(r"\bconsecutive (?:\w+ )?multiples of (?P<step>\d+)\b", re.IGNORECASE)
_PLACES = re.compile(
    r"\b(?:(?P<first>first|1st|smallest|smaller|least|lesser|lowest|lower)|(?P<second>second|2nd)|(?P<middle>middle)"
    r"|(?P<third>third|3rd)|(?P<fourth>fourth|4th)|(?P<last>last|largest|larger|greatest|greater|highest|bigger))\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"^\W*(?:are |is )?(?:all )?(?:the |these |those )?(?:(?:two|three|four|five|six|both|[2-6]) )?"
    r"(?:even |odd |whole |positive |negative )*(?:consecutive|(?:integers|numbers)\W*$|(?<=[eork2-6] )integer\W*$)",
    re.IGNORECASE,
)
_COMBINED = re.compile(r"\b(?:sum|product|difference|next|after|total|average|mean|absolute)\b", re.IGNORECASE)
_ZH_RUN = re.compile(r"(?P<count>[2-5两二三四五])个?连续的?正?(?P<kind>[奇偶整自])(?:然数|数)")
_ZH_COUNTS = {"两": 2, "二": 2, "三": 3, "四": 4, "五": 5}
MAX_COUNT = 7
_KIND = re.compile(r"\b(?:even|odd)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Told:
    """What a text says about its consecutive numbers. `count` is 0 if it does not say how many there are."""

    count: int
    step: int
    parity: int | None  # 0 for even numbers, 1 for odd ones


def consecutive_numbers(
    reading: Reading, equations: Equations, unknown: Unknown, solution: Assignment
) -> list[Expression]:
    """Return the consecutive numbers of a text in order; empty if it has none or the equation does not fit."""
    told = _told(reading)
    if told is None or len(equations) != 1 or len(solution) != 1:
        return []
    sides = (equations[0].left, equations[0].right)
    core: Expression = unknown
    offsets = {offset for side in sides for offset in _offsets(side, unknown)}
    if told.step > 1:
        counted = Operation("*", Number(Fraction(told.step)), unknown)  # 2*k
        found = {offset for side in sides for offset in _offsets(side, counted)}
        if len(found) > 1:
            core, offsets = counted, found
    offsets = _near(offsets, (told.count - 1 if told.count else MAX_COUNT) * told.step)
    first = _first_offset(sorted(offsets), told, reading)
    if first is None:
        return []
    count = told.count or int((max(offsets) - first) / told.step) + 1
    run = [_moved(core, first + place * told.step) for place in range(count)]
    return run if count > 1 and _fit(run, told, solution) else []


def _told(reading: Reading) -> _Told | None:
    if reading.language == "zh":
        return _told_in_chinese(reading.text)
    found = list(_RUN.finditer(reading.text))
    if not found:
        return None
    count = next((one["count"].lower() for one in found if one["count"]), "")
    kind = next((kind.lower().strip(" ,") for one in found if (kind := one["kind"] or one["before"])), "")
    step = int(multiples["step"]) if (multiples := _MULTIPLES.search(reading.text)) else 2 if kind else 1
    return _Told(_COUNTS.get(count) or int(count or 0), step, {"even": 0, "odd": 1}.get(kind))


def _told_in_chinese(text: str) -> _Told | None:
    if (run := _ZH_RUN.search(text)) is None:
        return None
    parity = {"偶": 0, "奇": 1}.get(run["kind"])
    return _Told(_ZH_COUNTS.get(run["count"]) or int(run["count"]), 1 if parity is None else 2, parity)


def _offsets(node: Expression, core: Expression) -> Iterator[Fraction]:
    """Yield what is added to each occurrence of the core: 0, 1 and 2 in x+x+1+(x+2). A multiple of it counts as 0."""
    terms = list(_terms(node))
    for (sign, term), (next_sign, after) in zip(terms, [*terms[1:], (0, node)], strict=True):
        if term == core:
            yield sign * next_sign * after.value if isinstance(after, Number) else Fraction(0)
        elif isinstance(term, Operation):
            if _is_multiple(term, core):
                yield Fraction(0)
            else:
                yield from _offsets(term.left, core)
                yield from _offsets(term.right, core)


def _terms(node: Expression, sign: int = 1) -> Iterator[tuple[int, Expression]]:
    """Yield the terms of a sum or difference with their signs, in the order in which they are written."""
    if isinstance(node, Operation) and node.operator in "+-":
        yield from _terms(node.left, sign)
        yield from _terms(node.right, sign if node.operator == "+" else -sign)
    else:
        yield sign, node


def _near(offsets: set[Fraction], span: int) -> set[Fraction]:
    """Return the offsets that may belong to one run. In 2*(x+1)=x+17 the number 17 is no offset; x itself is meant."""
    if not offsets or max(offsets) - min(offsets) <= span:
        return offsets
    least = min(offsets, key=abs)
    near = {one for one in offsets if abs(one - least) <= span}
    zero = near | {Fraction(0)}
    return zero if max(zero) - min(zero) <= span else near


def _is_multiple(term: Operation, core: Expression) -> bool:
    """Return whether a term is a number of times the unknown of the core, such as 6*k, but not a product of sums."""
    unknown = core.right if isinstance(core, Operation) else core
    return term.operator in "*/" and unknown in (term.left, term.right) and not all(map(has_unknown, _sides(term)))


def _sides(node: Operation) -> tuple[Expression, Expression]:
    return node.left, node.right


def _first_offset(offsets: Sequence[Fraction], told: _Told, reading: Reading) -> Fraction | None:
    """Return what is added to the core for the first number; None if the gaps of the equation are not those told."""
    if not offsets or any((one - offsets[0]) % told.step for one in offsets):
        return None
    span = (told.count - 1) * told.step
    if not told.count or offsets[-1] - offsets[0] >= span:
        return offsets[0] if not told.count or offsets[-1] - offsets[0] == span else None
    named = sorted({place for found in _PLACES.finditer(reading.text) if (place := _place(found, told.count))})
    if len(named) == len(offsets):  # twice the second is 17 more than the third: 2*x=x+1+17
        gaps = [(place - named[0]) * told.step for place in named]
        if gaps == [one - offsets[0] for one in offsets]:
            return offsets[0] - (named[0] - 1) * told.step
    return min(offsets[0], Fraction(0))


def _place(found: re.Match[str], count: int) -> int:
    """Return the place that a word names, from 1 to the count; 0 if there is no such place."""
    places = {"first": 1, "second": 2, "middle": (count + 1) // 2, "third": 3, "fourth": 4, "last": count}
    place = places[found.lastgroup or "first"]
    return place if place <= count and (found.lastgroup != "middle" or count % 2) else 0


def _moved(core: Expression, offset: Fraction) -> Expression:
    if not offset:
        return core
    return Operation("+" if offset > 0 else "-", core, Number(abs(offset)))


def _fit(run: Sequence[Expression], told: _Told, solution: Assignment) -> bool:
    """Return whether the values are whole numbers, even or odd as the text says."""
    for one in run:
        value = value_of(one, solution)
        if not isinstance(value, Fraction) or value.denominator != 1:
            return False
        if told.parity is not None and value % 2 != told.parity:
            return False
        if told.parity is None and told.step > 1 and value % told.step:
            return False
    return True


def of_consecutive(thing: Thing, reading: Reading, run: Sequence[Expression]) -> list[Expression]:
    """Return all consecutive numbers, or those that a question names by their place; empty if it does neither."""
    told = _told(reading)
    if not run or told is None:
        return []
    if reading.language == "zh":
        return list(run) if thing.relation == "every" and thing.count in (0, len(run)) else []
    words = thing.words or thing.question
    if _ALL.search(words):
        return list(run)
    named = [place for found in _PLACES.finditer(words) if (place := _place(found, len(run)))]
    if not named:
        return list(run) if thing.relation == "every" and thing.count in (0, 2, len(run)) else []
    if thing.relation not in ("value", "every", "larger", "smaller") or _COMBINED.search(words):
        return []
    if _KIND.search(words) and told.parity is None:
        return []  # the smallest odd one of five consecutive numbers
    return [run[place - 1] for place in dict.fromkeys(named)]


def consecutive_parts(text: str, equations: Equations, solution: Assignment) -> list[Expression]:
    """Return the consecutive numbers of a Chinese text whose sum an equation gives, however it adds: x+x+x+2+4=54."""
    told = _told_in_chinese(text)
    if told is None or len(solution) != 1 or len(equations) != 1:
        return []
    count, step = told.count, told.step
    ((name, value),) = solution.items()
    totals = {side.value for side in (equations[0].left, equations[0].right) if isinstance(side, Number)}
    for first in (0, -step * (count // 2), -step * (count - 1)):  # the unknown is the smallest, the middle, the largest
        offsets = [first + step * place for place in range(count)]
        if isinstance(value, Fraction) and count * value + sum(offsets) in totals:
            return [_moved(Unknown(name), Fraction(offset)) for offset in offsets]
    return []
