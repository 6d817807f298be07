"""Write problems as our JSON lines (docs/data.md)."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import IO

from sau_solver.errors import InputError
from sau_solver.files import replacing, user_path
from sau_solver.problem import AskedFor, Problem


def to_fields(problem: Problem) -> dict[str, object]:
    """Return a problem as JSON fields: exact values as strings, without empty optional fields."""
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
    if problem.asks:
        fields["asked"] = [_asked_fields(one) for one in problem.asks]
    if lesson := problem.lesson:
        fields |= {"skill": lesson.skill, "grade": lesson.grade}
        fields |= {name: value for name, value in (("group", lesson.group), ("contrast", lesson.contrast)) if value}
        fields["unneeded"] = _exact(lesson.unneeded)
    return fields


def _asked_fields(asked: AskedFor) -> dict[str, str]:
    fields = {"quantity": asked.quantity, "unknown": asked.unknown, "answer": str(asked.answer), "unit": asked.unit}
    return {**fields, "rounding": asked.rounding} if asked.rounding else fields


def _exact(values: Iterable[Fraction]) -> list[str]:
    return [str(value) for value in values]


def to_line(problem: Problem) -> str:
    """Return a problem as one JSON line with its newline. Equal problems give equal lines."""
    return json.dumps(to_fields(problem), ensure_ascii=False, separators=(",", ":")) + "\n"


def write_lines(problems: Iterable[Problem], target: Path) -> int:
    """Write problems to a .jsonl or .jsonl.gz file and return how many. On an error the old file stays unchanged."""
    if not target.name.endswith((".jsonl", ".jsonl.gz")):
        raise InputError(f"The target must end in .jsonl or .jsonl.gz, got {target}.")
    count = 0
    with user_path(target), replacing(target) as raw, _text_file(raw, target.suffix == ".gz") as file:
        for problem in problems:
            file.write(to_line(problem))
            count += 1
    return count


@contextmanager
def _text_file(raw: IO[bytes], packed: bool) -> Iterator[IO[str]]:
    """Yield a text file on top of a binary file, which stays open. A gzip file gets no name and no time stamp."""
    if packed:
        with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as binary, io.TextIOWrapper(binary, "utf-8") as file:
            yield file
        return
    plain = io.TextIOWrapper(raw, "utf-8", newline="\n")
    try:
        yield plain
    finally:
        plain.detach()
