"""Expressions, LaTeX and MathML -> a residue modulo a large prime, so that two notations can be compared.

Sums, products and quotients are computed in the field; powers and functions are replaced by hashes of their
arguments. Notations of different expressions have the same residue only by a chance of about 1 in 10^18.
"""

from __future__ import annotations

import hashlib
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from fuzzing.target import InvalidSpecError, WrongError
from sau_solver.equations.expressions import Expression, Function, Number, Operation, Unknown

PRIME = 2**61 - 1
FUNCTIONS = frozenset(
    {"log", "ln", "exp", "sin", "cos", "tan", "gcd", "lcm", "floor", "ceiling", "comb", "atan", "mod", "asin", "acos"}
)
Item: TypeAlias = "tuple[str, object]"  # ("number", residue) or ("sign", "+"), ("name", "x")

_LATEX = re.compile(
    r"\\left\((?P<open>)|\\right\)(?P<close>)|\\left\|(?P<bar>)|\\right\|(?P<endbar>)|\\frac(?P<frac>)|\\sqrt(?P<sqrt>)"
    r"|\\(?:mathit|text|operatorname)\{(?P<text>(?:\\.|[^}\\])*)\}|\\(?P<command>[a-z]+) ?"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<letter>[A-Za-z])|(?P<brace>[{}])|(?P<power>\^)|(?P<sign>[-+,])| "
)


def hashed(*parts: object) -> int:
    """Return a number that stands for an operation without a value in the field."""
    return (
        int.from_bytes(hashlib.blake2b(repr(parts).encode("utf-8", "replace"), digest_size=8).digest(), "big") % PRIME
    )


def quotient(one: int, other: int) -> int:
    """Return one / other; raise InvalidSpecError if the divisor is 0, because nothing can be compared then."""
    if not other:
        raise InvalidSpecError
    return one * pow(other, -1, PRIME) % PRIME


def residue(node: Expression) -> int:
    """Return the residue of an expression."""
    match node:
        case Number(value):
            return quotient(value.numerator % PRIME, value.denominator % PRIME)
        case Unknown(name):
            return hashed("name", name)
        case Operation(operator, left, right):
            one, other = residue(left), residue(right)
            if operator == "^":
                return hashed("^", one, other)
            if operator == "/":
                return quotient(one, other)
            return {"+": one + other, "-": one - other, "*": one * other}[operator] % PRIME
        case Function("pi", ()):
            return hashed("pi")
        case Function(name, arguments):
            return hashed(name, *map(residue, arguments))


def mathml_residue(text: str) -> int:
    """Return the residue of a formula in MathML."""
    return _value(_mathml_items(ET.fromstring(text)))


def _mathml_items(element: ET.Element) -> list[Item]:
    tag, parts = element.tag.rpartition("}")[2], [_mathml_items(child) for child in element]
    text = element.text or ""
    match tag:
        case "mn":
            return [("number", _number(text))]
        case "mi":
            return [("name", text)]
        case "mo":
            return [("sign", text)]
        case "mfrac":
            return [("number", quotient(_value(parts[0]), _value(parts[1])))]
        case "msup":
            return [("number", hashed("^", _value(parts[0]), _value(parts[1])))]
        case "msqrt":
            return [
                (
                    "number",
                    hashed("^", _value([one for part in parts for one in part]), residue(Number(Fraction(1, 2)))),
                )
            ]
    items = [one for part in parts for one in part]
    if items and items[0] == ("sign", "|"):
        return [("number", hashed("abs", _value(items[1:-1])))]
    if items and items[0] == ("sign", "("):
        return [("group", tuple(_arguments(items[1:-1])))]
    return items


def _number(text: str) -> int:
    value = Fraction(text)
    return quotient(value.numerator % PRIME, value.denominator % PRIME)


def _arguments(items: Sequence[Item]) -> list[int]:
    """Return the values between the commas of a bracket."""
    found: list[list[Item]] = [[]]
    for item in items:
        if item == ("sign", ","):
            found.append([])
        else:
            found[-1].append(item)
    return [_value(one) for one in found]


def _value(items: Sequence[Item]) -> int:
    """Return the value of a sum of products, in which factors may stand side by side."""
    total, place = 0, 0
    if not items:
        raise WrongError("notation is readable", "an empty formula")
    while place < len(items):
        sign = 1
        while items[place] in (("sign", "+"), ("sign", "-"), ("sign", "−")):
            sign = -sign if items[place][1] != "+" else sign
            place += 1
        product = 1
        while place < len(items) and items[place] not in (("sign", "+"), ("sign", "-"), ("sign", "−")):
            if items[place][0] == "sign" and items[place][1] in ("×", "*", "\N{INVISIBLE TIMES}"):
                place += 1
                continue
            factor, place = _factor(items, place)
            product = product * factor % PRIME
        total += sign * product
    return total % PRIME


def _factor(items: Sequence[Item], place: int) -> tuple[int, int]:
    kind, content = items[place]
    if kind == "name" and content in FUNCTIONS and place + 1 < len(items) and items[place + 1][0] == "group":
        arguments = items[place + 1][1]
        assert isinstance(arguments, tuple)
        return hashed(content, *arguments), place + 2
    if kind == "name":
        return hashed("pi") if content == "π" else hashed("name", content), place + 1
    if kind == "group" and isinstance(content, tuple) and len(content) == 1:
        return content[0], place + 1
    if kind != "number" or not isinstance(content, int):
        raise WrongError("notation is readable", (kind, content))
    return content, place + 1


class _LatexReader:
    """Reads the LaTeX that `latex` writes."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        position = 0
        while position < len(text):
            match = _LATEX.match(text, position)
            if match is None:
                raise WrongError("notation is readable", text[position : position + 40])
            position = match.end()
            if match.lastgroup is not None:
                self.tokens.append((match.lastgroup, match[match.lastgroup]))
        self.place = 0

    def items(self, end: tuple[str, str] | None = None) -> list[Item]:
        found: list[Item] = []
        while self.place < len(self.tokens):
            token = self.tokens[self.place]
            self.place += 1
            if token == end:
                return found
            if token[0] == "power":
                base = _value([found.pop()])
                found.append(("number", hashed("^", base, self.braced())))
            else:
                found.append(self.item(*token))
        if end is not None:
            raise WrongError("notation is readable", f"no end {end}")
        return found

    def braced(self) -> int:
        self.place += 1
        return _value(self.items(("brace", "}")))

    def item(self, kind: str, text: str) -> Item:
        match kind:
            case "open":
                return "group", tuple(_arguments(self.items(("close", ""))))
            case "bar":
                return "number", hashed("abs", _value(self.items(("endbar", ""))))
            case "frac":
                above = self.braced()
                return "number", quotient(above, self.braced())
            case "sqrt":
                return "number", hashed("^", self.braced(), residue(Number(Fraction(1, 2))))
            case "number":
                return "number", _number(text)
            case "command" if text == "cdot":
                return "sign", "*"
            case "command" | "text" | "letter":
                return "name", "π" if text == "pi" else text.replace("\\", "")
            case "sign":
                return "sign", text
        raise WrongError("notation is readable", (kind, text))


def latex_residue(text: str) -> int:
    """Return the residue of a formula in LaTeX."""
    return _value(_LatexReader(text).items())
