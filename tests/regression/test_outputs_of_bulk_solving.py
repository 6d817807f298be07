"""`sau solve --output` mishandled devices, dangling links and other files, and wrote answers to disk too late."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sau_solver.cli.bulk import streaming
from sau_solver.cli.bulk.show_files import write_sheet
from sau_solver.cli.bulk.solve_files import Solving
from sau_solver.cli.bulk.solve_files import solve_file as solve_files
from sau_solver.cli.bulk.sources import Source
from sau_solver.cli.bulk.streaming import Answer, Shard, Tally
from sau_solver.errors import InputError
from tests.by_heart import pens, solver
from tests.cli.bulk.test_streaming import ignore, solve, solve_file, write

SOLVING = Solving(None, None, 5)


@pytest.fixture
def problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("sau_solver.solver.load", lambda model: solver())
    return write(tmp_path / "problems.txt", [pens(5, 3), pens(6, 3), pens(7, 3)])


def test_a_device_takes_answers(problems: Path) -> None:
    solve_files(Source(str(problems)), "/dev/null", SOLVING)


def test_a_named_pipe_takes_answers(problems: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    solve_files(Source(str(problems)), str(pipe), SOLVING)
    assert os.read(reading, 1 << 20).count(b'{"line": ') == 3
    os.close(reading)


def test_behind_a_dangling_link_the_file_is_made(problems: Path, tmp_path: Path) -> None:
    link = tmp_path / "answers.jsonl"
    link.symlink_to(tmp_path / "elsewhere.jsonl")
    for _ in range(2):  # the second run finds all answers
        solve_files(Source(str(problems)), str(link), SOLVING)
        assert (tmp_path / "elsewhere.jsonl").read_bytes().count(b"\n") == 3
    assert link.is_symlink()


def test_a_link_into_a_missing_folder_names_that_folder(problems: Path, tmp_path: Path) -> None:
    link = tmp_path / "answers.jsonl"
    link.symlink_to(tmp_path / "missing/answers.jsonl")
    with pytest.raises(InputError, match=r"The folder .*missing does not exist"):
        solve_files(Source(str(problems)), str(link), SOLVING)


def test_links_in_a_circle_are_an_error(problems: Path, tmp_path: Path) -> None:
    circle = tmp_path / "circle"
    circle.symlink_to(tmp_path / "other")
    (tmp_path / "other").symlink_to(circle)
    with pytest.raises(InputError, match="cannot be written"):
        solve_files(Source(str(problems)), str(circle), SOLVING)
    with pytest.raises(InputError, match="cannot be written"):
        write_sheet(Source(str(problems)), str(circle), SOLVING, "html", "inline")


@pytest.mark.parametrize("content", ["{", '{"line"', '{"line":', "{}", "\n"])
def test_a_short_file_of_somebody_else_is_not_overwritten(problems: Path, tmp_path: Path, content: str) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text(content)
    with pytest.raises(InputError, match="not written by an earlier run"):
        solve_file(problems, answers, solve, ignore)
    assert answers.read_text() == content


def test_answers_are_on_disk_before_the_next_window(
    problems: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = tmp_path / "answers.jsonl"
    on_disk: list[int | str] = []  # lines of the output at each synchronization, and "folder" for the folder
    heard: list[tuple[int, int]] = []  # the line, and how many lines were on disk when it was answered
    fsync = os.fsync

    def recorded(handle: int) -> None:
        fsync(handle)
        same = os.path.samestat(os.fstat(handle), answers.stat())
        on_disk.append(answers.read_bytes().count(b"\n") if same else "folder")

    def hear(shard: Shard, answer: Answer, tally: Tally) -> None:
        heard.append((answer.line, next((one for one in reversed(on_disk) if isinstance(one, int)), 0)))

    monkeypatch.setattr(os, "fsync", recorded)
    monkeypatch.setattr(streaming, "WINDOW", 1)
    solve_file(problems, answers, solve, hear)
    assert on_disk == ["folder", 1, 2, 3]
    assert heard == [(1, 0), (2, 1), (3, 2)]
