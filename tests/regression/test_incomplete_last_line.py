"""A file that ends in the middle of its last line was used as if its last row were merely wrong, or had never been."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from sau_solver.data.rows import Row, read_rows
from sau_solver.errors import RowError
from sau_solver.text.lists.problem_lines import INCOMPLETE, read_lines
from sau_solver.text.lists.problem_lists import read_problems

ROWS = [
    {"id": "a", "text": "Tom has 3 apples. How many has he?", "language": "en"},
    {
        "id": "b",
        "text": '小明有3个"苹果"，[又]买了{5}个，现在有几个？\\',
        "language": "zh",
        "answers": ["8"],
        "fold": None,
    },
]
FIRST, LAST = (json.dumps(row, ensure_ascii=False).encode() for row in ROWS)
SAID = "the last line is incomplete (file truncated?)"


def every_cut() -> list[bytes]:
    """Return the two lines, cut at each byte of the second one."""
    return [FIRST + b"\n" + LAST[:size] for size in range(1, len(LAST))]


def test_every_cut_of_a_corpus_file_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    for content in every_cut():
        path.write_bytes(content)
        row, error = read_rows(path)
        assert isinstance(row, Row)
        assert isinstance(error, RowError)
        assert str(error).startswith(f"{path}:2: not JSON: ")
        assert str(error).endswith(SAID)


def test_every_cut_of_a_file_to_solve_is_reported() -> None:
    for content in every_cut():
        whole, cut = read_lines(io.BytesIO(content))
        assert (whole.id, whole.error) == ("a", "")
        assert (cut.number, cut.error.endswith(INCOMPLETE)) == (2, True)


def test_pasted_lines_are_read_the_same_way() -> None:
    for content in (FIRST + b"\n" + LAST[:20], FIRST + b"\n" + LAST[:20] + b"\n"):
        whole, cut = read_problems(content).problems
        assert whole.error == ""
        assert cut.error.endswith(INCOMPLETE) is not content.endswith(b"\n")


def test_a_last_line_without_a_newline_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "whole.jsonl"
    path.write_bytes(FIRST + b"\n" + LAST)
    assert all(isinstance(row, Row) for row in read_rows(path))
    assert not any(line.error for line in read_lines(io.BytesIO(FIRST + b"\n" + LAST)))


@pytest.mark.parametrize("bad", [b"oops", b"{'text': 3}", b'{"text": 3,}', b"3}"])
def test_a_last_line_that_ends_but_is_not_json_is_not_called_incomplete(tmp_path: Path, bad: bytes) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(FIRST + b"\n" + bad)
    error = str(list(read_rows(path))[1])
    assert "incomplete" not in error
    assert "incomplete" not in list(read_lines(io.BytesIO(FIRST + b"\n" + bad)))[1].error


def test_only_the_last_line_is_called_incomplete(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    content = LAST[:20] + b"\n" + FIRST + b"\n"
    path.write_bytes(content)
    assert "incomplete" not in str(next(read_rows(path)))
    assert "incomplete" not in next(read_lines(io.BytesIO(content))).error


def test_an_object_over_several_lines_is_a_row(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text('{\n "id": 1\n}\n{\n "id": 2,\n "te', encoding="utf-8")
    error = str(list(read_rows(path))[1])
    assert error.endswith("lines 4 to 6 were skipped; the last row is incomplete (file truncated?)")
