"""Gold equations -> equations with the same solutions that are easier to learn.

`folded` restores numbers of the text that annotators spelled out (25*0.01 for 25 %) and ties literals that are not in
the text to numbers that are (1.05 to 5 %). `ordered` also brings equivalent notations into one order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from functools import reduce
from typing import Literal

from sau_solver.equations.expressions import (
    Equation,
    Equations,
    Expression,
    Function,
    Number,
    Operation,
    Operator,
    Unknown,
    unknowns_of,
    walk,
)

Level = Literal["published", "folded", "ordered"]

ZERO, ONE, HUNDREDTH = Number(Fraction(0)), Number(Fraction(1)), Number(Fraction(1, 100))
# 万, and the thousand of `50 000` or kilometers, which published words leave out of a number.
SCALES = (Number(Fraction(10_000)), Number(Fraction(1_000)))
# Never tied to the text: the constants that tying itself writes, and coins and halves, which do not come from numbers
# of the text (a 5 in the text does not explain a nickel).
FREE = {number.value for number in (ZERO, ONE, HUNDREDTH, *SCALES)} | set(map(Fraction, ("1/20", "1/10", "1/4", "1/2")))

_Known = frozenset[Fraction]
_Factor = tuple[Expression, bool]  # an operand of a product, and whether it divides


def normal_form(equations: Equations, numbers: Sequence[Fraction], level: Level, first: str | None = None) -> Equations:
    """Return the equations rewritten with the numbers of the problem's text; unknowns keep their names.

    An unknown `first` comes before the others where the numbers do not decide the order: x+y=35, not y+x=35.
    """
    if level == "published":
        return equations
    known = frozenset(numbers)
    while True:
        # One rewriting may allow another. The loop ends: folding shrinks the tree and adds no literal that is not in
        # the text, tying removes one that is not in FREE, and ordering is idempotent.
        rewritten = tuple(
            Equation(_tie(_fold(e.left, known), known), _tie(_fold(e.right, known), known)) for e in equations
        )
        if level == "ordered":
            rewritten = ordered(rewritten, numbers, first)
        if rewritten == equations:
            return equations
        equations = rewritten


def folded(expression: Expression, numbers: Collection[Fraction]) -> Expression:
    """Return an expression with the numbers of a text that it spells out: 4/5 or 25*0.01 as one number."""
    return _fold(expression, frozenset(numbers))


def _map_operands(node: Expression, rewrite: Callable[[Expression], Expression]) -> Expression:
    match node:
        case Operation(operator, left, right):
            new_left, new_right = rewrite(left), rewrite(right)
            return node if new_left is left and new_right is right else Operation(operator, new_left, new_right)
        case Function(name, arguments):
            return Function(name, tuple(map(rewrite, arguments)))
    return node


# Folding goes bottom-up: the smallest arithmetic that makes a number of the text is how that number was written, and a
# larger one is a coincidence (with 4, 50 % and a 2 in the text, 4*50*0.01 is 4*N, not the 2). Only notations of one
# number are folded: percents, fractions, mixed numbers, signs, powers of ten. If 1-2/5 makes a 3/5 of the text, or 20/2
# a 10, that is a step of the solution and stays.


def _fold(node: Expression, known: _Known) -> Expression:
    node = _map_operands(node, lambda operand: _fold(operand, known))
    match node:
        case Operation("*" | "/"):
            return _fold_product(node, known)
        case Operation("-", Number(zero), Number(value)) if zero == 0 and _writes(-value, (zero, value), known):
            return Number(-value)
        case Operation("+", Number(whole), fraction) if whole.denominator == 1 <= whole:
            part = _constant(fraction)
            # 1+1/5 stays where the text has the 1/5: it is an increase, not one and a fifth.
            if part is not None and 0 < part < 1 and _writes(whole + part, (part,), known):
                return Number(whole + part)
    return node


def _fold_product(node: Expression, known: _Known) -> Expression:
    """Fold pairs of factors anywhere in the product: 3*x*0.01 contains 3 %."""
    factors = _factors(node)
    folded = False
    while pair := _pair(factors, known):
        place, gone, value = pair
        factors[place] = (Number(value), False)
        del factors[gone]
        folded = True
    return _product(factors) if folded else node


def _pair(factors: list[_Factor], known: _Known) -> tuple[int, int, Fraction] | None:
    """Return two factors that write one number of the text: the place to put it, the place to delete, the number."""
    constants = [_constant(factor) for factor, _ in factors]
    for second, (_, divides) in enumerate(factors):
        by = constants[second]
        if by is None or by == 0:
            continue
        # The nearest factor first, and the one before it: 100*24.9*0.01 contains 24.9 %.
        for first in sorted(range(len(factors)), key=lambda place: (abs(place - second), place)):
            of = constants[first]
            if first == second or of is None or factors[first][1]:
                continue
            value = of / by if divides else of * by
            if _writes(value, (of, by), known) and (_is_fraction(of, by) if divides else _is_scale(by)):
                return (first, second, value) if divides else (min(first, second), max(first, second), value)
    return None


def _writes(value: Fraction, literals: Sequence[Fraction], known: _Known) -> bool:
    """Return whether arithmetic makes a number of the text out of literals that are not all in the text."""
    return value in known and not known.issuperset(literals)


def _is_fraction(above: Fraction, below: Fraction) -> bool:
    """Return whether a quotient is a percentage, or a fraction of whole numbers."""
    whole = above.denominator == below.denominator == 1
    return below == 100 or (whole and below > 0 and (above / below).denominator > 1)


def _is_scale(value: Fraction) -> bool:
    """Return whether a factor only belongs to the notation of a number: percent, a sign, thousand, million."""
    return value in (HUNDREDTH.value, -1) or (value >= 1000 and str(value).rstrip("0") == "1")


def _constant(node: Expression) -> Fraction | None:
    """Return the value of a literal, a quotient of literals, or a power such as 10^9; None for others."""
    match node:
        case Number(value):
            return value
        case Operation("/", Number(above), Number(below)) if below:
            return above / below
        case Operation("^", Number(base), Number(exponent)):
            return Fraction(10 ** int(exponent)) if base == 10 and exponent in range(1, 16) else None
    return None


def _factors(node: Expression) -> list[_Factor]:
    factors: list[_Factor] = []
    while isinstance(node, Operation) and node.operator in "*/":
        factors.append((node.right, node.operator == "/"))
        node = node.left
    return [(node, False), *reversed(factors)]


def _product(factors: list[_Factor]) -> Expression:
    """Return the product of the factors; the first one must not divide."""
    product = factors[0][0]
    for factor, divides in factors[1:]:
        product = Operation("/" if divides else "*", product, factor)
    return product


# Tying replaces a rare literal by a number of the text and a frequent constant. Each rule raises the share of problems
# that known constants cover: scales most (HMWP), then signs and percents, then fractions (Math23K).


def _tie(node: Expression, known: _Known) -> Expression:
    """Write literals that are not in the text with numbers that are, and with frequent constants."""
    match node:
        case Operation("+", left, Number(value)) if _is_negated(value, known):
            return Operation("-", _tie(left, known), Number(-value))
        case Operation("-", left, Number(value)) if _is_negated(value, known):
            return Operation("+", _tie(left, known), Number(-value))
        case Number(value):
            return node if value in known or value in FREE else _tied(value, known)
    return _map_operands(node, lambda operand: _tie(operand, known))


def _tied(value: Fraction, known: _Known) -> Expression:
    if _is_negated(value, known):
        return Operation("-", ZERO, Number(-value))
    if 0 < value < 1 and value * 100 in known:
        return Operation("*", Number(value * 100), HUNDREDTH)
    if 0 < value < 1 and 1 - value in known:
        return Operation("-", ONE, Number(1 - value))
    if 1 < value < 2 and value - 1 in known:
        return Operation("+", ONE, Number(value - 1))
    for scale in SCALES:
        if value > scale.value and value / scale.value in known:
            return Operation("*", Number(value / scale.value), scale)
    above, below = Fraction(value.numerator), Fraction(value.denominator)
    if below != 1 and below in known and (above == 1 or above in known):  # (55/7) was read as one literal
        return Operation("/", Number(above), Number(below))
    return Number(value)


def _is_negated(value: Fraction, known: _Known) -> bool:
    return value < 0 and value not in known and -value in known


# Ordering sorts by keys that do not depend on the current order, so it is idempotent.

_Code = tuple[tuple[int, Fraction | int, str], ...]  # the sort keys of an expression's symbols in prefix order
_Key = tuple[bool, Fraction | int, int, _Code]
_Operands = tuple[list[Expression], list[Expression]]
_UNKNOWN, _SLOT, _CONSTANT, _FUNCTION = range(4)
_KINDS = {sign: kind for kind, sign in enumerate("=+-*/^", start=4)}


def ordered(equations: Equations, numbers: Sequence[Fraction], first: str | None = None) -> Equations:
    """Return the equations with operands, sides and equations in an order that follows the text.

    An unknown is distinguished from the others by its place in the equations, with all others taken as equal. If that
    leaves unknowns equal, as in x+y=5; x*y=6, their names decide, and renaming by appearance undoes the difference.
    The unknown `first` precedes all others.
    """
    slots: dict[Fraction, int] = {}
    for index, value in enumerate(numbers):
        slots.setdefault(value, index)

    def place(name: str) -> tuple[bool, _Code, str]:
        alone = _Order(slots, {name: 0})
        return name != first, alone.system_code(alone.system(equations)), name

    names = unknowns_of(equations)
    ranks = {name: rank for rank, name in enumerate(sorted(names, key=place) if len(names) > 1 else names)}
    return _Order(slots, ranks).system(equations)


class _Order:
    """The order of expressions, given the places of the text's numbers and the ranks of unknowns; others rank last."""

    def __init__(self, slots: dict[Fraction, int], ranks: dict[str, int]) -> None:
        self.slots = slots
        self.ranks = ranks
        self.codes: dict[int, tuple[Expression, _Code]] = {}  # by id; the expression keeps its id from being reused

    def system(self, equations: Equations) -> Equations:
        return tuple(sorted(map(self.equation, equations), key=self.equation_key))

    def equation(self, equation: Equation) -> Equation:
        return Equation(*sorted((self.expression(equation.left), self.expression(equation.right)), key=self.side_key))

    def expression(self, node: Expression) -> Expression:
        """Return an expression with its sums and products in order, without brackets inside a sum or product."""
        match node:
            case Operation("+" | "-"):
                return self.chain(node, "+", "-")
            case Operation("*" | "/"):
                return self.chain(node, "*", "/")
        return _map_operands(node, self.expression)

    def operands(self, node: Expression, direct: Operator, inverse: Operator) -> _Operands:
        """Return what a chain of operators adds and subtracts, or multiplies and divides by."""
        if not (isinstance(node, Operation) and node.operator in (direct, inverse)):
            return [self.expression(node)], []
        added, taken = self.operands(node.left, direct, inverse)
        more, less = self.operands(node.right, direct, inverse)
        if node.operator == direct:
            return added + more, taken + less
        if inverse == "/" and less:  # 1/(x/y) is y/x only where y is not zero
            return added, [*taken, self.expression(node.right)]
        return added + less, taken + more

    def chain(self, node: Expression, direct: Operator, inverse: Operator) -> Expression:
        added, taken = self.operands(node, direct, inverse)
        neutral, key = (ZERO, self.term_key) if direct == "+" else (ONE, self.factor_key)
        if neutral.value not in self.slots:
            # The 0 of 0-x+y and the 1 of 1/4*x are only notation: y-x, x/4. A 1 that is in the text stays.
            added = [operand for operand in added if operand != neutral] or [neutral]
        total = reduce(lambda left, right: Operation(direct, left, right), sorted(added, key=key))
        return reduce(lambda left, right: Operation(inverse, left, right), sorted(taken, key=key), total)

    def term_key(self, node: Expression) -> _Key:
        """Sort unknowns before numbers (x+5), and constants before numbers of the text (1+N0)."""
        code = self.code(node)
        return not _has_unknown(code), _first_slot(code), len(code), code

    def factor_key(self, node: Expression) -> _Key:
        """Sort numbers before unknowns (2*x), as in nine of ten products of the corpora."""
        code = self.code(node)
        return _has_unknown(code), _first_slot(code), len(code), code

    def side_key(self, node: Expression) -> tuple[bool, _Key]:
        """Sort a single unknown first, so that `x=` stays in front."""
        return not isinstance(node, Unknown), self.term_key(node)

    def equation_key(self, equation: Equation) -> tuple[bool, list[Fraction | int], int, _Code]:
        """Sort by the numbers used; an equation without any goes last, because it often defines what is asked."""
        code = self.code(equation.left) + self.code(equation.right)
        slots = sorted(place for kind, place, _ in code if kind == _SLOT)
        return not slots, slots, len(code), code

    def system_code(self, equations: Equations) -> _Code:
        equals = (_KINDS["="], 0, "")
        return tuple(s for e in equations for s in (equals, *self.code(e.left), *self.code(e.right)))

    def code(self, node: Expression) -> _Code:
        if (known := self.codes.get(id(node))) is None:
            self.codes[id(node)] = known = node, tuple(map(self.symbol, walk(node)))
        return known[1]

    def symbol(self, node: Expression) -> tuple[int, Fraction | int, str]:
        if type(node) is Operation:
            return _KINDS[node.operator], 0, ""
        match node:
            case Unknown(name):
                return _UNKNOWN, self.ranks.get(name, len(self.ranks)), ""
            case Number(value):
                slot = self.slots.get(value)
                return (_CONSTANT, value, "") if slot is None else (_SLOT, slot, "")
            case Function(name, arguments):
                return _FUNCTION, len(arguments), name
        raise AssertionError(node)


def _has_unknown(code: _Code) -> bool:
    return any(kind == _UNKNOWN for kind, _, _ in code)


def _first_slot(code: _Code) -> Fraction | int:
    return min((place for kind, place, _ in code if kind == _SLOT), default=-1)
