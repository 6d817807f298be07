"""JSON objects -> bz2 streams with one column of all objects each, and back. A file shrinks by a tenth.

The first stream says which fields each object has, and in which order; the others hold the values of one field each.
"""

from __future__ import annotations

import bz2
import json
from collections.abc import Iterable
from typing import Any

_START = '{"kinds":'


def pack(lines: Iterable[str]) -> bytes:
    """Return JSON lines as compressed columns."""
    objects: list[dict[str, Any]] = [json.loads(line) for line in lines]
    places: dict[tuple[str, ...], int] = {}
    kind_of = [places.setdefault(tuple(fields), len(places)) for fields in objects]
    streams: list[object] = [{"kinds": list(places), "kind_of": kind_of}]
    for name in dict.fromkeys(name for kind in places for name in kind):
        streams.append([fields[name] for fields in objects if name in fields])
    return b"".join(bz2.compress(_dumped(stream).encode()) for stream in streams)


def unpack(packed: bytes) -> list[str]:
    """Return the lines of a file; also of one that has them as they are, as all files had until version 0.1."""
    lines = bz2.decompress(packed).decode().split("\n")[:-1]
    if not lines or not lines[0].startswith(_START):
        return [f"{line}\n" for line in lines]
    head = json.loads(lines[0])
    names = dict.fromkeys(name for kind in head["kinds"] for name in kind)
    columns = {name: iter(json.loads(line)) for name, line in zip(names, lines[1:], strict=True)}
    return [_dumped({name: _next(columns[name]) for name in head["kinds"][kind]}) for kind in head["kind_of"]]


def _next(column: Any) -> object:
    for value in column:
        return value
    raise ValueError("a column is too short")


def _dumped(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"
