"""Questions for a measure of a figure whose sides are the unknowns: area, perimeter, diagonal, volume.

The text says which figure it is. What an equation already sets equal to a number is not asked for again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from sau_solver.answering.asked.quantities import Quantity
from sau_solver.equations.expressions import Equations, Expression, Number, Operation, Unknown, walk, walk_equations
from sau_solver.solving import decimal_of
from sau_solver.text.asking import Reading, Thing

_RECTANGLE = re.compile(
    r"\b(?:length|width|long|wide|rectang\w*|sides?|dimensions)\b|[长宽边]方?|矩形|菜园|平行于墙", re.IGNORECASE
)
_OBLONG = re.compile(r"\b(?:width|wide|rectang\w*|dimensions)\b|宽|长方形|矩形", re.IGNORECASE)
_HALVED = re.compile(
    r"\bright(?:-angled)? triangle\b|\brhombus\b|\bkite\b|\bdiagonals\b|直角三角形|菱形|对角线", re.IGNORECASE
)
_SQUARES = re.compile(
    r"\bsquares?\b(?! (?:\w*meters?|\w*metres?|feet|foot|inch\w*|miles?|yards?|units|cm|km|m)\b)|正方形"
)
_LARGE = re.compile(r"\b(?:large|larger|big|bigger|outer)\b|大", re.IGNORECASE)
_SMALL = re.compile(r"\b(?:small|smaller|little|inner)\b|小", re.IGNORECASE)
_CHANGED = re.compile(r"\b(?:new|enlarged|larger|bigger|now)\b|现在|新|后", re.IGNORECASE)
_AREA = re.compile(
    r"\barea\b|\bsurface\b|\bsquare (?:\w*meters?|\w*metres?|feet|inches|miles|yards|cm|km|m)\b|面积|平方|占地",
    re.IGNORECASE,
)
_PERIMETER = re.compile(
    r"\bperimeter\b|\bcircumference\b|\bfenc(?:e|ing)\b.*\bneed|\bneed\w*\b.*\bfenc|周长|篱笆|栅栏", re.IGNORECASE
)
_DIAGONAL = re.compile(r"\bdiagonal\b|对角线", re.IGNORECASE)
_VOLUME = re.compile(r"\bvolume\b|\bcubic\b|体积|容积|立方", re.IGNORECASE)
_SQUARE_BOTTOM = re.compile(
    r"\bsquare (?:base|bottom)\b|\bbase is a square\b|底面?是(?:个|一个)?正方形|正方形底面", re.IGNORECASE
)
_SIDE_OF_SQUARE = re.compile(r"\bside\b.*\bsquare\b|\bsquare\b.*\bside|正方形的?边长", re.IGNORECASE)
_BECOMES_SQUARE = re.compile(
    r"\b(?:becomes?|get|turns? into|is|makes?) (?:it )?a square\b|[变成得为][成了到]?一?个?正方形", re.IGNORECASE
)
_TWO = Number(Fraction(2))
_HALF = Number(Fraction(1, 2))


def figure_asked(
    thing: Thing, reading: Reading, equations: Equations, unknowns: Sequence[Quantity]
) -> Expression | None:
    """Return the measure of a figure that a question asks for, or None if it asks for something else."""
    question = f"{thing.words} {thing.unit}" if thing.words else thing.question
    if _DIAGONAL.search(question) and len(unknowns) == 2 and _OBLONG.search(reading.text):
        return _diagonal(unknowns) if not any("^" in str(equation) for equation in equations) else None
    if _SIDE_OF_SQUARE.search(question) and _BECOMES_SQUARE.search(reading.text):
        return _equal_side(equations)
    if _VOLUME.search(question):
        return _volume(reading, unknowns)
    if _AREA.search(question) and thing.relation in ("area", "value", "larger", "smaller"):
        return _area(thing, reading, equations, unknowns)
    if _PERIMETER.search(question) and len(unknowns) == 2 and _RECTANGLE.search(reading.text):
        return None if _is_given(equations, _sum_of_sides) else _perimeter(unknowns)
    return None


def shape_asked(things: Sequence[Thing], equations: Equations) -> int | None:
    """Return which of several things a calculation is: the perimeter if it adds or doubles, otherwise the area."""
    perimeters = [place for place, thing in enumerate(things) if _PERIMETER.search(thing.quantity)]
    areas = [place for place, thing in enumerate(things) if _AREA.search(thing.quantity)]
    if len(perimeters) != 1 or len(areas) != 1:
        return None
    nodes = [node for side in (equations[0].left, equations[0].right) for node in walk(side)]
    adds = any(isinstance(node, Operation) and node.operator == "+" for node in nodes)
    powers = any(isinstance(node, Operation) and node.operator == "^" for node in nodes)
    doubles = not powers and any(isinstance(node, Number) and node.value in (2, 4) for node in nodes)
    return perimeters[0] if adds or doubles else areas[0]


def area_of_square(thing: Thing, reading: Reading, equations: Equations, unknown: Unknown) -> Expression | None:
    """Return the square of the only unknown, or of x+2 for the new square, if the area of a square is asked for."""
    if not _AREA.search(thing.question) or not _SQUARES.search(reading.text):
        return None
    powers = [
        node
        for node in walk_equations(equations)
        if isinstance(node, Operation) and node.operator == "^" and node.right == _TWO
    ]
    own = Operation("^", unknown, _TWO)
    moved = [node for node in powers if node != own and unknown in walk(node)]
    if own not in powers or not moved:
        return None
    return moved[0] if _CHANGED.search(thing.question) and len(set(moved)) == 1 else own


def perimeter_of_square(thing: Thing, reading: Reading, equations: Equations, unknown: Unknown) -> Expression | None:
    """Return four times the only unknown if the perimeter of a square is asked for and x^2 is its area."""
    own = Operation("^", unknown, _TWO)
    area = any({own} == {side for side in (one.left, one.right) if not isinstance(side, Number)} for one in equations)
    if thing.relation != "perimeter" or not area or not _SQUARES.search(reading.text):
        return None
    return Operation("*", Number(Fraction(4)), unknown)


def _area(thing: Thing, reading: Reading, equations: Equations, unknowns: Sequence[Quantity]) -> Expression | None:
    question = f"{thing.words} {thing.unit}" if thing.words else thing.question
    if len(unknowns) != 2:
        return None
    large, small = bool(_LARGE.search(question)), bool(_SMALL.search(question))
    if _SQUARES.search(question) and large != small:
        best = (max if large else min)(unknowns, key=lambda one: decimal_of(one.value))
        return Operation("^", best.expression, _TWO)
    if _HALVED.search(reading.text):
        return None if _is_given(equations, _is_product) else _halved(unknowns)
    mixed = _SQUARES.search(reading.text) and (_SQUARES.search(question) or not _OBLONG.search(question))
    if not _RECTANGLE.search(reading.text) or mixed or _is_given(equations, _is_product):
        return None
    return Operation("*", unknowns[0].expression, unknowns[1].expression)


def _halved(unknowns: Sequence[Quantity]) -> Expression:
    return Operation("/", Operation("*", unknowns[0].expression, unknowns[1].expression), _TWO)


def _perimeter(unknowns: Sequence[Quantity]) -> Expression:
    return Operation("*", _TWO, Operation("+", unknowns[0].expression, unknowns[1].expression))


def _diagonal(unknowns: Sequence[Quantity]) -> Expression:
    first, second = (Operation("^", one.expression, _TWO) for one in unknowns)
    return Operation("^", Operation("+", first, second), _HALF)


def _equal_side(equations: Equations) -> Expression | None:
    """Return the side that the changed sides of a rectangle are both equal to: x-3 of x-3=y+2."""
    for equation in equations:
        sides = (equation.left, equation.right)
        if all(
            isinstance(side, Operation) and side.operator in "+-" and isinstance(side.left, Unknown) for side in sides
        ):
            return equation.left
    return None


def _volume(reading: Reading, unknowns: Sequence[Quantity]) -> Expression | None:
    if len(unknowns) == 3 and _RECTANGLE.search(reading.text):
        first, second, third = (one.expression for one in unknowns)
        return Operation("*", Operation("*", first, second), third)
    if len(unknowns) == 2 and _SQUARE_BOTTOM.search(reading.text):
        counts = [max((factor.value for factor in one.role.factors), default=Fraction(0)) for one in unknowns]
        if counts[0] == counts[1]:
            return None
        bottom, height = unknowns if counts[0] > counts[1] else reversed(unknowns)  # 8 edges and 4 edges
        return Operation("*", Operation("^", bottom.expression, _TWO), height.expression)
    return None


def _is_product(node: Expression) -> bool:
    while isinstance(node, Operation) and node.operator in "*/" and isinstance(node.right, Number):
        node = node.left
    return (
        isinstance(node, Operation)
        and node.operator == "*"
        and isinstance(node.left, Unknown)
        and isinstance(node.right, Unknown)
    )


def _sum_of_sides(node: Expression) -> bool:
    return (
        isinstance(node, Operation)
        and node.operator == "*"
        and node.left == _TWO
        and isinstance(node.right, Operation)
        and node.right.operator == "+"
        and isinstance(node.right.left, Unknown)
        and isinstance(node.right.right, Unknown)
    )


def _is_given(equations: Equations, check: Callable[[Expression], bool]) -> bool:
    """Return whether an equation sets the measure equal to a number."""
    return any(
        check(one) and isinstance(other, Number)
        for equation in equations
        for one, other in ((equation.left, equation.right), (equation.right, equation.left))
    )
