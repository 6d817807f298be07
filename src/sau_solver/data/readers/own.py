"""Read our JSON lines (docs/data.md), which can represent every corpus and a user's own problems."""

from __future__ import annotations

from fractions import Fraction

from sau_solver.data.answers import read_value
from sau_solver.data.readers.published_notation import split_equations
from sau_solver.data.rows import Row
from sau_solver.problem import Language, Problem
from sau_solver.text.language import detect_language


def read_own(row: Row) -> Problem:
    """Read one problem. Only `text` is required; unlike in published corpora, an unreadable answer is an error."""
    text = row.text("text")
    return Problem(
        id=row.optional_text("id") or f"row-{row.index}",
        text=text,
        language=_language(row, text),
        equations=_texts(row, "equations") or split_equations(row.optional_text("equation") or ""),
        answers=_values(row, row.get("answers", "answer")),
        alternatives=tuple(_values(row, solution) for solution in _list(row, row.get("alternatives"), "alternatives")),
        words=_texts(row, "words"),
        unknowns=_texts(row, "unknowns") or (),
        fold=row.whole("fold"),
        split=row.optional_text("split"),
        kind=row.optional_text("kind"),
    )


def _language(row: Row, text: str) -> Language:
    match row.get("language"):
        case None:
            return detect_language(text)
        case "zh":
            return "zh"
        case "en":
            return "en"
        case other:
            raise row.error(f"language must be zh or en, got {other!r}")


def _list(row: Row, value: object, name: str) -> list[object]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise row.error(f"{name} must be a list")
    return value


def _texts(row: Row, name: str) -> tuple[str, ...] | None:
    return row.texts(name) if row.get(name) is not None else None


def _values(row: Row, published: object) -> tuple[Fraction, ...]:
    if published is None:
        return ()
    values = []
    for item in published if isinstance(published, list) else [published]:
        value = read_value(item)
        if value is None:
            raise row.error(f'an answer must be an exact number such as "15", "3/4" or "0.25", got {item!r}')
        values.append(value)
    return tuple(values)
