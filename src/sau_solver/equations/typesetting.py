"""Exact values, and sentences with equations in them -> MathML for a page, or LaTeX for a document."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from html import escape

from sau_solver.equations.expressions import Condition, Equation, Expression, Unknown, walk
from sau_solver.equations.notation import escape_latex, latex, mathml
from sau_solver.equations.parser import parse_expression, parse_statements
from sau_solver.errors import EquationError, TooLargeError

MAX_INLINE = 44  # characters; MathML does not wrap, so a longer formula in a sentence stays text
_QUOTED = re.compile("(“[^”]*”)")  # words of the problem
# A formula as the steps write it: x + y = 20, 2(20 − y), x² − 4, 3*x/2. It ends where a word or punctuation begins.
_ATOM = r"[-−(]*(?:\d+(?:\.\d+)?|[A-Za-z]\w*)[\d()A-Za-z²³⁴⁵⁶⁷⁸⁹⁰¹]*"
_FORMULA = re.compile(rf"(?<![\w.]){_ATOM}(?: ?(?:[-+−*×·÷/^=≠≤≥<>]|!=|<=|>=) ?{_ATOM})*", re.ASCII)
_OPERATOR = re.compile(r"[=*^/+×·−≠≤≥<>²³⁴⁵⁶⁷⁸⁹]|\d-|-\d|\w-\w\b|\d\(|\)\(")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_ASCII = str.maketrans({"−": "-", "×": "*", "·": "*", "≠": "!=", "≤": "<=", "≥": ">=", " ": ""})


def value_mathml(text: str) -> str:
    """Return an exact value such as "3/4" or "(1+sqrt(5))/2" as MathML."""
    return mathml(_value(text), block=False)


def root_mathml(unknown: str, text: str) -> str:
    """Return "x = value" as MathML."""
    return mathml(Equation(Unknown(unknown), _value(text)), block=False)


def sentence_mathml(sentence: str, unknowns: Collection[str]) -> str:
    """Return a sentence as escaped text with its formulas as MathML; words quoted from the problem stay text."""
    parts = _parts(sentence, unknowns)
    return "".join(escape(part, quote=False) if isinstance(part, str) else mathml(part, block=False) for part in parts)


def sentence_latex(sentence: str, unknowns: Collection[str]) -> str:
    """Return a sentence as escaped LaTeX with its formulas in math mode; words quoted from the problem stay text."""
    parts = _parts(sentence, unknowns)
    return "".join(escape_latex(part) if isinstance(part, str) else f"${latex(part)}$" for part in parts)


def formula(text: str) -> Equation | Condition | None:
    """Return one equation or condition that this package has printed, or None if it cannot be read again."""
    try:
        statements = parse_statements(text)
    except (EquationError, TooLargeError):
        return None
    found: list[Equation | Condition] = [*statements.equations, *statements.conditions]
    return found[0] if len(found) == 1 else None


def _value(text: str) -> Expression:
    try:
        return parse_expression(text)
    except (EquationError, TooLargeError):  # a root without a closed form: shown as it is
        return Unknown(text)


def _parts(sentence: str, unknowns: Collection[str]) -> Iterator[str | Equation | Condition | Expression]:
    """Yield the plain pieces of a sentence and the formulas between them, in order."""
    for place, part in enumerate(_QUOTED.split(sentence)):
        end = 0
        for found in () if place % 2 else _FORMULA.finditer(part):
            read = [Unknown(found[0])] if found[0] in unknowns else _read_chain(found[0], unknowns)
            if read:
                yield part[end : found.start()]
                for index, formula in enumerate(read):
                    yield from (" = ", formula) if index else (formula,)
                end = found.end()
        yield part[end:]


def _read_chain(text: str, unknowns: Collection[str]) -> list[Equation | Condition | Expression]:
    """Return the formulas of a = b = c, which is typeset as an equation and the values that follow; or nothing."""
    first, *more = re.split(r"(?<![!<>]) ?= ?", text)
    head = _read(f"{first}={more[0]}" if more else first, unknowns)
    rest = [_read(value, unknowns, alone=False) for value in more[1:]]
    read = [head, *rest]
    return [one for one in read if one is not None] if None not in read else []


def _read(text: str, unknowns: Collection[str], alone: bool = True) -> Equation | Condition | Expression | None:
    """Return the formula that a piece of a sentence is, or None for a word such as "two-digit"."""
    plain = _RAISED.sub(lambda raised: f"^{raised[0].translate(_DIGITS)}", text).translate(_ASCII)
    if len(plain) > MAX_INLINE or "÷" in text or (alone and not _OPERATOR.search(text)):
        return None
    try:
        found = _parsed(plain, unknowns)
    except (EquationError, TooLargeError):
        return None
    sides = (found.left, found.right) if isinstance(found, Equation | Condition) else (found,)
    names = {node.name for side in sides for node in walk(side) if isinstance(node, Unknown)}
    known = names & set(unknowns) or any(char.isdigit() for char in plain)
    return found if known and all(len(name) == 1 or name in unknowns for name in names) else None


def _parsed(plain: str, unknowns: Collection[str]) -> Equation | Condition | Expression:
    if not re.search("[=<>]", plain):
        return parse_expression(plain, unknowns, mixed_numbers=False)
    statements = parse_statements(plain, unknowns, mixed_numbers=False)
    found: list[Equation | Condition] = [*statements.equations, *statements.conditions]
    if len(found) != 1:
        raise EquationError("not_an_expression", plain, 0)
    return found[0]
