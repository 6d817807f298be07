"""All containers of rows can be read, broken rows are reported with their line, and damage is never silent."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from sau_solver.data import rows as rows_module
from sau_solver.data.rows import Row, read_rows
from sau_solver.errors import CorpusError, RowError

# Without a time stamp: the parameters of a test must be equal in every process that collects it.
PACKED = gzip.compress(b'{"id": 1}\n' * 1000, mtime=0)
ONE, TWO = {"id": 1, "text": "一"}, {"id": 2, "text": "two"}


def write(folder: Path, content: str | bytes, name: str = "file.json") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def fields(path: Path) -> list[object]:
    return [row.fields if isinstance(row, Row) else row for row in read_rows(path)]


@pytest.mark.parametrize(
    "content",
    [
        json.dumps([ONE, TWO]),
        json.dumps([ONE, TWO], indent=4, ensure_ascii=False),
        f"{json.dumps(ONE)}\n{json.dumps(TWO)}\n",
        f"{json.dumps(ONE)}\r\n\r\n{json.dumps(TWO)}",
        json.dumps(ONE, indent=2) + "\n" + json.dumps(TWO, indent=2),
        json.dumps(ONE) + json.dumps(TWO),
        "\ufeff" + json.dumps([ONE, TWO]),
    ],
    ids=["list", "indented list", "lines", "windows lines", "stream", "stream without breaks", "byte order mark"],
)
def test_every_container_gives_the_same_rows(tmp_path: Path, content: str) -> None:
    plain = write(tmp_path, content)
    packed = write(tmp_path, gzip.compress(content.encode()), "any name")
    assert fields(plain) == fields(packed) == [ONE, TWO]


def test_rows_know_their_line_and_index(tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps([ONE, TWO], indent=1))
    first, second = read_rows(path)
    assert isinstance(first, Row)
    assert isinstance(second, Row)
    assert (first.line, first.index, second.line, second.index) == (2, 0, 6, 1)


def test_xml_problems_become_rows_with_their_lines(tmp_path: Path) -> None:
    problems = '<Problem ID="a"><Body>1 &lt; <b>2</b></Body></Problem>\n\n<Problem ID="b"/>'
    path = write(tmp_path, f'<?xml version="1.0"?>\n<All>\n{problems}</All>')
    first, second = read_rows(path)
    assert isinstance(first, Row)
    assert isinstance(second, Row)
    assert (first.fields, first.line) == ({"ID": "a", "Body": "1 < 2"}, 3)
    assert (second.fields, second.line) == ({"ID": "b"}, 5)


@pytest.mark.parametrize(
    ("content", "lines", "good"),
    [
        ('{"id": 1}\n{"id": \n{"id": 3}\n', [2], 2),
        ('{"id": 1}\nnonsense\n{"id": 3}\n', [2], 2),
        ('{"id": 1}\n{"id": "a\n{"id": "b\n{"id": 4}', [2, 3], 2),
        ('{\n "id": 1\n}\n{\n "id" 2\n}\n{\n "id": 3\n}', [4], 2),
        ('[\n  {"id": 1},\n  {"id": },\n  {"id": 3}\n]', [3], 2),
        ('[{"id": 1}, {"id": }, {"id": 3}]', [1], 1),
        ('[\n{"id": 1},\n{"id": 2}', [3], 2),
        ('{"id": 1}\n[1, 2]\n5\n', [2, 3], 1),
        ('{"id": NaN}\n{"id": 2}', [1], 1),
        ('{"id": ' + "[" * 100_000 + '\n{"id": 2}', [1], 1),
        ('{"id": ' + "9" * 5000 + '}\n{"id": 2}', [1], 1),
    ],
)
def test_a_broken_row_is_reported_with_its_line_and_the_rest_is_read(
    tmp_path: Path, content: str, lines: list[int], good: int
) -> None:
    found = list(read_rows(write(tmp_path, content)))
    errors = [row for row in found if isinstance(row, RowError)]
    assert [error.line for error in errors] == lines
    assert len(found) - len(errors) == good
    assert all(str(error).startswith(f"{tmp_path}/file.json:{error.line}: ") for error in errors)


def test_the_message_says_what_was_skipped(tmp_path: Path) -> None:
    stream = write(tmp_path, '{\n "id" 1\n}\n{\n "id": 2\n}')
    error, _ = read_rows(stream)
    assert "lines 1 to 3 were skipped" in str(error)
    listing = write(tmp_path, '[{"id": }, {"id": 3}]')
    (error,) = read_rows(listing)
    assert "the rest of the list was skipped" in str(error)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "not UTF-8"),
        (b'{"id": 1}\n{"id": "\xff"}', "line 2"),
        (PACKED[:-20], "damaged or incomplete"),
        (PACKED[:40] + b"damage" * 9, "damaged"),
        (b"PK\x03\x04rest", "Unzip it first"),
        (b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', "must not declare"),
        (b"<All><Problem></All>", "not well-formed"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_corpus_error(tmp_path: Path, content: bytes, reason: str) -> None:
    with pytest.raises(CorpusError, match=reason):
        list(read_rows(write(tmp_path, content)))


def test_a_missing_file_and_a_folder_are_corpus_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.json", tmp_path):
        with pytest.raises(CorpusError, match="cannot be read"):
            list(read_rows(path))


def test_a_gzip_bomb_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_module, "MAX_BYTES", 1 << 20)
    with pytest.raises(CorpusError, match="at most 1 MiB unpacked"):
        list(read_rows(write(tmp_path, gzip.compress(bytes(1 << 21)))))


def row(**given: object) -> Row:
    return Row(given, "f.json", 3, 0)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, "must have a field text or body, got none"),
        ({"other": 1}, "got other"),
        ({"text": None}, "must have a field"),
        ({"text": 5}, "must be text, got a number"),
        ({"text": ["a"]}, "must be text, got a list"),
        ({"text": "  "}, "must not be empty"),
        ({"text": "a\ud800"}, "a lone surrogate"),
    ],
)
def test_a_missing_or_invalid_text_is_a_row_error(given: dict[str, object], reason: str) -> None:
    with pytest.raises(RowError, match=reason) as caught:
        row(**given).text("text", "body")
    assert (caught.value.file, caught.value.line) == ("f.json", 3)


def test_fields_are_found_under_any_of_their_names() -> None:
    assert row(body=" b ").text("text", "body") == "b"
    assert row(id=7).optional_text("id") == "7"
    assert row(split="").optional_text("split") is None
    assert row(equations="x=1").texts("equations") == ("x=1",)
    assert row(equations=["x=1", " "]).texts("equations") == ("x=1",)
    with pytest.raises(RowError, match="list of texts"):
        row(equations=[1]).texts("equations")
    with pytest.raises(RowError, match="must be an integer, got text"):
        row(fold="2").whole("fold")
