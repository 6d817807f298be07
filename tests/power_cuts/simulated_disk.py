"""A disk that keeps only what was synchronized, and any part of the rest, when the power is cut.

A file keeps its content as of its last fsync. Of later writes any sectors may arrive, and zeros stand for the others.
A folder keeps its names as of its own last fsync. Of later changes the first few may arrive, in their order. The fsync
of a file does not keep its name. This is stricter than the file systems in use.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tests.power_cuts.recorded_changes import Change

SECTOR = 512


@dataclass
class File:
    """Its content in memory and on disk, and the writes in between: an offset with data, or None to truncate there."""

    current: bytearray = field(default_factory=bytearray)
    synced: bytes = b""
    unsynced: list[tuple[int, bytes | None]] = field(default_factory=list)

    def change(self, offset: int, data: bytes | None) -> None:
        _apply(self.current, offset, data)
        self.unsynced.append((offset, data))

    def sync(self) -> None:
        self.synced, self.unsynced = bytes(self.current), []

    def after_cut(self, draw: random.Random, lucky: float) -> bytes:
        content = bytearray(self.synced)
        for offset, data in self.unsynced:
            if data is None:
                if draw.random() < lucky:
                    _apply(content, offset, None)
                continue
            for start in range(offset - offset % SECTOR, offset + len(data), SECTOR):
                if draw.random() < lucky:
                    first = max(start, offset)
                    _apply(content, first, data[first - offset : start + SECTOR - offset])
        return bytes(content)


def _apply(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del content[offset:]
    content.extend(bytes(max(0, offset - len(content))))
    if data is not None:
        content[offset : offset + len(data)] = data


@dataclass
class Folder:
    """Its names in memory and on disk, and the changes in between, each a new version of some names; None deletes."""

    current: dict[str, File | Folder] = field(default_factory=dict)
    synced: dict[str, File | Folder] = field(default_factory=dict)
    unsynced: list[dict[str, File | Folder | None]] = field(default_factory=list)

    def change(self, names: dict[str, File | Folder | None]) -> None:
        _name(self.current, names)
        self.unsynced.append(names)

    def sync(self) -> None:
        self.synced, self.unsynced = dict(self.current), []

    def after_cut(self, draw: random.Random, lucky: float) -> dict[str, File | Folder]:
        names = dict(self.synced)
        for change in self.unsynced:
            if draw.random() >= lucky:
                break
            _name(names, change)
        return names


def _name(names: dict[str, File | Folder], changes: dict[str, File | Folder | None]) -> None:
    for name, what in changes.items():
        if what is None:
            names.pop(name, None)
        else:
            names[name] = what


class Disk:
    """The folder in which a command runs; it is empty before."""

    def __init__(self) -> None:
        self._root = Folder()

    def perform(self, changes: Iterable[Change]) -> None:
        """Do what a process did."""
        for change in changes:
            self._perform(change)

    def _perform(self, change: Change) -> None:
        if change.kind == "S":
            self._find(change.path).sync()
            return
        parent, name = self._parent(change.path)
        if change.kind in "CM":
            parent.change({name: File() if change.kind == "C" else Folder()})
        elif change.kind == "U":
            parent.change({name: None})
        elif change.kind == "R":
            to, new = self._parent(change.other)
            assert to is parent, "a rename between folders"
            parent.change({name: None, new: parent.current[name]})
        else:
            file = self._find(change.path)
            assert isinstance(file, File)
            file.change(change.offset, change.data if change.kind == "W" else None)

    def _find(self, path: str) -> File | Folder:
        found: File | Folder = self._root
        for part in PurePosixPath(path).parts:
            assert isinstance(found, Folder)
            found = found.current[part]
        return found

    def _parent(self, path: str) -> tuple[Folder, str]:
        place = PurePosixPath(path)
        folder = self._find(str(place.parent))
        assert isinstance(folder, Folder)
        return folder, place.name

    def write_after_cut(self, target: Path, draw: random.Random, lucky: float) -> None:
        """Write what a power cut leaves to a new folder; `lucky` is the chance of each change without fsync."""
        self._write(self._root, target, draw, lucky)

    def _write(self, folder: Folder, target: Path, draw: random.Random, lucky: float) -> None:
        target.mkdir()
        for name, what in folder.after_cut(draw, lucky).items():
            if isinstance(what, Folder):
                self._write(what, target / name, draw, lucky)
            else:
                (target / name).write_bytes(what.after_cut(draw, lucky))
