"""Weights, vocabulary and progress to a folder and back: every byte checked, never pickle.

A checkpoint is a folder. config.json holds the schema, what the caller says of model, data and progress, and the
size and SHA-256 of each other file; its own last line is the SHA-256 of all bytes before that line. vocabulary.json
and model.safetensors are always there, state.safetensors (what resuming needs) where there is a state.

A folder is written beside its place under a hidden name, synced to disk, and renamed: a kill or a power cut leaves
the old one or the new one. A folder, or a root of numbered ones, has one writing process at a time.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor

from sau_solver.errors import CheckpointError, InputError

SCHEMA = 1  # of checkpoint folders

CONFIG, VOCABULARY, WEIGHTS, STATE = "config.json", "vocabulary.json", "model.safetensors", "state.safetensors"

_NAME = re.compile(r"epoch-(\d{4,})-step-(\d{6,})")
_NAMED = 3  # tensors of each kind that a message about shapes names


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """What a checkpoint folder holds. All but the tensors is JSON, and comes back as it was given."""

    model: dict[str, Any]  # what the weights belong to
    data: dict[str, Any]  # what they were trained on: fingerprint and the like
    progress: dict[str, Any]  # epoch, step, metrics
    vocabulary: dict[str, Any]
    weights: dict[str, Tensor]
    state: dict[str, Tensor] = field(default_factory=dict)  # optimizer moments, averaged weights; empty for none


def write_checkpoint(checkpoint: Checkpoint, folder: Path) -> None:
    """Write a checkpoint folder, in place of the one that is there.

    The new folder is written whole to .NAME.writing, the old one is renamed to .NAME.replaced, the new one to NAME,
    and the old one is deleted. After a kill between the two renames NAME is not there: `read_checkpoint` then reads
    .NAME.replaced, which is complete, and the next write keeps it until the new one has its name. A folder that holds
    anything but a checkpoint's files is not replaced.
    """
    folder = folder.resolve()
    _check_replaceable(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    writing, replaced, deleting = (_beside(folder, role) for role in ("writing", "replaced", "deleting"))
    _remove(writing)
    try:
        _write_files(checkpoint, writing)
        if folder.exists():
            _delete(replaced, deleting)
            folder.rename(replaced)
        writing.rename(folder)
        _sync(folder.parent)
    finally:
        _remove(writing)
    _delete(replaced, deleting)


def read_checkpoint(folder: Path, with_state: bool = False) -> Checkpoint:
    """Read a checkpoint folder; CheckpointError where it is not there whole and undamaged.

    Where NAME is missing and .NAME.replaced is beside it, a writer was killed between its two renames, and
    .NAME.replaced is read: the checkpoint that was about to be replaced. Reading changes nothing on disk. While
    another process replaces the folder, a read gives the old one, the new one or an error, never a mixture.

    The state is read, and its file checked, only if asked for. Tensors come on the CPU and own their memory.
    """
    folder = folder.resolve()
    if not folder.is_dir():
        replaced = _beside(folder, "replaced")
        if not replaced.is_dir():
            raise CheckpointError(
                f"{folder}: a checkpoint folder was expected, and there is none; "
                "give the path of one, or train a model first."
            )
        folder = replaced
    config = _read_config(folder)
    files = config["files"]
    return Checkpoint(
        config["model"],
        config["data"],
        config["progress"],
        _parsed(_read_file(folder, VOCABULARY, files), folder / VOCABULARY),
        _read_tensors(folder, WEIGHTS, files),
        _read_tensors(folder, STATE, files) if with_state and STATE in files else {},
    )


@dataclass(frozen=True)
class Checkpoints:
    """The numbered checkpoints of a run, root/epoch-0007-step-000123/: the newest `keep` of them."""

    root: Path
    keep: int = 1

    def __post_init__(self) -> None:
        if self.keep < 1:
            raise InputError(f"At least 1 checkpoint must be kept, not {self.keep}; give keep=1 or more.")

    def write(self, checkpoint: Checkpoint, epoch: int, step: int) -> Path:
        """Write the next checkpoint, then delete those past `keep`; returns its folder.

        Its number must be above all that are there: a run that starts anew over an old one is a mistake. What
        killed writers left behind is removed.
        """
        newest = self.latest()
        folder = self.root / f"epoch-{epoch:04d}-step-{step:06d}"
        if newest is not None and _number(newest) >= (epoch, step):
            raise CheckpointError(
                f"{folder}: a number above that of {newest.name} was expected; "
                "resume from that one, or train into another folder."
            )
        for left in self.root.glob(".epoch-*-step-*.*"):
            if left.suffix in (".writing", ".deleting"):
                _remove(left)
        write_checkpoint(checkpoint, folder)
        for old in self.all()[: -self.keep]:
            _delete(old, _beside(old, "deleting"))
        return folder

    def latest(self) -> Path | None:
        """The newest one, None where there is none.

        A folder gets its name after its last byte is on disk and loses it before its first is deleted: whatever has
        a name is complete.
        """
        return next(reversed(self.all()), None)

    def drop_after(self, folder: Path | None) -> None:
        """Delete those that are newer than this one, or all: training goes on from there."""
        for newer in self.all():
            if folder is None or _number(newer) > _number(folder):
                _delete(newer, _beside(newer, "deleting"))

    def all(self) -> list[Path]:
        """Those that are there, the oldest first."""
        found = (path for path in self.root.glob("epoch-*-step-*") if _NAME.fullmatch(path.name) and path.is_dir())
        return sorted(found, key=_number)


def check_shapes(weights: Mapping[str, Tensor], expected: Mapping[str, torch.Size]) -> None:
    """Raise CheckpointError where the tensors' names or shapes are not those of the model."""
    wrong = {
        "missing": [name for name in expected if name not in weights],
        "unexpected": [name for name in weights if name not in expected],
        "of another shape": [
            f"{name} (expected {tuple(expected[name])}, came {tuple(tensor.shape)})"
            for name, tensor in weights.items()
            if name in expected and tensor.shape != expected[name]
        ],
    }
    if any(wrong.values()):
        found = "; ".join(f"{kind}: {_first(names)}" for kind, names in wrong.items() if names)
        raise CheckpointError(
            f"The weights are not those of this model. {found}. "
            "Build the model from the checkpoint's own configuration, or train again."
        )


def _first(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _number(folder: Path) -> tuple[int, int]:
    match = _NAME.fullmatch(folder.name)
    assert match
    return int(match[1]), int(match[2])


# Writing


def _contents(checkpoint: Checkpoint) -> Iterable[tuple[str, bytes]]:
    """Name and bytes of each file but config.json, one at a time: a file is as large as its tensors."""
    yield VOCABULARY, (_json(checkpoint.vocabulary, "vocabulary") + "\n").encode()
    yield WEIGHTS, safetensors.torch.save(_own(checkpoint.weights))
    if checkpoint.state:
        yield STATE, safetensors.torch.save(_own(checkpoint.state))


def _own(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Copies on the CPU, contiguous, none sharing memory with another: what safetensors asks for."""
    return {
        name: tensor.detach().to("cpu", copy=True, memory_format=torch.contiguous_format)
        for name, tensor in tensors.items()
    }


def _write_files(checkpoint: Checkpoint, folder: Path) -> None:
    config: dict[str, Any] = {
        "schema": SCHEMA,
        "model": checkpoint.model,
        "data": checkpoint.data,
        "progress": checkpoint.progress,
        "files": {},
    }
    _json(config, "model, data and progress")  # what is not JSON is refused before anything is written
    folder.mkdir()
    for name, content in _contents(checkpoint):
        _write_file(folder / name, content)
        config["files"][name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    text = _json(config, "model, data and progress")
    _write_file(folder / CONFIG, _sealed(text.removesuffix("\n}").encode() + b",\n"))
    _sync(folder)


def _json(value: dict[str, Any], what: str) -> str:
    try:
        text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)
        text.encode()
        if json.loads(text) == value:
            return text
        reason = "it would come back changed"
    except (TypeError, ValueError, RecursionError) as error:
        reason = str(error)
    raise CheckpointError(
        f"{what}: a JSON object was expected ({reason}); "
        "give dictionaries with text keys, lists, text, finite numbers, booleans and None alone."
    )


def _sealed(head: bytes) -> bytes:
    """config.json, whose last entry is the SHA-256 of the bytes before that entry's line."""
    return head + f' "sha256": "{hashlib.sha256(head).hexdigest()}"\n}}\n'.encode()


def _write_file(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """The names in a folder reach the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _beside(folder: Path, role: str) -> Path:
    return folder.with_name(f".{folder.name}.{role}")


def _check_replaceable(folder: Path) -> None:
    if not folder.exists():
        return
    known = (CONFIG, VOCABULARY, WEIGHTS, STATE)
    strange = [path.name for path in folder.iterdir() if path.name not in known] if folder.is_dir() else [folder.name]
    if strange:
        raise CheckpointError(
            f"{folder}: a new path or a checkpoint folder to replace was expected, and it holds {strange[0]!r}; "
            "give another path, or move that away."
        )


def _remove(folder: Path) -> None:
    if folder.is_dir():
        shutil.rmtree(folder)


def _delete(folder: Path, deleting: Path) -> None:
    """Delete a complete folder: it loses its name first, so that nothing half deleted is taken for a checkpoint."""
    _remove(deleting)
    if folder.is_dir():
        folder.rename(deleting)
        _remove(deleting)


# Reading


def _read_config(folder: Path) -> dict[str, Any]:
    path = folder / CONFIG
    content = _read_bytes(path)
    config = _parsed(content, path)
    schema = config.get("schema")
    if type(schema) is not int:
        raise _not_a_checkpoint(path)
    if schema != SCHEMA:
        age, advice = ("a newer", "update sau-solver") if schema > SCHEMA else ("an older", "train again")
        raise CheckpointError(
            f"{path}: written by {age} version of sau-solver (schema {schema}, expected {SCHEMA}); {advice}."
        )
    last_line = len(_sealed(b""))
    if content != _sealed(content[:-last_line]):
        raise _damaged(path, "its checksum is wrong")
    parts = [config.get(name) for name in ("model", "data", "progress", "files")]
    if not all(isinstance(part, dict) for part in parts):
        raise _not_a_checkpoint(path)
    if not {VOCABULARY, WEIGHTS} <= config["files"].keys() <= {VOCABULARY, WEIGHTS, STATE}:
        raise _not_a_checkpoint(path)
    return config


def _read_file(folder: Path, name: str, files: Mapping[str, Mapping[str, Any]]) -> bytes:
    path, expected = folder / name, files[name]
    content = _read_bytes(path)
    if len(content) != expected["bytes"]:
        raise _damaged(path, f"{expected['bytes']} bytes were expected, {len(content)} came")
    if hashlib.sha256(content).hexdigest() != expected["sha256"]:
        raise _damaged(path, "its checksum is wrong")
    return content


def _read_tensors(folder: Path, name: str, files: Mapping[str, Mapping[str, Any]]) -> dict[str, Tensor]:
    # Not load_file: that maps the file, and tensors would change or crash with it after it was checked.
    content = _read_file(folder, name, files)
    try:
        return safetensors.torch.load(content)
    except SafetensorError as error:
        raise _damaged(folder / name, str(error)) from None


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CheckpointError(
            f"{path}: this file of a checkpoint was expected and cannot be read ({error.strerror}); "
            "copy or download the whole folder again, or train again."
        ) from None


def _parsed(content: bytes, path: Path) -> dict[str, Any]:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _damaged(path, f"it is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise _damaged(path, "it is not a JSON object")
    return value


def _not_a_checkpoint(path: Path) -> CheckpointError:
    return CheckpointError(
        f"{path}: the config.json of a checkpoint was expected, and it is something else; give a checkpoint's folder."
    )


def _damaged(path: Path, how: str) -> CheckpointError:
    return CheckpointError(f"{path}: the file is damaged ({how}); download the checkpoint again, or train again.")
