"""Load a corpus by name or from a file, and convert corpora to our JSON lines."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from sau_solver.data.asked_labels import reader_labels
from sau_solver.data.lines import to_line, write_lines
from sau_solver.data.parquet_rows import parquet_files
from sau_solver.data.readers.file_formats import Format, distinct, iterate, iterate_path, read, sort_out
from sau_solver.data.registry import CorpusInfo, Selection, corpora, data_folder, find_corpus, local_files
from sau_solver.errors import CorpusError, InputError, MissingCorpusError, RowError
from sau_solver.problem import Problem

_HMWP_EQUATION = re.compile(r"[-0-9.+*/^()=xy\s]+")


_SELECTIONS: dict[Selection, Callable[[Problem], bool]] = {
    # The filter of the SAU-Solver authors: an answer, and equations of x, y, numbers and operators only.
    "hmwp-paper": lambda problem: bool(problem.answers) and all(map(_HMWP_EQUATION.fullmatch, problem.equations)),
    "manual-equations": lambda problem: problem.kind == "manual" and bool(problem.equations),
}


@dataclass(frozen=True)
class Corpus:
    """Problems under one name, and the rows that were rejected. `info` is None for a user's own file."""

    name: str
    problems: tuple[Problem, ...]
    rejected: tuple[RowError, ...]
    files: tuple[Path, ...]
    info: CorpusInfo | None = None

    def __len__(self) -> int:
        return len(self.problems)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.problems)

    def part(self, split: str) -> Corpus:
        """Return the problems of one published split; raise InputError if there are none."""
        chosen = tuple(problem for problem in self.problems if problem.split == split)
        if not chosen:
            known = sorted({problem.split for problem in self.problems if problem.split})
            raise InputError(f"{self.name} has no split {split!r}. It has {', '.join(known) or 'none'}.")
        return replace(self, name=f"{self.name} ({split})", problems=chosen, rejected=())

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of the problems as JSON lines. It changes if any field or the order changes."""
        digest = hashlib.sha256()
        for problem in self.problems:
            digest.update(to_line(problem).encode())
        return digest.hexdigest()


def load(name: str, folder: Path | None = None) -> Corpus:
    """Read a registered corpus from the data folder."""
    info = find_corpus(name)
    reading = sort_out(iterate_corpus(info, folder))
    labels = reader_labels(name)
    problems = tuple(replace(one, asked=labels[one.id]) if one.id in labels else one for one in reading.problems)
    paths = tuple(path for path, _ in local_files(info, folder or data_folder()))
    return Corpus(name, problems, reading.rejected, paths, info)


def iterate_corpus(info: CorpusInfo, folder: Path | None = None) -> Iterator[Problem | RowError]:
    """Yield the problems of a corpus, and an error for each bad row, from all its files, with its selection applied."""
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
    """Read a user's own file: our JSON lines or any published format. The format is detected unless it is given.

    A folder of Parquet files, such as a downloaded dataset of the Hugging Face Hub, is read as one corpus.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"{path}: no such file. Check the path.")
    reading = read(path, form)
    if not reading.problems:
        first = f" The first row: {reading.rejected[0]}" if reading.rejected else ""
        raise CorpusError(f"{path}: the file contains no problem that can be read.{first}")
    files = tuple(parquet_files(path)) if path.is_dir() else (path,)
    return Corpus(path.name, reading.problems, reading.rejected, files)


def _missing(info: CorpusInfo, folder: Path) -> str:
    missing = f"{info.title} is not on this machine: {', '.join(info.files)} not found in {folder}."
    if info.sources:
        return f"{missing} Run: sau data fetch {info.name}"
    return f"{missing} It cannot be downloaded: {info.notes} Set SAU_DATA to a folder that contains it."


@dataclass(frozen=True, slots=True)
class Conversion:
    """The result of a conversion: how many problems were written, and the rows that were rejected."""

    target: Path
    written: int
    rejected: tuple[RowError, ...]


def convert(source: Path | str, target: Path | str, form: Format | str | None = None) -> Conversion:
    """Convert a file, a folder of Parquet files or a registered corpus to our JSON lines (.jsonl or .jsonl.gz)."""
    path, target = Path(source), Path(target)
    if path.is_file() or (path.is_dir() and str(source) not in corpora()):
        outcomes = iterate_path(path, form)
    elif str(source) in corpora():
        outcomes = iterate_corpus(corpora()[str(source)])
    else:
        raise InputError(f"{source} must be a file or the name of a corpus. Corpora: {', '.join(corpora())}.")
    rejected: list[RowError] = []
    written = write_lines(_problems(outcomes, rejected), target)
    return Conversion(target, written, tuple(rejected))


def _problems(outcomes: Iterator[Problem | RowError], rejected: list[RowError]) -> Iterator[Problem]:
    for outcome in outcomes:
        if isinstance(outcome, Problem):
            yield outcome
        else:
            rejected.append(outcome)
