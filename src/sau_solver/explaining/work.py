"""The lines of a derivation: each is a step, and a line that would only repeat the equation before it is left out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sau_solver.equations.expressions import Equation, Expression, Number, Operation, Unknown, walk
from sau_solver.equations.parser import parse_expression
from sau_solver.equations.readable import MINUS, readable
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.explaining.terms import Term, constant_value, to_expression
from sau_solver.phrases import Phrase
from sau_solver.solving import Periodic, Value, about, decimal_of


class Work:
    """The steps written so far, and the equation that stands on the last line."""

    def __init__(self, step: StepWriter) -> None:
        self.step = step
        self.style = step.style
        self.steps: list[Step] = []
        self._last = ""

    def say(self, code: str, **values: object) -> None:
        """Add a step."""
        self.steps.append(self.step(code, **values))

    def start(self, equation: Equation) -> None:
        """Take an equation that the reader has just seen as the last line."""
        self._last = readable(equation, self.style)

    def line(self, code: str, equation: Equation, **values: object) -> Equation:
        """Add a step that ends in an equation, unless the last line shows it already; return the equation."""
        shown = readable(equation, self.style)
        if shown != self._last:
            self._last = shown
            self.say(code, **{"at": "", "equation": equation, **values})
        return equation

    def fractional(self, value: Fraction) -> bool:
        """Return whether a number is written with a fraction bar."""
        return "/" in self.style.digits(abs(value))


def sides(left: list[Term], right: list[Term]) -> Equation:
    """Return the equation of two sums of terms."""
    return Equation(to_expression(left), to_expression(right))


def value_expression(value: Value) -> Expression:
    """Return an exact value as an expression: 3/4, (1 + √5)/2; one without a closed form as its name."""
    if isinstance(value, Fraction):
        return Number(value)
    try:
        return parse_expression(str(value))
    except (EquationError, TooLargeError):
        return Unknown(str(value))


def comparable(value: Value) -> Fraction | float:
    """Return a rational value as it is and any other as a float, so that values of all kinds can be compared."""
    return value if isinstance(value, Fraction) else decimal_of(value)


def value_equation(name: str, value: Value) -> Equation:
    """Return the equation name = value."""
    return Equation(Unknown(name), value_expression(value))


def valued(name: str, value: Value) -> Equation | Phrase:
    """Return name = value; an irrational value is followed by its decimal."""
    equation = value_equation(name, value)
    if isinstance(value, Fraction | Periodic):
        return equation
    decimal = about(value).replace("-", MINUS)
    return Phrase.of("about", equation=equation, decimal=decimal) if decimal else equation


def either(parts: list[Equation | Phrase]) -> Equation | Phrase:
    """Return one equation, or the alternatives as a phrase."""
    shown = parts[0]
    for part in parts[1:]:
        shown = Phrase.of("either", one=shown, other=part)
    return shown


def with_numbers_worked_out(node: Expression, style_fractions: bool | None = None) -> Expression:
    """Return an expression in which every part without unknowns is a number; 1/8 alone if only fractions are wanted."""
    match node:
        case Operation(operator, left, right):
            value = constant_value(node)
            plain = operator == "/" and value is not None and (left, right) == _as_fraction(value)
            if value is not None and (style_fractions is None or (style_fractions and plain)):
                return Number(value)
            return Operation(
                operator,
                with_numbers_worked_out(left, style_fractions),
                with_numbers_worked_out(right, style_fractions),
            )
    return node


def _as_fraction(value: Fraction) -> tuple[Number, Number]:
    return Number(Fraction(value.numerator)), Number(Fraction(value.denominator))


def equations_in(phrase: Phrase) -> Iterator[tuple[Equation, ...]]:
    """Yield the equations that a step states; alternatives come together, and one of them must hold."""
    if phrase.code == "either":
        yield tuple(one for _, value in phrase.values for found in _within(value) for one in found)
        return
    for _, value in phrase.values:
        yield from _within(value)


def _within(value: object) -> Iterator[tuple[Equation, ...]]:
    if isinstance(value, Equation):
        yield (value,)
    elif isinstance(value, Phrase):
        yield from equations_in(value)
    elif isinstance(value, tuple):
        for one in value:
            yield from _within(one)


def unknowns_in(node: Expression) -> set[str]:
    """Return the names of the unknowns of an expression."""
    return {one.name for one in walk(node) if isinstance(one, Unknown)}
