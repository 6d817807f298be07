"""The terms of a text about angles -> what it states about them, and which of them it asks for.

Every term must have its place in a statement or a question; otherwise the text is not understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

# A reference to angles as its terms: {ord3, angle}, {other, 2, all, angle}
Ref = frozenset[str]
Kind = Literal["given", "related", "ratio", "named_ratio", "differ", "equal", "counted"]

_REF = (
    r"(?:(?:one|other|each|all|part|equal|ord\d|small|large|mid|vertex|base|acute|obtuse|int|adj|opp|remote|ext"
    r"|near|angle|compl|suppl|∠\w|[2-9]|1\d) )+"
)
_NUMBER = r"\d+(?:/\d+)?"
_DEGREES = rf"(?:{_NUMBER}° )"
_RATIO = rf"{_NUMBER}(?::{_NUMBER})+ "


@dataclass(frozen=True, slots=True)
class Statement:
    """What a text states about one or two angles, or about a group of them."""

    kind: Kind
    refs: tuple[Ref, ...]
    values: tuple[Fraction, ...] = ()  # given: the angles; related: factor and shift; ratio: its terms


@dataclass(frozen=True, slots=True)
class ToldAngles:
    """A text about angles: its figures, what it states, and the groups of angles that it asks for."""

    figures: frozenset[str]
    statements: tuple[Statement, ...]
    asked: tuple[Ref, ...]


def _ref(words: str) -> Ref:
    return frozenset(words.split())


def _numbers(words: str) -> tuple[Fraction, ...]:
    return tuple(Fraction(one) for one in re.findall(_NUMBER, words))


def _given(match: re.Match[str]) -> Statement:
    ref = _ref(f"{match['ref']}{match.groupdict().get('more') or ''}")
    return Statement("given", (ref,), _numbers(match["values"]))


def _related(match: re.Match[str]) -> Statement:
    found = match.groupdict()
    factor = Fraction(found["factor"]) if found.get("factor") else Fraction(1)
    shift = Fraction(found["shift"]) if found.get("shift") else Fraction(0)
    if found.get("sign") == "less":
        shift = -shift
    return Statement("related", (_ref(match["ref"]), _ref(match["other"])), (factor, shift))


def _group(kind: Kind, match: re.Match[str]) -> Statement:
    found = match.groupdict()
    refs = tuple(map(_ref, (found.get("refs") or match["ref"]).split("| ")))
    return Statement(kind, refs, _numbers(found.get("values") or ""))


_R = rf"(?P<ref>{_REF})"
_O = rf"(?P<other>{_REF})"
_F = rf"(?P<factor>{_NUMBER}) x "
_D = rf"(?P<shift>{_NUMBER})°? "  # 20° more, or 20 more
_S = r"(?P<sign>more|less) "

# In the order in which they are tried. English says 20° more than 3 times the other, Chinese 比另一个角的3倍多20°.
_STATEMENTS: tuple[tuple[str, str], ...] = (
    ("related", rf"{_R}= {_D}{_S}(?:than )?{_F}{_O}"),
    ("related", rf"{_R}= {_D}{_S}(?:than )?{_O}"),
    ("related", rf"{_R}= {_F}{_O}"),
    ("related", rf"{_R}= {_O}{_F}"),
    ("related", rf"{_R}than {_O}{_F}{_S}{_D}"),
    ("related", rf"{_R}than {_O}{_S}{_D}"),
    ("related", rf"{_R}(?:= )?same {_O}"),
    ("named_ratio", rf"(?P<refs>{_REF}(?:\| {_REF})+)(?:= )?(?P<values>{_RATIO})"),
    ("ratio", rf"{_R}(?:= )?(?P<values>{_RATIO})"),
    ("ratio", rf"(?P<ref>)(?P<values>{_RATIO})"),
    ("differ", rf"{_R}(?:= )?differ (?:= )?(?P<values>{_DEGREES})"),
    ("differ", rf"differ {_R}(?:= )?(?P<values>{_DEGREES})"),
    ("given", rf"(?P<ref>angle )(?P<values>{_DEGREES})(?P<more>(?:each )?(?:vertex|base|opp|near) angle )"),
    ("given", rf"{_R}(?:= )?(?:each )?(?P<values>{_DEGREES}+)(?P<more>each )?"),
    ("given", rf"(?P<values>{_DEGREES}+){_R}"),
    ("given", rf"{_R}= (?P<values>{_NUMBER} )(?=\||\?|$)"),
    ("equal", rf"{_R}equal (?=\||\?|$)"),
    ("counted", rf"{_R}"),
)
_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _STATEMENTS)
_ASKS = tuple(
    re.compile(pattern)
    for pattern in (rf"\? (?P<asks>{_REF}(?:\| {_REF})*)(?=\||$)", rf"\? (?P<asks>{_REF})", rf"(?P<asks>{_REF})\? ")
)
_FIGURE = re.compile(r"F\.(\w+) ")


def told_angles(terms: str) -> ToldAngles | None:
    """Return what the terms of a text say; None if one of them has no place."""
    figures = frozenset(_FIGURE.findall(terms))
    line = re.sub(r"^\| |(?<=\| )\| ", "", _FIGURE.sub("", terms.replace("deg ", "")))
    found = _parsed(re.sub(r"(?:\| )+$", "", line), 0, set())
    if found is None:
        return None
    statements = tuple(one for one in found if isinstance(one, Statement))
    asked = tuple(ref for one in found if not isinstance(one, Statement) for ref in one)
    return ToldAngles(figures, statements, asked) if asked else None


Part = Statement | tuple[Ref, ...]


def _parsed(line: str, start: int, failed: set[int]) -> list[Part] | None:
    """Return the statements and questions of a line from a place on; None if they do not use all of it."""
    while line.startswith("| ", start):
        start += 2
    if start >= len(line):
        return []
    if start in failed:
        return None
    for part, end in _parts(line, start):
        rest = _parsed(line, end, failed)
        if rest is not None:
            return [part, *rest]
    failed.add(start)
    return None


def _parts(line: str, start: int) -> Iterator[tuple[Part, int]]:
    """Yield what may stand at a place of a line, and where it ends."""
    for pattern in _ASKS:
        if match := pattern.match(line, start):
            yield tuple(_ref(one) for one in match["asks"].split("| ")), match.end()
    for kind, pattern in _PATTERNS:
        if match := pattern.match(line, start):
            if kind == "given":
                yield _given(match), match.end()
            elif kind == "related":
                yield _related(match), match.end()
            else:
                yield _group(kind, match), match.end()  # type: ignore[arg-type]
