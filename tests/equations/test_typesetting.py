"""Values and sentences as MathML: formulas are drawn, words and quotations stay text."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from sau_solver.equations.typesetting import sentence_latex, sentence_mathml, value_mathml

VALUES = {
    "15": "<mn>15</mn>",
    "3/4": "<mfrac><mn>3</mn><mn>4</mn></mfrac>",
    "-3/4": "<mrow><mo>−</mo><mfrac><mn>3</mn><mn>4</mn></mfrac></mrow>",
    "-sqrt(2)": "<mrow><mo>−</mo><msqrt><mn>2</mn></msqrt></mrow>",
    "(1+sqrt(5))/2": "<mfrac><mrow><mn>1</mn><mo>+</mo><msqrt><mn>5</mn></msqrt></mrow><mn>2</mn></mfrac>",
    "root(x^3-x-1, 1.3247)": "<mi>root(x^3-x-1, 1.3247)</mi>",
}
SENTENCES = {
    "Solve x+y=300; 8*x=y for x, y.": ["x+y=300", "8x=y", "x", "y"],
    "3+5 = 8": ["3+5=8"],
    "解方程x^2=9，得x=-3或x=3。": ["x2=9", "x=−3", "x=3"],
    "“5-2 more” gives 3.": [],
    "A two-digit number is more than 12.": [],
    "Check: 8*150+5*150=1950; left 1950, right 1950.": ["8×150+5×150=1950"],
    "a=b=c": [],
    "x=" + "+".join(["1"] * 40): [],
}


@pytest.mark.parametrize(("value", "drawn"), VALUES.items())
def test_an_exact_value_is_drawn(value: str, drawn: str) -> None:
    assert re.fullmatch(r"<math[^>]*>(.*)</math>", value_mathml(value)).group(1) == drawn  # type: ignore[union-attr]


@pytest.mark.parametrize(("sentence", "formulas"), SENTENCES.items())
def test_the_formulas_of_a_sentence_are_drawn_and_nothing_else(sentence: str, formulas: list[str]) -> None:
    shown = ElementTree.fromstring(f"<p>{sentence_mathml(sentence, ['x', 'y'])}</p>")
    drawn = ["".join(one.itertext()).replace("\N{INVISIBLE TIMES}", "") for one in shown]
    assert drawn == formulas
    if not formulas:
        assert shown.text == sentence


def test_markup_in_a_sentence_is_text() -> None:
    sentence = "“<b>” & x<y <script>"
    assert "".join(ElementTree.fromstring(f"<p>{sentence_mathml(sentence, ['x'])}</p>").itertext()) == sentence


@pytest.mark.parametrize(
    ("sentence", "written"),
    [
        ("From (1) x = 20 − y: 2(20 − y) + 4y = 50.", r"From (1) $x=20-y$: $2\left(20-y\right)+4y=50$."),
        ("So x = 7 or x = −12.", "So $x=7$ or $x=-12$."),
        ("x² + 5x − 84 = 0", "$x^{2}+5x-84=0$"),
        ("Put 20 − y in place of x.", "Put $20-y$ in place of $x$."),
        ("x = 20 − 5 = 15.", "$x=20-5$ = $15$."),
        ("No denominator may be zero: x ≠ 0.", r"No denominator may be zero: $x \ne 0$."),
        ("8 ÷ 2 = 4", r"8 $\div$ 2 = 4"),
        ("5 km/h and 3 m/s cost $7 & 5%", r"5 km/h and 3 m/s cost \$7 \& 5\%"),
    ],
)
def test_formulas_as_a_school_book_writes_them_are_latex(sentence: str, written: str) -> None:
    assert sentence_latex(sentence, ["x", "y"]) == written
