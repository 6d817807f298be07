"""Parquet files, as the library `datasets` and the Hugging Face Hub write them -> rows of named fields.

A file's name, or its folder's, says the split: train-00000-of-00001.parquet, gsm8k-test.parquet, or test/0000.parquet.
Needs pyarrow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from math import isfinite
from pathlib import Path
from typing import Any, BinaryIO

from sau_solver.errors import CorpusError, InputError

SUFFIX = ".parquet"
MAGIC = b"PAR1"  # the first and last bytes of a file

_BATCH = 256  # rows in memory at a time
_NUMBERED = re.compile(r"-\d+-of-\d+(?:-[0-9a-f]+)?$")  # of a file that is one of several
_SPLITS = {"train": 0, "training": 0, "validation": 1, "valid": 1, "val": 1, "dev": 1, "test": 2}  # in their order


def is_parquet(path: Path) -> bool:
    """Return whether a file is Parquet, by its name or its first bytes."""
    if path.suffix == SUFFIX:
        return True
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def split_of(path: Path) -> str | None:
    """Return the split that a file's name, or the name of its folder, says; None if neither does."""
    name = path.name.removesuffix(SUFFIX)
    stem = _NUMBERED.sub("", name)
    last = stem.rpartition("-")[2]  # `datasets` puts the name of the dataset before the split, except on the Hub
    if last in _SPLITS:
        return last
    if stem != name:
        return stem
    return path.parent.name if path.parent.name in _SPLITS else None


def parquet_files(folder: Path) -> list[Path]:
    """Return the files of one corpus in a folder and its subfolders: the training part first, in order of their names.

    Raise InputError if there is none, or if the folder holds several corpora.
    """
    found = sorted(folder.rglob(f"*{SUFFIX}"), key=lambda path: (_SPLITS.get(split_of(path) or "", 3), str(path)))
    if not found:
        raise InputError(f"{folder}: there is no {SUFFIX} file in this folder. Give another folder, or a file.")
    homes = sorted({path.parent.parent if path.parent.name in _SPLITS else path.parent for path in found})
    if len(homes) > 1:
        raise InputError(
            f"{folder} must hold one corpus, but has {SUFFIX} files in {', '.join(str(home) for home in homes)}. "
            "Give one of these folders."
        )
    return found


def parquet_records(
    path: Path | BinaryIO, most: int | None = None, columns: Sequence[str] | None = None, name: str = ""
) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the number of each row, from 1, and its fields; raise CorpusError past `most` bytes of unpacked data.

    `columns` are those that are read, by default all. `name` is what messages call an open file.
    """
    number, size, shown = 0, 0, name or str(path)
    with _opened(path, shown) as file:
        for batch in file.iter_batches(batch_size=_BATCH, columns=columns, use_threads=False):
            size += batch.nbytes
            if most is not None and size > most:
                raise CorpusError(f"{shown} must be at most {most >> 20} MiB unpacked. Split the file.")
            for fields in batch.to_pylist():
                number += 1
                yield number, {name: _plain(value) for name, value in fields.items()}


def parquet_columns(path: Path | BinaryIO, name: str = "") -> tuple[list[str], int]:
    """Return the names of a file's columns and the number of its rows."""
    with _opened(path, name or str(path)) as file:
        return list(file.schema_arrow.names), int(file.metadata.num_rows)


@contextmanager
def _opened(path: Path | BinaryIO, shown: str) -> Iterator[Any]:
    """Open a Parquet file; an open one stays open."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError(
            f"{shown}: reading Parquet needs pyarrow, which is not installed. "
            "Run in a checkout: pip install '.[parquet]'"
        ) from None
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            yield file
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise CorpusError(f"{shown}: this Parquet file cannot be read ({reason}). Fetch or copy it again.") from None


def _plain(value: object) -> object:
    """Return a value as JSON would have it: decimals are exact, and what is not finite or not JSON is text."""
    match value:
        case float():
            return Decimal(repr(value)) if isfinite(value) else str(value)
        case dict():
            return {str(name): _plain(one) for name, one in value.items()}
        case list() | tuple():
            return [_plain(one) for one in value]
        case None | str() | bool() | int() | Decimal():
            return value
    return str(value)
