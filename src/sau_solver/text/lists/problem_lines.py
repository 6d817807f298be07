"""Bytes of a file -> its problems, one per line, read lazily; a bad line becomes a problem with an error.

A line is a JSON object with `text` (and optionally `id` and `lang`), a JSON string or, in a plain text file, the
problem itself. Blank lines are skipped. Overlong lines are not held in memory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from sau_solver.problem import Language

MAX_LINE = 1 << 17  # bytes
BLOCK = 1 << 16  # bytes of an overlong line that are skipped at a time
TEXT_KEYS = ("text", "problem", "question", "题目")  # the field of the problem, best first
EXPECTED = 'A line must be a JSON object such as {"text": "…"}'
INCOMPLETE = "The last line is incomplete (file truncated?)."
END_OF_DATA = "unexpected end of data"  # the reason of UnicodeDecodeError if the last character is cut off

_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)


@dataclass(frozen=True, slots=True)
class ProblemLine:
    """One problem of a file: a text, or the error of a bad line."""

    number: int  # of the line where it begins, from 1
    text: str = ""
    id: str | int | None = None
    language: Language | None = None
    error: str = ""
    label: int | None = None  # its own number in a numbered list


def read_lines(source: BinaryIO, start: int = 1, plain: bool = False) -> Iterator[ProblemLine]:
    """Yield the lines of a file from number `start` on; with `plain`, a line is a problem instead of JSON."""
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
            yield ProblemLine(number, error=f"A line must be at most {MAX_LINE:,} bytes, got {size:,}.")
        else:
            raw = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
            if line := read_line(raw, number, plain, last=not raw.endswith(b"\n")):
                yield line


def _skip(source: BinaryIO) -> int:
    """Skip the rest of a line; return its size in bytes."""
    size = 0
    while part := source.readline(BLOCK):
        size += len(part)
        if part.endswith(b"\n"):
            break
    return size


def read_line(raw: bytes, number: int, plain: bool = False, last: bool = False) -> ProblemLine | None:
    """Return the problem of a line, or None if it is blank; `last` is a line that no newline ends."""
    try:
        text = raw.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        incomplete = f" {INCOMPLETE}" if last and error.reason == END_OF_DATA else ""
        return ProblemLine(number, error=f"The line is not UTF-8 text (byte {error.start + 1}).{incomplete}")
    if not text:
        return None
    if plain:
        return ProblemLine(number, text)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "too large or too deep"
        advice = INCOMPLETE if last and is_cut_off(text) else f"{EXPECTED}."
        return ProblemLine(number, error=f"The line is not JSON ({reason}). {advice}")
    return problem_of(value, number)


def is_cut_off(text: str) -> bool:
    """Return whether JSON ends inside a string, an object or a list."""
    rest = _STRING.sub("", text)
    return '"' in rest or rest.count("{") + rest.count("[") > rest.count("}") + rest.count("]")


def problem_of(value: Any, number: int) -> ProblemLine:
    """Return the problem of a JSON value; `number` is its line."""
    if isinstance(value, str):
        value = {"text": value}
    if not isinstance(value, dict):
        return ProblemLine(number, error=f"{EXPECTED}, got {_kind(value)}.")
    text, name = next((value[key] for key in TEXT_KEYS if key in value), None), value.get("id")
    name = name if isinstance(name, str | int) and not isinstance(name, bool) and _is_unicode(str(name)) else None
    language = value.get("lang", value.get("language"))
    error = ""
    if not isinstance(text, str):
        error = f'{EXPECTED}; this one has no string "text".'
    elif not _is_unicode(text):
        error = "The text has half of a surrogate pair, which is not a character. Write the character itself."
    elif language not in (None, "auto", "zh", "en"):
        error = f'"lang" must be zh, en or auto, got {str(language)[:40]!r}.'
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
    return {list: "a list", bool: "a boolean", type(None): "null"}.get(type(value), "a number")
