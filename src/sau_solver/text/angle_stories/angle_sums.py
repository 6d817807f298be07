"""Angles of a figure that add up to a known sum -> the story with the angles that it asks for."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from sau_solver.text.angle_stories.angle_claims import ELSEWHERE, NAMES, Claims, angles_of, size_of
from sau_solver.text.angle_stories.angle_figures import Angle, Figure
from sau_solver.text.angle_stories.angle_statements import Ref, ToldAngles
from sau_solver.text.angle_stories.solved_angles import FULL, RIGHT, AngleStory, Working, plain


def sum_story(told: ToldAngles, figure: Figure, kind: str) -> AngleStory | None:
    """Return the story about the angles of a figure; None if it leaves any doubt."""
    known = Claims(isosceles=figure.isosceles)
    for statement in told.statements:
        known.add(statement)
    if not known.understood:
        return None
    angles = angles_of(known, figure)
    return _Solved(figure, kind, angles, known).story(told.asked) if angles else None


class _Solved:
    """The angles of a figure with their values, and what questions ask for."""

    def __init__(self, figure: Figure, kind: str, angles: list[Angle], known: Claims) -> None:
        self.figure, self.kind, self.angles, self.known = figure, kind, angles, known
        self.size = sum(angle.times for angle in angles)
        factor = sum((angle.factor * angle.times for angle in angles), Fraction(0))
        constant = sum((angle.constant * angle.times for angle in angles), Fraction(0))
        self.x = (figure.total - constant) / factor if factor > 0 else Fraction(-1)
        self.values = [angle.factor * self.x + angle.constant for angle in angles]
        self.fits = self.x > 0 and all(0 < value < FULL for value in self.values)

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
        equation, unknown = self._equation()
        asked = tuple(map(self._working, places))
        workings = tuple(
            self._working(place)
            for place in dict.fromkeys(places)
            if self.angles[place].factor and not (equation and self._name(place) == unknown)
        )
        told = (("n", self.size), ("total", plain(self.figure.total)))
        size = {"polygon": told, "whole": told[1:], "sum": told[1:]}.get(self.figure.reason, ())
        return AngleStory(self.figure.reason, asked, workings, size, equation, unknown)

    def _in_order(self) -> bool:
        """Return whether the largest angle of the text is the largest, and the smallest the smallest."""
        named = {angle.name: value for angle, value in zip(self.angles, self.values, strict=True)}
        largest, smallest = max(self.values), min(self.values)
        return named.get("large", largest) == largest and named.get("small", smallest) == smallest

    def _equation(self) -> tuple[str, str]:
        """Return the equation and the name of its unknown, if arithmetic does not do."""
        unknown = [angle for angle in self.angles if angle.factor]
        if self.known.ratio or (len(unknown) == 1 and not unknown[0].constant and unknown[0].factor == 1):
            return "", ""
        terms = [angle.term for angle in self.angles for _ in range(angle.times)]
        base = next(angle for angle in unknown if angle.factor == 1 and not angle.constant)
        return f"{'+'.join(terms)}={plain(self.figure.total)}", self._name(self.angles.index(base))

    def _working(self, place: int) -> Working:
        return Working(self._expression(place), self.values[place], self._name(place))

    def _name(self, place: int) -> str:
        """Return the name of an angle; the larger of two is not the largest."""
        name = self.angles[place].name
        return {"small": "smaller", "large": "larger"}.get(name, name) if self.size == 2 else name

    def _expression(self, place: int) -> str:
        """Return how an angle is calculated from what the text gives."""
        angle, total = self.angles[place], plain(self.figure.total)
        equation, _ = self._equation()
        if not angle.factor:
            return plain(angle.constant)
        if equation:
            x = plain(self.x)
            if angle.factor == 1 and not angle.constant:
                return x
            return angle.term.replace("x", x).removeprefix("(").removesuffix(")")
        rest = "-".join(
            [total, *(plain(one.constant) for one in self.angles for _ in range(one.times) if not one.factor)]
        )
        if self.known.ratio:
            terms = "+".join(plain(one.factor) for one in self.angles for _ in range(one.times) if one.factor)
            first = f"({rest})" if "-" in rest else rest
            return f"{first}/({terms})*{plain(angle.factor)}"
        if angle.times == 1:
            return rest
        return f"({rest})/{angle.times}" if "-" in rest else f"{rest}/{angle.times}"

    def _asked(self, ask: Ref) -> list[int] | None:
        """Return the places of the angles that one question asks for; None if it is not clear."""
        if ask & (ELSEWHERE - {"opp"}):
            return None
        size = size_of(ask)
        if self.kind == "irtri":
            return [0] if ask & {"base", "acute", "each"} and not ask & (NAMES - {"base", "one"}) else None
        if self.figure.twice:
            pair = self._of_pair(ask, size)
            if pair is not None:
                return pair or None
        single = [term for term in ask if term in NAMES or term.startswith(("ord", "∠"))]
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
        if (
            name.startswith("∠")
            and names.count("missing") == 1
            and all(one.startswith("∠") for one in names if one != "missing")
        ):
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
        ordered = self._by_value(range(len(self.values)))
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
        return self._by_value(found)

    def _by_value(self, places: Iterable[int]) -> list[int]:
        return sorted(places, key=lambda place: self.values[place])

    def _of_pair(self, ask: Ref, size: int) -> list[int] | None:
        """Return the angles of a crossing or a parallelogram; [] if it is not clear, None if it is a plain question."""
        first = next((place for place, angle in enumerate(self.angles) if not angle.factor), None)
        if "opp" in ask:
            return [first] if first is not None and size < 2 else []
        if "adj" in ask and first is not None:
            return [1 - first] if self.kind != "itrap" and size < 3 else []
        if size == 4 or (not size and ask & {"all", "each"} and not ask & (NAMES | {"acute", "obtuse"})):
            return self._by_value([0, 0, 1, 1])
        if "other" in ask and first is not None and (size == 3 or (not size and ask & {"all", "each"})):
            return self._by_value([first, 1 - first, 1 - first])
        if size == 2 and first is None and "other" not in ask:
            return self._by_value([0, 1])
        if size or ("other" in ask and first is not None) or ask & {"base", "vertex"}:
            return []
        return None
