"""Files and folders in all formats become one output of the same name each, wherever a run was stopped before."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
import typer

from sau_solver.cli.bulk.shards import find_shards, goes_to_folder, make_folders
from sau_solver.cli.bulk.solve_files import Solving, solve_all
from sau_solver.cli.bulk.sources import Source
from sau_solver.errors import InputError
from tests.by_heart import pens, solver

SOLVING = Solving(None, None, 5)
TEXTS = [pens(number + 2, 3) for number in range(5)]
LINES = "".join(json.dumps({"id": place, "text": text}) + "\n" for place, text in enumerate(TEXTS))
BROKEN = LINES.replace('{"id": 2', '{"id" 2')


def table(texts: list[str | None]) -> bytes:
    sink = pyarrow.BufferOutputStream()
    columns = {"id": list(range(len(texts))), "question": texts, "grade": [1.5] * len(texts)}
    pyarrow.parquet.write_table(pyarrow.table(columns), sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def zstandard(content: bytes) -> bytes:
    packed: bytes = pyarrow.compress(content, codec="zstd", asbytes=True)
    return packed


FILES: dict[str, bytes] = {
    "a.jsonl": BROKEN.encode(),
    "b.csv": ("id,problem\n" + "".join(f'{place},"{text}"\n' for place, text in enumerate(TEXTS))).encode(),
    "c.parquet": table([*TEXTS[:2], None, *TEXTS[3:]]),
    "deep/d.jsonl.gz": gzip.compress(LINES.encode(), mtime=0),
    "deep/e.jsonl.bz2": bz2.compress(LINES.encode()),
    "deep/f.jsonl.xz": lzma.compress(LINES.encode()),
    "deep/g.jsonl.zst": zstandard(LINES.encode()),
    "h.txt": "\n".join(TEXTS).encode(),
    "_SUCCESS": b"",
    ".hidden.jsonl": b"{}",
    "README.md": b"not problems",
}
OUTPUTS = [*(f"{name}.jsonl" for name in "abc"), *(f"deep/{name}.jsonl" for name in "defg"), "h.jsonl"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An input folder in the working folder."""
    monkeypatch.setattr("sau_solver.solver.load", lambda model: solver())
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(content)
    return tmp_path


def solve(*inputs: str, target: str = "out") -> None:
    shards = find_shards(inputs, target)
    make_folders(shards)
    solve_all(shards, target, SOLVING)


def answers(path: Path) -> list[list[str] | None]:
    return [json.loads(line).get("answers") for line in path.read_text(encoding="utf-8").splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_every_file_of_a_folder_has_its_answers_in_order_with_bad_lines_in_place(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solve("in")
    assert sorted(contents(folder / "out")) == OUTPUTS
    right: list[list[str] | None] = [[str(3 * (number + 2))] for number in range(5)]
    for name in OUTPUTS:
        bad = name in ("a.jsonl", "c.jsonl")
        assert answers(folder / "out" / name) == ([*right[:2], None, *right[3:]] if bad else right), name
    messages = capsys.readouterr().err
    assert "in/a.jsonl:3: The line is not JSON" in messages
    assert "40 lines: 38 solved, 0 without a confident answer, 2 bad. Answers: out\n" in messages


def test_a_run_continues_after_any_file_and_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solve("in")
    whole = contents(folder / "out")
    for kept in range(len(OUTPUTS)):
        for later in OUTPUTS[kept + 1 :]:
            (folder / "out" / later).unlink(missing_ok=True)
        cut = folder / "out" / OUTPUTS[kept]
        cut.write_bytes(whole[OUTPUTS[kept]][:-200])
        solve("in")
        assert contents(folder / "out") == whole
    capsys.readouterr()
    solve("in")
    assert capsys.readouterr().err == "All lines of 8 files are already answered in out.\n"


def test_files_and_patterns_can_be_named_one_by_one(folder: Path) -> None:
    solve("in/h.txt", "in/deep/*.gz")
    assert sorted(contents(folder / "out")) == ["d.jsonl", "h.jsonl"]


def test_a_url_is_read_and_written_as_a_path_is(folder: Path) -> None:
    solve("in")
    url = f"file://{folder}"
    for _ in range(2):  # the second run finds all answers
        solve(f"{url}/in", target=f"{url}/there")
        assert contents(folder / "there") == contents(folder / "out")


def test_a_url_without_all_answers_gets_them(folder: Path) -> None:
    solve("in")
    url = f"file://{folder}"
    half = folder / "out" / "a.jsonl"
    whole = half.read_bytes()
    half.write_bytes(whole[:-300])
    solve(f"{url}/in", target=f"{url}/out")
    assert half.read_bytes() == whole
    assert not list((folder / "out").glob(".*"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("deep/d.jsonl.gz", gzip.compress(LINES.encode(), mtime=0)[:-20], "d.jsonl.gz: cannot be read to its end"),
        ("deep/g.jsonl.zst", b"no", "g.jsonl.zst: cannot be read to its end"),
        ("c.parquet", b"PAR1 no", "c.parquet: this Parquet file cannot be read"),
        ("b.csv", b"a,b\n1,2\n", "b.csv: "),
    ],
)
def test_a_damaged_file_is_reported_and_the_others_are_solved(
    folder: Path, name: str, content: bytes, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "in" / name).write_bytes(content)
    with pytest.raises(typer.Exit) as ended:
        solve("in")
    assert ended.value.exit_code == 2
    messages = capsys.readouterr().err
    assert f"in/{name.rpartition('/')[0] and 'deep/'}{message}" in messages
    assert "1 of 8 files could not be read to the end; see above." in messages
    output = name.partition(".")[0] + ".jsonl"
    done = sorted(path for path, written in contents(folder / "out").items() if written)
    assert [path for path in done if path != output] == [path for path in OUTPUTS if path != output]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: find_shards(["in"], "in/out"), "lies in the input folder in"),
        (lambda: find_shards(["in", "in/a.jsonl"], "out"), "would have the same output, a.jsonl"),
        (lambda: find_shards(["in/*.nothing"], "out"), "no file matches"),
        (lambda: find_shards(["in/none.jsonl", "in/a.jsonl"], "out"), "no such file"),
        (lambda: find_shards(["-", "in"], "out"), "A pipe cannot be one of several inputs"),
        (lambda: find_shards(["in/a.jsonl"], "in/"), "is the input file"),
        (lambda: find_shards(["empty"], "out"), "no problems in this folder"),
        (lambda: make_folders(find_shards(["in"], "in/h.txt/x/..")), "lies in the input folder"),
        (lambda: make_folders(find_shards(["in/a.jsonl"], "in/h.txt/x")), "cannot be made"),
        (lambda: list(Source("in/c.parquet", column="grades").problems()), "There is no column grades"),
    ],
)
def test_what_cannot_be_done_is_explained_before_anything_is_written(
    folder: Path, call: Callable[[], object], message: str
) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(InputError, match=message):
        call()
    assert not (folder / "out").exists()


def test_a_column_of_a_parquet_file_can_be_chosen(folder: Path) -> None:
    problems = list(Source("in/c.parquet", column="question").problems())
    assert [(one.number, one.text, one.id) for one in problems[:2]] == [(1, TEXTS[0], 0), (2, TEXTS[1], 1)]
    assert problems[2].error


def test_an_output_is_a_folder_if_it_is_one_or_has_several_inputs(folder: Path) -> None:
    assert goes_to_folder(["in"], "out")
    assert goes_to_folder(["in/a.jsonl", "in/b.csv"], "out")
    assert goes_to_folder(["in/*.csv"], "out")
    assert goes_to_folder(["in/a.jsonl"], "out/")
    assert goes_to_folder(["in/a.jsonl"], "in")
    assert not goes_to_folder(["in/a.jsonl"], "a-answers.jsonl")
    assert not goes_to_folder(["in"], "-")
    assert not goes_to_folder(["in"], None)
