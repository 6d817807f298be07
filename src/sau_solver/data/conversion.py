"""Any known format, or a registered corpus, -> our JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sau_solver.data.corpus import iterate_corpus
from sau_solver.data.lines import write_lines
from sau_solver.data.readers import Format, detect, iterate
from sau_solver.data.registry import corpora
from sau_solver.errors import InputError, RowError
from sau_solver.problem import Problem


@dataclass(frozen=True, slots=True)
class Conversion:
    """What a conversion wrote and which rows it had to leave out."""

    target: Path
    written: int
    rejected: tuple[RowError, ...]


def convert(source: Path | str, target: Path | str, form: Format | str | None = None) -> Conversion:
    """Convert a file, or a corpus given by name, to .jsonl or .jsonl.gz; never half a file."""
    path, target = Path(source), Path(target)
    if path.is_file():
        outcomes = iterate(path, form or detect(path))
    elif str(source) in corpora():
        outcomes = iterate_corpus(corpora()[str(source)])
    else:
        raise InputError(f"{source}: neither a file nor a corpus; corpora: {', '.join(corpora())}")
    rejected: list[RowError] = []
    written = write_lines(_problems(outcomes, rejected), target)
    return Conversion(target, written, tuple(rejected))


def _problems(outcomes: Iterator[Problem | RowError], rejected: list[RowError]) -> Iterator[Problem]:
    for outcome in outcomes:
        if isinstance(outcome, Problem):
            yield outcome
        else:
            rejected.append(outcome)
