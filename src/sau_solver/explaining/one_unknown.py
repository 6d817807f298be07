"""An equation in one unknown -> its lines in a school book: denominators cleared, brackets expanded, like terms
combined, then the same done to both sides until the unknown stands alone. Quadratic equations go on in `quadratics`.
"""

from __future__ import annotations

import math
from fractions import Fraction

from sau_solver.equations.expressions import Condition, Equation, Expression, Function, Number, Operation, Unknown, walk
from sau_solver.explaining.quadratics import by_factors, by_square_root, quadratic_lines
from sau_solver.explaining.terms import (
    ZERO,
    NotInSchoolError,
    Quotient,
    Term,
    added,
    coefficient_of,
    combine,
    common_denominator,
    constant_value,
    expand,
    product,
    quotients,
    scaled,
    to_expression,
)
from sau_solver.explaining.work import Work, sides, unknowns_in, with_numbers_worked_out
from sau_solver.solving import Value


def solve_one(work: Work, equation: Equation, name: str) -> list[Value]:
    """Write the lines that solve an equation in one unknown; return its roots."""
    equation = cleared(work, equation)
    for way in (by_square_root, by_factors):
        roots = way(work, equation, name)
        if roots is not None:
            return roots
    left, right = simplified(work, equation)
    square = ((name, 2),)
    powers = {term.powers for term in left + right} - {(), ((name, 1),), square}
    if powers:
        raise NotInSchoolError
    if coefficient_of(left, square) == coefficient_of(right, square) != 0:
        left, right = _both(work, left, right, Term(coefficient_of(left, square), square))
    if coefficient_of(left, square) or coefficient_of(right, square):
        return quadratic_lines(work, left, right, name)
    return [linear_lines(work, left, right, name)]


# --- both kinds of equation ------------------------------------------------------------------------------------------


def cleared(work: Work, equation: Equation, **values: object) -> Equation:
    """Write the lines that work out plain numbers and multiply both sides by the common denominator."""
    worked = Equation(with_numbers_worked_out(equation.left), with_numbers_worked_out(equation.right))
    equation = work.line("work_out_numbers", worked, **values)
    left, right = quotients(equation.left), quotients(equation.right)
    below = _common_factors(left + right)
    nodes = [*walk(equation.left), *walk(equation.right)]
    divided = any(isinstance(node, Operation) and node.operator == "/" for node in nodes)
    number = math.lcm(*(part.number.denominator for part in left + right))
    if not below and not (divided or any(work.fractional(part.number) for part in left + right)):
        return equation
    if number == 1 and not below:
        return equation
    if below:
        work.say(
            "denominators",
            divisors=tuple(Condition("!=", factor, ZERO) for factor in below),
        )
    factor = product(Fraction(number), below)
    multiplied = Equation(_multiplied(left, number, below), _multiplied(right, number, below))
    return work.line("multiply_both", multiplied, factor=factor, **values)


def _common_factors(parts: list[Quotient]) -> list[Expression]:
    """Return the factors that every denominator divides, each as often as it is needed."""
    common: list[Expression] = []
    for part in parts:
        missing = list(common)
        for factor in part.below:
            if factor in missing:
                missing.remove(factor)
            else:
                common.append(factor)
    return common


def _multiplied(parts: list[Quotient], number: int, below: list[Expression]) -> Expression:
    products = []
    for part in parts:
        if not part.number:
            continue
        factors = list(below)
        for factor in part.below:
            factors.remove(factor)
        products.append((part.number * number, _sorted([*part.above, *factors])))
    return added(products)


def _sorted(factors: list[Expression]) -> list[Expression]:
    """Return letters before brackets: x(x + 1)."""
    return sorted(factors, key=lambda node: not isinstance(node, Unknown))


def simplified(work: Work, equation: Equation, **values: object) -> tuple[list[Term], list[Term]]:
    """Write the lines that expand brackets and combine like terms; return the terms of both sides."""
    left, right = expand(equation.left), expand(equation.right)
    has_brackets = any(map(_has_bracket, (equation.left, equation.right)))
    work.line("expand" if has_brackets else "simplify", sides(left, right), **values)
    left, right = combine(left), combine(right)
    work.line("combine", sides(left, right), **values)
    if any(work.fractional(term.coefficient) for term in left + right):
        factor = Fraction(common_denominator(left + right))
        left, right = scaled(left, factor), scaled(right, factor)
        work.line("multiply_both", sides(left, right), factor=Number(factor), **values)
    return left, right


def _has_bracket(node: Expression) -> bool:
    """Return whether a sum is multiplied, divided, raised or subtracted."""
    for one in walk(node):
        if isinstance(one, Operation) and one.left != ZERO:
            inner = (one.left, one.right) if one.operator in "*/^" else (one.right,)
            if any(isinstance(part, Operation) and part.operator in "+-" and part.left != ZERO for part in inner):
                return True
    return False


# --- linear equations ------------------------------------------------------------------------------------------------


def linear_lines(work: Work, left: list[Term], right: list[Term], name: str) -> Fraction:
    """Write the lines that bring the unknown to one side, the numbers to the other, and divide; return the root."""
    powers = ((name, 1),)
    one, other = coefficient_of(left, powers), coefficient_of(right, powers)
    if one == other:
        raise NotInSchoolError
    if one < other:  # keep the unknown on the side where its coefficient is positive, and write that side first
        left, right, one, other = right, left, other, one
        if not other:
            work.line("swap", sides(left, right))
    if other:
        left, right = _both(work, left, right, Term(other, powers))
    number = coefficient_of(left, ())
    if number:
        left, right = _both(work, left, right, Term(number))
    slope = one - other
    root = coefficient_of(right, ()) / slope
    if slope != 1:
        solved = Equation(Unknown(name), Number(root))
        inverse = 1 / slope
        if inverse.denominator == 1 and work.fractional(slope):
            work.line("multiply_both", solved, factor=Number(inverse))
        else:
            work.line("divide_both", solved, factor=Number(slope))
    return root


def _both(work: Work, left: list[Term], right: list[Term], term: Term) -> tuple[list[Term], list[Term]]:
    """Write the line that takes a term away from both sides; the term is one of those on a side."""
    taken = Term(-term.coefficient, term.powers)
    left, right = combine([*left, taken]), combine([*right, taken])
    code = "subtract_both" if term.coefficient > 0 else "add_both"
    work.line(code, sides(left, right), term=to_expression([Term(abs(term.coefficient), term.powers)]))
    return left, right


def put(node: Expression, by: dict[str, Expression]) -> Expression:
    """Return an expression with unknowns replaced by expressions."""
    match node:
        case Unknown(name) if name in by:
            return by[name]
        case Operation(operator, left, right):
            return Operation(operator, put(left, by), put(right, by))
        case Function(name, arguments):
            return Function(name, tuple(put(one, by) for one in arguments))
    return node


def is_linear(equation: Equation) -> bool:
    """Return whether a polynomial equation has no product of unknowns and no power."""
    return all(term.degree <= 1 for side in (equation.left, equation.right) for term in expand(side))


def names_in(equation: Equation) -> set[str]:
    """Return the names of the unknowns on both sides."""
    return unknowns_in(equation.left) | unknowns_in(equation.right)


def is_number(node: Expression) -> bool:
    """Return whether an expression has a value without knowing any unknown."""
    return constant_value(node) is not None
