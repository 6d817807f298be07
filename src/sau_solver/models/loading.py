"""A folder of weights -> a model with its calibration; and the folders of the shipped weights."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sau_solver.answering.asked.final_unknown import AskedFirst, asked_first_of
from sau_solver.answering.confidence import UNCALIBRATED, Calibration
from sau_solver.answering.preference import PLAUSIBLE_FIRST, Preference
from sau_solver.equations.uet import Uet
from sau_solver.errors import CheckpointError, InputError
from sau_solver.models.base import Predictor
from sau_solver.models.checkpoint_files import read_files
from sau_solver.problem import Language
from sau_solver.text.numbers import MappedText

_SOLVING = ("onnxruntime", "numpy", "safetensors")
_TRAINING = ("torch", "numpy", "safetensors")
LANGUAGES: Mapping[Language, str] = {"zh": "Chinese", "en": "English"}


@dataclass(frozen=True, slots=True)
class Model:
    """A predictor with its name in solutions, its calibration and its preference between answers."""

    predictor: Predictor
    calibration: Calibration = UNCALIBRATED
    name: str = ""
    preference: Preference = PLAUSIBLE_FIRST
    asked_first: AskedFirst = ""

    def unknown_words(self, text: MappedText) -> float:
        """Return the share of words that the predictor has never seen; 0 if it does not know."""
        share: Callable[[MappedText], float] | None = getattr(self.predictor, "unknown_words", None)
        return share(text) if share else 0.0

    def attended(self, text: MappedText, tree: Uet) -> list[list[float]] | None:
        """Return the weight of each word for each node of the tree; None if the predictor has no attention."""
        weights: Callable[[MappedText, Uet], list[list[float]]] | None = getattr(self.predictor, "attended", None)
        return weights(text, tree) if weights else None


@dataclass(frozen=True, slots=True)
class StoredModel:
    """A model in a folder, or the shipped model of a language; calling it loads it."""

    place: Path | Language
    name: str

    @property
    def folder(self) -> Path:
        """Its folder; raise CheckpointError if this installation has no shipped weights."""
        return self.place if isinstance(self.place, Path) else shipped_folder(self.place)

    @property
    def asked_first(self) -> AskedFirst:
        """What the network calls x, read without loading it; nothing in particular if there are no weights."""
        try:
            described = json.loads((model_folder(self.folder) / "config.json").read_bytes())
        except (CheckpointError, OSError, ValueError):
            return ""
        return asked_first_of(described["data"])

    def __call__(self) -> Model:
        """Load it."""
        return load_model(self.folder, self.name)


def load_model(folder: Path, name: str = "") -> Model:
    """Load a trained model from its folder.

    SAU with a pretrained encoder, as all shipped models are, needs no torch. Other networks do, and torch is imported
    only for them.
    """
    _require(_SOLVING, "Solving", "pip install .")
    from sau_solver.models.inference.array_predictor import ArrayPredictor, is_readable

    files = read_files(folder)
    if is_readable(files):
        return model_of(ArrayPredictor.read(files), files.data, name or folder.name)
    require_torch()
    from sau_solver.models.checkpoint import load_with_data

    predictor, data = load_with_data(folder)
    return model_of(predictor, data, name or folder.name)


def model_of(predictor: Predictor, data: Mapping[str, Any], name: str = "") -> Model:
    """Return a predictor with the calibration and the preference that its checkpoint has stored."""
    calibration, preference = data.get("calibration"), data.get("preference")
    return Model(
        predictor,
        UNCALIBRATED if calibration is None else Calibration.from_json(calibration),
        name,
        PLAUSIBLE_FIRST if preference is None else Preference.from_json(preference),
        asked_first_of(data),
    )


def require_torch() -> None:
    """Raise InputError if a package is not installed that training needs, and solving with some networks."""
    _require(_TRAINING, "Training, and solving with this kind of network,", "pip install '.[train]'")


def _require(packages: Sequence[str], what: str, command: str) -> None:
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise InputError(
            f"{what} needs {', '.join(packages)}, but {', '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} not installed. Run in a checkout: {command}"
        )


def check_shipped(language: Language) -> str:
    """Describe the shipped weights of a language without loading them: their size, and whether they are undamaged."""
    try:
        folder = shipped_folder(language)
    except CheckpointError:
        return "none"
    described = json.loads((folder / "config.json").read_bytes())
    size = 0
    for name, expected in described["files"].items():
        content = (folder / name).read_bytes()
        size += len(content)
        if hashlib.sha256(content).hexdigest() != expected["sha256"]:
            return f"{name} is damaged: its checksum is wrong; install the package again"
    digest = described["files"]["model.safetensors"]["sha256"]
    return f"{size / 1e6:.1f} MB, checksums match, model.safetensors {digest[:12]}"


def model_folder(folder: Path) -> Path:
    """Return the folder of the weights: a training run keeps them in its folder `model`."""
    return folder / "model" if (folder / "model").is_dir() else folder


def shipped_folder(language: Language) -> Path:
    """Return the folder of a language's weights inside the package; raise CheckpointError if it is missing."""
    folder = Path(str(files("sau_solver"))) / "models/weights" / language
    if not (folder / "config.json").is_file():
        raise CheckpointError(
            f"The weights of the {LANGUAGES[language]} model must be in {folder}, but this installation has none. "
            "Install a released package, or give a model that you have trained (--model FOLDER, or load(folder))."
        )
    return folder
