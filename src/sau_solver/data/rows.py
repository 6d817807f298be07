"""Read a corpus file as rows of named fields, each with its file and line.

One scanner reads JSON lists, JSON lines, and concatenated pretty-printed objects (Math23K). XML (ASDiv) and Parquet
give the same kind of rows. Gzip and xz files are recognized by their first bytes.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

from sau_solver.data.compressed import unpacked
from sau_solver.data.parquet_rows import is_parquet, parquet_records, split_of
from sau_solver.errors import CorpusError, RowError
from sau_solver.text.lists.problem_lines import END_OF_DATA, is_cut_off

_PACKED = {b"\x1f\x8b": ".gz", b"\xfd7zXZ\x00": ".xz"}  # by the first bytes of a file
MAX_BYTES = 1 << 29  # unpacked: twice the largest published corpus; protects against compressed bombs

_BETWEEN = re.compile(r"[\s,]*")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Row:
    """One published record. `index` counts from 0; `split` and `fold` are those of the whole file."""

    fields: Mapping[str, object]
    file: str
    line: int
    index: int
    split: str | None = None
    fold: int | None = None

    def error(self, message: str) -> RowError:
        """Return a RowError with the file and line of this row."""
        return RowError(message, self.file, self.line)

    def get(self, *names: str) -> object:
        """Return the first of the named fields that is present and not null, or None."""
        for name in names:
            if (value := self.fields.get(name)) is not None:
                return value
        return None

    def need(self, *names: str) -> object:
        """Like `get`, but raise RowError if no field is present."""
        if (value := self.get(*names)) is not None:
            return value
        found = ", ".join(sorted(self.fields)) or "none"
        raise self.error(f"the row must have a field {' or '.join(names)}, got {found}")

    def text(self, *names: str) -> str:
        """Return a field that must be a text and not empty."""
        value = self.need(*names)
        if not isinstance(value, str):
            raise self.error(f"{' or '.join(names)} must be text, got {_kind(value)}")
        if not (value := value.strip()):
            raise self.error(f"{' or '.join(names)} must not be empty")
        if _SURROGATE.search(value):
            raise self.error(f"{' or '.join(names)} must be valid Unicode, got a lone surrogate")
        return value

    def optional_text(self, *names: str) -> str | None:
        """Return a text, or None if the field is absent, null or empty. An integer is converted to text."""
        value = self.get(*names)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        blank = value is None or (isinstance(value, str) and not value.strip())
        return None if blank else self.text(*names)

    def texts(self, *names: str) -> tuple[str, ...]:
        """Return a list of texts. A single text gives a list of one."""
        value = self.need(*names)
        texts: list[str] = []
        for item in value if isinstance(value, list) else [value]:
            if not isinstance(item, str) or _SURROGATE.search(item):
                raise self.error(f"{' or '.join(names)} must be text or a list of texts, got {_kind(item)}")
            texts.append(item.strip())
        return tuple(filter(None, texts))

    def whole(self, name: str) -> int | None:
        """Return an integer, or None if the field is absent."""
        value = self.get(name)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise self.error(f"{name} must be an integer, got {_kind(value)}")
        return value


def read_rows(path: Path, split: str | None = None, fold: int | None = None) -> Iterator[Row | RowError]:
    """Yield every row of a file in order, and a RowError for each broken row. A Parquet row's line is its number."""
    records: _Records
    if is_parquet(path):
        records, split = parquet_records(path, MAX_BYTES), split or split_of(path)
    else:
        text = _read_text(path)
        start = text[:200].lstrip()
        records = _xml_records(text, str(path)) if start.startswith("<") else _json_records(text, str(path))
    for index, (line, record) in enumerate(records):
        if isinstance(record, RowError):
            yield record
        else:
            yield Row(record, str(path), line, index, split, fold)


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a decimal number" if isinstance(value, Decimal) else "a number")


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            start = file.read(max(map(len, _PACKED)))
            file.seek(0)
            packed = next((suffix for magic, suffix in _PACKED.items() if start.startswith(magic)), "")
            content = unpacked(file, packed).read(MAX_BYTES + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError) as error:
        raise CorpusError(
            f"{path}: the compressed file is damaged or incomplete ({error}). Fetch or copy it again."
        ) from None
    except OSError as error:
        raise CorpusError(f"{path}: cannot be read ({error.strerror or error}). Check the path.") from None
    if len(content) > MAX_BYTES:
        raise CorpusError(
            f"{path} must be at most {MAX_BYTES >> 20} MiB{' unpacked' if packed else ''}. Split the file."
        )
    if content[:4] == b"PK\x03\x04":
        raise CorpusError(f"{path} must be JSON or XML, got a zip archive. Unzip it first.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.reason == END_OF_DATA:  # the last row will be reported as incomplete
            return error.object[: error.start].decode("utf-8") + "\ufffd"
        line = content.count(b"\n", 0, error.start) + 1
        raise CorpusError(
            f"{path} must be JSON, JSON lines or XML in UTF-8; line {line} is not UTF-8. Convert it."
        ) from None


_Records = Iterator[tuple[int, dict[str, object]]] | Iterator[tuple[int, dict[str, object] | RowError]]


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _json_records(text: str, file: str) -> _Records:
    decoder = json.JSONDecoder(parse_float=Decimal, parse_constant=_refuse_constant)
    in_list = text.lstrip()[:1] == "["
    position = text.index("[") + 1 if in_list else 0
    line, counted = 1, 0
    while True:
        position = _BETWEEN.match(text, position).end()  # type: ignore[union-attr]  # matches anywhere
        line, counted = line + text.count("\n", counted, position), position
        if position == len(text):
            if in_list:
                yield line, RowError("the list is not closed; the file is incomplete", file, line)
            return
        if in_list and text[position] == "]":
            return
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            resume = _next_start(text, position)
            lost = text[position:resume].rstrip().count("\n")
            skipped = f"; lines {line} to {line + lost} were skipped" if lost else ""
            if in_list and resume == len(text):
                skipped = "; the rest of the list was skipped"
            if resume == len(text) and is_cut_off(text[position:]):
                skipped += f"; the last {'row' if lost else 'line'} is incomplete (file truncated?)"
            yield line, RowError(f"not JSON: {_json_fault(error)}{skipped}", file, line)
            position = resume
            in_list = in_list and resume < len(text)  # the unreadable rest has already been reported
            continue
        if isinstance(value, dict):
            yield line, value
        else:
            yield line, RowError(f"a row must be an object with fields, got {_kind(value)}", file, line)


def _next_start(text: str, position: int) -> int:
    """Return where to continue after a broken record: the next line that opens an object in the same column."""
    column = position - (text.rfind("\n", 0, position) + 1)
    match = re.compile(rf"^[ \t]{{{column}}}(?=\{{)", re.MULTILINE).search(text, position + 1)
    return match.end() if match else len(text)


def _json_fault(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} (column {error.colno})"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _xml_records(text: str, file: str) -> _Records:
    """Yield the `<Problem>` elements. Attributes and child elements become fields."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise CorpusError(f"{file}: XML must not declare a document type or entities. Remove the declaration.")
    try:
        root = ElementTree.fromstring(text)  # noqa: S314  # safe: entities are rejected above
    except ElementTree.ParseError as error:
        raise CorpusError(f"{file}:{error.position[0]}: not well-formed XML ({error}). Correct this line.") from None
    line, counted = 1, 0
    starts = re.finditer(r"<Problem[\s>]", text)
    for element in root.iter("Problem"):
        if start := next(starts, None):
            line, counted = line + text.count("\n", counted, start.start()), start.start()
        fields: dict[str, object] = dict(element.attrib)
        fields.update((child.tag, "".join(child.itertext()).strip()) for child in element)
        yield line, fields
