"""A published file of one invented problem, and what its readers must make of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sau_solver.problem import Problem


def indented(*rows: Mapping[str, object]) -> bytes:
    return json.dumps(rows, ensure_ascii=False, indent=4).encode()


def stream(*rows: Mapping[str, object]) -> bytes:
    return "\n".join(json.dumps(row, ensure_ascii=False, indent=2) for row in rows).encode()


def lines(*rows: Mapping[str, object]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


@dataclass(frozen=True)
class Published:
    """A published file, the same problem in our JSON lines, and the Problem that both must give."""

    form: str
    content: bytes
    folder_form: bytes
    problem: Problem
    split: str | None = None
    fold: int | None = None
