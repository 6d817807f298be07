"""A corpus file -> rows of named fields, each with its file and line.

One scanner reads the three ways in which JSON corpora are published: a list, JSON lines, and pretty-printed
objects back to back (Math23K). XML (ASDiv) becomes rows of the same kind. Gzip is told by its first bytes.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

from sau_solver.errors import CorpusError, RowError

MAX_BYTES = 1 << 29  # unpacked; twice the largest published corpus, and an end to gzip bombs

_BETWEEN = re.compile(r"[\s,]*")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Row:
    """One record as published. `index` counts from 0; `split` and `fold` are those of the whole file."""

    fields: Mapping[str, object]
    file: str
    line: int
    index: int
    split: str | None = None
    fold: int | None = None

    def error(self, message: str) -> RowError:
        """A RowError that points at this row."""
        return RowError(message, self.file, self.line)

    def get(self, *names: str) -> object:
        """The first of the named fields that is there and not null, else None."""
        for name in names:
            if (value := self.fields.get(name)) is not None:
                return value
        return None

    def need(self, *names: str) -> object:
        """As `get`, but a row without the field is an error."""
        if (value := self.get(*names)) is not None:
            return value
        came = ", ".join(sorted(self.fields)) or "nothing"
        raise self.error(f"expected a field {' or '.join(names)}; the row has {came}")

    def text(self, *names: str) -> str:
        """A field that must be a text with something in it."""
        value = self.need(*names)
        if not isinstance(value, str):
            raise self.error(f"{' or '.join(names)} must be text, not {_kind(value)}")
        if not (value := value.strip()):
            raise self.error(f"{' or '.join(names)} is empty")
        if _SURROGATE.search(value):
            raise self.error(f"{' or '.join(names)} holds half a character (a lone surrogate)")
        return value

    def optional_text(self, *names: str) -> str | None:
        """A text or, where the field is absent, null or empty, None; a whole number is taken as text."""
        value = self.get(*names)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        blank = value is None or (isinstance(value, str) and not value.strip())
        return None if blank else self.text(*names)

    def texts(self, *names: str) -> tuple[str, ...]:
        """A list of texts; a single text counts as a list of one."""
        value = self.need(*names)
        texts: list[str] = []
        for item in value if isinstance(value, list) else [value]:
            if not isinstance(item, str) or _SURROGATE.search(item):
                raise self.error(f"{' or '.join(names)} must be text or a list of texts, not {_kind(item)}")
            texts.append(item.strip())
        return tuple(filter(None, texts))

    def whole(self, name: str) -> int | None:
        """An optional whole number."""
        value = self.get(name)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise self.error(f"{name} must be a whole number, not {_kind(value)}")
        return value


def read_rows(path: Path, split: str | None = None, fold: int | None = None) -> Iterator[Row | RowError]:
    """Every row of a file in order, a RowError in the place of each that is broken."""
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
    return names.get(type(value), "a number")


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            if packed := file.read(2) == b"\x1f\x8b":
                file.seek(0)
                with gzip.open(file) as unpacked:
                    content = unpacked.read(MAX_BYTES + 1)
            else:
                file.seek(0)
                content = file.read(MAX_BYTES + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise CorpusError(f"{path}: the gzip file is damaged or cut short ({error}); fetch or copy it again") from None
    except OSError as error:
        raise CorpusError(f"{path}: cannot be read ({error.strerror or error})") from None
    if len(content) > MAX_BYTES:
        raise CorpusError(f"{path}: more than {MAX_BYTES >> 20} MiB{' unpacked' if packed else ''}; split the file")
    if content[:4] == b"PK\x03\x04":
        raise CorpusError(f"{path}: a zip archive was given where JSON or XML was expected; unzip it first")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CorpusError(f"{path}: not UTF-8 text (line {line}); expected JSON, JSON lines or XML") from None


_Records = Iterator[tuple[int, "dict[str, object] | RowError"]]


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number that JSON allows")


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
                yield line, RowError("the list is not closed: the file was cut short", file, line)
            return
        if in_list and text[position] == "]":
            return
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            resume = _next_start(text, position)
            lost = text[position:resume].rstrip().count("\n")
            skipped = f"; lines {line} to {line + lost} skipped" if lost else ""
            if in_list and resume == len(text):
                skipped = "; the rest of the list was skipped"
            yield line, RowError(f"not JSON: {_json_fault(error)}{skipped}", file, line)
            position = resume
            in_list = in_list and resume < len(text)  # what could not be read has been reported already
            continue
        if isinstance(value, dict):
            yield line, value
        else:
            yield line, RowError(f"expected an object with fields, {_kind(value)} came", file, line)


def _next_start(text: str, position: int) -> int:
    """Where to go on after a broken record: the next line that opens an object in the same column."""
    column = position - (text.rfind("\n", 0, position) + 1)
    match = re.compile(rf"^[ \t]{{{column}}}(?=\{{)", re.MULTILINE).search(text, position + 1)
    return match.end() if match else len(text)


def _json_fault(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} (column {error.colno})"
    return "nested too deep" if isinstance(error, RecursionError) else str(error)


def _xml_records(text: str, file: str) -> _Records:
    """`<Problem>` elements; attributes and child elements become fields."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise CorpusError(f"{file}: XML with a document type or entities is refused; remove the declaration")
    try:
        root = ElementTree.fromstring(text)  # noqa: S314  # entities, the danger in it, were refused above
    except ElementTree.ParseError as error:
        raise CorpusError(f"{file}:{error.position[0]}: not well-formed XML ({error})") from None
    line, counted = 1, 0
    starts = re.finditer(r"<Problem[\s>]", text)
    for element in root.iter("Problem"):
        if start := next(starts, None):
            line, counted = line + text.count("\n", counted, start.start()), start.start()
        fields: dict[str, object] = dict(element.attrib)
        fields.update((child.tag, "".join(child.itertext()).strip()) for child in element)
        yield line, fields
