"""A quadratic equation -> its lines in a school book: square roots, factors where it has rational ones, the formula."""

from __future__ import annotations

import math
from fractions import Fraction

from flint import fmpz_poly

from sau_solver.equations.expressions import Equation, Expression, Number, Operation, Unknown
from sau_solver.equations.parser import parse_expression
from sau_solver.explaining.terms import (
    ZERO,
    NotInSchoolError,
    Quotient,
    Term,
    coefficient_of,
    common_denominator,
    constant_value,
    expand,
    falling,
    product,
    quotient,
    scaled,
    to_expression,
)
from sau_solver.explaining.work import Work, either, sides, unknowns_in, value_equation, value_expression, valued
from sau_solver.phrases import Phrase
from sau_solver.solving import Value, decimal_of
from sau_solver.solving.algebraic import real_roots

TWO = Number(Fraction(2))
DISCRIMINANT = parse_expression("b^2-4*a*c")


def by_square_root(work: Work, equation: Equation, name: str) -> list[Value] | None:
    """Solve a(bx + c)² = d by taking the square root on both sides; None if the equation has another form."""
    left, right = equation.left, equation.right
    if constant_value(left) is not None:
        left, right = right, left
    value = constant_value(right)
    found = _whole(left)
    if value is None or found is None or len(found.above) != 1 or not _is_square(found.above[0]):
        return None
    square = found.above[0]
    assert isinstance(square, Operation)
    slope, offset = _linear(square.left, name)
    value /= found.number
    if found.number != 1:
        equation = work.line("divide_both", Equation(square, Number(value)), factor=Number(found.number))
    return _rooted(work, square.left, (slope, offset), value, name)


def _rooted(work: Work, base: Expression, line: tuple[Fraction, Fraction], value: Fraction, name: str) -> list[Value]:
    """Write the lines of base² = value, where base is slope * name + offset."""
    slope, offset = line
    if value < 0:
        work.say("negative_square", value=Number(value))
        return []
    root = _rational_root(value)
    if root == 0:
        found = -offset / slope
        work.say("square_root", equation=value_equation(name, found))
        return [found]
    if root is None:
        roots = _roots([slope**2, 2 * slope * offset, offset**2 - value])
        radical = Operation("^", Number(value), Number(Fraction(1, 2)))
        negative = Operation("-", ZERO, radical)
        alternatives: list[Equation | Phrase] = [Equation(base, radical), Equation(base, negative)]
        if not isinstance(base, Unknown) or value_expression(roots[-1]) != radical:
            work.say("square_root", equation=either(alternatives))
        work.say("so", equation=either([valued(name, one) for one in roots]))
        return roots
    rational: list[Value] = [(size - offset) / slope for size in (root, -root)]
    if isinstance(base, Unknown):
        work.say("square_root", equation=either([value_equation(name, one) for one in rational]))
    else:
        bases: list[Equation | Phrase] = [Equation(base, Number(size)) for size in (root, -root)]
        work.say("square_root", equation=either(bases))
        work.say("so", equation=either([value_equation(name, one) for one in rational]))
    return rational


def by_factors(work: Work, equation: Equation, name: str) -> list[Value] | None:
    """Solve (x + 2)(x - 3) = 0, which is factored already; None if the equation has another form."""
    left, right = equation.left, equation.right
    if constant_value(left) == 0:
        left, right = right, left
    found = _whole(left)
    if constant_value(right) != 0 or found is None or len(found.above) < 2:
        return None
    bases = [one.left if isinstance(one, Operation) and _is_square(one) else one for one in found.above]
    return _zero_product(work, bases, name)


def _zero_product(work: Work, factors: list[Expression], name: str) -> list[Value]:
    roots: list[Value] = []
    zeros: list[Equation | Phrase] = []
    for factor in dict.fromkeys(factors):
        slope, offset = _linear(factor, name)
        zeros.append(Equation(factor, ZERO))
        roots.append(-offset / slope)
    if len(zeros) > 1:
        work.say("zero_product", equation=either(zeros))
        work.say("so", equation=either([value_equation(name, root) for root in dict.fromkeys(roots)]))
    else:
        work.say("so", equation=value_equation(name, roots[0]))
    return list(dict.fromkeys(roots))


def quadratic_lines(work: Work, left: list[Term], right: list[Term], name: str) -> list[Value]:
    """Write the lines of a quadratic equation whose like terms are combined on both sides; return its roots."""
    square, line = ((name, 2),), ((name, 1),)
    if not coefficient_of(left, line) and not coefficient_of(right, line):
        slope = coefficient_of(left, square) - coefficient_of(right, square)
        value = (coefficient_of(right, ()) - coefficient_of(left, ())) / slope
        base = Unknown(name)
        work.line("isolate_square", Equation(Operation("^", base, TWO), Number(value)))
        return _rooted(work, base, (Fraction(1), Fraction(0)), value, name)
    terms = falling([*left, *scaled(right, Fraction(-1))])
    if terms[0].coefficient < 0:
        terms = scaled(terms, Fraction(-1))
    work.line("one_side", sides(terms, []))
    denominator = common_denominator(terms)
    if denominator > 1:
        terms = scaled(terms, Fraction(denominator))
        work.line("multiply_both", sides(terms, []), factor=Number(Fraction(denominator)))
    content = math.gcd(*(int(term.coefficient) for term in terms))
    if content > 1:
        terms = scaled(terms, Fraction(1, content))
        work.line("divide_both", sides(terms, []), factor=Number(Fraction(content)))
    a, b, c = (coefficient_of(terms, powers) for powers in (square, line, ()))
    discriminant = b * b - 4 * a * c
    root = _rational_root(discriminant) if discriminant >= 0 else None
    if root is None:
        return _formula(work, (a, b, c), discriminant, name)
    factors = _factors(a, b, root, name)
    shown = Operation("^", factors[0], TWO) if len(factors) == 1 else product(Fraction(1), factors)
    if len(factors) == 1 and a != _linear(factors[0], name)[0] ** 2:
        raise NotInSchoolError
    work.line("factor", Equation(shown, ZERO))
    return _zero_product(work, factors, name)


def _factors(a: Fraction, b: Fraction, root: Fraction, name: str) -> list[Expression]:
    """Return the factors px + q with whole numbers; their product is the polynomial, since its content is 1."""
    factors: list[Expression] = []
    for zero in sorted({(-b - root) / (2 * a), (-b + root) / (2 * a)}, key=lambda zero: (abs(zero), zero)):
        terms = [Term(Fraction(zero.denominator), ((name, 1),)), Term(Fraction(-zero.numerator))]
        factors.append(to_expression([term for term in terms if term.coefficient]))
    return sorted(factors, key=lambda factor: not isinstance(factor, Unknown))


def _formula(work: Work, coefficients: tuple[Fraction, ...], discriminant: Fraction, name: str) -> list[Value]:
    a, b, c = map(Number, coefficients)
    inside = Operation("-", _squared(b), Operation("*", Operation("*", Number(Fraction(4)), a), c))
    work.say("formula_values", rule=DISCRIMINANT, a=a, b=b, c=c, inside=inside, discriminant=Number(discriminant))
    if discriminant < 0:
        work.say("negative_discriminant")
        return []
    roots = _roots(list(coefficients))
    minus_b, twice_a = Number(-coefficients[1]), Number(2 * coefficients[0])
    radical = Operation("^", Number(discriminant), Number(Fraction(1, 2)))
    shown: list[Equation | Phrase] = [
        Equation(Unknown(name), Operation("/", Operation(sign, minus_b, radical), twice_a)) for sign in ("-", "+")
    ]
    values = [valued(name, one) for one in roots]
    simple = all(one == value_equation(name, root) for one, root in zip(shown, roots, strict=True))
    work.say("formula", equation=either(values if simple else shown))
    if not simple:
        work.say("so", equation=either(values))
    return roots


def _squared(number: Number) -> Expression:
    return Operation("^", number, TWO)


def _roots(coefficients: list[Fraction]) -> list[Value]:
    """Return the real roots of a x² + b x + c without rational roots, the smaller one first."""
    scale = math.lcm(*(one.denominator for one in coefficients))
    a, b, c = (int(one * scale) for one in coefficients)
    content = math.gcd(a, b, c)
    return sorted(real_roots(fmpz_poly([c // content, b // content, a // content])), key=decimal_of)


def _rational_root(value: Fraction) -> Fraction | None:
    root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
    return root if root * root == value else None


def _whole(node: Expression) -> Quotient | None:
    """Return a side as one product without a denominator, or None."""
    try:
        found = quotient(node)
    except NotInSchoolError:
        return None
    return found if found.number and not found.below else None


def _is_square(node: Expression) -> bool:
    return isinstance(node, Operation) and node.operator == "^" and constant_value(node.right) == 2


def _linear(node: Expression, name: str) -> tuple[Fraction, Fraction]:
    """Return slope and offset of a linear expression in the unknown."""
    terms = expand(node)
    slope = coefficient_of(terms, ((name, 1),))
    if not slope or unknowns_in(node) != {name} or any(term.degree > 1 for term in terms):
        raise NotInSchoolError
    return slope, coefficient_of(terms, ())
