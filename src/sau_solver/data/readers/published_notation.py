"""Parse notation that several corpora share: lists joined by ";", and the "unkn: / equ:" lines of Dolphin."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LABEL = re.compile(r"^\s*(unkn|equ)\s*:", re.IGNORECASE)
# A comma or semicolon outside brackets: "x,_round(y,1)" declares two unknowns.
_SEPARATOR = re.compile(r"[,;](?![^()]*\))")


def split_equations(text: str) -> tuple[str, ...]:
    """Split equations joined by ";"."""
    return tuple(part for piece in text.split(";") if (part := piece.strip()))


def with_unknown(equation: str) -> str:
    """Turn a bare expression into an equation for x."""
    return equation if "=" in equation else f"x={equation}"


def split_unknowns(declared: Iterable[str]) -> tuple[str, ...]:
    """Split declared unknowns. A declaration that was cut at a comma inside brackets is joined again."""
    return tuple(name for piece in _SEPARATOR.split(",".join(declared)) if (name := piece.strip()))


def take_apart(lines: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the unknowns and equations of "unkn: x,y\\r\\nequ: x+y=3". Lines without a label are equations."""
    declared: list[str] = []
    equations: list[str] = []
    for line in (part for text in lines for part in text.splitlines()):
        label = _LABEL.match(line)
        rest = line[label.end() :] if label else line
        if label and label[1].lower() == "unkn":
            declared.append(rest)
        else:
            equations.extend(split_equations(rest))
    return split_unknowns(declared), tuple(equations)
