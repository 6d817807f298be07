"""Checkpoints: a network's weights, vocabulary and training state <-> a folder; and a folder -> a network ready to use.

vocabulary.json and model.safetensors are always present, state.safetensors only if training can resume from the
checkpoint; checkpoint_files.py describes config.json. Nothing is pickled, and every byte is verified.

Folders are written by `files.replacing_folder`: a kill or a power cut leaves the old checkpoint or the new one. Only
one process at a time may write to a folder.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor

from sau_solver.errors import CheckpointError, InputError
from sau_solver.files import remove, replacing_folder
from sau_solver.models.checkpoint_files import (
    CONFIG,
    SCHEMA,
    STATE,
    VOCABULARY,
    WEIGHTS,
    config_content,
    damaged,
    read_files,
)
from sau_solver.models.described import built
from sau_solver.models.devices import find_device
from sau_solver.models.layers.stacked import Rounding, rounded
from sau_solver.models.options import NETWORKS, DeviceName, NetworkOptions
from sau_solver.models.predictor import NetworkPredictor, predictor_class
from sau_solver.models.quantized import MOST, ROUNDED, digest, is_quantized, quantize, restore

_NAME = re.compile(r"epoch-(\d{4,})-step-(\d{6,})")
_MODEST = 1024  # a size for which a network takes little memory
_NAMED = 3  # tensors of each kind that an error message lists
TRAINING_ONLY = "alignment."  # prefix of the weights that a search does not use


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """The content of a checkpoint folder: tensors, and JSON objects that are read back unchanged."""

    model: dict[str, Any]  # name, options and settings of the network
    data: dict[str, Any]  # the training data, such as its fingerprint
    progress: dict[str, Any]  # epoch, step, metrics
    vocabulary: dict[str, Any]
    weights: dict[str, Tensor]
    state: dict[str, Tensor] = field(default_factory=dict)  # optimizer moments and averaged weights, if any

    def quantized(self, most: int, **data: Any) -> Checkpoint:
        """Return a small copy for shipping, with integer weights up to `most`; `data` is added to its description.

        An encoder that was trained with `[training] rounding` is rounded like that.
        """
        weights = {name: value for name, value in self.weights.items() if not name.startswith(TRAINING_ONLY)}
        model = dict(self.model)
        without = {"ssar": 0.0, "idle_head": False}
        off = {name: value for name, value in without.items() if name in model["options"]}
        model["options"] = model["options"] | off
        model["trained"] = {"options": self.model["options"], "sha256": digest(self.weights), "most": most}
        stored = quantize(weights, most, _rounding(model))
        return replace(self, model=model, data={**self.data, **data}, weights=stored, state={})


@dataclass(frozen=True)
class Checkpoints:
    """The newest `keep` checkpoints of a training run, in folders such as root/epoch-0007-step-000123/."""

    root: Path
    keep: int = 1

    def __post_init__(self) -> None:
        if self.keep < 1:
            raise InputError(f"keep must be at least 1, got {self.keep}. Use keep=1 or more.")

    def write(self, checkpoint: Checkpoint, epoch: int, step: int) -> Path:
        """Write the next checkpoint, delete the oldest ones, and return the new folder.

        The new number must be above all existing ones: a new run must not start over an old one.
        """
        newest = self.latest()
        folder = self.root / f"epoch-{epoch:04d}-step-{step:06d}"
        if newest is not None and _number(newest) >= (epoch, step):
            raise CheckpointError(
                f"{folder}: the checkpoint's number must be above that of {newest.name}. "
                "Resume from that checkpoint, or train into another folder."
            )
        self.remove_leftovers()
        write_checkpoint(checkpoint, folder)
        for old in self.all()[: -self.keep]:
            remove(old)
        return folder

    def remove_leftovers(self) -> None:
        """Delete what processes that were killed have left."""
        for left in self.root.glob(".epoch-*-step-*.*"):
            if left.suffix in (".writing", ".deleting"):
                remove(left)

    def latest(self) -> Path | None:
        """Return the newest checkpoint, or None if there is none. Every listed checkpoint is complete."""
        return next(reversed(self.all()), None)

    def drop_after(self, folder: Path | None) -> None:
        """Delete the checkpoints that are newer than `folder`, or all of them."""
        for newer in self.all():
            if folder is None or _number(newer) > _number(folder):
                remove(newer)

    def all(self) -> list[Path]:
        """Return the existing checkpoints, the oldest first."""
        found = (path for path in self.root.glob("epoch-*-step-*") if _NAME.fullmatch(path.name) and path.is_dir())
        return sorted(found, key=_number)


def _number(folder: Path) -> tuple[int, int]:
    match = _NAME.fullmatch(folder.name)
    assert match
    return int(match[1]), int(match[2])


# Loading a network


def load_predictor(
    folder: Path, device: DeviceName = "cpu", own: type[NetworkOptions] | None = None
) -> NetworkPredictor[Any]:
    """Load a trained network. For a network outside this package, `own` is the class of its options."""
    return load_with_data(folder, device, own)[0]


def load_with_data(
    folder: Path, device: DeviceName = "cpu", own: type[NetworkOptions] | None = None
) -> tuple[NetworkPredictor[Any], dict[str, Any]]:
    """Load a trained network and what its checkpoint says about the data. A checkpoint never names code to run."""
    checkpoint = read_checkpoint(folder)
    known = dict(NETWORKS) if own is None else {own.model: own}
    name = checkpoint.model.get("name", "")
    if not isinstance(name, str) or name not in known:
        raise CheckpointError(
            f"{folder}: the checkpoint must be of {', '.join(known)}, got {name!r}. "
            "For a network of your own, pass its options: load_predictor(folder, own=MyOptions)."
        )
    try:
        solver, weights = _fitting(checkpoint, known[name], find_device(device), planned=own is None)
    except CheckpointError as error:
        raise CheckpointError(f"{folder}: {error}") from None
    solver.network.load_state_dict(_as_trained(checkpoint, weights))
    solver.network.eval()
    return solver, checkpoint.data


def _fitting(
    checkpoint: Checkpoint, listed: type[NetworkOptions], device: torch.device, planned: bool
) -> tuple[NetworkPredictor[Any], dict[str, Tensor]]:
    """Build the network that a checkpoint describes, and return it with the weights that fit it."""
    options = built(listed, checkpoint.model.get("options"), "model.options")
    blank = predictor_class(listed).blank
    weights: dict[str, Tensor] | None = None
    if planned and not _is_modest(checkpoint):  # first without memory, which takes two seconds
        with torch.device("meta"):
            plan = blank(checkpoint.model, checkpoint.vocabulary, options, torch.device("meta"))
        weights = _weights_for(plan, checkpoint.weights)
    solver = blank(checkpoint.model, checkpoint.vocabulary, options, device)
    return solver, _weights_for(solver, checkpoint.weights) if weights is None else weights


def _is_modest(checkpoint: Checkpoint) -> bool:
    """Return whether no described size is much larger than the stored vectors, such as biases, suggest."""
    vectors = [value.numel() for name, value in checkpoint.weights.items() if _is_vector(name, value)]
    encoder = checkpoint.model.get("encoder", {})
    if not isinstance(encoder, dict):
        return False
    told = [*checkpoint.model["options"].values(), *encoder.values()]
    return all(size <= max(_MODEST, *vectors) for size in told if isinstance(size, (int, float)))


def _is_vector(name: str, value: Tensor) -> bool:
    return value.dim() == 1 and not name.endswith((".q", ".scale"))


def _weights_for(solver: NetworkPredictor[Any], stored: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights as the network holds them; raise CheckpointError if they do not fit it."""
    shapes = {name: value.shape for name, value in solver.network.state_dict().items()}
    weights = restore(stored, shapes) if is_quantized(stored) else stored
    check_shapes(weights, shapes)
    return weights


def _as_trained(checkpoint: Checkpoint, weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights that the network was trained with: rounded ones if `[training] rounding` was set."""
    rounding = _rounding(checkpoint.model)
    if is_quantized(checkpoint.weights) or rounding is None:
        return weights
    return {
        name: rounded(value, rounding)
        if name.startswith(ROUNDED) and name.endswith(".weight") and value.dim() == 2
        else value
        for name, value in weights.items()
    }


def _rounding(model: Mapping[str, Any]) -> Rounding | None:
    """Return how a described network was rounded in training, or None."""
    training = model.get("training")
    if not isinstance(training, dict):
        return None
    most, step = training.get("rounding", 0), training.get("rounding_step", 0.0)
    usable = isinstance(most, int) and 0 < most <= MOST and isinstance(step, (int, float)) and 0 <= step < math.inf
    return Rounding(most, step) if usable else None


def check_shapes(weights: Mapping[str, Tensor], expected: Mapping[str, torch.Size]) -> None:
    """Raise CheckpointError if the tensors' names or shapes differ from those of the network."""
    wrong = {
        "missing": [name for name in expected if name not in weights],
        "unexpected": [name for name in weights if name not in expected],
        "of another shape": [
            f"{name} (expected {tuple(expected[name])}, got {tuple(tensor.shape)})"
            for name, tensor in weights.items()
            if name in expected and tensor.shape != expected[name]
        ],
    }
    if any(wrong.values()):
        found = "; ".join(f"{kind}: {_first(names)}" for kind, names in wrong.items() if names)
        raise CheckpointError(
            f"The weights do not fit this network. {found}. "
            "Build the network from the checkpoint's own configuration, or train again."
        )


def _first(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


# Writing


def write_checkpoint(checkpoint: Checkpoint, folder: Path) -> None:
    """Write a checkpoint folder and replace an existing checkpoint; refuse to replace any other folder."""
    folder = folder.resolve()
    _check_replaceable(folder)
    config: dict[str, Any] = {
        "schema": SCHEMA,
        "model": checkpoint.model,
        "data": checkpoint.data,
        "progress": checkpoint.progress,
        "files": {},
    }
    _json(config, "model, data and progress")  # refuse what JSON cannot hold before writing anything
    with replacing_folder(folder) as writing:
        for name, content in _contents(checkpoint):
            (writing / name).write_bytes(content)
            config["files"][name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
        (writing / CONFIG).write_bytes(config_content(config))


def _check_replaceable(folder: Path) -> None:
    if not folder.exists():
        return
    known = (CONFIG, VOCABULARY, WEIGHTS, STATE)
    strange = [path.name for path in folder.iterdir() if path.name not in known] if folder.is_dir() else [folder.name]
    if strange:
        raise CheckpointError(
            f"{folder}: only a checkpoint folder can be replaced, but this path holds {strange[0]!r}. "
            "Give another path, or move that file away."
        )


def _contents(checkpoint: Checkpoint) -> Iterable[tuple[str, bytes]]:
    """Yield the name and bytes of each file except config.json, one at a time to save memory."""
    yield VOCABULARY, (_json(checkpoint.vocabulary, "vocabulary") + "\n").encode()
    yield WEIGHTS, safetensors.torch.save(_copies(checkpoint.weights))
    if checkpoint.state:
        yield STATE, safetensors.torch.save(_copies(checkpoint.state))


def _copies(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return contiguous copies on the CPU that share no memory, as safetensors requires."""
    return {
        name: tensor.detach().to("cpu", copy=True, memory_format=torch.contiguous_format)
        for name, tensor in tensors.items()
    }


def _json(value: dict[str, Any], what: str) -> str:
    try:
        text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)
        text.encode()
        if json.loads(text) == value:
            return text
        reason = "it would be read back changed"
    except (TypeError, ValueError, RecursionError) as error:
        reason = str(error)
    raise CheckpointError(
        f"{what} must be a JSON object ({reason}). "
        "Use only dictionaries with text keys, lists, text, finite numbers, booleans and None."
    )


# Reading


def read_checkpoint(folder: Path, with_state: bool = False) -> Checkpoint:
    """Read a checkpoint folder as `read_files` does. Tensors are on the CPU and own their memory."""
    files = read_files(folder, with_state)
    return Checkpoint(
        files.model,
        files.data,
        files.progress,
        files.vocabulary,
        _tensors(files.weights, files.folder / WEIGHTS),
        {} if files.state is None else _tensors(files.state, files.folder / STATE),
    )


def _tensors(content: bytes, path: Path) -> dict[str, Tensor]:
    # load_file would map the file into memory: a later change of the file would change or crash verified tensors.
    try:
        return safetensors.torch.load(content)
    except SafetensorError as error:
        raise damaged(path, str(error)) from None
