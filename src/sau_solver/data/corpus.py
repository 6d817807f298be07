"""A name or a file -> Corpus: its problems, the rejected rows, and a fingerprint of these problems."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sau_solver.data.lines import to_line
from sau_solver.data.readers import Format, iterate, read
from sau_solver.data.readers.formats import distinct
from sau_solver.data.registry import CorpusInfo, Selection, data_folder, find_corpus, local_files
from sau_solver.errors import CorpusError, InputError, MissingCorpusError, RowError
from sau_solver.problem import Problem

_HMWP_EQUATION = re.compile(r"[-0-9.+*/^()=xy\s]+")


def _in_hmwp_paper(problem: Problem) -> bool:
    """The SAU-Solver loader's filter: an answer, and equations over x, y, numbers and operators alone."""
    return bool(problem.answers) and all(_HMWP_EQUATION.fullmatch(equation) for equation in problem.equations)


def _has_manual_equations(problem: Problem) -> bool:
    return problem.kind == "manual" and bool(problem.equations)


_SELECTIONS: dict[Selection, Callable[[Problem], bool]] = {
    "hmwp-paper": _in_hmwp_paper,
    "manual-equations": _has_manual_equations,
}


@dataclass(frozen=True)
class Corpus:
    """Problems under one name. `info` is None for a user's own file."""

    name: str
    problems: tuple[Problem, ...]
    rejected: tuple[RowError, ...]
    files: tuple[Path, ...]
    info: CorpusInfo | None = None

    def __len__(self) -> int:
        return len(self.problems)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.problems)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over our JSON lines: equal where every field of every problem is, in order."""
        digest = hashlib.sha256()
        for problem in self.problems:
            digest.update(to_line(problem).encode())
        return digest.hexdigest()


def load(name: str, folder: Path | None = None) -> Corpus:
    """Read a registered corpus from the data folder."""
    info = find_corpus(name)
    problems: list[Problem] = []
    rejected: list[RowError] = []
    for outcome in iterate_corpus(info, folder):
        if isinstance(outcome, Problem):
            problems.append(outcome)
        else:
            rejected.append(outcome)
    paths = tuple(path for path, _ in local_files(info, folder or data_folder()))
    return Corpus(name, tuple(problems), tuple(rejected), paths, info)


def iterate_corpus(info: CorpusInfo, folder: Path | None = None) -> Iterator[Problem | RowError]:
    """The problems of a corpus one by one, over all its files, with its selection applied."""
    folder = folder or data_folder()
    here = local_files(info, folder)
    if not here:
        raise MissingCorpusError(_missing(info, folder))
    wanted = _SELECTIONS[info.select] if info.select else None
    seen: dict[str, int] = {}
    for path, source in here:
        split, fold = (source.split, source.fold) if source else (None, None)
        for outcome in iterate(path, info.format, split, fold):
            if isinstance(outcome, RowError):
                yield outcome
            elif wanted is None or wanted(outcome):
                yield distinct(outcome, seen)


def load_file(path: Path | str, form: Format | str | None = None) -> Corpus:
    """Read a user's own file: our JSON lines or any published format, told from its fields if not named."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    reading = read(path, form)
    if not reading.problems:
        first = f"; the first row: {reading.rejected[0]}" if reading.rejected else ""
        raise CorpusError(f"{path}: no problem could be read from it{first}")
    return Corpus(path.name, reading.problems, reading.rejected, (path,))


def _missing(info: CorpusInfo, folder: Path) -> str:
    expected = f"{info.title} is not on this machine: expected {', '.join(info.files)} under {folder}."
    if info.sources:
        return f"{expected} Run: sau data fetch {info.name}"
    return f"{expected} It cannot be fetched: {info.notes} Set SAU_DATA to a folder that has it."
