"""The files of a checkpoint folder, read or copied and verified byte by byte, before anything is built from them.

config.json holds the schema, JSON about model, data and progress, and the size and SHA-256 of every other file; its
last line is the SHA-256 of the bytes before that line. Reading and copying need no torch.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sau_solver.errors import CheckpointError
from sau_solver.files import existing_folder

SCHEMA = 1  # version of the folder format

CONFIG, VOCABULARY, WEIGHTS, STATE = "config.json", "vocabulary.json", "model.safetensors", "state.safetensors"


@dataclass(frozen=True, eq=False)
class CheckpointFiles:
    """The verified content of a checkpoint folder; tensors are bytes in the format of safetensors."""

    folder: Path
    model: dict[str, Any]
    data: dict[str, Any]
    progress: dict[str, Any]
    vocabulary: dict[str, Any]
    weights: bytes
    state: bytes | None  # None if it was not asked for, or if there is none


def read_files(folder: Path, with_state: bool = False) -> CheckpointFiles:
    """Read a checkpoint folder; raise CheckpointError if it is missing, incomplete or damaged.

    If a writer was killed while it replaced the folder, the old checkpoint is read. The training state is read and
    verified only with `with_state`.
    """
    found = _existing(folder)
    config = _read_config(found)
    files = config["files"]
    return CheckpointFiles(
        found,
        config["model"],
        config["data"],
        config["progress"],
        _parsed(_read_file(found, VOCABULARY, files), found / VOCABULARY),
        _read_file(found, WEIGHTS, files),
        _read_file(found, STATE, files) if with_state and STATE in files else None,
    )


def copy_without_state(folder: Path, target: Path) -> dict[str, Any]:
    """Copy the verified files of a checkpoint to an existing folder, without training state; return config.json."""
    found = _existing(folder)
    config = _read_config(found)
    files = {name: config["files"][name] for name in (VOCABULARY, WEIGHTS)}
    for name in files:
        (target / name).write_bytes(_read_file(found, name, files))
    kept = {name: config[name] for name in ("schema", "model", "data", "progress")} | {"files": files}
    try:
        content = config_content(kept)
    except ValueError as error:  # half of a surrogate pair
        raise damaged(found / CONFIG, str(error)) from None
    (target / CONFIG).write_bytes(content)
    return kept


def config_content(config: Mapping[str, Any]) -> bytes:
    """Return the bytes of config.json with its checksum."""
    return sealed(json.dumps(config, indent=1, ensure_ascii=False).removesuffix("\n}").encode() + b",\n")


def sealed(head: bytes) -> bytes:
    """Return config.json, whose last entry is the SHA-256 of the bytes before that line."""
    return head + f' "sha256": "{hashlib.sha256(head).hexdigest()}"\n}}\n'.encode()


def _existing(folder: Path) -> Path:
    found = existing_folder(folder)
    if found is None:
        raise CheckpointError(
            f"{folder.resolve()}: this checkpoint folder does not exist. "
            "Give the path of a checkpoint, or train a model first."
        )
    return found


def _read_config(folder: Path) -> dict[str, Any]:
    path = folder / CONFIG
    content = _read_bytes(path)
    config = _parsed(content, path)
    schema = config.get("schema")
    if type(schema) is not int:
        raise _not_a_checkpoint(path)
    if schema != SCHEMA:
        age, advice = ("a newer", "Update sau-solver") if schema > SCHEMA else ("an older", "Train again")
        raise CheckpointError(
            f"{path}: written by {age} version of sau-solver (schema {schema}, expected {SCHEMA}). {advice}."
        )
    last_line = len(sealed(b""))
    if content != sealed(content[:-last_line]):
        raise damaged(path, "its checksum is wrong")
    parts = [config.get(name) for name in ("model", "data", "progress", "files")]
    if not all(isinstance(part, dict) for part in parts):
        raise _not_a_checkpoint(path)
    if not {VOCABULARY, WEIGHTS} <= config["files"].keys() <= {VOCABULARY, WEIGHTS, STATE}:
        raise _not_a_checkpoint(path)
    if not all(map(_is_described, config["files"].values())):
        raise _not_a_checkpoint(path)
    return config


def _is_described(file: object) -> bool:
    return isinstance(file, dict) and type(file.get("bytes")) is int and isinstance(file.get("sha256"), str)


def _read_file(folder: Path, name: str, files: Mapping[str, Mapping[str, Any]]) -> bytes:
    path, expected = folder / name, files[name]
    content = _read_bytes(path)
    if len(content) != expected["bytes"]:
        raise damaged(path, f"it must have {expected['bytes']} bytes, got {len(content)}")
    if hashlib.sha256(content).hexdigest() != expected["sha256"]:
        raise damaged(path, "its checksum is wrong")
    return content


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CheckpointError(
            f"{path}: this file of the checkpoint cannot be read ({error.strerror}). "
            "Copy or download the whole folder again, or train again."
        ) from None


def _parsed(content: bytes, path: Path) -> dict[str, Any]:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise damaged(path, f"it is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise damaged(path, "it is not a JSON object")
    return value


def _not_a_checkpoint(path: Path) -> CheckpointError:
    return CheckpointError(f"{path}: this is not the config.json of a checkpoint. Give a checkpoint folder.")


def damaged(path: Path, how: str) -> CheckpointError:
    """Return the error of a file whose content is wrong."""
    return CheckpointError(f"{path}: the file is damaged ({how}). Download the checkpoint again, or train again.")
