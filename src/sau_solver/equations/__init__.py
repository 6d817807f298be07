"""Equations as text, expressions and trees: parser, printers and the universal expression tree (UET)."""

from sau_solver.equations.expressions import Equation, Equations, Statements
from sau_solver.equations.parser import parse, parse_statements

__all__ = ["Equation", "Equations", "Statements", "parse", "parse_statements"]
