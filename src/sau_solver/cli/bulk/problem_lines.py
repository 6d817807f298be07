"""Bytes of a file -> its problems, a line each, read lazily; a line that is no problem becomes one with an error.

A line is a JSON object with `text` (and perhaps `id` and `lang`), a JSON string, or, in a plain text file, the problem
itself. Blank lines are passed over. No line is held in memory past a limit.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from sau_solver.problem import Language

MAX_LINE = 1 << 17  # bytes; a window of such lines still fits anywhere
SKIPPED = 1 << 16  # bytes of an overlong line that are read at a time
EXPECTED = 'a JSON object such as {"text": "…"} was expected'


@dataclass(frozen=True, slots=True)
class ProblemLine:
    """One line of a file of problems: either a text or the error that keeps it from being one."""

    number: int  # from 1, as editors count
    text: str = ""
    id: str | int | None = None
    language: Language | None = None
    error: str = ""


def read_lines(source: BinaryIO, plain: bool = False, start: int = 1) -> Iterator[ProblemLine]:
    """The lines of a file from the `start`-th on; `plain` says that a line is a problem rather than JSON."""
    number = 0
    while raw := source.readline(MAX_LINE + 1):
        number += 1
        size = len(raw)
        overlong = size > MAX_LINE and not raw.endswith(b"\n")
        if overlong:
            size += _skip(source)
        if number < start:
            continue
        if overlong:
            yield ProblemLine(number, error=f"A line of at most {MAX_LINE:,} bytes was expected, {size:,} came.")
        elif line := read_line(raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw, number, plain):
            yield line


def _skip(source: BinaryIO) -> int:
    """Pass over the rest of a line; how many bytes that was."""
    size = 0
    while part := source.readline(SKIPPED):
        size += len(part)
        if part.endswith(b"\n"):
            break
    return size


def read_line(raw: bytes, number: int, plain: bool = False) -> ProblemLine | None:
    """One line; None where it is blank."""
    try:
        text = raw.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        return ProblemLine(number, error=f"UTF-8 text was expected; byte {error.start + 1} of the line is not.")
    if not text:
        return None
    if plain:
        return ProblemLine(number, text)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "too large or too deep"
        return ProblemLine(number, error=f"This is not JSON ({reason}); {EXPECTED}.")
    return _problem(value, number)


def _problem(value: Any, number: int) -> ProblemLine:
    if isinstance(value, str):
        value = {"text": value}
    if not isinstance(value, dict):
        return ProblemLine(number, error=f"{EXPECTED[0].upper()}{EXPECTED[1:]}, {_kind(value)} came.")
    text, name = value.get("text"), value.get("id")
    name = name if isinstance(name, str | int) and not isinstance(name, bool) and _is_unicode(str(name)) else None
    language = value.get("lang", value.get("language"))
    error = ""
    if not isinstance(text, str):
        error = f'{EXPECTED[0].upper()}{EXPECTED[1:]}, this one has no string "text".'
    elif not _is_unicode(text):
        error = "The text holds half of a surrogate pair, which is no character; write the character itself."
    elif language not in (None, "auto", "zh", "en"):
        error = f'"lang" takes zh, en or auto, not {str(language)[:40]!r}.'
    if error:
        return ProblemLine(number, id=name, error=error)
    return ProblemLine(number, str(text), name, None if language in (None, "auto") else language)


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _kind(value: Any) -> str:
    return {list: "a list", bool: "a truth value", type(None): "null"}.get(type(value), "a number")
