"""Corpora in Parquet, as `datasets` writes them, are read like the same rows in JSON."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from sau_solver.data import convert, load_file
from sau_solver.data import rows as rows_module
from sau_solver.data.parquet_rows import parquet_files, split_of
from sau_solver.data.rows import Row, read_rows
from sau_solver.errors import CorpusError, InputError

QUESTIONS = [
    {"question": f"Ann has {k} pears and buys 5. How many?", "answer": f"{k}+5=<<{k}+5={k + 5}>>{k + 5}\n#### {k + 5}"}
    for k in range(3, 9)
]  # fmt: skip


def write(path: Path, rows: list[dict[str, Any]], **options: Any) -> Path:
    arrow = pytest.importorskip("pyarrow", reason="the extra `parquet` is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `parquet` is not installed")
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(arrow.Table.from_pylist(rows), path, **options)
    return path


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd", "gzip"])
def test_a_file_has_the_problems_of_the_same_rows_in_json(tmp_path: Path, compression: str) -> None:
    packed = write(tmp_path / "gsm8k.parquet", QUESTIONS, compression=compression, row_group_size=2)
    (tmp_path / "gsm8k.jsonl").write_text("".join(json.dumps(row) + "\n" for row in QUESTIONS))
    corpus, plain = load_file(packed), load_file(tmp_path / "gsm8k.jsonl")
    assert corpus.problems == plain.problems
    assert corpus.fingerprint == plain.fingerprint
    assert [problem.answers for problem in corpus] == [(Fraction(k + 5),) for k in range(3, 9)]


def test_the_folder_of_a_dataset_is_one_corpus_with_its_splits(tmp_path: Path) -> None:
    data = tmp_path / "gsm8k" / "main"
    write(data / "test-00000-of-00001.parquet", QUESTIONS[4:])
    write(data / "train-00000-of-00002-0123abcd.parquet", QUESTIONS[:2])
    write(data / "train-00001-of-00002-0123abcd.parquet", QUESTIONS[2:4])
    corpus = load_file(tmp_path / "gsm8k")
    assert [problem.split for problem in corpus] == ["train"] * 4 + ["test"] * 2
    assert [problem.text for problem in corpus] == [row["question"] for row in QUESTIONS]
    assert len({problem.id for problem in corpus}) == len(corpus) == 6
    assert corpus.name == "gsm8k"
    assert len(corpus.part("test")) == 2
    converted = convert(tmp_path / "gsm8k", tmp_path / "out.jsonl")
    assert converted.written == 6
    assert load_file(tmp_path / "out.jsonl").problems == corpus.problems


def test_our_own_fields_in_parquet(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"id": 7, "text": "A rope of 1.5 m is cut in 3. How long is one?", "equations": ["x=1.5/3"], "answers": [0.5]},
        {"id": 8, "text": "How many?", "equations": None, "answers": None},
    ]  # fmt: skip
    first, second = load_file(write(tmp_path / "test" / "0000.parquet", rows))
    assert (first.id, first.equations, first.answers, first.split) == ("7", ("x=1.5/3",), (Fraction(1, 2),), "test")
    assert (second.equations, second.answers) == ((), ())


def test_values_become_those_of_json(tmp_path: Path) -> None:
    row = {"text": "a", "f": 0.1, "n": None, "b": True, "s": {"x": [1, 2.5]}, "t": b"\x00", "i": float("inf")}
    (found,) = read_rows(write(tmp_path / "x.parquet", [row]))
    assert isinstance(found, Row)
    expected = {"text": "a", "f": Decimal("0.1"), "n": None, "b": True, "s": {"x": [Decimal("1.0"), Decimal("2.5")]}}
    assert found.fields == expected | {"t": "b'\\x00'", "i": "inf"}
    assert (found.line, found.index) == (1, 0)


def test_a_bad_row_is_reported_with_its_number(tmp_path: Path) -> None:
    corpus = load_file(write(tmp_path / "x.parquet", [{"text": "How many?"}, {"text": ""}, {"text": None}]))
    assert [str(error).rpartition("x.parquet")[2].partition(" ")[0] for error in corpus.rejected] == [":2:", ":3:"]


@pytest.mark.parametrize(
    ("path", "split"),
    [
        ("train-00000-of-00001.parquet", "train"), ("a/test.parquet", "test"), ("a/dev/0000.parquet", "dev"),
        ("train-00000-of-00001-a09b74b3ef9c3b56.parquet", "train"), ("extra-00000-of-00001.parquet", "extra"),
        ("gsm8k-train.parquet", "train"), ("gsm8k-test-00000-of-00002.parquet", "test"),
        ("mine.parquet", None), ("a/mine.parquet", None), ("a/on-trains.parquet", None),
    ],
)  # fmt: skip
def test_names_of_files_say_the_split(path: str, split: str | None) -> None:
    assert split_of(Path(path)) == split


def test_a_folder_must_hold_one_corpus(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no \.parquet file in this folder"):
        load_file(tmp_path)
    for place in ("main/train.parquet", "main/test/0.parquet", "other/train.parquet"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).touch()
    with pytest.raises(InputError, match=r"must hold one corpus, but has .*main, .*other\. Give one of these folders"):
        parquet_files(tmp_path)
    assert parquet_files(tmp_path / "main") == [tmp_path / "main/train.parquet", tmp_path / "main/test/0.parquet"]


@pytest.mark.parametrize("damage", ["cut", "empty", "flipped", "text"])
def test_a_damaged_file_is_refused(tmp_path: Path, damage: str) -> None:
    path = write(tmp_path / "x.parquet", QUESTIONS)
    content = bytearray(path.read_bytes())
    content[4:60] = bytes(56)  # the head of the first page
    changed = {"cut": content[:-50], "empty": b"", "flipped": content, "text": b'{"text": "How many?"}'}
    path.write_bytes(bytes(changed[damage]))
    with pytest.raises(CorpusError, match="this Parquet file cannot be read"):
        load_file(path)


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "x.parquet", [{"text": "How many? " * 1000}] * 5000, compression="zstd")
    assert path.stat().st_size < 1 << 20
    monkeypatch.setattr(rows_module, "MAX_BYTES", 1 << 20)
    with pytest.raises(CorpusError, match="must be at most 1 MiB unpacked"):
        load_file(path)


def test_without_pyarrow_the_way_to_install_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    (tmp_path / "x.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"needs pyarrow, which is not installed.*pip install '.\[parquet\]'"):
        load_file(tmp_path / "x.parquet")
