"""Neither reordering nor repeating equations changes the outcome or the solutions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from flint import fmpq, fmpq_mat
from hypothesis import assume, given
from hypothesis import strategies as st

from sau_solver.equations.expressions import Equations, unknowns_of
from sau_solver.equations.parser import parse
from sau_solver.solving import Outcome, Solved, Value, solve
from sau_solver.solving.polynomials import to_fraction

NAMES = "xyz"
Row = tuple[int, ...]  # coefficients of the unknowns, then the constant: a linear factor
Factored = list[Row]  # an equation: the product of its factors is zero
Found = tuple[Outcome, frozenset[tuple[tuple[str, Value], ...]]]

coordinate = st.integers(-3, 3)
coefficient = st.sampled_from([0, 1, -1, 2])


def factor_through(point: Row, used: tuple[int, ...]) -> st.SearchStrategy[Row]:
    """Return lines or planes through the point that contain only the used unknowns (by position)."""
    slopes = st.tuples(*(coefficient if k in used else st.just(0) for k in range(len(point)))).filter(any)
    return slopes.map(lambda row: (*row, -sum(a * b for a, b in zip(row, point, strict=True))))


@st.composite
def factored_systems(draw: st.DrawFn) -> list[Factored]:
    """Draw products of linear factors that vanish at two chosen points (or twice at one); many have one unknown."""
    points: list[Row] = draw(st.lists(st.tuples(coordinate, coordinate), min_size=2, max_size=2))
    plane = draw(st.none() | st.tuples(coordinate, coordinate, coordinate))
    if plane is not None:  # a third unknown that one equation gives: three non-linear ones are SymPy's
        a, b, c = plane
        points = [(x, y, a * x + b * y + c) for x, y in points]
    every = tuple(range(len(points[0])))
    system: list[Factored] = [[(a, b, -1, c)]] if plane is not None else []
    for _ in range(draw(st.integers(1, 4))):
        used = draw(st.sampled_from([every, *[(k,) for k in every]]))
        through = points + draw(st.lists(st.tuples(*[coordinate] * len(every)), max_size=1))
        system.append([draw(factor_through(point, used)) for point in through])
    return system


def to_equations(system: list[Factored]) -> Equations:
    def factor(row: Row) -> str:
        return (
            "(" + "+".join([f"({k})*{name}" for k, name in zip(row, NAMES, strict=False) if k] + [f"({row[-1]})"]) + ")"
        )

    return parse("; ".join("*".join(map(factor, equation)) + "=0" for equation in system))


def by_linear_algebra(system: list[Factored]) -> Found:
    """Solve one linear system for each choice of a factor from every equation."""
    points = set()
    size = len(system[0][0]) - 1
    for rows in product(*system):
        reduced, rank = fmpq_mat([[fmpq(k) for k in row] for row in rows]).rref()
        table = reduced.table()[: int(rank)]
        if not any(table[-1][:-1]):
            continue  # a contradiction: 0 = 1
        if len(table) < size:
            return Outcome.INFINITE, frozenset()
        points.add(tuple(zip(NAMES, (to_fraction(-row[-1]) for row in table), strict=False)))
    return Outcome.SOLVED if points else Outcome.NONE, frozenset(points)


def found(solved: Solved) -> Found:
    return solved.outcome, frozenset(tuple(sorted(s.items(), key=lambda item: item[0])) for s in solved.solutions)


@st.composite
def shuffled(draw: st.DrawFn, equations: Equations) -> Equations:
    """Draw all of the equations in some order, some of them more than once."""
    repeated = draw(st.lists(st.sampled_from(equations), max_size=2))
    return tuple(draw(st.permutations([*equations, *repeated])))


@given(factored_systems(), st.data())
def test_products_of_linear_factors_have_the_solutions_of_their_factors(
    system: list[Factored], data: st.DataObject
) -> None:
    equations = to_equations(system)
    assume(len(unknowns_of(equations)) == len(system[0][0]) - 1)  # a coefficient of zero is not written
    expected = by_linear_algebra(system)
    assert found(solve(equations)) == expected
    assert found(solve(data.draw(shuffled(equations)))) == expected


MONOMIALS = ("x^2", "y^2", "x*y", "x", "y")


@given(coordinate, coordinate, st.data())
def test_curves_through_a_point_meet_in_the_same_points_in_any_order(x: int, y: int, data: st.DataObject) -> None:
    at = (x * x, y * y, x * y, x, y)
    rows = data.draw(st.lists(st.tuples(*[st.integers(-3, 3)] * 5).filter(any), min_size=1, max_size=3))
    equations = parse(
        "; ".join(
            "+".join(f"({k})*{monomial}" for k, monomial in zip(row, MONOMIALS, strict=True) if k)
            + f"={sum(k * value for k, value in zip(row, at, strict=True))}"
            for row in rows
        )
    )
    outcome, points = found(solve(equations))
    assert outcome is not Outcome.NONE
    if outcome is Outcome.SOLVED:
        point = {"x": Fraction(x), "y": Fraction(y)}
        assert tuple((name, point[name]) for name in sorted(unknowns_of(equations))) in points
    assert found(solve(data.draw(shuffled(equations)))) == (outcome, points)
