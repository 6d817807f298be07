"""Conversion to our JSON lines keeps every field, and never leaves an incomplete file."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.data import convert, load_file
from sau_solver.data.lines import to_fields, write_lines
from sau_solver.data.readers.file_formats import read
from sau_solver.errors import InputError
from sau_solver.problem import Problem
from tests.data.published_chinese import MATH23K
from tests.data.published_english import MAWPS
from tests.data.published_files import ALL
from tests.data.published_form import Published, lines
from tests.strategies import times

TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20).map(str.strip).filter(bool)
WORD = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=5)
VALUES = st.lists(st.fractions(max_denominator=10**6), max_size=3).map(tuple)

PROBLEMS = st.builds(
    Problem,
    id=WORD,
    text=TEXT,
    language=st.sampled_from(["zh", "en"]),
    equations=st.lists(TEXT, max_size=3).map(tuple),
    answers=VALUES,
    alternatives=st.lists(VALUES, max_size=2).map(tuple),
    words=st.none() | st.lists(WORD, max_size=4).map(tuple),
    unknowns=st.lists(WORD, max_size=2).map(tuple),
    fold=st.none() | st.integers(0, 4),
    split=st.none() | WORD,
    kind=st.none() | WORD,
)


@times(100)
@given(problems=st.lists(PROBLEMS, max_size=4, unique_by=lambda problem: problem.id), packed=st.booleans())
def test_problems_written_and_read_are_the_same(
    problems: list[Problem], packed: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    target = tmp_path_factory.mktemp("lines") / ("p.jsonl.gz" if packed else "p.jsonl")
    assert write_lines(problems, target) == len(problems)
    assert read(target, "sau").problems == tuple(problems)


@pytest.mark.parametrize("published", [pytest.param(published, id=name) for name, published in ALL.items()])
def test_every_format_converts_and_reads_back_the_same(published: Published, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target.jsonl.gz"
    source.write_bytes(published.content)
    conversion = convert(source, target)
    assert (conversion.target, conversion.written, conversion.rejected) == (target, 1, ())
    converted, original = load_file(target), load_file(source)
    assert converted.problems == original.problems
    assert converted.fingerprint == original.fingerprint


def test_exact_values_are_strings_and_empty_fields_are_left_out() -> None:
    assert to_fields(MAWPS.problem) == {
        "id": "9",
        "text": "Ann has 0.5 kg and buys 2 more. How much?",
        "language": "en",
        "equations": ["x=0.5+2"],
        "answers": ["5/2"],
    }


def test_a_corpus_converts_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAU_DATA", str(tmp_path))
    (tmp_path / "mawps").mkdir()
    (tmp_path / "mawps/mawps.jsonl.gz").write_bytes(gzip.compress(MAWPS.folder_form))
    assert convert("mawps", tmp_path / "out.jsonl").written == 1


def test_rejected_rows_are_returned(tmp_path: Path) -> None:
    source = tmp_path / "source.jsonl"
    source.write_bytes(lines({"text": "How many?"}) + b"broken\n")
    conversion = convert(source, tmp_path / "out.jsonl")
    assert conversion.written == 1
    assert [error.line for error in conversion.rejected] == [2]


def test_equal_problems_give_equal_files(tmp_path: Path) -> None:
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        write_lines([MATH23K.problem], tmp_path / name)
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    write_lines([MAWPS.problem], target)
    before = target.read_bytes()

    def interrupted() -> Iterator[Problem]:
        yield MATH23K.problem
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_lines(interrupted(), target)
    assert target.read_bytes() == before
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_can_be_converted_in_place(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_bytes(lines({"text": "How many?", "answer": 0.5}))
    convert(path, path)
    assert json.loads(path.read_text())["answers"] == ["1/2"]


def test_wrong_sources_and_targets_are_explained(tmp_path: Path) -> None:
    source = tmp_path / "source.jsonl"
    source.write_bytes(lines({"text": "How many?"}))
    with pytest.raises(InputError, match="must be a file or the name of a corpus"):
        convert(tmp_path / "absent", tmp_path / "out.jsonl")
    with pytest.raises(InputError, match=r"must end in \.jsonl"):
        convert(source, tmp_path / "out.json")
    with pytest.raises(InputError, match="cannot be written"):
        convert(source, tmp_path / "absent" / "out.jsonl")
