"""A request is what a mathematical text asks for; a Reader collects what the text defines before it asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from typing import Literal

from sau_solver.equations.expressions import (
    MAX_DEPTH,
    Condition,
    Equation,
    Expression,
    Function,
    Number,
    Operation,
    Operator,
    Statements,
    Unknown,
    depth_of,
    unknowns_of,
    walk,
)
from sau_solver.equations.parser import parse_expression, parse_statements
from sau_solver.errors import EquationError
from sau_solver.problem import Language
from sau_solver.text.mathematics.typed import RELATION, is_formula, with_decimal_points, with_products, without_blank

Kind = Literal[
    "equation", "expression", "simplify", "expand", "factor", "derivative", "gcd", "lcm", "gcd_lcm", "remainder",
    "division", "percentage", "prime", "divisible", "prime_factors", "factorization", "factors", "round", "roots",
    "compare", "larger", "smaller", "relation", "ascending", "descending", "nearest", "digit", "average", "ratio",
]  # fmt: skip

NOTHING = Statements(())
HUNDRED = Number(Fraction(100))
MAX_TERMS = 40  # items of a list
MAX_FILLED = 20_000  # nodes of expressions that are filled with values


@dataclass(frozen=True, slots=True)
class Request:
    """What a text asks the exact solver for.

    `terms` are computed, sorted or compared; `statements` are equations to solve first; `wanted` names the unknowns
    that the text asks for, or nothing for all of them. Statements without an equation are an inequality, which is not
    solved. `option` is a relation such as `<`, or a number such as the
    place of a digit. `places` are the decimals to round the answer to.
    """

    kind: Kind
    terms: tuple[Expression, ...] = ()
    statements: Statements = NOTHING
    wanted: tuple[str, ...] = ()
    option: str = ""
    places: int | None = None
    language: Language | None = None  # the language of its words; None if it has no words
    text: str = ""  # as it was typed


class NotMathematicsError(Exception):
    """The text is not a formula, or asks for something else."""


MAX_CHAIN = 2  # relations of one statement, such as 2x = 3y = 10
_NAME = re.compile(r"[^\W\d_]|[a-zα-ω]_?[0-9]+")
_LETTER = re.compile(r"[A-Za-z]")
_FUNCTION = re.compile(r"([A-Za-z])\s*\(\s*([A-Za-z](?:\s*,\s*[A-Za-z])*)\s*\)\s*=(?!=)(.*)", re.DOTALL)
_THOUSANDS = re.compile(r"(?<![0-9.,])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9.,])")
_BETWEEN = re.compile(r"\s*(?:[,;]\s*(?:and|or)\b|[,;]|\band\b|\bor\b|[和与跟及或])\s*")
_LETTERED = re.compile(r"[(\[]?\b[a-h][)\]](?=\s)\s*")  # (a) 5 (b) 7


@dataclass(slots=True)
class Reader:
    """Reads formulas with the functions and values that the text has defined before."""

    mixed_numbers: bool
    letters: frozenset[str] = frozenset()  # letters that stand alone somewhere in the text
    functions: dict[str, tuple[tuple[str, ...], Expression]] = field(default_factory=dict)
    values: dict[str, Expression] = field(default_factory=dict)
    equations: list[Equation] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    filled_nodes: int = 0

    def expression(self, text: str) -> Expression:
        """Read one expression."""
        plain = with_decimal_points(without_blank(text))
        if RELATION.search(plain) or "?" in plain or not is_formula(plain, self.letters):
            raise NotMathematicsError
        if ":" in plain and _LETTER.search(plain):  # x: 2x-4
            raise NotMathematicsError
        try:
            read = parse_expression(with_products(plain, self.letters), (), self.mixed_numbers, self.functions)
        except (EquationError, RecursionError):
            raise NotMathematicsError from None
        return self.filled(_checked(read))

    def statements(self, text: str) -> Statements:
        """Read equations and conditions."""
        plain = with_decimal_points(text.strip())
        if not RELATION.search(plain) or "?" in plain or not is_formula(plain, self.letters):
            raise NotMathematicsError
        if any(len(RELATION.findall(part)) > MAX_CHAIN for part in re.split(r"[,;\n]|\band\b", plain)):
            raise NotMathematicsError
        plain = plain[1:-1] if plain[0] + plain[-1] == "{}" else plain.lstrip("{")
        try:
            read = parse_statements(with_products(plain, self.letters), (), self.mixed_numbers, self.functions)
        except (EquationError, RecursionError):
            raise NotMathematicsError from None
        for one in read.equations:
            _checked(one.left), _checked(one.right)
        return Statements(
            tuple(Equation(self.filled(one.left), self.filled(one.right)) for one in read.equations),
            tuple(replace(one, left=self.filled(one.left), right=self.filled(one.right)) for one in read.conditions),
        )

    def items(self, text: str) -> tuple[Expression, ...]:
        """Read a list: 24, 36 and 60."""
        plain = _LETTERED.sub("; ", text).strip(" ,;:")
        if " and " in plain or "和" in plain or "与" in plain:
            plain = _THOUSANDS.sub(lambda number: number[0].replace(",", ""), plain)
        parts = [part for part in _BETWEEN.split(plain) if part]
        if len(parts) > MAX_TERMS:
            raise NotMathematicsError
        return tuple(map(self.expression, parts))

    def define(self, text: str) -> None:
        """Read `f(x)=…`, `x=…` or equations, and keep them for what follows."""
        found = _FUNCTION.fullmatch(text.strip())
        if found and found[1] not in self.functions:
            names = tuple(name.strip() for name in found[2].split(","))
            hidden = {name: self.values.pop(name) for name in names if name in self.values}
            self.functions[found[1]] = (names, self.expression(found[3]))
            self.values.update(hidden)
            return
        read = self.statements(text)
        self.equations += read.equations
        self.conditions += read.conditions

    def set_value(self, name: str, value: Expression) -> None:
        """Let a name stand for an expression."""
        self.values[name] = value

    def settled(self) -> None:
        """Turn equations that give an unknown a number, such as x=4, into values."""
        progress = True
        while progress:
            progress = False
            for equation in self.equations:
                if isinstance(equation.left, Unknown) and not unknowns_of((Equation(equation.right, equation.right),)):
                    self.values[equation.left.name] = equation.right
                    rest = [one for one in self.equations if one is not equation]
                    self.equations = [Equation(self.filled(one.left), self.filled(one.right)) for one in rest]
                    progress = True
                    break

    def completed(self, request: Request, language: Language | None) -> Request:
        """Return a request with the equations and values that the text has given."""
        if request.kind != "equation":
            given = bool(self.equations or self.functions or self.values)
            self.settled()
            terms = tuple(map(self.filled, request.terms))
            left = unknowns_of(tuple(Equation(term, term) for term in terms))
            if given and not set(left) <= set(unknowns_of(tuple(self.equations))):  # nothing is known about a letter
                raise NotMathematicsError
            statements = Statements(tuple(self.equations), tuple(self.conditions))
            return replace(request, terms=terms, statements=statements, language=language)
        if request.wanted and all(name in self.values for name in request.wanted):
            terms = tuple(self.values[name] for name in request.wanted)
            return Request("expression", terms, places=request.places, language=language)
        if not self.equations and not self.conditions:
            raise NotMathematicsError
        statements = Statements(tuple(self.equations), tuple(self.conditions))
        if self.equations and not set(request.wanted) <= set(unknowns_of(statements.equations)):
            raise NotMathematicsError
        return replace(request, statements=statements, language=language)

    def filled(self, node: Expression) -> Expression:
        """Return an expression with values in place of their names and calls."""
        if not self.values and not self.functions:
            return node
        filled = self._fill(node)
        if depth_of(filled) > MAX_DEPTH:
            raise NotMathematicsError
        return filled

    def _fill(self, node: Expression) -> Expression:
        self.filled_nodes += 1
        if self.filled_nodes > MAX_FILLED:  # functions of functions grow fast
            raise NotMathematicsError
        match node:
            case Unknown(name) if name in self.values:
                self.filled_nodes += sum(1 for _ in islice(walk(self.values[name]), MAX_FILLED))
                return self.values[name]
            case Operation(operator, left, right):
                return _operation(operator, self._fill(left), self._fill(right))
            case Function(name, arguments) if name in self.functions:
                names, body = self.functions[name]
                if len(names) != len(arguments):
                    raise NotMathematicsError
                given = dict(zip(names, map(self._fill, arguments), strict=True))
                inner = Reader(self.mixed_numbers, values=given, filled_nodes=self.filled_nodes)
                found = inner._fill(body)
                self.filled_nodes = inner.filled_nodes
                return found
            case Function(name, arguments):
                return Function(name, tuple(map(self._fill, arguments)))
        return node


def folded(operator: Operator, terms: Sequence[Expression]) -> Request:
    """Return the request for one operation over a list; only sums and products may have more than two terms."""
    if len(terms) < 2 or (operator in "-/" and len(terms) > 2):
        raise NotMathematicsError
    total = terms[0]
    for term in terms[1:]:
        total = Operation(operator, total, term)
    return Request("expression", (total,))


def _checked(expression: Expression) -> Expression:
    """Return the expression; raise NotMathematicsError for a name such as `cos` without its bracket."""
    for node in walk(expression):
        if isinstance(node, Unknown) and not _NAME.fullmatch(node.name):
            raise NotMathematicsError
    return expression


def _operation(operator: str, left: Expression, right: Expression) -> Expression:
    """Return the operation; a sign in front of a number becomes part of it."""
    if operator == "-" and left == Number(Fraction(0)) and isinstance(right, Number):
        return Number(-right.value)
    return Operation(operator, left, right)  # type: ignore[arg-type]
