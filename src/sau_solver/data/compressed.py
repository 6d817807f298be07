"""Compressed bytes -> the bytes themselves, by the ending of a file's name: .gz, .bz2, .xz and .zst."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from typing import BinaryIO, cast

from sau_solver.errors import InputError

DAMAGES = (EOFError, zlib.error, lzma.LZMAError, OSError)  # what reading a damaged file raises


def _zstandard(file: BinaryIO) -> BinaryIO:
    try:
        import pyarrow
    except ImportError:
        raise InputError(
            "Reading .zst needs pyarrow, which is not installed. Run in a checkout: pip install '.[parquet]'"
        ) from None
    return cast(BinaryIO, io.BufferedReader(pyarrow.CompressedInputStream(_Borrowed(file), "zstd")))


class _Borrowed(io.RawIOBase):
    """A file that stays open when its reader is closed."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._file.read(size)


_READERS: dict[str, Callable[[BinaryIO], BinaryIO]] = {
    ".gz": lambda file: cast(BinaryIO, gzip.GzipFile(fileobj=file, mode="rb")),
    ".bz2": lambda file: cast(BinaryIO, bz2.BZ2File(file)),
    ".xz": lambda file: cast(BinaryIO, lzma.LZMAFile(file)),  # noqa: SIM115 - who opened it closes it
    ".zst": _zstandard,
}


def compression_of(name: str) -> str:
    """Return the ending that says how a file is compressed; empty if it is not."""
    return next((suffix for suffix in _READERS if name.lower().endswith(suffix)), "")


def unpacked(file: BinaryIO, name: str) -> BinaryIO:
    """Return an open file that reads the bytes behind a compressed one; the file itself if its name has no ending."""
    suffix = compression_of(name)
    return _READERS[suffix](file) if suffix else file
