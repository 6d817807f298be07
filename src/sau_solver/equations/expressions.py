"""Expressions and equations: exact numbers, unknowns, binary operations and functions.

`str()` writes them as infix text with as few brackets as possible, and `sau_solver.equations.parser.parse` reads that
text back to an equal tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Operator = Literal["+", "-", "*", "/", "^"]

PRECEDENCE: dict[str, int] = {";": 0, "=": 1, "+": 2, "-": 2, "*": 3, "/": 3, "^": 4}
LEAF_PRECEDENCE = 5
MAX_DEPTH = 250  # of the tree of one side of an equation

# A number with at most this many decimals prints as a decimal, others as a fraction literal such as (1/3).
MAX_PRINTED_DECIMALS = 8


@dataclass(frozen=True, slots=True)
class Number:
    """An exact number; a minus sign in front of a literal makes it negative."""

    value: Fraction

    def __str__(self) -> str:
        return _print(self)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A quantity to be found."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Operation:
    """One of the five binary operations of arithmetic."""

    operator: Operator
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return _print(self)


@dataclass(frozen=True, slots=True)
class Function:
    """A named function such as `abs`, `log` or `comb`; `pi` has no arguments."""

    name: str
    arguments: tuple[Expression, ...]

    def __str__(self) -> str:
        return _print(self)


Expression = Number | Unknown | Operation | Function


@dataclass(frozen=True, slots=True)
class Equation:
    """Two sides that must be equal."""

    left: Expression
    right: Expression

    def __str__(self) -> str:
        return f"{_print(self.left)}={_print(self.right)}"


Equations = tuple[Equation, ...]

Relation = Literal["=", "<", "<=", ">", ">=", "!=", "integer", "digit", "odd", "even", "prime"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that some corpora add to equations: `x>0`, `is_integer(x)`, `n%7=0`.

    Relations that are words use only `left`. `=` is used if one side is a remainder.
    """

    relation: Relation
    left: Expression
    right: Expression

    def __str__(self) -> str:
        if self.relation.isalpha():
            return f"is_{self.relation}({_print(self.left)})"
        return f"{_print(self.left)}{self.relation}{_print(self.right)}"


@dataclass(frozen=True, slots=True)
class Statements:
    """Equations, and the conditions that their solutions must meet."""

    equations: Equations
    conditions: tuple[Condition, ...] = ()


def walk(expression: Expression) -> Iterator[Expression]:
    """Yield every node of an expression in prefix order, without recursion."""
    pending = [expression]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, Operation):
            pending += (node.right, node.left)
        elif isinstance(node, Function):
            pending += reversed(node.arguments)


def depth_of(expression: Expression) -> int:
    """Return the depth of an expression, or a number above MAX_DEPTH if it is deeper."""
    deepest, level = 0, [expression]
    while level:
        deepest += 1
        if deepest > MAX_DEPTH:
            return deepest
        below: list[Expression] = []
        for node in level:
            if isinstance(node, Operation):
                below += (node.left, node.right)
            elif isinstance(node, Function):
                below += node.arguments
        level = below
    return deepest


def walk_equations(equations: Equations) -> Iterator[Expression]:
    """Yield every node of every equation, left side first."""
    for equation in equations:
        yield from walk(equation.left)
        yield from walk(equation.right)


def has_functions(equations: Equations) -> bool:
    """Return whether the equations contain a function such as sqrt or gcd."""
    return any(isinstance(node, Function) for node in walk_equations(equations))


def signed_terms(node: Expression, sign: int = 1) -> list[tuple[int, Expression]]:
    """Return the terms of a sum with their signs: 1 and a, -1 and b, 1 and c of a-(b-c)."""
    if isinstance(node, Operation) and node.operator in "+-":
        return signed_terms(node.left, sign) + signed_terms(node.right, sign if node.operator == "+" else -sign)
    return [(sign, node)]


def differences_in(equations: Equations) -> list[Operation]:
    """Return every subtraction in the equations, except from 0, which is a sign."""
    return [
        node
        for node in walk_equations(equations)
        if isinstance(node, Operation) and node.operator == "-" and node.left != Number(Fraction(0))
    ]


def unknowns_of(equations: Equations) -> tuple[str, ...]:
    """Return the names of the unknowns in order of first appearance."""
    names: dict[str, None] = {}
    for equation in equations:  # not `walk`, because this runs for every solve
        pending: list[Expression] = [equation.right, equation.left]
        while pending:
            node = pending.pop()
            if type(node) is Operation:
                pending += (node.right, node.left)
            elif type(node) is Unknown:
                names[node.name] = None
            elif type(node) is Function:
                pending += reversed(node.arguments)
    return tuple(names)


def replaced(
    equations: Equations,
    by: Mapping[Expression, Expression],
    changed: Callable[[Function, Function], Function] = lambda _, after: after,
) -> Equations:
    """Return the equations with every occurrence of some expressions replaced by others.

    `changed` gets every function before and after the replacement in its arguments, and returns what is to stand there.
    """
    kinds = {type(key) for key in by}  # a node of another type is not hashed: that takes a walk through all of it

    def replace(node: Expression) -> Expression:
        if type(node) in kinds and node in by:
            return by[node]
        match node:
            case Operation(operator, left, right):
                return Operation(operator, replace(left), replace(right))
            case Function(name, arguments):
                return changed(node, Function(name, tuple(map(replace, arguments))))
        return node

    return tuple(Equation(replace(one.left), replace(one.right)) for one in equations)


def numbers_of(equations: Equations) -> tuple[Fraction, ...]:
    """Return every number in the equations, in order and with repetitions."""
    return tuple(node.value for node in walk_equations(equations) if isinstance(node, Number))


def to_text(equations: Equations) -> str:
    """Return equations as one line of text, separated by `;`."""
    return "; ".join(str(equation) for equation in equations)


def print_number(value: Fraction) -> str:
    """Return a non-negative number as the literal that is read back to it: 12, 0.25 or (1/3)."""
    if value.denominator == 1:
        return str(value.numerator)
    decimals = _decimals(value.denominator)
    if decimals is None:
        return f"({value.numerator}/{value.denominator})"
    digits = str(value.numerator * 10**decimals // value.denominator).rjust(decimals + 1, "0")
    return f"{digits[:-decimals]}.{digits[-decimals:]}"


def number_text(value: Fraction) -> str:
    """Return a rational number as people write it: 12, -0.25, 1/3."""
    return ("-" if value < 0 else "") + print_number(abs(value)).strip("()")


def _decimals(denominator: int) -> int | None:
    """Return how many decimals a reduced fraction needs, or None if they are too many."""
    for decimals in range(1, MAX_PRINTED_DECIMALS + 1):
        if 10**decimals % denominator == 0:
            return decimals
    return None


def _print(node: Expression, leading: bool = True) -> str:
    """Return infix text; `leading` means that nothing comes before it, so a minus sign needs no brackets."""
    match node:
        case Number(value):
            if value >= 0:
                return print_number(value)
            return f"-{print_number(-value)}" if leading else f"(-{print_number(-value)})"
        case Unknown(name):
            return name
        case Function(name, arguments):
            return f"{name}({','.join(map(_print, arguments))})" if arguments else name
        case Operation(operator, left, right):
            power = operator == "^"
            own = PRECEDENCE[operator]
            shown_left = _operand(left, own + power, leading and not power)
            return f"{shown_left}{operator}{_operand(right, own + (not power), leading=False)}"


def _operand(node: Expression, least: int, leading: bool) -> str:
    """Return an operand, in brackets if it binds more weakly than `least`."""
    if not isinstance(node, Operation) or PRECEDENCE[node.operator] >= least:
        return _print(node, leading)
    text = _print(node)
    if node.operator == "/":
        numerator, _, denominator = text.partition("/")
        if numerator.isdigit() and denominator.isdigit():  # (1/2) alone would read as the number one half
            return f"({numerator}/({denominator}))"
    return f"({text})"
