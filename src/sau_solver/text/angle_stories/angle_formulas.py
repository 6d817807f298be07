"""Rules for stories that one formula solves: polygons, sectors of a circle, hands of a clock, turns.

Here the order of terms says nothing, so a rule compares the terms of a text as a whole with those that it knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.text.angle_stories.solved_angles import FULL, RIGHT, STRAIGHT, AngleStory, AngleUnit, Working, plain

# Terms that say nothing where only one formula is possible.
_IDLE = frozenset(("|", "=", "angle", "all", "each", "one", "part", "deg"))
_NUMBER = r"\d+(?:/\d+)?"
_MAX_SIDES = 10_000


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a text, sorted by what they are."""

    line: str
    figures: frozenset[str]
    words: tuple[str, ...]  # without figures, numbers and idle terms
    numbers: tuple[tuple[Fraction, str], ...]  # each with its unit: °, %, min, turns, x

    @property
    def asks_angle(self) -> bool:
        """Whether the question names degrees or an angle."""
        return bool(re.search(r"\b(?:deg|angle)\b", self.line))

    def has(self, *words: str) -> bool:
        """Return whether the terms are these words, in any order."""
        return sorted(self.words) == sorted(words)


def sorted_terms(line: str) -> Terms:
    """Return the terms of a text, sorted by what they are."""
    figures, words, numbers = set(), [], []
    # "3 turns", "4 x" and "9 side" are numbers with a unit, too.
    line = re.sub(rf"\b({_NUMBER}) (turns|quarters|x|side)(?= )", r"\1\2", line)
    for term in line.split():
        if term.startswith("F."):
            figures.add(term[2:])
        elif number := re.fullmatch(rf"({_NUMBER})(\D*)", term):
            numbers.append((Fraction(number[1]), number[2]))
        elif term not in _IDLE:
            words.append(term)
    return Terms(line, frozenset(figures), tuple(words), tuple(numbers))


def _story(reason: str, expression: str, value: Fraction, unit: AngleUnit = "degrees", **values: object) -> AngleStory:
    working = Working(expression, value, unit=unit)
    return AngleStory(reason, (working,), (working,), tuple(values.items()))


def polygon(line: str) -> AngleStory | None:
    """The sum of the angles of a polygon, an angle of a regular one, or the number of sides from either."""
    terms = sorted_terms(line)
    kinds = {re.sub(r"\d+", "", one) for one in terms.figures}
    sizes = {int(size) for one in terms.figures for size in re.findall(r"\d+", one)}
    if terms.figures == {"tri"}:
        kinds, sizes = {"poly"}, {3}
    if not kinds <= {"poly", "rpoly"} or not kinds:
        return None
    sizes |= {int(value) for value, unit in terms.numbers if unit == "side" and value.denominator == 1}
    regular = "rpoly" in kinds
    rest = [(value, unit) for value, unit in terms.numbers if unit != "side"]
    if sizes:
        known = len(sizes) == 1 and not rest and 3 <= min(sizes) <= _MAX_SIDES
        return _angles_of_polygon(terms, min(sizes), regular) if known else None
    return _sides_of_polygon(terms, rest, regular or "each" in line.split())


def _angles_of_polygon(terms: Terms, n: int, regular: bool) -> AngleStory | None:
    """What each clause of a text asks for about a polygon with n sides."""
    found = []
    for clause in terms.line.split("|"):
        own = sorted_terms(clause + " ")
        if not own.words:
            continue
        if "?" not in own.words or "side" in own.words or not own.asks_angle:
            return None
        if own.has("?", "int", "sum") or own.has("?", "sum"):
            one = _story("polygon_sum", f"({n}-2)*180", STRAIGHT * (n - 2), n=n)
        elif own.has("?", "ext", "sum"):
            one = _story("exterior_sum", "360", FULL)
        elif regular and own.has("?", "ext"):
            one = _story("regular_exterior", f"360/{n}", FULL / n, n=n)
        elif regular and (own.has("?", "int") or own.has("?")):
            one = _story("regular_interior", f"({n}-2)*180/{n}", STRAIGHT * (n - 2) / n, n=n)
        else:
            return None
        found.append(one)
    if not found:
        return None
    asked = tuple(working for one in found for working in one.asked)
    return AngleStory(found[-1].reason, asked, asked, found[-1].values)


def _sides_of_polygon(terms: Terms, numbers: list[tuple[Fraction, str]], regular: bool) -> AngleStory | None:
    """The number of sides from a sum of angles, or from one of equal angles."""
    if len(numbers) != 1 or "side" not in terms.words or "?" not in terms.words:
        return None
    ((value, unit),) = numbers
    words = sorted(one for one in terms.words if one not in ("?", "side"))
    number = plain(value)
    if unit == "°" and words == ["int", "sum"]:
        return _sides("polygon_sum", f"{number}/180+2", value / 180 + 2)
    if unit == "°" and words == ["int", "sum", "sum"]:
        return None
    if unit == "°" and regular and words == ["ext"] and 0 < value < 180:
        return _sides("exterior_sum", f"360/{number}", FULL / value)
    if unit == "°" and regular and words in (["int"], []) and 0 < value < 180 and "angle" in terms.line:
        return _sides("interior_to_exterior", f"360/(180-{number})", FULL / (STRAIGHT - value))
    first = terms.line.find("int ") < terms.line.find("ext ")
    if unit == "x" and words == ["ext", "int", "sum", "sum"] and first:
        return _sides("polygon_sum", f"360*{number}/180+2", value * 2 + 2)
    if unit == "°" and words == ["ext", "int", "more", "sum", "sum", "than"] and first:
        return _sides("polygon_sum", f"(360+{number})/180+2", (FULL + value) / 180 + 2)
    if unit == "x" and words == ["ext", "int"] and regular:
        exterior = STRAIGHT / (1 + value) if first else STRAIGHT * value / (1 + value)
        shown = f"180/(1+{number})" if first else f"180*{number}/(1+{number})"
        return _sides("interior_to_exterior", f"360/({shown})", FULL / exterior)
    return None


def _sides(reason: str, expression: str, value: Fraction) -> AngleStory | None:
    if value.denominator != 1 or not 3 <= value <= _MAX_SIDES:
        return None
    return _story(f"sides_from_{reason}", expression, value, "sides")


def sector(line: str) -> AngleStory | None:
    """The angle of a sector from its share of a circle, or the share from the angle."""
    terms = sorted_terms(line)
    if not terms.figures or not terms.figures <= {"pie", "circle", "turn", "straight", "right"}:
        return None
    kinds = terms.figures - {"circle"} if "pie" in terms.figures else terms.figures
    if len(kinds) != 1:
        return None
    (kind,) = kinds
    whole = {"straight": STRAIGHT, "right": RIGHT}.get(kind, FULL)
    reason = {"pie": "full_circle", "circle": "full_circle", "turn": "full_turn"}.get(kind, f"one_{kind}")
    shown = plain(whole)
    if len(terms.numbers) == 1:
        ((value, unit),) = terms.numbers
        if unit == "%" and 0 < value < 100 and terms.has("?") and terms.asks_angle:
            return _story(reason, f"{shown}*{plain(value)}/100", whole * value / 100)
        if unit == "°" and 0 < value < whole and kind in ("pie", "circle") and terms.has("?", "%"):
            return _story(reason, f"{plain(value)}/360*100", value / FULL * 100, "percent")
        if unit == "x" and 0 < value < 1 and terms.has("?") and terms.asks_angle:
            return _story(reason, f"{shown}*{value.numerator}/{value.denominator}", whole * value)
        if unit == "" and kind in ("straight", "right") and value > 1 and terms.has("?") and "deg" in line:
            return _story(reason, f"{shown}*{plain(value)}", whole * value)
    return _counted_sector(terms) if kind == "pie" else None


def _counted_sector(terms: Terms) -> AngleStory | None:
    """The angle of a sector for 12 of 30 students."""
    if len(terms.numbers) != 2 or not terms.asks_angle:
        return None
    (whole, unit), (part, other) = terms.numbers
    named = unit == "total" and other == "" and terms.has("?")
    among = unit == other == "" and terms.has("?", "among") and re.search(r"\d \| among .*\d", terms.line)
    if not (named or among) or not 0 < part < whole:
        return None
    return _story("full_circle", f"360*{plain(part)}/{plain(whole)}", FULL * part / whole)


# Degrees that a hand turns in a minute.
_HANDS = {"mhand": Fraction(6), "hhand": Fraction(1, 2), "shand": Fraction(360)}
_MINUTES = {"min": Fraction(1), "h": Fraction(60), "s": Fraction(1, 60)}
_TIME_UNITS: dict[str, AngleUnit] = {"min": "minutes", "h": "hours", "s": "seconds"}
# The steps say how far a hand turns in its own unit.
_PACES = {"mhand": ("min", 6), "hhand": ("h", 30), "shand": ("s", 6)}
_NUMERALS = 12


def clock_hands(line: str) -> AngleStory | None:
    """The angle between the hands of a clock at a full hour, and how far a hand turns."""
    terms = sorted_terms(line)
    if terms.figures - {"circle"}:
        return None
    if "hands" in terms.words:
        return _between_hands(terms)
    hands = [word for word in terms.words if word in _HANDS]
    if len(set(hands)) != 1:
        return None
    hand, others = hands[0], [word for word in terms.words if word not in _HANDS and word != "sum"]
    unit, pace = _PACES[hand]
    if (others == ["?"] and "deg" in line) or (others == ["?"] and "? angle" in line):
        if len(terms.numbers) == 1 and terms.numbers[0][1] == "steps" and hand != "shand":
            count = terms.numbers[0][0]
            return _story("numerals", f"30*{plain(count)}", 30 * count) if count else None
        units = [one for _, one in terms.numbers]
        if units not in (["min"], ["h"], ["s"]) and not (units == ["h", "min"] and re.search(r"h \d+min ", line)):
            return None
        minutes = sum((value * _MINUTES[one] for value, one in terms.numbers), Fraction(0))
        time = minutes / _MINUTES[unit]
        return _story(hand, f"{pace}*{plain(time)}", pace * time) if time > 0 else None
    asked = [word for word in others if word in _MINUTES]
    if len(asked) == 1 and sorted(others) == sorted(["?", asked[0]]) and len(terms.numbers) == 1:
        (value, degrees), factor = terms.numbers[0], _MINUTES[unit] / _MINUTES[asked[0]]
        if degrees == "°" and value > 0:
            shown = f"{plain(value)}/{pace}" + (f"*{plain(factor)}" if factor != 1 else "")
            return _story(hand, shown, value / pace * factor, _TIME_UNITS[asked[0]])
    return None


def _between_hands(terms: Terms) -> AngleStory | None:
    words = [word for word in terms.words if word != "small"]
    if words not in (["?", "hands"], ["hands", "?"]) or len(terms.numbers) != 1 or not terms.asks_angle:
        return None
    ((hour, unit),) = terms.numbers
    if unit != "h@" or not 0 < hour <= 24 or hour % _NUMERALS == 0:
        return None
    steps = min(hour % _NUMERALS, _NUMERALS - hour % _NUMERALS)
    return _story("numerals", f"30*{plain(steps)}", 30 * steps)


def turning(line: str) -> AngleStory | None:
    """Full turns in degrees, or degrees in full turns."""
    terms = sorted_terms(line)
    if terms.figures - {"circle"} or len(terms.numbers) != 1 or "each" in line:
        return None
    ((value, unit),) = terms.numbers
    words = [word for word in terms.words if word not in ("sum", "mhand")]  # in all; the minute hand
    if "deg" in line and unit == "turns" and words == ["?"]:
        return _story("full_turn", f"360*{plain(value)}", FULL * value)
    if "deg" in line and unit == "quarters" and terms.has("?"):
        return _story("quarter_turn", f"90*{plain(value)}", RIGHT * value)
    if unit == "°" and terms.has("?", "turns") and value > FULL:
        return _story("full_turn", f"{plain(value)}/360", value / FULL, "turns")
    return None


FORMULA_RULES: tuple[Callable[[str], AngleStory | None], ...] = (polygon, sector, clock_hands, turning)
