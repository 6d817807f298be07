"""A universal expression tree converts to prefix symbols and equations and back without loss."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.equations.drawing import draw_svg, draw_text
from sau_solver.equations.expressions import Equations, Number, Unknown, numbers_of, to_text
from sau_solver.equations.parser import parse
from sau_solver.equations.symbols import OPERATORS, Slot, Symbol, read_symbol, symbol_text
from sau_solver.equations.uet import Uet, rename_unknowns
from sau_solver.errors import NotATreeError
from tests.strategies import arithmetic, equation_lists

NUMBERS = [Fraction(20), Fraction(50)]


def test_semicolon_is_the_operator_of_lowest_priority() -> None:
    tree = Uet.from_equations(parse("x+y=20; 2*x+4*y=50"), NUMBERS)
    assert str(tree) == "; = + x y N0 = + * 2 x * 4 y N1"


def test_more_than_two_equations_group_to_the_left() -> None:
    assert str(Uet.from_equations(parse("a=1; b=2; c=3"))) == "; ; = a 1 = b 2 = c 3"


@given(equation_lists(arithmetic), st.lists(st.fractions(), max_size=4))
def test_equations_come_back_from_their_tree(equations: Equations, others: list[Fraction]) -> None:
    numbers = [*others, *numbers_of(equations)]
    tree = Uet.from_equations(equations, numbers)
    assert tree.equations(numbers) == equations
    assert not any(isinstance(symbol, Number) for symbol in tree.symbols)


@given(equation_lists(arithmetic))
def test_a_tree_comes_back_from_its_text(equations: Equations) -> None:
    tree = Uet.from_equations(equations)
    assert Uet.from_text(str(tree)) == tree
    assert tree.equations() == equations


def test_a_number_of_the_text_becomes_its_first_slot() -> None:
    tree = Uet.from_equations(parse("x=3+3+5"), [Fraction(3), Fraction(3)])
    assert str(tree) == "= x + + N0 N0 5"


def test_plain_arithmetic_may_leave_the_unknown_out() -> None:
    tree = Uet.from_equations(parse("x=(11-1)*2"), [Fraction(2), Fraction(11)], drop_unknown=True)
    assert str(tree) == "* - N1 1 N0"
    assert to_text(tree.equations([Fraction(2), Fraction(11)])) == "x=(11-1)*2"
    assert str(Uet.from_equations(parse("x=y+1"), drop_unknown=True)) == "= x + y 1"


def test_unknowns_are_renamed_in_order_of_appearance() -> None:
    assert to_text(rename_unknowns(parse("212+boys=girls; girls+boys=466"))) == "212+x=y; y+x=466"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is empty"),
        ("+ 1", "lacks an operand"),
        ("+ 1 2 3", "got 2"),
        ("; 1 2", "joins equations"),
        ("; = x 1 2", "joins equations"),
        ("+ = x 1 2", "joins expressions"),
        ("= = x 1 2", "joins expressions"),
        ("= x $", "must be an operator"),
    ],
)
def test_symbols_that_are_not_one_tree_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(NotATreeError, match=complaint):
        Uet.from_text(text)


def test_functions_and_missing_numbers_are_refused() -> None:
    with pytest.raises(NotATreeError, match="comb"):
        Uet.from_equations(parse("x=comb(5,2)"))
    with pytest.raises(NotATreeError, match="N1"):
        Uet.from_text("= x N1").equations([Fraction(3)])


symbols = st.one_of(
    st.sampled_from(OPERATORS),
    st.sampled_from(["x", "y", "speed"]).map(Unknown),
    st.fractions().map(Number),
    st.integers(0, 999).map(Slot),
)


@given(symbols)
def test_a_symbol_comes_back_from_its_text(symbol: Symbol) -> None:
    assert read_symbol(symbol_text(symbol)) == symbol


@given(st.lists(symbols, max_size=12))
def test_a_sequence_is_a_tree_or_is_refused(sequence: list[Symbol]) -> None:
    try:
        tree = Uet(tuple(sequence))
    except NotATreeError:
        return
    operators = sum(isinstance(symbol, str) for symbol in tree.symbols)
    assert len(tree) == 2 * operators + 1


def test_the_drawing_in_text_shows_every_node() -> None:
    drawn = draw_text(Uet.from_equations(parse("x*(50-2*x)=300"), [Fraction(300)]), [Fraction(300)])
    assert drawn == "\n".join(
        [
            "        =",
            "   ┌────┴─────┐",
            "   ×         300",
            "┌──┴──┐",
            "x     −",
            "    ┌─┴─┐",
            "   50   ×",
            "       ┌┴─┐",
            "       2  x",
        ]
    )


@given(equation_lists(arithmetic))
def test_both_drawings_hold_every_symbol(equations: Equations) -> None:
    tree = Uet.from_equations(equations)
    svg = ElementTree.fromstring(draw_svg(tree))
    labels = svg.findall(".//{http://www.w3.org/2000/svg}g")
    lines = svg.findall(".//{http://www.w3.org/2000/svg}line")
    assert (len(labels), len(lines)) == (len(tree), len(tree) - 1)
    operators = sum(isinstance(symbol, str) for symbol in tree.symbols)
    drawn = draw_text(tree)
    assert (drawn.count("┴"), drawn.count("┌"), drawn.count("┐")) == (operators, operators, operators)


def test_a_single_leaf_is_a_tree_too() -> None:
    assert draw_text(Uet.from_text("7")) == "7"
