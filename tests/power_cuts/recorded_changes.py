"""Run `sau` under recorder.c, and read what it did to the files of its folder."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).with_name("recorder.c")
ROOT = Path(__file__).parents[2]
COMPILER = shutil.which("cc")
MAIN = "from sau_solver.cli import main; main()"

_HEAD = struct.Struct("=cIIqQ")


@dataclass(frozen=True, slots=True)
class Change:
    """One operation; paths are relative to the folder.

    C creates a file, M a folder, W writes, T truncates, R renames `path` to `other`, U deletes, S synchronizes.
    """

    kind: str
    path: str
    other: str
    offset: int
    data: bytes


@cache
def library(folder: Path) -> Path:
    """Compile the recorder once for a test session."""
    assert COMPILER
    made = folder / "recorder.so"
    subprocess.run([COMPILER, "-shared", "-fPIC", "-O1", "-o", str(made), str(SOURCE), "-ldl", "-lpthread"], check=True)
    return made


def run_preloaded(
    preloaded: Path, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], before: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run `sau ARGUMENTS` in a new interpreter with the library; `before` are statements that run first."""
    command = [sys.executable, "-c", before + MAIN, *arguments]
    paths = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    own = {"LD_PRELOAD": str(preloaded), "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, cwd=folder, env=os.environ | dict(environment) | own, capture_output=True, text=True, check=False
    )


def record(
    preloaded: Path, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], before: str = ""
) -> list[Change]:
    """Run `sau ARGUMENTS` to its end and return what it did to the files of its folder."""
    log = folder.with_name(f"{folder.name}.recording")
    recording = {"RECORDED_FOLDER": str(folder), "RECORDING": str(log)}
    done = run_preloaded(preloaded, arguments, folder, {**environment, **recording}, before)
    assert done.returncode == 0, done.stderr
    return _read(log.read_bytes(), str(folder))


def _read(log: bytes, folder: str) -> list[Change]:
    changes, start = [], 0
    while start < len(log):
        kind, one, other, offset, size = _HEAD.unpack_from(log, start)
        start += _HEAD.size
        fields = []
        for length in (one, other, size):
            fields.append(log[start : start + length])
            start += length
        paths = [_relative(path.decode(), folder) for path in fields[:2]]
        changes.append(Change(kind.decode(), paths[0], paths[1], offset, fields[2]))
    return changes


def _relative(path: str, folder: str) -> str:
    return os.path.relpath(path, folder) if path else ""
