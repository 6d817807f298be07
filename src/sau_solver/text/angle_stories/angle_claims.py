"""Statements about the angles of one figure -> all its angles, as multiples of one unknown plus a number."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from sau_solver.text.angle_stories.angle_figures import Angle, Figure
from sau_solver.text.angle_stories.angle_statements import Ref, Statement
from sau_solver.text.angle_stories.solved_angles import RIGHT

# Terms that tell one angle from the others.
NAMES = frozenset(("one", "other", "small", "large", "mid", "vertex", "base"))
# Angles that are not among those that add up.
ELSEWHERE = frozenset(("ext", "remote", "opp", "near", "compl", "suppl"))
_IDLE = frozenset(("all", "angle", "part", "int", "one", "acute", "each", "adj"))


@dataclass(slots=True)
class Claims:
    """What the statements say about the angles of one figure."""

    given: dict[str, Fraction] = field(default_factory=dict)
    related: dict[str, tuple[str, Fraction, Fraction]] = field(default_factory=dict)  # name -> other, factor, shift
    ratio: tuple[Fraction, ...] = ()
    named_ratio: tuple[str, ...] = ()
    equal: int = 0  # how many unknown angles are equal
    count: int = 0
    isosceles: bool = False
    understood: bool = True

    def name(self, ref: Ref) -> str:
        """Return the name of a single angle; an empty string for a group of angles or an unclear one."""
        if size_of(ref):
            return ""
        ref = ref - {"adj"} | {"other"} if "adj" in ref else ref
        names = [term for term in ref if term in NAMES or term.startswith(("ord", "∠"))]
        if set(names) in ({"one", "base"}, {"one", "vertex"}):
            names.remove("one")
        if self.isosceles and "equal" in ref and names in ([], ["one"]):
            return "base"
        if len(names) > 1 or ref & ELSEWHERE:
            return ""
        return names[0] if names else "one"

    def fail(self) -> None:
        """Note that a statement was not understood."""
        self.understood = False

    def add(self, statement: Statement) -> None:
        """Note what a statement says."""
        ref = statement.refs[0]
        if any(one & ELSEWHERE for one in statement.refs):
            return self.fail()
        match statement.kind:
            case "given":
                self._give(ref, statement.values)
            case "related":
                one, other = map(self.name, statement.refs)
                factor, shift = statement.values
                if not one or not other or one == other or one in self.related or one in self.given:
                    return self.fail()
                self.related[one] = (other, factor, shift)
            case "ratio":
                if self.ratio or size_of(ref) not in (0, len(statement.values)) or ref & (NAMES - {"other"}):
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
        return None

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
        if size not in (0, len(values)) or ref & (NAMES - {"one"}):
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


def angles_of(known: Claims, figure: Figure) -> list[Angle] | None:
    """Return all angles of the figure as multiples of one unknown; None if they are not known so well."""
    size = figure.size or known.count
    if not size or (figure.size and known.count > size and not (figure.twice and known.count == 2 * size)):
        return None
    twice = {"base": 2} if figure.isosceles else {}
    given = dict(known.given)
    if figure.reason == "right_triangle":
        given = {name: value for name, value in given.items() if value != RIGHT}
    angles = [Angle(name, Fraction(0), value, twice.get(name, 1)) for name, value in given.items()]
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
        angles.append(Angle(name, factor, shift, twice.get(name, 1)))
    if len(bases) > 1:
        return None
    missing = size - sum(one.times for one in angles)
    return _completed(angles, missing, known, figure, bool(bases))


def _completed(
    angles: list[Angle], missing: int, known: Claims, figure: Figure, has_unknown: bool
) -> list[Angle] | None:
    """Add the angles of which only the ratio, the equality or nothing is known."""
    one, none = Fraction(1), Fraction(0)
    if known.ratio:
        names = known.named_ratio or tuple(f"share{place}" for place in range(1, len(known.ratio) + 1))
        twice = {"base": 2} if figure.isosceles else {}
        if figure.isosceles and not known.named_ratio:
            return None
        shares = [Angle(name, term, none, twice.get(name, 1)) for name, term in zip(names, known.ratio, strict=True)]
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
            return [*angles, Angle("vertex", one, none)]
        return [*angles, Angle("base", one, none, 2)] if named == {"vertex"} and missing == 2 else None
    if figure.reason in ("equilateral", "isosceles_right"):
        return [Angle("equal", one, none, missing)] if not angles else None
    if known.equal:
        return [*angles, Angle("equal", one, none, missing)] if known.equal == missing else None
    return [*angles, Angle("missing", one, none)] if missing == 1 and angles else None
