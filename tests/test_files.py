"""Files and folders appear complete or not at all, and errors name the path."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import pytest

from sau_solver import files
from sau_solver.errors import InputError, StorageError
from sau_solver.files import (
    existing_folder,
    make_folder,
    replaced_folder,
    replacing,
    replacing_folder,
    storing,
    user_path,
    write_atomically,
)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o640)
    write_atomically(target, "鸡")
    assert target.read_text(encoding="utf-8") == "鸡"
    assert target.stat().st_mode & 0o777 == 0o640
    assert names(tmp_path) == ["a.md"]


def test_an_error_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "a.bin"
    target.write_bytes(b"old")
    with pytest.raises(TypeError), replacing(target) as file:
        file.writelines([b"new", "no bytes"])  # type: ignore[list-item]
    assert target.read_bytes() == b"old"
    assert names(tmp_path) == ["a.bin"]


def test_a_symbolic_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("a.md")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == "new"


def test_a_pipe_receives_the_content_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    write_atomically(pipe, "new")
    reader.join(timeout=30)
    assert read == ["new"]
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["none/a.md", "file/a.md", "folder"])
def test_a_path_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with (
        pytest.raises(InputError, match=rf"{name}: cannot be written \(.+\)\. Give another path\."),
        user_path(tmp_path / name),
    ):
        write_atomically(tmp_path / name, "new")


def test_a_folder_is_replaced_as_a_whole(tmp_path: Path) -> None:
    target = tmp_path / "model"
    for content in ("old", "new"):
        with replacing_folder(target) as folder:
            (folder / content).write_text(content, encoding="utf-8")
    assert names(tmp_path) == ["model"]
    assert names(target) == ["new"]


def test_an_error_while_writing_leaves_the_old_folder(tmp_path: Path) -> None:
    target = tmp_path / "model"
    with replacing_folder(target) as folder:
        (folder / "old").touch()
    with pytest.raises(FileNotFoundError), replacing_folder(target) as folder:
        (folder / "none" / "new").touch()
    assert names(tmp_path) == ["model"]
    assert names(target) == ["old"]


def test_a_kill_between_the_two_renames_leaves_the_old_folder_to_be_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "model"
    with replacing_folder(target) as folder:
        (folder / "old").touch()
    rename = Path.rename

    def killed(self: Path, to: Path) -> Path:
        if to == target:
            raise KeyboardInterrupt
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", killed)
    with pytest.raises(KeyboardInterrupt), replacing_folder(target) as folder:
        (folder / "new").touch()
    monkeypatch.undo()
    assert not target.exists()
    assert existing_folder(target) == replaced_folder(target)
    with replacing_folder(target) as folder:
        (folder / "newer").touch()
    assert names(tmp_path) == ["model"]
    assert existing_folder(target) == target


def test_a_missing_folder_is_none(tmp_path: Path) -> None:
    assert existing_folder(tmp_path / "none") is None


def test_what_a_killed_writer_left_is_written_over(tmp_path: Path) -> None:
    left = tmp_path / ".a.md.writing"
    left.write_text("half of something long", encoding="utf-8")
    left.chmod(0o444)
    write_atomically(tmp_path / "a.md", "new")
    assert names(tmp_path) == ["a.md"]
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == "new"


def test_writers_of_one_file_wait_for_each_other(tmp_path: Path) -> None:
    target, contents = tmp_path / "a.bin", [bytes([number]) * 50_000 for number in range(8)]
    writers = [threading.Thread(target=write_atomically, args=(target, content)) for content in contents * 4]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert target.read_bytes() in contents
    assert names(tmp_path) == ["a.bin"]


def test_a_full_disk_names_the_file_and_says_how_to_continue(tmp_path: Path) -> None:
    with (
        pytest.raises(StorageError, match=r"run: No space left on device\. Check .+ Run the same command again\."),
        storing(tmp_path / "run", "Run the same command again."),
    ):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with pytest.raises(ConnectionResetError), storing(tmp_path, ""):
        raise ConnectionResetError(errno.ECONNRESET, "not about files")


def test_new_folders_are_synchronized_with_the_folders_that_name_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(files, "sync", synced.append)
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    assert synced == [tmp_path, tmp_path / "a"]
    assert (tmp_path / "a" / "b").is_dir()
