"""Read our JSON lines (docs/data.md), which can represent every corpus and a user's own problems."""

from __future__ import annotations

from fractions import Fraction

from sau_solver.data.answers import read_value
from sau_solver.data.readers.published_notation import split_equations
from sau_solver.data.rows import Row
from sau_solver.problem import AskedFor, Language, Lesson, Problem
from sau_solver.text.language import detect_language

ROUNDINGS = ("", "up", "down", "remainder")


def read_own(row: Row) -> Problem:
    """Read one problem. Only `text` is required; unlike in published corpora, an unreadable answer is an error."""
    text = row.text("text")
    asks = tuple(_asked_for(row, item) for item in _list(row, row.get("asked"), "asked"))
    answers = _values(row, row.get("answers", "answer"))
    if asks and answers and len(asks) != len(answers):
        raise row.error(f"answers must have one value for each thing asked, got {len(answers)} for {len(asks)}")
    return Problem(
        id=row.optional_text("id") or f"row-{row.index}",
        text=text,
        language=_language(row, text),
        equations=_texts(row, "equations") or split_equations(row.optional_text("equation") or ""),
        answers=answers,
        alternatives=tuple(_values(row, solution) for solution in _list(row, row.get("alternatives"), "alternatives")),
        words=_texts(row, "words"),
        unknowns=_texts(row, "unknowns") or (),
        fold=row.whole("fold"),
        split=row.optional_text("split") or row.split,
        kind=row.optional_text("kind") or row.optional_text("skill"),
        asked=tuple(one.answer for one in asks),
        asks=asks,
        lesson=_lesson(row),
    )


def _asked_for(row: Row, item: object) -> AskedFor:
    if not isinstance(item, dict) or not isinstance(item.get("unknown"), str) or "answer" not in item:
        raise row.error(f'asked must be a list of objects with "unknown" and "answer", got {item!r}')
    if (rounding := str(item.get("rounding", ""))) not in ROUNDINGS:
        raise row.error(f"rounding must be one of up, down and remainder, got {rounding!r}")
    unit, quantity = str(item.get("unit", "")), str(item.get("quantity", ""))
    if len(values := _values(row, item["answer"])) != 1:
        raise row.error(f"what is asked must have one answer, got {item['answer']!r}")
    return AskedFor(item["unknown"], values[0], unit, quantity, rounding)


def _lesson(row: Row) -> Lesson | None:
    if (skill := row.optional_text("skill")) is None:
        return None
    group, contrast = row.optional_text("group") or "", row.optional_text("contrast") or ""
    return Lesson(skill, row.whole("grade") or 0, group, contrast, _values(row, row.get("unneeded") or []))


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
