"""Random expressions and equations, within the limits of the parser, and how many examples a property gets."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st

from sau_solver.equations.expressions import Equation, Equations, Expression, Function, Number, Operation, Unknown

NAMES = ("x", "y", "z", "boys", "adult_tickets", "速度")

numbers = st.builds(
    Number,
    st.one_of(
        st.integers(-50, 2_000).map(Fraction),
        st.fractions(min_value=-20, max_value=20, max_denominator=60),
        st.decimals(min_value=-100, max_value=100, places=3).map(Fraction),
    ),
)
unknowns = st.sampled_from(NAMES).map(Unknown)


def operations(children: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.builds(Operation, st.sampled_from(["+", "-", "*", "/", "^"]), children, children)


def calls(children: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        operations(children),
        st.builds(Function, st.sampled_from(["abs", "ln", "floor"]), st.tuples(children)),
        st.builds(Function, st.just("comb"), st.tuples(children, children)),
        st.just(Function("pi", ())),
    )


leaves: st.SearchStrategy[Expression] = st.one_of(numbers, unknowns)
arithmetic: st.SearchStrategy[Expression] = st.recursive(leaves, operations, max_leaves=12)
expressions: st.SearchStrategy[Expression] = st.recursive(leaves, calls, max_leaves=12)


def equation_lists(sides: st.SearchStrategy[Expression]) -> st.SearchStrategy[Equations]:
    return st.lists(st.builds(Equation, sides, sides), min_size=1, max_size=4).map(tuple)


def times(count: int) -> settings:
    """Run so many examples of a property in a usual run; fewer in the quick loop and more with the profile thorough."""
    return settings(max_examples=max(1, count * settings().max_examples // 100))
