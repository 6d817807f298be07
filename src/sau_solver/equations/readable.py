"""Equations and expressions -> text as a school book prints it: 2(30 − y) + 4y = 86, x² − 5x + 6 = 0, 24 ÷ 6."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from sau_solver.equations.expressions import (
    PRECEDENCE,
    Condition,
    Equation,
    Expression,
    Function,
    Number,
    Operation,
    Unknown,
    print_number,
    walk,
)

MINUS = "\N{MINUS SIGN}"
ZERO, HALF = Number(Fraction(0)), Number(Fraction(1, 2))
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SIGNS = {"+": " + ", "-": f" {MINUS} ", "*": " × ", "<=": " ≤ ", ">=": " ≥ ", "!=": " ≠ "}

Shown = Equation | Condition | Expression


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """How numbers are written: as fractions (5/4), mixed numbers (1 1/4) or, where they end, as decimals (1.25).

    `literals` has numbers that are written as the text writes them, such as 25%.
    """

    fractions: bool = False
    literals: Mapping[Fraction, str] = field(default_factory=dict, hash=False)
    mixed: bool = False

    def digits(self, value: Fraction) -> str:
        """Return a number that is not negative: 12, 0.25, 1/3, 25%, 2 1/2."""
        if value in self.literals:
            return self.literals[value]
        if self.mixed and value > 1 and value.denominator > 1:
            whole, rest = divmod(value, 1)
            return f"{whole} {rest}"
        return str(value) if self.fractions else print_number(value).strip("()")


DECIMALS, FRACTIONS, MIXED = NumberStyle(), NumberStyle(fractions=True), NumberStyle(fractions=True, mixed=True)


def readable(shown: Shown, style: NumberStyle = DECIMALS) -> str:
    """Return an equation, a condition or an expression as people write it."""
    writer = _Text(style)
    match shown:
        case Equation(left, right):
            return f"{writer.write(left)} = {writer.write(right)}"
        case Condition(relation, left, right):
            if relation.isalpha():
                return str(shown)
            return f"{writer.write(left)}{_SIGNS.get(relation, f' {relation} ')}{writer.write(right)}"
    return writer.write(shown)


def stands_beside(left: Expression, right: Expression) -> bool:
    """Return whether a product needs no sign: 2x, 2(x + 1), xy, 2√3 and (x + 1)(x + 2), unlike 2 × 3."""
    if _is_root(right):
        return isinstance(left, Number)
    if not any(isinstance(node, Unknown) for node in walk(right)) or not _opens(right):
        return False
    if isinstance(left, Operation) and left.operator == "*":
        return stands_beside(left.left, left.right) and (_is_letter(left.right) or _is_bracketed(left.right))
    return isinstance(left, Number) or (_is_letter(left) and left != right) or _is_bracketed(left)


def _opens(node: Expression) -> bool:
    """Return whether the text of a factor starts with a letter or a bracket."""
    if isinstance(node, Operation) and node.operator == "^":
        return _is_letter(node.left) or _is_bracketed(node.left)
    return _is_letter(node) or _is_bracketed(node)


def _is_letter(node: Expression) -> bool:
    return isinstance(node, Unknown) and len(node.name) == 1


def _is_bracketed(node: Expression) -> bool:
    return isinstance(node, Operation) and node.operator in "+-" and node.left != ZERO


class _Text:
    def __init__(self, style: NumberStyle) -> None:
        self.style = style

    def write(self, node: Expression, leading: bool = True) -> str:
        """Write an expression; `leading` means that nothing comes before it, so a minus sign needs no brackets."""
        match node:
            case Number(value):
                digits = self.style.digits(abs(value))
                return digits if value >= 0 else _negative(digits, leading)
            case Unknown(name):
                return name
            case Function("pi", ()):
                return "π"
            case Function("abs", (inside,)):
                return f"|{self.write(inside)}|"
            case Function(name, arguments):
                return f"{name}({', '.join(map(self.write, arguments))})"
            case Operation("^", left, right):
                return self._power(left, right)
            case Operation("/", left, right):
                return self._quotient(left, right, leading)
            case Operation("*", left, right):
                return self._product(left, right, leading)
            case Operation(operator, left, right):
                if operator == "-" and left == ZERO:
                    return _negative(self._operand(right, PRECEDENCE["*"]), leading)
                return f"{self.write(left, leading)}{_SIGNS[operator]}{self._operand(right, PRECEDENCE[operator] + 1)}"

    def _product(self, left: Expression, right: Expression, leading: bool) -> str:
        first, second = self._operand(left, 3, leading), self._operand(right, 3)
        if isinstance(right, Operation) and right.operator in "*/" and (" ÷ " in second or " × " in second):
            second = f"({second})"
        if not stands_beside(left, right):
            return f"{first} × {second}"
        return (f"({first})" if isinstance(left, Number) and ("/" in first or "%" in first) else first) + second

    def _quotient(self, left: Expression, right: Expression, leading: bool) -> str:
        if any(isinstance(node, Unknown) or _is_root(node) for node in [*walk(left), *walk(right)]):
            above, below = self.write(left, leading), self.write(right)
            above = f"({above})" if " " in above or "/" in above else above
            single = isinstance(right, Unknown) or (isinstance(right, Number) and below.replace(".", "").isdigit())
            return f"{above}/{below}" if single else f"{above}/({below})"
        second = self._operand(right, 4)
        if "/" in second and not second.startswith("("):
            second = f"({second})"
        return f"{self._operand(left, 3, leading)} ÷ {second}"

    def _power(self, base: Expression, exponent: Expression) -> str:
        shown = self.write(base)
        simple = isinstance(base, Unknown) or (isinstance(base, Number) and shown.isdigit())
        if exponent == HALF:
            return f"√{shown}" if simple else f"√({shown})"
        shown = shown if simple else f"({shown})"
        power = self.write(exponent)
        if power.isascii() and power.isdigit():  # ⁹ is also a digit
            return shown + power.translate(_RAISED)
        return f"{shown}^{power}" if isinstance(exponent, Unknown) else f"{shown}^({power})"

    def _operand(self, node: Expression, least: int, leading: bool = False) -> str:
        if isinstance(node, Operation) and PRECEDENCE[node.operator] < least:
            return f"({self.write(node)})"
        return self.write(node, leading)


def _negative(digits: str, leading: bool) -> str:
    return f"{MINUS}{digits}" if leading else f"({MINUS}{digits})"


def _is_root(node: Expression) -> bool:
    return isinstance(node, Operation) and node.operator == "^" and node.right == HALF
