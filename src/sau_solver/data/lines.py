"""Problems -> our JSON lines (docs/data.md), written beside and renamed."""

from __future__ import annotations

import gzip
import io
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import IO

from sau_solver.errors import InputError
from sau_solver.problem import Problem


def to_fields(problem: Problem) -> dict[str, object]:
    """A problem as JSON can hold it: exact values as strings, optional fields without content left out."""
    fields: dict[str, object] = {"id": problem.id, "text": problem.text, "language": problem.language}
    fields["equations"] = list(problem.equations)
    fields["answers"] = _exact(problem.answers)
    if problem.alternatives:
        fields["alternatives"] = [_exact(solution) for solution in problem.alternatives]
    if problem.words is not None:
        fields["words"] = list(problem.words)
    if problem.unknowns:
        fields["unknowns"] = list(problem.unknowns)
    for name, value in (("fold", problem.fold), ("split", problem.split), ("kind", problem.kind)):
        if value is not None:
            fields[name] = value
    return fields


def _exact(values: Iterable[Fraction]) -> list[str]:
    return [str(value) for value in values]


def to_line(problem: Problem) -> str:
    """One line of our form, newline included; equal problems give equal lines."""
    return json.dumps(to_fields(problem), ensure_ascii=False, separators=(",", ":")) + "\n"


def write_lines(problems: Iterable[Problem], target: Path) -> int:
    """Write problems to .jsonl or .jsonl.gz; returns how many. The file appears whole or not at all."""
    if not target.name.endswith((".jsonl", ".jsonl.gz")):
        raise InputError(f"{target}: a name that ends in .jsonl or .jsonl.gz was expected")
    count = 0
    with _replacing(target) as file:
        for problem in problems:
            file.write(to_line(problem))
            count += 1
    return count


@contextmanager
def _replacing(target: Path) -> Iterator[IO[str]]:
    """A text file beside the target that takes its place when all went well and vanishes otherwise."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror or error})") from None
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as raw:
            if target.suffix == ".gz":
                # No time stamp and no name inside: equal problems give equal files.
                with (
                    gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed,
                    io.TextIOWrapper(packed, "utf-8") as file,
                ):
                    yield file
            else:
                with io.TextIOWrapper(raw, "utf-8", newline="\n") as file:
                    yield file
        beside.chmod(0o644)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
