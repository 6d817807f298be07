"""Formulas over the numbers of a family, such as `a*b < 200` or `(a+b)/2`, computed exactly.

A formula may use + - * / // % ^, comparisons, and, or, not, and the functions in FUNCTIONS. It is checked node by node
before Python compiles it, so a file of families cannot run any other code.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from functools import cache
from types import CodeType

from sau_solver.errors import FamilyError

Value = int | Fraction


def exact(value: Value) -> Value:
    """Return a fraction with denominator 1 as an integer."""
    return value.numerator if value.denominator == 1 else value


def ratio(over: Value, under: Value) -> Value:
    """Return the exact quotient."""
    return exact(Fraction(over) / Fraction(under))


def is_decimal(value: Value, places: int = 2) -> bool:
    """Return whether a value has at most so many decimal places."""
    return bool((value * 10**places).denominator == 1)


def is_whole(value: Value) -> bool:
    """Return whether a value is an integer."""
    return value.denominator == 1


FUNCTIONS: dict[str, Callable[..., Value | bool]] = {
    "abs": abs,
    "ceil": math.ceil,
    "floor": math.floor,
    "gcd": math.gcd,
    "lcm": math.lcm,
    "max": max,
    "min": min,
    "whole": is_whole,
    "decimal": is_decimal,
}
_GLOBALS = {"__builtins__": {}, "_ratio": ratio, "_fraction": Fraction, **FUNCTIONS}
_OPERATORS = (
    ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Pow, ast.USub, ast.Not, ast.And, ast.Or,
    ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE,
)  # fmt: skip
_NODES = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Load, *_OPERATORS)


class Formula:
    """A compiled formula. `names` are the letters it uses."""

    __slots__ = ("_code", "names", "text")

    def __init__(self, text: str) -> None:
        try:
            tree = ast.parse(text.strip().replace("^", "**"), mode="eval")
        except SyntaxError:
            raise FamilyError(f"{text!r} is not a formula. Write arithmetic such as a*b+1.") from None
        self.text = text.strip()
        self.names: frozenset[str] = frozenset()
        self._code: CodeType = compile(ast.fix_missing_locations(self._checked(tree)), "<formula>", "eval")

    def __call__(self, values: Mapping[str, Value]) -> Value:
        """Return the value of the formula. Conditions give True or False."""
        result: Value = eval(self._code, _GLOBALS, values)  # noqa: S307 (only checked arithmetic)
        return result

    def _checked(self, tree: ast.Expression) -> ast.Expression:
        """Return the tree with exact division and exact decimals; raise FamilyError on anything but arithmetic."""
        names = set()

        class Exact(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> ast.AST:
                names.add(node.id)
                return node

            def visit_Constant(self, node: ast.Constant) -> ast.AST:
                if isinstance(node.value, float):
                    return _call("_fraction", ast.Constant(str(node.value)))
                return node

            def visit_Call(self, node: ast.Call) -> ast.AST:
                return ast.Call(node.func, [self.visit(argument) for argument in node.args], [])

            def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
                self.generic_visit(node)
                return _call("_ratio", node.left, node.right) if isinstance(node.op, ast.Div) else node

        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                allowed = isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS and not node.keywords
            elif isinstance(node, ast.Constant):
                allowed = isinstance(node.value, int | float)
            else:
                allowed = isinstance(node, (*_NODES, ast.Div, ast.Name))
            if not allowed:
                raise FamilyError(f"{self.text!r} may contain only arithmetic, got {type(node).__name__}.")
        checked: ast.Expression = Exact().visit(tree)
        self.names = frozenset(names)
        return checked


def _call(function: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(function, ast.Load()), list(arguments), [])


@cache
def formula(text: str) -> Formula:
    """Return the compiled formula of a text."""
    return Formula(text)


def check_names(one: Formula, known: Collection[str]) -> None:
    """Raise FamilyError if a formula uses a letter that is not known."""
    if unknown := sorted(one.names - set(known)):
        raise FamilyError(f"{one.text!r} uses {', '.join(unknown)}, which no number of the family defines.")
