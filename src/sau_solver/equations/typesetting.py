"""Exact values, and sentences with equations in them -> MathML for a page, or LaTeX for a document."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from html import escape

from sau_solver.equations.expressions import Condition, Equation, Expression, Unknown, walk
from sau_solver.equations.notation import escape_latex, latex, mathml
from sau_solver.equations.parser import parse, parse_expression, parse_statements
from sau_solver.errors import EquationError, TooLargeError

MAX_INLINE = 44  # characters; MathML does not wrap, so a longer formula in a sentence stays text
_QUOTED = re.compile("(“[^”]*”|「[^」]*」)")  # words of the problem
_FORMULA = re.compile(r"[-(]*[0-9A-Za-z(](?:(?:[\w.+\-*/^()=]| = )*[0-9A-Za-z)])?", re.ASCII)
_OPERATOR = re.compile(r"[=*^/+]|\d-|-\d|[a-z]-[a-z]\b")


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


def _parts(sentence: str, unknowns: Collection[str]) -> Iterator[str | Equation | Expression]:
    """Yield the plain pieces of a sentence and the formulas between them, in order."""
    for place, part in enumerate(_QUOTED.split(sentence)):
        end = 0
        for found in () if place % 2 else _FORMULA.finditer(part):
            read = Unknown(found[0]) if found[0] in unknowns else _read(found[0], unknowns)
            if read is not None:
                yield part[end : found.start()]
                yield read
                end = found.end()
        yield part[end:]


def _read(text: str, unknowns: Collection[str]) -> Equation | Expression | None:
    """Return the formula that a piece of a sentence is, or None for a word such as "two-digit"."""
    if len(text) > MAX_INLINE or not _OPERATOR.search(text):
        return None
    try:
        found = parse(text, unknowns) if "=" in text else (parse_expression(text, unknowns),)
    except (EquationError, TooLargeError):
        return None
    if len(found) != 1:  # a chain such as a=b=c
        return None
    (formula,) = found
    sides = (formula.left, formula.right) if isinstance(formula, Equation) else (formula,)
    nodes = [node for side in sides for node in walk(side)]
    if any(isinstance(node, Unknown) and len(node.name) > 1 and node.name not in unknowns for node in nodes):
        return None
    return formula
