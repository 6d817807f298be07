"""The terms of a text about angles -> its story, by one rule for each kind of story."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from sau_solver.text.angle_stories.angle_figures import Figure, figure_of
from sau_solver.text.angle_stories.angle_formulas import FORMULA_RULES
from sau_solver.text.angle_stories.angle_statements import Ref, Statement, told_angles
from sau_solver.text.angle_stories.angle_sums import sum_story
from sau_solver.text.angle_stories.solved_angles import FULL, RIGHT, STRAIGHT, AngleStory, Working, plain

# A figure that a text names a second time by a wider name: an isosceles triangle, the triangle.
_WIDER = {
    "tri": ("rtri", "itri", "irtri", "etri"),
    "itri": ("irtri",),
    "rtri": ("irtri",),
    "poly4": ("para", "rhom", "itrap"),
    "para": ("rhom",),
    "cross": ("lines",),
    "circle": ("turn",),
    "straight": ("suppl",),
}
_DIVIDED = ("straight", "right", "turn", "circle")
_DIVISION = re.compile(r"(?P<equal>equal )?divide (?P<count>\d+ )?(?P<same>equal )?(?:(?:all|part|angle) )*")
_SUM = re.compile(
    r"sum (?:int )?(?:\d+ )?(?:all )?(?:int )?angle (?:F\.\w+ )?(?:= |same )(\d+)°? (?:\| |(?== ))"
    r"|\d+ all angle F\.\w+ sum = (\d+)°? \| "
)
_RIGHT_ANGLE = re.compile(r"(?:(?:one|other) )?(?:all )?(?:int )?(?:angle )?(?:F\.tri )?(?:= )?F\.right ")
_WHOLE = re.compile(r"(?:one )?(?:angle (?P<after>\d\S*)° |(?P<before>\d\S*)° angle )")


def _narrowest(figures: frozenset[str]) -> str:
    """Return the only figure of a text; an empty string if there are several."""
    wide = {name for name in figures if figures & set(_WIDER.get(name, ()))}
    own = figures - wide
    if any(re.fullmatch(r"r?poly\d+", name) for name in own):
        own -= {"poly", "rpoly"}
    return next(iter(own)) if len(own) == 1 else ""


def _figures(line: str) -> AngleStory | None:
    """The angles of a figure that add up to a known sum."""
    kinds = frozenset(re.findall(r"F\.(\w+) ", line))
    if kinds == {"tri", "right"}:
        kinds, line = frozenset(("rtri",)), _RIGHT_ANGLE.sub("| ", line)
    kind = _narrowest(kinds)
    figure = figure_of(kind) if kind else None
    if figure is None:
        return None
    line = _SUM.sub(lambda match: "| " if Fraction(match[1] or match[2]) == figure.total else match[0], line)
    if kind in _DIVIDED:
        line = _counted(re.sub(r"F\.\w+ ", "", line))
    if kind == "circle":
        line = line.replace("vertex angle ", "angle ")  # the tip of a slice
    told = told_angles(line)
    return sum_story(told, figure, kind) if told else None


def _sum_given(line: str) -> AngleStory | None:
    """Two angles whose sum the text gives."""
    found = re.match(r"(?:sum )?2 (?:all )?angle (?:sum )?= (\d\S*?)°? (?=\|)", line)
    if not found or "sum" not in found[0] or "F." in line:
        return None
    told, total = told_angles(f"2 angle {line[found.end() :]}"), Fraction(found[1])
    return sum_story(told, Figure("sum", 2, total), "sum") if told and 0 < total < FULL else None


def _counted(line: str) -> str:
    """Write a division into parts as the number of angles: 3 equal angle."""

    def count(match: re.Match[str]) -> str:
        return f"| {match['count'] or ''}{'equal ' if match['equal'] or match['same'] else ''}angle | "

    return _DIVISION.sub(count, line, count=1)


def _divided_angle(line: str) -> AngleStory | None:
    """An angle of known size that a ray divides."""
    if "F." in line or len(re.findall(r"\b(?:divide|bisect) ", line)) != 1:
        return None
    whole = _WHOLE.search(line)
    verb = re.search(r"(?:equal )?\b(?:divide|bisect) ", line)
    if not whole or not verb or whole.start() > line.find("?"):
        return None
    if not (whole.end() == verb.start() or line[verb.end() :].startswith(whole[0])):
        return None
    rest = _counted(
        line.replace(whole[0], "", 1).replace("bisect ", "divide 2 equal angle ", 1).replace("= divide", "divide")
    )
    told = told_angles(rest)
    total = Fraction(whole["after"] or whole["before"])
    return sum_story(told, Figure("whole", 0, total), "whole") if told and total < STRAIGHT else None


_OF_ANGLE = re.compile(
    r"\? (compl|suppl) (?:one )?(?:angle (\d\S*)° |(\d\S*)° angle )|(?:angle (\d\S*)° "
    r"|(\d\S*)° angle )(compl|suppl) \? "
)
Line = tuple[Fraction, Fraction]  # factor and constant of x, the angle itself
_LINES: dict[str, Line] = {
    "angle": (Fraction(1), Fraction(0)),
    "compl": (Fraction(-1), RIGHT),
    "suppl": (Fraction(-1), STRAIGHT),
}
_SHOWN = {"angle": "x", "compl": "(90-x)", "suppl": "(180-x)"}


def _complements(line: str) -> AngleStory | None:
    """An angle with its complement or its supplement."""
    if not re.search(r"\b(?:compl|suppl) ", re.sub(r"F\.\w+ ", "", line)) or "F." in line:
        return None
    if len(set(re.findall(r"∠\w", line))) < 2:
        line = re.sub(r"∠\w ", "", line)
    line = _OF_ANGLE.sub(
        lambda match: f"angle {match[2] or match[3] or match[4] or match[5]}° | ? {match[1] or match[6]} ", line
    )
    told = told_angles(line)
    if told is None or len(told.statements) != 1:
        return None
    (statement,) = told.statements
    names = [_own(ref) for ref in statement.refs]
    asked = [_own(ref) for ref in told.asked]
    if not all(names) or not all(asked):
        return None
    found = _angle_from(statement, names)
    if found is None:
        return None
    x, equation = found
    limit = RIGHT if "compl" in (*names, *asked) else STRAIGHT
    if not 0 < x < limit:
        return None
    shown = tuple(_of_x(name, x) for name in asked)
    reason = "_and_".join(dict.fromkeys(name for name in ("compl", "suppl") if name in (*names, *asked)))
    if not equation and statement.refs and names[0] != "angle":
        first = _of_x(names[0], statement.values[0])
        workings = (Working(first.expression, x, "angle"), *(one for one in shown if one.name != "angle"))
        return AngleStory(reason, tuple(_first_of(one, workings) for one in shown), workings)
    return AngleStory(
        reason, shown, tuple(one for one in shown if one.name != "angle"), (), equation, "angle" if equation else ""
    )


def _first_of(one: Working, workings: tuple[Working, ...]) -> Working:
    """Return the calculation of the same angle."""
    return next((working for working in workings if working.name == one.name), one)


def _own(ref: Ref) -> str:
    """Return which angle a reference means: the angle, its complement or its supplement."""
    kinds = ref & {"compl", "suppl"}
    if len(kinds) > 1 or ref - {"angle", "one", "compl", "suppl"}:
        return ""
    return next(iter(kinds), "angle")


def _of_x(name: str, x: Fraction) -> Working:
    factor, constant = _LINES[name]
    return Working(f"{plain(constant)}-{plain(x)}" if constant else plain(x), factor * x + constant, name)


def _angle_from(statement: Statement, names: list[str]) -> tuple[Fraction, str] | None:
    """Return the angle, and the equation that gives it unless the text does."""
    if statement.kind == "given" and len(statement.values) == 1:
        factor, constant = _LINES[names[0]]
        return (statement.values[0] - constant) / factor, ""
    if len(names) != 2 or names[0] == names[1]:
        return None
    if statement.kind == "related":
        times, shift = statement.values
    elif statement.kind == "named_ratio" and len(statement.values) == 2 and all(statement.values):
        times, shift = statement.values[0] / statement.values[1], Fraction(0)
    else:
        return None
    (left, constant), (right, other) = _LINES[names[0]], _LINES[names[1]]
    factor = left - times * right
    if not factor:
        return None
    multiple = _SHOWN[names[1]] if times == 1 else f"{plain(times)}*{_SHOWN[names[1]]}"
    sign = f"{'+' if shift > 0 else '-'}{plain(abs(shift))}" if shift else ""
    return (times * other + shift - constant) / factor, f"{_SHOWN[names[0]].strip('()')}={multiple}{sign}"


_OTHER_REMOTE = frozenset(("other", "remote"))


def _exterior(line: str) -> AngleStory | None:
    """An exterior angle of a triangle with interior ones."""
    told = told_angles(line)
    if told is None or told.figures != {"tri"} or len(told.asked) != 1:
        return None
    if any(one.kind != "given" for one in told.statements):
        return None
    (ask,) = told.asked
    given = [(ref, value) for one in told.statements for ref in one.refs for value in one.values]
    outside = [value for ref, value in given if "ext" in ref]
    inside = [(ref, value) for ref, value in given if "ext" not in ref]
    if any("adj" in ref or "base" in ref or "vertex" in ref for ref, _ in given) or len(outside) > 1:
        return None
    if not outside and len(inside) == 2 and "ext" in ask and ask & {"ord3", "remote"} and "other" not in ask:
        (_, one), (_, other) = inside
        value = one + other
        working = Working(f"{plain(one)}+{plain(other)}", value)
    elif outside and len(inside) == 1 and "remote" in inside[0][0] and ask >= _OTHER_REMOTE and "ext" not in ask:
        value = outside[0] - inside[0][1]
        working = Working(f"{plain(outside[0])}-{plain(inside[0][1])}", value)
    else:
        return None
    if not 0 < value < STRAIGHT or not all(0 < one < STRAIGHT for one in outside):
        return None
    return AngleStory("exterior", (working,), (working,))


_LEAN = re.compile(
    r"(?:(?:wall|ground|one) )*?(?:(?P<after>\d\S*)° (?P<one>wall|ground) \? (?P<asked>wall|ground) "
    r"|(?P<two>wall|ground) (?P<before>\d\S*)° (?P<other>wall|ground) \? )"
)


def _leaning(line: str) -> AngleStory | None:
    """A ladder between a vertical wall and the ground."""
    if "slope " not in line or "F." in line.replace("F.rtri ", ""):
        return None
    bare = re.sub(r"(?:slope|angle|\||=|deg|F\.rtri) ", "", line)
    match = _LEAN.fullmatch(bare)
    if not match:
        return None
    given, asked = match["one"] or match["two"], match["asked"] or match["other"]
    value = Fraction(match["after"] or match["before"])
    if given == asked or not 0 < value < RIGHT:
        return None
    working = Working(f"90-{plain(value)}", RIGHT - value)
    return AngleStory("leaning", (working,), (working,))


_IDLE = re.compile(r"(?<!\S)(?:F\.\w+|\||=|angle|all|one|2|deg|int|other|each) ")
_PAIR = r"near|corr|alt"
_AT_PARALLELS = re.compile(
    rf"(?:(?P<given>{_PAIR}) )?(?P<value>\d\S*)° (?:\? (?P<asked>{_PAIR}) |(?P<before>{_PAIR}) \? |\? )"
)


def _parallel(line: str) -> AngleStory | None:
    """Two parallel lines with a line that crosses them."""
    if set(re.findall(r"F\.(\w+) ", line)) - {"lines"} != {"parallel"}:
        return None
    found = _AT_PARALLELS.fullmatch(_IDLE.sub("", line))
    if not found:
        return None
    kinds = {kind for kind in (found["given"], found["asked"], found["before"]) if kind}
    value = Fraction(found["value"])
    if len(kinds) != 1 or not 0 < value < STRAIGHT:
        return None
    if kinds == {"near"}:
        working = Working(f"180-{plain(value)}", STRAIGHT - value)
        return AngleStory("near", (working,), (working,))
    return AngleStory(next(iter(kinds)), (Working(plain(value), value),))


RULES: tuple[Callable[[str], AngleStory | None], ...] = (
    _figures,
    _sum_given,
    _exterior,
    _divided_angle,
    _complements,
    _leaning,
    _parallel,
    *FORMULA_RULES,
)
