"""Angles of a figure that add up to a known sum -> the story with its unknown angles.

The angles are numbers, or multiples of one unknown x plus a number. Their sum gives x.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from sau_solver.text.angle_stories.angle_statements import Ref, Statement, Told
from sau_solver.text.angle_stories.solved_angles import FULL, RIGHT, STRAIGHT, AngleStory, Working, plain

# Terms that tell one angle from the others.
_NAMES = frozenset(("one", "other", "small", "large", "mid", "vertex", "base"))
_IDLE = frozenset(("all", "angle", "part", "int", "one", "acute", "each", "adj"))
# Angles that are not among those that add up.
_ELSEWHERE = frozenset(("ext", "remote", "opp", "near", "compl", "suppl"))
_PAIRS = ("lines", "para", "rhom", "itrap")  # two different angles, and each of them twice
_FULL_ANGLES = ("turn", "circle")


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure whose angles have a known sum."""

    reason: str
    size: int  # the number of angles; 0 if the text must say it
    total: Fraction
    isosceles: bool = False


def figure_of(kind: str) -> Figure | None:
    """Return the figure of a term without its `F.`; None if its angles have no sum that everybody knows."""
    if sides := re.fullmatch(r"r?poly(\d+)", kind):
        size = int(sides[1])
        return Figure("polygon", size, STRAIGHT * (size - 2)) if size > 2 else None
    return {
        "tri": Figure("triangle", 3, STRAIGHT),
        "rtri": Figure("right_triangle", 2, RIGHT),
        "itri": Figure("isosceles", 3, STRAIGHT, isosceles=True),
        "irtri": Figure("isosceles_right", 2, RIGHT),
        "etri": Figure("equilateral", 3, STRAIGHT),
        "para": Figure("parallelogram", 2, STRAIGHT),
        "rhom": Figure("parallelogram", 2, STRAIGHT),
        "itrap": Figure("isosceles_trapezoid", 2, STRAIGHT),
        "lines": Figure("crossing", 2, STRAIGHT),
        "compl": Figure("complementary", 2, RIGHT),
        "suppl": Figure("supplementary", 2, STRAIGHT),
        "straight": Figure("straight", 0, STRAIGHT),
        "right": Figure("right", 0, RIGHT),
        "turn": Figure("full_turn", 0, FULL),
        "circle": Figure("full_turn", 0, FULL),
    }.get(kind)


@dataclass(frozen=True, slots=True)
class _Angle:
    """An angle of a figure: factor · x + constant. `times` is how often the figure has it."""

    name: str
    factor: Fraction
    constant: Fraction
    times: int = 1


@dataclass(slots=True)
class _Angles:
    """What the statements say about the angles of one figure."""

    given: dict[str, Fraction] = field(default_factory=dict)
    related: dict[str, tuple[str, Fraction, Fraction]] = field(default_factory=dict)  # name -> other, factor, shift
    ratio: tuple[Fraction, ...] = ()
    named_ratio: tuple[str, ...] = ()
    equal: int = 0  # how many unknown angles are equal
    count: int = 0
    isosceles: bool = False
    fine: bool = True

    def name(self, ref: Ref) -> str:
        """Return the name of a single angle; an empty string for a group of angles or an unclear one."""
        if size_of(ref):
            return ""
        ref = ref - {"adj"} | {"other"} if "adj" in ref else ref
        names = [term for term in ref if term in _NAMES or term.startswith(("ord", "∠"))]
        if set(names) in ({"one", "base"}, {"one", "vertex"}):
            names.remove("one")
        if self.isosceles and "equal" in ref and names in ([], ["one"]):
            return "base"
        if len(names) > 1 or ref & _ELSEWHERE:
            return ""
        return names[0] if names else "one"

    def fail(self) -> None:
        """Note that a statement was not understood."""
        self.fine = False

    def add(self, statement: Statement) -> None:
        """Note what a statement says."""
        ref = statement.refs[0]
        if any(one & _ELSEWHERE for one in statement.refs):
            return self.fail()
        match statement.kind:
            case "given":
                self._give(ref, statement.values)
            case "related":
                one, other = (self.name(one) for one in statement.refs)
                if not one or not other or one == other or one in self.related or one in self.given:
                    return self.fail()
                self.related[one] = (other, *statement.values)
            case "ratio":
                if self.ratio or size_of(ref) not in (0, len(statement.values)) or (self.name(ref) and "all" not in ref):
                    if not (self.name(ref) == "one" and not ref & {"one"}):
                        return self.fail()
                self.ratio = statement.values
            case "named_ratio":
                names = tuple(map(self.name, statement.refs))
                if self.ratio or not all(names) or not len(set(names)) == len(names) == len(statement.values):
                    return self.fail()
                self.ratio, self.named_ratio = statement.values, names
            case "differ":
                if size_of(ref) not in (0, 2) or self.related:
                    return self.fail()
                self.related["large"] = ("small", Fraction(1), statement.values[0])
            case "equal":
                if self.equal or not (size := size_of(ref)):
                    return self.fail()
                self.equal = size
            case "counted":
                self._count(ref)

    def _give(self, ref: Ref, values: tuple[Fraction, ...]) -> None:
        size = size_of(ref)
        if any(("acute" in ref and value >= RIGHT) or ("obtuse" in ref and value <= RIGHT) for value in values):
            return self.fail()
        if len(values) == 1 and size in (0, 2) and (size == 0 or "base" in ref or self.isosceles):
            name = self.name(ref - {"2"})
            if not name or ("each" in ref and name != "base"):
                return self.fail()
            while name in self.given and name in ("one", "other"):
                name += "'"
            if name in self.given or name in self.related:
                return self.fail()
            self.given[name] = values[0]
            return None
        if size not in (0, len(values)) or ref & (_NAMES - {"one"}):
            return self.fail()
        for place, value in enumerate(values):
            self.given[f"given{len(self.given)}.{place}"] = value
        return None

    def _count(self, ref: Ref) -> None:
        size = size_of(ref)
        if not size:
            if not all(term in _IDLE or term.startswith("∠") for term in ref):
                self.fail()
            return
        if self.count not in (0, size):
            self.fail()
        self.count = size
        if "equal" in ref:
            self.equal = size


def size_of(ref: Ref) -> int:
    """Return the number of angles that a reference names: 2 of {other, 2, angle}; 0 if it names none."""
    sizes = [int(term) for term in ref if term.isdigit()]
    return sizes[0] if len(sizes) == 1 else 0


def sum_story(told: Told, figure: Figure, kind: str) -> AngleStory | None:
    """Return the story about the angles of a figure; None if it leaves any doubt."""
    known = _Angles(isosceles=figure.isosceles)
    for statement in told.statements:
        known.add(statement)
    if not known.fine:
        return None
    angles = _angles(known, figure)
    return _Solved(figure, kind, angles, known).story(told.asked) if angles else None


def _angles(known: _Angles, figure: Figure) -> list[_Angle] | None:
    """Return all angles of the figure as multiples of one unknown; None if they are not known so well."""
    size = figure.size or known.count
    if not size or (figure.size and known.count > size):
        return None
    twice = {"base": 2} if figure.isosceles else {}
    given = dict(known.given)
    if figure.reason == "right_triangle":
        given = {name: value for name, value in given.items() if value != RIGHT}
    angles = [_Angle(name, Fraction(0), value, twice.get(name, 1)) for name, value in given.items()]
    bases: dict[str, Fraction] = {}
    for name in (*known.related, *(other for other, _, _ in known.related.values())):
        if any(one.name == name for one in angles):
            continue
        factor, shift, base = Fraction(1), Fraction(0), name
        seen = {name}
        while base in known.related:
            base, times, more = known.related[base]
            factor, shift = factor * times, shift + factor * more
            if base in seen:
                return None
            seen.add(base)
        if base in given:
            factor, shift = Fraction(0), factor * given[base] + shift
        else:
            bases[base] = Fraction(1)
        angles.append(_Angle(name, factor, shift, twice.get(name, 1)))
    if len(bases) > 1:
        return None
    missing = size - sum(one.times for one in angles)
    return _completed(angles, missing, known, figure, bool(bases))


def _completed(
    angles: list[_Angle], missing: int, known: _Angles, figure: Figure, has_unknown: bool
) -> list[_Angle] | None:
    """Add the angles of which only the ratio, the equality or nothing is known."""
    one, none = Fraction(1), Fraction(0)
    if known.ratio:
        names = known.named_ratio or tuple(f"share{place}" for place in range(1, len(known.ratio) + 1))
        twice = {"base": 2} if figure.isosceles else {}
        if figure.isosceles and not known.named_ratio:
            return None
        shares = [_Angle(name, term, none, twice.get(name, 1)) for name, term in zip(names, known.ratio, strict=True)]
        if has_unknown or known.equal or sum(share.times for share in shares) != missing:
            return None
        return angles + shares
    if missing == 0:
        return angles if has_unknown and not known.equal else None
    if missing < 0 or has_unknown:
        return None
    if figure.isosceles:
        named = {angle.name for angle in angles}
        if named == {"base"} and missing == 1:
            return [*angles, _Angle("vertex", one, none)]
        return [*angles, _Angle("base", one, none, 2)] if named == {"vertex"} and missing == 2 else None
    if figure.reason in ("equilateral", "isosceles_right"):
        return [_Angle("equal", one, none, missing)] if not angles else None
    if known.equal:
        return [*angles, _Angle("equal", one, none, missing)] if known.equal == missing else None
    return [*angles, _Angle("missing", one, none)] if missing == 1 and angles else None


class _Solved:
    """The angles of a figure with their values, and what questions ask for."""

    def __init__(self, figure: Figure, kind: str, angles: list[_Angle], known: _Angles) -> None:
        self.figure, self.kind, self.angles, self.known = figure, kind, angles, known
        self.size = sum(angle.times for angle in angles)
        factor = sum((angle.factor * angle.times for angle in angles), Fraction(0))
        constant = sum((angle.constant * angle.times for angle in angles), Fraction(0))
        self.x = (figure.total - constant) / factor if factor > 0 else Fraction(-1)
        self.values = [angle.factor * self.x + angle.constant for angle in angles]
        self.fits = self.x > 0 and all(0 < value < (FULL if self.size > 3 else STRAIGHT) for value in self.values)

    def story(self, asks: Iterable[Ref]) -> AngleStory | None:
        """Return the story that asks for these angles."""
        if not self.fits or not self._in_order():
            return None
        found = [self._asked(ask) for ask in asks]
        if not all(found):
            return None
        places = [place for one in found if one for place in one]
        if len({self.values[place] for place in places}) == 1 and len(found) == 1:
            places = places[:1]  # each of the base angles
        workings, equation, unknown = self._worked()
        shown = [self._expression(place) for place in places]
        asked = tuple(
            Working(expression, self.values[place], self.angles[place].name)
            for place, expression in zip(places, shown, strict=True)
        )
        if not equation:
            wanted = {place for place in places if self.angles[place].factor} if not self.known.ratio else set(places)
            workings = [self._calculation(place) for place in sorted(wanted)]
        else:
            workings = [self._calculation(place) for place in dict.fromkeys(places) if self.angles[place].name != unknown and self.angles[place].factor]
        size = (("n", self.size), ("total", plain(self.figure.total))) if self.figure.reason == "polygon" else ()
        return AngleStory(self.figure.reason, asked, tuple(workings), size, equation, unknown)

    def _in_order(self) -> bool:
        """Return whether the largest angle of the text is the largest, and the smallest the smallest."""
        named = {angle.name: value for angle, value in zip(self.angles, self.values, strict=True)}
        largest, smallest = max(self.values), min(self.values)
        return named.get("large", largest) == largest and named.get("small", smallest) == smallest

    def _worked(self) -> tuple[list[Working], str, str]:
        """Return the equation and the name of its unknown, if arithmetic does not do."""
        unknown = [angle for angle in self.angles if angle.factor]
        if self.known.ratio or (len(unknown) == 1 and not unknown[0].constant and unknown[0].factor == 1):
            return [], "", ""
        terms = [_term(angle) for angle in self.angles for _ in range(angle.times)]
        base = next(angle for angle in unknown if angle.factor == 1 and not angle.constant)
        return [], f"{'+'.join(terms)}={plain(self.figure.total)}", base.name

    def _calculation(self, place: int) -> Working:
        return Working(self._expression(place), self.values[place], self.angles[place].name)

    def _expression(self, place: int) -> str:
        """Return how an angle is calculated from what the text gives."""
        angle, total = self.angles[place], plain(self.figure.total)
        _, equation, _ = self._worked()
        if not angle.factor:
            return plain(angle.constant)
        if equation:
            x = plain(self.x)
            if angle.factor == 1 and not angle.constant:
                return x
            return _term(_Angle("", angle.factor, angle.constant)).replace("x", x).strip("()")
        rest = "-".join([total, *(plain(one.constant) for one in self.angles for _ in range(one.times) if not one.factor)])
        if self.known.ratio:
            terms = "+".join(plain(one.factor) for one in self.angles for _ in range(one.times) if one.factor)
            first = f"({rest})" if "-" in rest else rest
            return f"{first}/({terms})*{plain(angle.factor)}"
        if angle.times == 1:
            return rest
        return f"({rest})/{angle.times}" if "-" in rest else f"{rest}/{angle.times}"

    def _asked(self, ask: Ref) -> list[int] | None:
        """Return the places of the angles that one question asks for; None if it is not clear."""
        if ask & (_ELSEWHERE - {"opp"}):
            return None
        size = size_of(ask)
        if self.kind == "irtri":
            return [0] if ask & {"base", "acute", "each"} and not ask & (_NAMES - {"base", "one"}) else None
        if self.kind in _PAIRS:
            pair = self._of_pair(ask, size)
            if pair is not None:
                return pair or None
        single = [term for term in ask if term in _NAMES or term.startswith(("ord", "∠"))]
        if size:
            return self._several(ask, size, single)
        if "other" in ask and "adj" in ask:
            single.remove("other")
        if len(single) > 1:
            single = [term for term in single if term not in ("one", "other")] if "base" in single else single
        if len(single) > 1:
            return None
        if not single:
            return self._unnamed(ask)
        return self._single(single[0], ask)

    def _single(self, name: str, ask: Ref) -> list[int] | None:
        names = [angle.name for angle in self.angles]
        if name in ("small", "large", "mid"):
            return self._by_size(name, ask)
        if name in names:
            return [names.index(name)]
        free = [place for place, angle in enumerate(self.angles) if angle.factor]
        if name.startswith("ord") and int(name[3:]) == self.size and len(free) == 1 and self.angles[free[0]].times == 1:
            return free
        if name.startswith("ord") and self.kind == "rtri" and name == "ord3" and len(free) == 1:
            return free
        if name.startswith("ord") and self.known.ratio and not self.known.given:
            place = int(name[3:]) - 1
            return [place] if place < len(self.angles) else None
        if name.startswith("∠") and names.count("missing") == 1 and all(one.startswith("∠") for one in names if one != "missing"):
            return [names.index("missing")]
        if name == "other" and ("each" in ask or "all" in ask):
            return self._expanded(place for place in free)
        if name == "other" and len(free) == 1 and self.angles[free[0]].times == 1:
            return free
        if name == "one" and len({self.values[place] for place in free}) == 1 and len(free) == 1:
            return free if self.angles[free[0]].times == self.size else None
        return None

    def _by_size(self, name: str, ask: Ref) -> list[int] | None:
        if self.kind == "rtri" and name == "large" and not ("acute" in ask or self.known.ratio or self.known.related):
            return None
        if "all" in ask and "each" not in ask:
            return None
        ordered = sorted(range(len(self.values)), key=lambda place: self.values[place])
        if name == "mid":
            return [ordered[1]] if self.size == len(ordered) == 3 else None
        return [ordered[0 if name == "small" else -1]]

    def _unnamed(self, ask: Ref) -> list[int] | None:
        """Return the angles of a question that names none: each angle, the angles, the obtuse angle."""
        if "obtuse" in ask and self.kind != "rtri":
            found = [place for place, value in enumerate(self.values) if value > RIGHT]
            return found if len(found) == 1 and self.angles[found[0]].times == 1 else None
        if "acute" in ask and self.kind not in ("rtri", "irtri"):
            found = [place for place, value in enumerate(self.values) if value < RIGHT]
            return found if len(found) == 1 and self.angles[found[0]].times == 1 else None
        if "equal" in ask:
            return [place for place, angle in enumerate(self.angles) if angle.times > 1 and angle.factor] or None
        if ask & {"all", "each"} or len(self.angles) == 1:
            return self._expanded(range(len(self.angles)))
        return None

    def _several(self, ask: Ref, size: int, names: list[str]) -> list[int] | None:
        """Return the angles of a question that counts them: the other 2 angles, these 3 angles."""
        free = self._expanded(place for place, angle in enumerate(self.angles) if angle.factor)
        if names == ["base"] and size == 2:
            return self._single("base", ask)
        if set(names) - {"other"}:
            return None
        if self.kind == "rtri" and size == 3 and not names:
            return None
        if not names and size == self.size:
            return self._expanded(range(len(self.angles)))
        return free if len(free) == size else None

    def _expanded(self, places: Iterable[int]) -> list[int]:
        """Return places with each angle as often as the figure has it; angles without a name from small to large."""
        found = [place for place in places for _ in range(self.angles[place].times)]
        names = [self.angles[place].name for place in found]
        if all(name.startswith("share") for name in names):
            return found
        if all(name.startswith(("ord", "∠")) for name in names):
            return sorted(found, key=lambda place: self.angles[place].name)
        return sorted(found, key=lambda place: self.values[place])

    def _of_pair(self, ask: Ref, size: int) -> list[int] | None:
        """Return the angles of a crossing or a parallelogram; [] if it is not clear, None if it is a plain question."""
        first = next((place for place, angle in enumerate(self.angles) if not angle.factor), None)
        by_size = lambda places: sorted(places, key=lambda place: self.values[place])  # noqa: E731
        if "opp" in ask:
            return [first] if first is not None and size < 2 else []
        if "adj" in ask and first is not None:
            return [1 - first] if self.kind != "itrap" and size < 3 else []
        if size == 4 or (not size and ask & {"all", "each"} and not ask & (_NAMES | {"acute", "obtuse"})):
            return by_size([0, 0, 1, 1])
        if "other" in ask and first is not None and (size == 3 or (not size and ask & {"all", "each"})):
            return by_size([first, 1 - first, 1 - first])
        if size == 2 and first is None and "other" not in ask:
            return by_size([0, 1])
        if size or ("other" in ask and first is not None) or ask & {"base", "vertex"}:
            return []
        return None


def _term(angle: _Angle) -> str:
    """Return an angle as a term of an equation: 50, x, 3*x, (3*x+20)."""
    if not angle.factor:
        return plain(angle.constant)
    multiple = "x" if angle.factor == 1 else f"{plain(angle.factor)}*x"
    if not angle.constant:
        return multiple
    sign = "+" if angle.constant > 0 else "-"
    return f"({multiple}{sign}{plain(abs(angle.constant))})"
