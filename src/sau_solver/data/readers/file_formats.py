"""The table of file formats, their detection, and reading a file as problems and rejected rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sau_solver.data.parquet_rows import parquet_files
from sau_solver.data.readers.asdiv import read_asdiv
from sau_solver.data.readers.chinese_corpora import read_cm17k, read_contest, read_hmwp, read_math23k
from sau_solver.data.readers.english_corpora import (
    read_dolphin,
    read_gsm8k,
    read_gsm8k_chinese,
    read_kushman,
    read_mathqa,
    read_svamp,
)
from sau_solver.data.readers.own import read_own
from sau_solver.data.readers.stories import story_problems
from sau_solver.data.rows import Row, read_rows
from sau_solver.errors import InputError, RowError, did_you_mean
from sau_solver.problem import Problem


@dataclass(frozen=True, slots=True)
class Format:
    """A published file format. A row belongs to it if it has all fields of one of the `marks`.

    `problems` returns the rows of the problems that a row of the file has, where these are several.
    """

    name: str
    title: str
    reader: Callable[[Row], Problem]
    marks: tuple[str, ...] = ()
    problems: Callable[[Row], Iterable[Row]] = lambda row: (row,)


# From the most to the least specific marks: detection takes the first match.
FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        Format("kushman", "ALG514, DRAW-1K, Dolphin-L, MAWPS", read_kushman, ("iIndex lEquations", "original expr")),
        Format("asdiv", "ASDiv (XML), ASDiv-A", read_asdiv, ("Body Formula", "body question grade")),
        Format("svamp", "SVAMP", read_svamp, ("Body Equation",)),
        Format("dolphin", "Dolphin1878, Dolphin18K", read_dolphin, ("equations ans", "unknowns equations answer")),
        Format("gsm8k-zh", "GSM8K in Chinese", read_gsm8k_chinese, ("text text_en solution",)),
        Format("gsm8k", "GSM8K", read_gsm8k, ("question answer", "text solution equations answer")),
        Format("cm17k", "CM17K", read_cm17k, ("raw_text original_text equation", "text segmented examination_point")),
        Format("math23k", "Math23K, Ape210K", read_math23k, ("segmented_text equation", "text segmented equation")),
        Format("hmwp", "HMWP", read_hmwp, ("id original_text equation ans", "idx text equation answer")),
        Format("mathqa", "MathQA (MWP-BERT)", read_mathqa, ("original_text equation ans",)),
        Format("contest", "contest-zh", read_contest),  # its fields are those of our JSON lines
        Format("stories", "stories (docs/data.md)", read_own, ("tellings questions",), story_problems),
        Format("sau", "our JSON lines (docs/data.md)", read_own, ("text",)),
    )
}


@dataclass(frozen=True, slots=True)
class Reading:
    """The problems of files in order, and an error for each rejected row."""

    problems: tuple[Problem, ...]
    rejected: tuple[RowError, ...]


def find_format(name: str) -> Format:
    """Return a format by name; raise InputError if there is none."""
    if name in FORMATS:
        return FORMATS[name]
    raise InputError(f"There is no format {name!r}.{did_you_mean(name, FORMATS, 0.4)} Known: {', '.join(FORMATS)}.")


def detect(path: Path) -> Format:
    """Detect the format of a file by the fields of its first readable row."""
    for row in read_rows(path):
        if isinstance(row, Row):
            for candidate in FORMATS.values():
                if any(row.fields.keys() >= set(mark.split()) for mark in candidate.marks):
                    return candidate
            raise InputError(
                f"{path}: no format has the fields {', '.join(sorted(row.fields))}. "
                f"Give the format: {', '.join(FORMATS)}."
            )
    return FORMATS["sau"]  # only broken rows, which reading will report


def iterate(
    path: Path, form: Format | str, split: str | None = None, fold: int | None = None
) -> Iterator[Problem | RowError]:
    """Yield a Problem or a RowError for every row of a file. Repeated ids get the suffixes "#2", "#3"."""
    form = find_format(form) if isinstance(form, str) else form
    seen: dict[str, int] = {}
    for row in read_rows(path, split, fold):
        if isinstance(row, RowError):
            yield row
            continue
        try:
            for problem in form.problems(row):
                yield distinct(form.reader(problem), seen)
        except RowError as error:
            yield error


def distinct(problem: Problem, seen: dict[str, int]) -> Problem:
    """Return the problem with an id that is not in `seen`, and add the id."""
    count = seen.get(problem.id, 0) + 1
    unique = problem.id if count == 1 else f"{problem.id}#{count}"
    while unique in seen:  # a published id may itself end in "#2"
        count += 1
        unique = f"{problem.id}#{count}"
    seen[problem.id] = count
    seen.setdefault(unique, 1)
    return problem if unique == problem.id else replace(problem, id=unique)


def read(path: Path, form: Format | str | None = None) -> Reading:
    """Read a whole file, or a folder of Parquet files. The format is detected unless it is given."""
    return sort_out(iterate_path(path, form))


def iterate_path(path: Path, form: Format | str | None = None) -> Iterator[Problem | RowError]:
    """Yield the problems and bad rows of a file, or of all Parquet files in a folder."""
    seen: dict[str, int] = {}
    for file in parquet_files(path) if path.is_dir() else [path]:
        for outcome in iterate(file, form or detect(file)):
            yield outcome if isinstance(outcome, RowError) else distinct(outcome, seen)


def sort_out(outcomes: Iterable[Problem | RowError]) -> Reading:
    """Separate problems from errors."""
    found = list(outcomes)
    problems = tuple(one for one in found if isinstance(one, Problem))
    return Reading(problems, tuple(one for one in found if isinstance(one, RowError)))
