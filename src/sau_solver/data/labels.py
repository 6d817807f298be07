"""Parse the published labels of a problem: its equations, the quantities it asks for, and its words."""

from __future__ import annotations

from sau_solver.equations.expressions import Equation, Expression, Statements, Unknown, unknowns_of
from sau_solver.equations.parser import parse_expression, parse_statements
from sau_solver.errors import SauError
from sau_solver.problem import Problem
from sau_solver.text.numbers import MappedText, map_text, map_words


def statements_of(problem: Problem) -> Statements:
    """Return the gold equations and conditions."""
    names = [name for name in problem.unknowns if name.isidentifier()]
    return parse_statements(" ; ".join(problem.equations), names, mixed_numbers=problem.language == "zh")


def asked_for(problem: Problem, statements: Statements) -> tuple[Expression, ...]:
    """Return the expressions whose values are the answers: the unknowns, or in the Dolphin corpora also x+2."""
    if not problem.unknowns:
        return tuple(Unknown(name) for name in unknowns_of(statements.equations))
    letters = [name for name in unknowns_of(statements.equations) if len(name) == 1]
    asked = []
    for text in problem.unknowns:
        try:
            asked.append(parse_expression(text, letters))
        except SauError:
            continue  # not an expression, such as "time taken"
    return tuple(asked)


def with_targets(statements: Statements, asked: tuple[Expression, ...]) -> Statements:
    """Add an equation such as `target1=x+2` for each requested expression that is not an unknown."""
    expressions = [expression for expression in asked if not isinstance(expression, Unknown)]
    targets = tuple(Equation(Unknown(f"target{k}"), e) for k, e in enumerate(expressions, start=1))
    return Statements(statements.equations + targets, statements.conditions)


def published_text(problem: Problem) -> MappedText:
    """Map the published words by the paper's protocol, or the plain text if the corpus publishes no words."""
    if problem.words is not None:
        return map_words(problem.words, problem.language)
    return map_text(problem.text, problem.language)
