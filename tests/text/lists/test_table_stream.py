"""A large CSV file has the problems of a small one, and few of its rows are in memory at a time."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from typing import BinaryIO, cast

import pytest

from sau_solver.data.compressed import unpacked
from sau_solver.errors import InputError
from sau_solver.text.lists import problem_lists, table_stream
from sau_solver.text.lists.problem_lines import ProblemLine
from sau_solver.text.lists.problem_lists import read_file, read_problems

ROWS = [
    "id;题目;lang",
    'a;"Ann has 3 pears; she buys 5.\nHow many has she?";en',
    "b;小明有3个苹果，又买了5个，现在有多少个？;",
    ";;",
    "c;;en",
    'd;"He said ""3+4"".";en',
    "",
    "e;1+2;en;more",
]


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every table of more than 400 bytes as a large one."""
    for module in (problem_lists, table_stream):
        monkeypatch.setattr(module, "BEGINNING", 400)


def content(times: int, end: str = "\n") -> str:
    return end.join([ROWS[0], *ROWS[1:] * times]).replace("\n", end)


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_a_large_table_has_the_problems_of_a_small_one(encoding: str, end: str) -> None:
    raw = content(40, end).encode(encoding)
    expected = read_problems(raw, "csv", limit=None, messages="en").problems
    assert len(expected) == 200
    assert tuple(read_file(io.BytesIO(raw), "csv")) == expected
    assert tuple(read_file(io.BytesIO(raw), "csv", start=150)) == tuple(one for one in expected if one.number >= 150)


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)])
def test_a_compressed_table_is_read_as_it_is_unpacked(suffix: str, pack: Callable[[bytes], bytes]) -> None:
    raw = content(40).encode()
    packed = unpacked(io.BytesIO(pack(raw)), f"p.csv{suffix}")
    assert list(read_file(packed, "csv")) == list(read_file(io.BytesIO(raw), "csv"))


class Generated(io.RawIOBase):
    """A CSV file that is made while it is read, and counts its rows."""

    def __init__(self, rows: int) -> None:
        self._left = rows
        self.made = 0
        self._part = b"problem\n"

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        while len(self._part) < len(view) and self.made < self._left:
            self.made += 1
            self._part += b'"What is %d more than 7?%s"\n' % (self.made, b" " * 10_000)
        part, self._part = self._part[: len(view)], self._part[len(view) :]
        view[: len(part)] = part
        return len(part)


def test_few_rows_of_a_file_above_the_former_limit_are_in_memory() -> None:
    generated = Generated(1_800)
    ahead = 0
    count = 0
    for count, problem in enumerate(read_file(cast(BinaryIO, generated), "csv"), start=1):
        assert problem.text == f"What is {count} more than 7?"
        ahead = max(ahead, generated.made - count)
    assert count == generated.made == 1_800
    assert count * 10_000 > problem_lists.MAX_FILE
    assert ahead * 10_000 <= 2 * table_stream.BEGINNING


def rows_until_error(raw: bytes) -> tuple[list[ProblemLine], str]:
    found: list[ProblemLine] = []
    try:
        for problem in read_file(io.BytesIO(raw), "csv"):
            found.append(problem)
    except InputError as error:
        return found, error.message
    return found, ""


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ('"' + "1+1=2\n" * 60_000, "cannot be read as CSV"),  # a quotation mark without its end
        ('"' + '1\n","2' * 60_000, "has more than 262,144 characters"),
        ("1+2," * 100_000, "has more than 262,144 characters"),
    ],
    ids=["field", "cells on many lines", "line"],
)
def test_a_row_without_end_is_an_error_after_the_rows_before_it(bad: str, reason: str) -> None:
    raw = ("problem,id\n" + "3+4,a\n" * 100 + bad).encode()
    found, error = rows_until_error(raw)
    assert [one.text for one in found] == ["3+4"] * 100
    assert reason in error


@pytest.mark.usefixtures("large")
def test_a_row_of_another_encoding_is_an_error_in_its_place() -> None:
    raw = b"problem\n" + b"3+4\n" * 200 + "计算：3加4".encode("gb18030") + b"\n5+6\n"
    found, error = rows_until_error(raw)
    assert error == ""
    assert [one.number for one in found] == list(range(2, 204))
    assert [one.number for one in found if one.error] == [202]
    assert "another encoding" in found[200].error
    assert found[201].text == "5+6"
    with pytest.raises(InputError, match="not a text file"):
        list(read_file(io.BytesIO(b"problem\n" + b"\x01" * 1_000), "csv"))
