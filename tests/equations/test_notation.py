"""MathML and LaTeX are well formed and mean the same as the equation."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given

from sau_solver.equations.expressions import Equation, Expression, Number, Unknown
from sau_solver.equations.notation import latex, mathml
from sau_solver.equations.parser import parse
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from tests.strategies import NAMES, arithmetic

SHOWN = {
    "x=3+5": "x=3+5",
    "2*x+4*y=50": "2x+4y=50",
    "2*3=x": r"2 \cdot 3=x",
    "x*(50-2*x)=300": r"x\left(50-2x\right)=300",
    "3*(x+1)=9": r"3\left(x+1\right)=9",
    "(x+1)/(x-1)=2": r"\frac{x+1}{x-1}=2",
    "x^2=2": "x^{2}=2",
    "(x+1)^2=4": r"\left(x+1\right)^{2}=4",
    "(-2)^2=x": r"\left(-2\right)^{2}=x",
    "0.5^2=x": r"\left(0.5\right)^{2}=x",
    "(1/3)*x=2": r"\frac{1}{3}x=2",
    "sqrt(x)=3": r"\sqrt{x}=3",
    "x-(y-1)=2": r"x-\left(y-1\right)=2",
    "x-y-1=2": "x-y-1=2",
    "x-(-3)=2": r"x-\left(-3\right)=2",
    "-3+x=2": "-3+x=2",
    "-y+300=x": "-y+300=x",
    "x*(-y)=2": r"x \cdot \left(-y\right)=2",
    "x+(-y)=2": r"x+\left(-y\right)=2",
    "x=sin(30)+pi": r"x=\sin\left(30\right)+\pi ",
    "x=comb(5,2)": r"x=\operatorname{comb}\left(5,2\right)",
    "speed*2=8": r"\mathit{speed} \cdot 2=8",
}


@pytest.mark.parametrize(("text", "shown"), SHOWN.items())
def test_latex_reads_as_people_write(text: str, shown: str) -> None:
    (equation,) = parse(text)
    assert latex(equation) == shown


def read_back(element: ElementTree.Element) -> str:
    """Return the text that MathML stands for."""
    parts = [read_back(child) for child in element]
    match element.tag.rpartition("}")[2]:
        case "mfrac":
            return f"(({parts[0]})/({parts[1]}))"
        case "msup":
            return f"({parts[0]})^({parts[1]})"
        case "msqrt":
            return f"({''.join(parts)})^(0.5)"
        case "mrow" | "math":
            return "".join(parts)
    return {"×": "*", "\N{INVISIBLE TIMES}": "*", "−": "-", "π": "pi"}.get(element.text or "", element.text or "")


def value(side: Expression) -> Fraction | None:
    """Return the value of a side for fixed values of the unknowns, or None if it has no exact value."""
    try:
        return evaluate(side, {name: Fraction(place + 3, 2) for place, name in enumerate(NAMES)}, exact=True)
    except NotEvaluatedError:
        return None


@given(arithmetic)
def test_mathml_means_what_the_expression_means(side: Expression) -> None:
    drawn = ElementTree.fromstring(mathml(Equation(Unknown("x"), side)))
    again = parse(read_back(drawn), NAMES, mixed_numbers=False)[0].right
    assert value(again) == value(side)


def test_a_number_of_the_text_says_which_one_it_is() -> None:
    (equation,) = parse("x+N0=2*N1")
    drawn = mathml(equation, {"N0": (0, Fraction(20)), "N1": (1, Fraction(1, 3))})
    assert '<mn data-number="0">20</mn>' in drawn
    assert '<mfrac data-number="1"><mn>1</mn><mn>3</mn></mfrac>' in drawn
    assert "N0" not in drawn
    assert latex(equation, {"N0": (0, Fraction(-20)), "N1": (1, Fraction(5, 2))}) == r"x+\left(-20\right)=2 \cdot 2.5"


def test_names_are_text_and_never_markup() -> None:
    drawn = mathml(Equation(Unknown("<script>"), Number(Fraction(1))))
    assert "<script>" not in drawn
