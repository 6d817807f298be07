"""Equation text in the notation of any corpus -> exact equations, by precedence climbing.

It reads `x`, named unknowns, `[ ]`, `^`, `**` and `x²`, percent signs, fraction literals `(1/2)`, mixed numbers
`3(1/4)` and `3 1/4`, products without a sign `2x(x+1)`, ratios `3:4`, lists with `;`, `and` or line breaks, chains
`a=b=c`, leading signs, functions, conditions such as `x>0`, and the "unkn:/equ:" form. Nothing is evaluated, and limits
on the size keep all later stages safe.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import pairwise

from sau_solver.equations.expressions import (
    MAX_DEPTH,
    PRECEDENCE,
    Condition,
    Equation,
    Equations,
    Expression,
    Function,
    Number,
    Operation,
    Operator,
    Relation,
    Statements,
    Unknown,
    depth_of,
    unknowns_of,
)
from sau_solver.equations.lexer import FUNCTIONS, PREDICATES, VARIANTS, Token, brackets_around_relations, tokenize
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.phrases import Phrase

MAX_CHARACTERS = 20_000
MAX_BRACKETS = 64  # nested

_OPERATORS: dict[str, Operator] = {"**": "^", ":": "/", "+": "+", "-": "-", "*": "*", "/": "/", "^": "^"}
_RELATIONS: dict[str, Relation] = {
    "==": "=", "=": "=", "<": "<", ">": ">", "<=": "<=", ">=": ">=", "!=": "!=", "≠": "!=", "≤": "<=", "≥": ">=",
}  # fmt: skip
_SEPARATORS = (";", "\n", ",", "、")  # of statements
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_LABELED = re.compile(r"^[ ]*(?:unkn|equ)\b[ ]*:", re.IGNORECASE | re.MULTILINE)
_DECLARED = re.compile(r"^[ ]*unkn[ ]*:(.*)$", re.IGNORECASE | re.MULTILINE)
_LABEL = re.compile(r"^[ ]*equ[ ]*:", re.IGNORECASE | re.MULTILINE)


def parse(text: str, unknowns: Collection[str] = (), mixed_numbers: bool = True) -> Equations:
    """Parse one or more equations; a condition such as `x>0` raises EquationError (see `parse_statements`)."""
    statements = parse_statements(text, unknowns, mixed_numbers)
    if statements.conditions:
        raise EquationError("not_an_equation", text, 0, condition=statements.conditions[0])
    return statements.equations


def parse_statements(
    text: str, unknowns: Collection[str] = (), mixed_numbers: bool = True, functions: Collection[str] = ()
) -> Statements:
    """Parse equations and conditions; a bare expression without unknowns means `x=expression`.

    `unknowns` are the names that a corpus declares, so that `xy` is read as x times y. Without them, a name is split if
    each of its letters also occurs alone in the text. With `mixed_numbers`, `3(1/4)` means three and a quarter, as in
    Chinese corpora; without it, a product, as in English ones. A name of `functions` before a bracket is a call, not a
    product.
    """
    plain = _plain(text)
    if _LABELED.search(plain):
        declared = [name.strip() for names in _DECLARED.findall(plain) for name in names.split(",")]
        unknowns = [*unknowns, *filter(None, declared)]
        plain = _DECLARED.sub(lambda line: " " * len(line[0]), plain)
        plain = _LABEL.sub(lambda label: " " * len(label[0]), plain)
    parser = _Parser(text, plain, unknowns, mixed_numbers, functions)
    found = parser.statements()
    if parser.implied and "x" not in parser.letters:  # x occurs, so that xx is x times x as in the printed equations
        found = _Parser(text, plain, unknowns, mixed_numbers, functions, ("x",)).statements()
    return found


def parse_expression(
    text: str, unknowns: Collection[str] = (), mixed_numbers: bool = True, functions: Collection[str] = ()
) -> Expression:
    """Parse one expression without an equals sign, in the notation of `parse_statements`."""
    return _Parser(text, _plain(text), unknowns, mixed_numbers, functions).expression()


def _plain(text: str) -> str:
    """Return the text with its typographic variants replaced."""
    if len(text) > MAX_CHARACTERS:
        raise TooLargeError("long_equations", count=len(text), limit=MAX_CHARACTERS)
    return text.translate(VARIANTS)


class _Parser:
    """A precedence climber over the tokens of one text; `plain` has its typographic variants replaced."""

    def __init__(
        self,
        text: str,
        plain: str,
        unknowns: Collection[str],
        mixed_numbers: bool,
        functions: Collection[str],
        letters: Collection[str] = (),
    ) -> None:
        self.text = text
        tokens = tokenize(plain, text)
        self.functions = frozenset(functions)
        self.next = 0
        self.brackets = 0
        self.mixed_numbers = mixed_numbers
        self.unknowns = frozenset(unknowns)
        names = (*unknowns, *letters, *(t.text for t in tokens if t.kind == "name"))
        self.letters = {name for name in names if len(name) == 1}
        self.implied = False  # a bare expression means that x is equal to it
        self.tokens = list(_with_factors(tokens, self.letters))
        self.wrapping = brackets_around_relations(self.tokens)

    def statements(self) -> Statements:
        equations: list[Equation] = []
        conditions: list[Condition] = []
        while True:
            while self.here.text in _SEPARATORS:
                self.next += 1
            if self.here.kind == "end":
                break
            for statement in self.predicate() or self.unwrapped() or self.chain():
                if isinstance(statement, Equation):
                    equations.append(statement)
                else:
                    conditions.append(statement)
            if self.here.kind != "end" and self.here.text not in _SEPARATORS:
                raise self.unexpected("expected_statement_end")
        if not equations and not conditions:
            raise EquationError("no_equation", self.text, 0)
        return Statements(tuple(equations), tuple(conditions))

    def expression(self) -> Expression:
        """Read one expression, and nothing after it but separators."""
        found = self.side()
        while self.here.text in _SEPARATORS:
            self.next += 1
        if self.here.kind != "end":
            raise EquationError("not_an_expression", self.text, self.here.column)
        if depth_of(found) > MAX_DEPTH:
            raise TooLargeError("deep_expression", column=1, limit=MAX_DEPTH)
        return found

    def predicate(self) -> list[Condition]:
        """Read `is_digit(a, b)`."""
        relation = PREDICATES.get(self.here.text)
        if relation is None or self.tokens[self.next + 1].text != "(":
            return []
        self.next += 1
        return [Condition(relation, argument, argument) for argument in self.arguments()]

    def unwrapped(self) -> list[Equation | Condition]:
        """Read `(a=b)`: brackets around a whole equation are ignored."""
        if self.here.text != "(":
            return []
        position = self.wrapping.get(self.next)
        if position is None or self.tokens[position + 1].text not in (*_SEPARATORS, ""):
            return []
        self.next += 1
        found = self.chain()
        self.next += 1
        return found

    def chain(self) -> list[Equation | Condition]:
        """Read `a`, `a=b`, `a=b=c` or `a<b<c`."""
        start, first = self.here.column, self.next
        sides = [self.side()]
        relations: list[Relation] = []
        while self.here.kind == "relation":
            relations.append(_RELATIONS[self.here.text])
            self.next += 1
            sides.append(self.side())
        if len(relations) > 1:
            self.refuse_run_together(first)
        for side in sides:
            if depth_of(side) > MAX_DEPTH:
                raise TooLargeError("deep_expression", column=start + 1, limit=MAX_DEPTH)
        if not relations:
            if names := unknowns_of((Equation(sides[0], sides[0]),)):
                raise EquationError("no_relation", self.text, self.tokens[first].column, unknown=names[0])
            self.implied = True
            sides, relations = [Unknown("x"), *sides], ["="]
        return [
            Equation(left, right)
            if relation == "=" and not (_is_remainder(left) or _is_remainder(right))
            else Condition(relation, left, right)
            for left, relation, right in zip(sides, relations, sides[1:], strict=False)
        ]

    def refuse_run_together(self, first: int) -> None:
        """Raise EquationError for `3x=9 x=3`: a product with a space, in a chain that has products without one."""
        pairs = [
            (one, other, one.column + len(one.text) == other.column)
            for one, other in pairwise(self.tokens[first : self.next])
            if one.kind == "number" and other.kind == "name"
        ]
        spaced = [other for _, other, adjacent in pairs if not adjacent]
        if spaced and len(spaced) < len(pairs):
            raise EquationError("run_together", self.text, spaced[0].column)

    def side(self) -> Expression:
        return self.climb(PRECEDENCE["+"])

    def climb(self, least: int) -> Expression:
        """Read operations that bind at least as tightly as `least`."""
        left = self.signed()
        while True:
            token = self.here
            remainder = token.text == "%"  # `percent` has read all other percent signs
            if token.kind == "operator":
                operator, consumed = _OPERATORS[token.text], 1
            elif remainder:
                operator, consumed = "*", 1  # binds like a product
            elif token.kind in ("name", "open", "fraction") or (token.kind == "number" and self.after_bracket):
                operator, consumed = "*", 0
            else:
                return left
            precedence = PRECEDENCE[operator]
            if precedence < least:
                return left
            self.next += consumed
            self.descend()
            # A power groups to the right, everything else to the left.
            right = self.climb(precedence if operator == "^" else precedence + 1)
            self.brackets -= 1
            left = Function("mod", (left, right)) if remainder else Operation(operator, left, right)

    def signed(self) -> Expression:
        if self.here.text not in ("+", "-"):
            return self.percent()
        sign = self.here.text
        self.next += 1
        self.descend()
        operand = self.climb(PRECEDENCE["^"])
        self.brackets -= 1
        if sign == "+":
            return operand
        if isinstance(operand, Number):
            return Number(-operand.value)
        return Operation("-", Number(Fraction(0)), operand)

    def percent(self) -> Expression:
        operand = self.operand()
        while self.here.text == "!" or self.here.kind == "raised":
            if self.here.kind == "raised":
                if self.here.value is None:
                    raise self.unexpected("expected_statement_end")
                operand = Operation("^", operand, Number(self.here.value))
            else:
                operand = Function("factorial", (operand,))
            self.next += 1
        after = self.tokens[self.next + 1].kind if self.here.text == "%" else ""
        literal = isinstance(operand, Number)  # 25%x and 25%(x+1) are percentages, n%7 and n%(m+1) are remainders
        if not after or after == "number" or (after in ("name", "open", "fraction") and not literal):
            return operand
        self.next += 1
        hundredth = Number(Fraction(1, 100))
        return Number(operand.value / 100) if isinstance(operand, Number) else Operation("*", operand, hundredth)

    def operand(self) -> Expression:
        token = self.here
        self.next += 1
        match token.kind:
            case "number":
                value = token.value or Fraction(0)
                after = self.here
                if after.kind == "half" and value.denominator == 1:
                    self.next += 1
                    return Number(value + (after.value or 0))
                fits = self.mixed_numbers and value.denominator == 1 and after.kind == "fraction"
                if fits and after.value and after.value < 1:
                    self.next += 1
                    return Number(value + after.value)
                return Number(value)
            case "mixed" | "half":
                return Number(token.value or Fraction(0))
            case "fraction":
                if token.value is None:  # the solver handles a zero denominator
                    numerator = token.text.strip("() ").partition("/")[0]
                    return Operation("/", Number(Fraction(numerator)), Number(Fraction(0)))
                return Number(token.value)
            case "name":
                return self.named(token)
            case "open":
                self.descend()
                inside = self.side()
                if self.here.text != _CLOSING[token.text]:
                    raise self.unexpected("expected_sign", sign=_CLOSING[token.text])
                self.next += 1
                self.brackets -= 1
                return inside
            case "mark" if token.text == "|":
                return self.absolute()
        self.next -= 1
        raise self.unexpected("expected_operand")

    def absolute(self) -> Expression:
        """Read `|x-y|` after its first bar."""
        self.descend()
        inside = self.side()
        if self.here.text != "|":
            raise self.unexpected("expected_sign", sign="|")
        self.next += 1
        self.brackets -= 1
        return Function("abs", (inside,))

    def named(self, token: Token) -> Expression:
        name = token.text
        if name in ("π", "pi") and name not in self.unknowns:
            return Function("pi", ())
        if name == "e" and self.unknowns and name not in self.unknowns:
            return Function("exp", (Number(Fraction(1)),))
        if name == "√":
            self.descend()
            operand = self.operand()
            self.brackets -= 1
            return Operation("^", operand, Number(Fraction(1, 2)))
        if name in self.functions and self.here.text == "(":
            return Function(name, tuple(self.arguments()))
        if name in FUNCTIONS and self.here.text == "(" and name not in self.unknowns:
            return self.call(FUNCTIONS[name])
        if len(name) > 1 and all(letter in self.letters for letter in name):
            product: Expression = Unknown(name[0])
            for letter in name[1:]:
                product = Operation("*", product, Unknown(letter))
            return product
        return Unknown(name)

    def call(self, name: str) -> Expression:
        arguments = self.arguments()
        if name == "sqrt":
            return Operation("^", arguments[0], Number(Fraction(1, 2)))
        return Function(name, tuple(arguments))

    def arguments(self) -> list[Expression]:
        """Read `(a, b)` after the name of a function."""
        self.next += 1
        self.descend()
        found = [self.side()]
        while self.here.text == "," or self.here.kind == "number":  # some labels lack the comma: _comb(12 5)
            self.next += self.here.text == ","
            found.append(self.side())
        if self.here.text != ")":
            raise self.unexpected("expected_sign", sign=")")
        self.next += 1
        self.brackets -= 1
        return found

    @property
    def here(self) -> Token:
        return self.tokens[self.next]

    @property
    def after_bracket(self) -> bool:
        """Whether the last token is a closing bracket, so that `(x+1)2` is a product."""
        return self.tokens[self.next - 1].kind == "close"

    def descend(self) -> None:
        self.brackets += 1
        if self.brackets > MAX_BRACKETS:
            raise TooLargeError("deep_brackets", limit=MAX_BRACKETS)

    def unexpected(self, expected: str, **values: object) -> EquationError:
        """Return the error that the token here is not what the code `expected` names."""
        found = Phrase.of("found_text", text=self.here.text)
        if self.here.kind == "end" or self.here.text == "\n":
            found = Phrase("found_end" if self.here.kind == "end" else "found_line_end")
        wanted = Phrase.of(expected, **values)
        return EquationError("unexpected", self.text, self.here.column, expected=wanted, found=found)


def _with_factors(tokens: list[Token], letters: set[str]) -> Iterator[Token]:
    """Yield the tokens with the factors of xy apart where a power follows, so that xy² is x times y²."""
    for token, after in zip(tokens, [*tokens[1:], tokens[-1]], strict=True):
        name, raised = token.text, after.kind == "raised" or after.text in ("^", "**")
        if raised and token.kind == "name" and len(name) > 1 and all(letter in letters for letter in name):
            for place, letter in enumerate(name):
                yield Token("name", letter, token.column + place)
        else:
            yield token


def _is_remainder(side: Expression) -> bool:
    """Return whether a side is the remainder of something unknown, which cannot be solved for."""
    return isinstance(side, Function) and side.name == "mod" and bool(unknowns_of((Equation(side, side),)))
