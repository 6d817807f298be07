"""Read ASDiv (XML) and ASDiv-A (JSON): Body, Question, Solution-Type, Answer "7 (colors)", Formula "49/7=7"."""

from __future__ import annotations

import re

from sau_solver.data.answers import read_answers
from sau_solver.data.rows import Row
from sau_solver.problem import Problem

_ARITHMETIC = re.compile(r"([-+*/^().\d\s]+)=\s*-?[\d.]+\s*")
_DECLARATION = re.compile(r"\s*([A-Za-z])\s*:\s*(?=\D)")  # "x:The number of dimes"


def read_asdiv(row: Row) -> Problem:
    """Read one ASDiv problem. Its solution type becomes its kind."""
    body, question = row.text("Body", "body"), row.text("Question", "question")
    unknowns, equations = _read_formula(row.text("Formula", "formula", "equation"))
    return Problem(
        id=row.optional_text("@ID", "ID", "id") or f"row-{row.index}",
        text=f"{body} {question}",
        language="en",
        equations=equations,
        **read_answers(row.need("Answer", "answer"))._asdict(),
        unknowns=unknowns,
        fold=row.fold if (fold := row.whole("fold")) is None else fold,
        kind=_kind(row),
    )


def _read_formula(formula: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the declared unknowns and the equations of a formula.

    "49/7=7" gives the equation x=49/7, and "x:Her dollars; x+(x-4)=26" declares its unknown. Every other formula
    (remainders, ratios, units, comparisons, sequences) stays as published.
    """
    if arithmetic := _ARITHMETIC.fullmatch(formula):
        return (), (f"x={arithmetic[1].strip()}",)
    pieces = [piece.strip() for piece in formula.split(";") if piece.strip()]
    declared = [match[1] for piece in pieces if (match := _DECLARATION.match(piece))]
    if not declared:
        return (), (formula,)
    return tuple(declared), tuple(piece for piece in pieces if not _DECLARATION.match(piece))


def _kind(row: Row) -> str | None:
    kind = row.get("Solution-Type", "type")
    if isinstance(kind, dict):  # an XML element with attributes, converted to JSON in the folds of ASDiv-A
        kind = kind.get("#text")
    return kind.strip() or None if isinstance(kind, str) else None
