"""Equations are read exactly in every notation of the corpora, and their text is read back to the same equations."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sau_solver.equations.expressions import Equations, Expression, to_text
from sau_solver.equations.parser import MAX_BRACKETS, MAX_CHARACTERS, parse, parse_expression, parse_statements
from sau_solver.errors import EquationError, SauError, TooLargeError
from tests.strategies import equation_lists, expressions, times

NOTATIONS = {
    "plain": ("x*(50-2*x)=300", "x*(50-2*x)=300"),
    "spaces and floats, as HMWP": ("6.0 * x + 4.0 * ( 10.0 - x ) = 50.0", "6*x+4*(10-x)=50"),
    "joined by semicolons": ("x + 2.0 * y = 1000.0 ; 4.0 * x + 3.0 * y = 2000.0", "x+2*y=1000; 4*x+3*y=2000"),
    "fraction literals and percents, as Math23K": ("x=24*150%/(1-(1/6))", "x=24*1.5/(1-(1/6))"),
    "square brackets": ("x=[(3+4)*2]/7", "x=(3+4)*2/7"),
    "mixed number": ("x=3(1/4)*2", "x=3.25*2"),
    "named unknowns, as ALG514": ("212.0+boys=girls", "212+boys=girls"),
    "names that begin with a digit, as MAWPS": ("3_quarter_pound=8/2", "3_quarter_pound=8/2"),
    "a bare expression": ("(11-1)*2", "x=(11-1)*2"),
    "python powers": ("x**2=9", "x^2=9"),
    "powers group to the right": ("x=2^3^2", "x=2^3^2"),
    "a sign in front": ("-x^2+3=(-3)^2", "0-x^2+3=(-3)^2"),
    "a product without a sign": ("2x(x+1)=(x+3)(x-1)", "2*x*(x+1)=(x+3)*(x-1)"),
    "a coefficient over a number": ("5x/60=3", "5*x/60=3"),
    "a product of unknowns": ("xy=6;x+y=5", "x*y=6; x+y=5"),
    "leading decimal point, as DRAW-1K": ("(.01*30)*x=1.12", "0.01*30*x=1.12"),
    "thousands": ("x=48,000/2", "x=48000/2"),
    "ratio signs, as Ape210K": ("x=(1/3):75%", "x=(1/3)/0.75"),
    "a chain": ("a=b=3", "a=b; b=3"),
    "double equals signs": ("x==3", "x=3"),
    "unkn and equ lines, as the Dolphin corpora": ("unkn: m,n\r\nequ: m = n - 12\r\nequ: m + n = 28", "m=n-12; m+n=28"),
    "full-width typography": ("（x＋1）×2＝6；y＝4÷2", "(x+1)*2=6; y=4/2"),
    "brackets around an equation": ("( x * ( x - 1.0 ) / 2.0 = 55.0 )", "x*(x-1)/2=55"),
    "square roots": ("x=sqrt(1/4)+√9", "x=(1/(4))^0.5+9^0.5"),
    "functions": ("x=_comb(5,2)+abs(-3)", "x=comb(5,2)+abs(-3)"),
    "arguments without commas, as Dolphin18K": ("x=_comb(12 5)+_lcm(24 40)", "x=comb(12,5)+lcm(24,40)"),
    "factorials": ("x=5!/(3!*2!)", "x=factorial(5)/(factorial(3)*factorial(2))"),
    "bars": ("m=|y-x|", "m=abs(y-x)"),
    "degree signs": ("s=sin(45°)*2", "s=sin(45)*2"),
    "scientific": ("x=1.5e3", "x=1500"),
    "an unknown in Chinese": ("速度*3=60", "速度*3=60"),
}


@pytest.mark.parametrize(("text", "printed"), NOTATIONS.values(), ids=NOTATIONS)
def test_every_notation_of_the_corpora_reads(text: str, printed: str) -> None:
    equations = parse(text)
    assert to_text(equations) == printed
    assert parse(printed) == equations


@given(equation_lists(expressions))
def test_printed_equations_read_back_to_the_same_tree(equations: Equations) -> None:
    assert parse(to_text(equations)) == equations


@given(expressions)
def test_printed_expressions_read_back_to_the_same_tree(expression: Expression) -> None:
    assert parse_expression(str(expression)) == expression


def test_declared_unknowns_tell_products_from_names() -> None:
    assert to_text(parse("ab=6", unknowns=("a", "b"))) == "a*b=6"
    assert to_text(parse("ab=6")) == "ab=6"


def test_an_undeclared_e_is_the_base_of_logarithms_where_unknowns_are_declared() -> None:
    assert to_text(parse("x=e^2", unknowns=("x",))) == "x=exp(1)^2"
    assert to_text(parse("x=e^2")) == "x=e^2"


def test_english_corpora_mean_a_product_where_chinese_ones_mean_a_mixed_number() -> None:
    assert to_text(parse("x=2(1/4)", mixed_numbers=False)) == "x=2*0.25"
    assert to_text(parse("x=2(1/4)")) == "x=2.25"


def test_conditions_stand_beside_equations() -> None:
    statements = parse_statements("x^2=9; x>0; 22<x+y<30; is_digit(x, y); n%7=0; x!=2")
    assert to_text(statements.equations) == "x^2=9"
    shown = [str(condition) for condition in statements.conditions]
    assert shown == ["x>0", "22<x+y", "x+y<30", "is_digit(x)", "is_digit(y)", "mod(n,7)=0", "x!=2"]
    with pytest.raises(EquationError, match="condition"):
        parse("x^2=9; x>0")


@pytest.mark.parametrize(
    ("text", "column"),
    [("3+*4", 2), ("x=(1+2", 6), ("x=1)", 3), ("x=$5", 2), ("2 3", 2), ("x=1;=2", 4), ("x=|3", 4)],
)
def test_an_error_points_at_the_column(text: str, column: int) -> None:
    with pytest.raises(EquationError) as caught:
        parse(text)
    assert caught.value.column == column
    assert f"column {column + 1}" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000 + "1" + ")" * 10_000,
        "(" * (MAX_BRACKETS + 1) + "1" + ")" * (MAX_BRACKETS + 1),
        "-" * 5_000 + "x=1",
        "x=" + "9" * 100_000,
        "x=" + "9" * 201,
        "x=1e999",
        "+".join(["x"] * 2_000) + "=1",
        "^".join(["x"] * 500) + "=1",
        "x=1;" * MAX_CHARACTERS,
    ],
    ids=["brackets", "brackets+1", "signs", "long text", "digits", "exponent", "deep", "powers", "characters"],
)
def test_text_past_the_limits_is_refused_by_name(text: str) -> None:
    with pytest.raises(TooLargeError, match=r"at most|more than"):
        parse(text)


@given(st.text(max_size=60))
@example("x=1\x00")
@example("\ud800=1")
@example("=" * 50)
@example("(1/0)=x")
@example("unkn:\nequ:")
@example("٣+x=5")
@times(300)
def test_no_text_raises_anything_but_our_errors(text: str) -> None:
    try:
        equations = parse(text)
    except SauError as error:
        assert str(error)
    else:
        assert parse(to_text(equations)) == equations


@given(st.text(alphabet="x1y2+-*/^()=;:%., \n<>!|[]{}eπ√_!", max_size=40))
@times(500)
def test_no_text_of_signs_raises_anything_but_our_errors(text: str) -> None:
    try:
        statements = parse_statements(text)
    except SauError as error:
        assert str(error)
    else:
        assert statements.equations or statements.conditions
