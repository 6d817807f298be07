"""What a command writes appears whole or not at all, and what it cannot write is explained."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from sau_solver.cli.writing import write_text
from sau_solver.errors import InputError


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o640)
    write_text(target, "鸡")
    assert target.read_text(encoding="utf-8") == "鸡"
    assert target.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]


def test_what_cannot_be_written_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    target.write_text("old", encoding="utf-8")
    with pytest.raises(UnicodeEncodeError):
        write_text(target, "new\ud800")
    assert target.read_text(encoding="utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("a.md")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == "new"


def test_a_pipe_gets_the_text_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    write_text(pipe, "new")
    reader.join(timeout=30)
    assert read == ["new"]
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["none/a.md", "file/a.md", "folder"])
def test_a_place_that_is_none_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match=rf"{name}: cannot be written \(.+\); give another name\."):
        write_text(tmp_path / name, "new")
