"""A file or a pasted text -> its problems: decode it, find its format, and read it.

The formats are `list` (a numbered list), `txt` (blocks between blank lines, or one problem per line), `csv` and
`jsonl` (JSON lines, or one JSON list).
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Literal

from sau_solver.errors import InputError
from sau_solver.problem import Language
from sau_solver.text.language import detect_language
from sau_solver.text.lists.numbered import blocks, numbered_list, one_per_line
from sau_solver.text.lists.problem_lines import ProblemLine, problem_of, read_line, read_lines
from sau_solver.text.lists.table_stream import BEGINNING, stream_table
from sau_solver.text.lists.tables import looks_like_csv, read_table

MAX_PROBLEMS = 1_000
MAX_FILE = 16 << 20  # bytes of a numbered list or plain text that is read as a whole
LINES_EACH = 20  # lines per problem that are read at most

Format = Literal["list", "txt", "csv", "jsonl"]
GivenFormat = Literal["auto", "list", "txt", "csv", "jsonl"]

_SUFFIXES: dict[str, Format] = {".txt": "txt", ".csv": "csv", ".tsv": "csv", ".jsonl": "jsonl", ".json": "jsonl"}
_BINARY = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_READABLE = re.compile("[\x00-\x7f\u2010-\u203b\u2460-\u24ff\u3000-\u303f\u4e00-\u9fff\uff00-\uffef°±×÷·¥]")
_BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_SAMPLE = 2_000  # characters that decide about language and readability


@dataclass(frozen=True, slots=True)
class ProblemList:
    """The problems of a file or text, in order. An entry that cannot be read has an error in place of its text."""

    problems: tuple[ProblemLine, ...]
    format: Format
    column: str = ""  # of a CSV file
    columns: tuple[str, ...] = ()  # all columns of a CSV file


def read_problems(
    content: str | bytes,
    form: GivenFormat = "auto",
    column: str = "",
    limit: int | None = MAX_PROBLEMS,
    messages: Language | None = None,
) -> ProblemList:
    """Read the problems of a file or text; raise InputError if there is none or more than `limit`.

    `messages` is the language of errors. By default it is the language of the text.
    """
    text = _decoded(content, messages).removeprefix("\ufeff")
    language = messages or detect_language(text[:_SAMPLE])
    if _BINARY.search(text):
        raise InputError.phrased(language, "list_binary")
    if text.count("\ufffd") * 50 > len(text):
        raise InputError.phrased(language, "list_encoding")
    if not text.strip():
        raise InputError.phrased(language, "list_empty")
    if limit is not None and (lines := text.count("\n")) > LINES_EACH * limit:
        raise InputError.phrased(language, "list_lines", count=lines, limit=LINES_EACH * limit)
    found = _read(text.replace("\r\n", "\n").replace("\r", "\n"), form, column, language)
    if not found.problems:
        raise InputError.phrased(language, "list_empty")
    if limit is not None and len(found.problems) > limit:
        raise InputError.phrased(language, "list_many", count=len(found.problems), limit=limit)
    return found


def read_file(source: BinaryIO, form: GivenFormat, column: str = "", start: int = 1) -> Iterator[ProblemLine]:
    """Yield the problems of an open file from line `start` on.

    JSON lines, and tables and plain text that are too large to be a list, are read lazily, one row at a time.
    """
    if form == "jsonl":
        yield from read_lines(source, start)
        return
    most = BEGINNING if form == "csv" else MAX_FILE
    content = _read_up_to(source, most + 1)
    if len(content) > most:
        if form == "csv":
            table = stream_table(content, source, _encoding_of_beginning(content), column)
            yield from (problem for problem in table if problem.number >= start)
            return
        if not source.seekable():
            raise InputError.phrased("en", "list_large", size=max(len(content), _size(source)), limit=MAX_FILE)
        source.seek(0)
        yield from read_lines(source, start, plain=True)
        return
    found = read_problems(content, form, column, limit=None, messages="en")
    yield from (problem for problem in found.problems if problem.number >= start)


def _read_up_to(source: BinaryIO, size: int) -> bytes:
    """Return this many bytes, or all if the file has fewer; a pipe or a compressed file can give them in parts."""
    parts: list[bytes] = []
    while size and (part := source.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _size(source: BinaryIO) -> int:
    return source.seek(0, 2) if source.seekable() else 0


def format_of(name: str) -> GivenFormat:
    """Return the format that the ending of a file's name says."""
    return next((form for suffix, form in _SUFFIXES.items() if name.lower().endswith(suffix)), "auto")


def _read(text: str, form: GivenFormat, column: str, language: Language) -> ProblemList:
    if form == "jsonl" or (form == "auto" and _is_json(text)):
        return ProblemList(_read_json(text), "jsonl")
    if form == "csv" or (form == "auto" and (column or looks_like_csv(text))):
        problems, name, columns = read_table(text, column, language)
        return ProblemList(tuple(problems), "csv", name, columns)
    if items := numbered_list(text):
        return ProblemList(tuple(items), "list")
    blank_lines = "\n\n" in re.sub(r"\n[ \t\u3000]+(?=\n)", "\n", text.strip())
    lines = one_per_line(text) if form == "txt" and not blank_lines else blocks(text)
    return ProblemList(tuple(lines), "txt")


def _decoded(content: str | bytes, messages: Language | None) -> str:
    """Decode UTF-8, UTF-16 with its mark, or GB18030."""
    if isinstance(content, str):
        return content
    return _decoding(content, messages)[1]


def _encoding_of_beginning(content: bytes) -> str:
    """Return the encoding of a file by its beginning; raise InputError if that is no text."""
    encoding, text = _decoding(content, "en", whole=False)
    if _BINARY.search(text):
        raise InputError.phrased("en", "list_binary")
    return encoding


def _decoding(content: bytes, messages: Language | None, whole: bool = True) -> tuple[str, str]:
    """Return the encoding and the text; if the content is not whole, its last character can be incomplete."""
    encoding = next((name for mark, name in _BOMS.items() if content.startswith(mark)), "")
    if not encoding and (b"\x00" in content or content.startswith((b"%PDF", b"PK\x03\x04"))):
        raise InputError.phrased(messages or "en", "list_binary")
    for candidate in [encoding] if encoding else ["utf-8", "gb18030"]:
        try:
            text = codecs.getincrementaldecoder(candidate)().decode(content, final=whole)
        except UnicodeDecodeError:
            continue
        if candidate != "gb18030" or _is_chinese(text):
            return candidate, text
    raise InputError.phrased(messages or "en", "list_encoding")


def _is_chinese(text: str) -> bool:
    """Return whether decoding as GB18030 gave common characters; many other encodings can also be decoded like this."""
    sample = text[:_SAMPLE]
    return len(_READABLE.findall(sample)) > 0.95 * len(sample) and not _BINARY.search(sample)


def _is_json(text: str) -> bool:
    first = next(line.strip() for line in text.splitlines() if line.strip())
    if not first.startswith(("{", '"', "[")):
        return False
    try:
        json.loads(text if first.startswith("[") else first)
    except (ValueError, RecursionError):
        return False
    return True


def _read_json(text: str) -> tuple[ProblemLine, ...]:
    if text.lstrip().startswith("["):
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            values = None  # JSON lines whose first line is a list: each gets its own error
        if isinstance(values, list):
            return tuple(problem_of(value, number) for number, value in enumerate(values, start=1))
    lines = text.split("\n")
    found = (read_line(line.encode(), number, last=number == len(lines)) for number, line in enumerate(lines, start=1))
    return tuple(line for line in found if line is not None)
