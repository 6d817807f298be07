"""A box that is narrowed by relations keeps every point that meets them, and an empty one means that there is none."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from sau_solver.equations.expressions import Expression, Function, Number, Operation, Unknown
from sau_solver.solving.contraction import Relations, contracted
from sau_solver.solving.exact_values import exact_value
from sau_solver.solving.intervals import EmptyError
from sau_solver.solving.linear_conditions import contradict
from sau_solver.solving.reals import NoValueError, Real, UndecidedError

VALUES = tuple(Fraction(k, d) for k in (-9, -4, -2, -1, 0, 1, 2, 3, 8) for d in (1, 4))
POWERS = tuple(
    Fraction(k, d) for k, d in ((2, 1), (3, 1), (4, 1), (-1, 1), (-2, 1), (1, 2), (1, 3), (2, 3), (-1, 2), (3, 2))
)


def random_expression(random: Random, depth: int) -> Expression:
    """Return an expression in x and y."""
    if depth == 0 or random.random() < 0.15:
        return random.choice((Unknown("x"), Unknown("y"), Number(random.choice(VALUES))))
    inner = random_expression(random, depth - 1)
    kind = random.choice(("+", "-", "*", "/", "+", "-", "*", "same", "^", "abs", "ln", "exp", "floor", "sin", "power"))
    match kind:
        case "same":
            return Operation("*", inner, inner)
        case "^":
            return Operation("^", inner, Number(random.choice(POWERS)))
        case "power":
            return Operation("^", Number(Fraction(2)), inner)
        case "+" | "-" | "*" | "/":
            return Operation(kind, inner, random_expression(random, depth - 1))
    return Function(kind, (inner,))


def relations_at(random: Random, known: dict[str, Real], count: int) -> Relations:
    """Return relations that a point meets; many of them are tight."""
    found: list[tuple[Expression, str, Expression]] = []
    while len(found) < count:
        left, right = random_expression(random, random.randint(1, 3)), random_expression(random, random.randint(0, 2))
        try:
            one = exact_value(left, known)
            if random.random() < 0.5 and one.rational is not None:
                right = Number(one.rational)
            sign = (one - exact_value(right, known)).sign()
        except (NoValueError, UndecidedError):
            continue
        relation = random.choice({-1: ("<", "<=", "!="), 0: ("=", "=", "<=", ">="), 1: (">", ">=", "!=")}[sign])
        found.append((left, relation, right))
    return tuple(found)


@pytest.mark.parametrize("seed", range(200))
def test_a_point_that_meets_all_relations_stays_in_the_box(seed: int) -> None:
    random = Random(seed)
    point = {name: random.choice(VALUES) for name in "xy"}
    relations = relations_at(random, {name: Real.of(value) for name, value in point.items()}, random.randint(1, 4))
    shown = [f"{left} {relation} {right}" for left, relation, right in relations]
    try:
        box = contracted(relations, {})
    except EmptyError:
        pytest.fail(f"{point} meets {shown}")
    assert all(point[name] in interval for name, interval in box.items()), (point, shown, box)
    assert not contradict(relations)
