"""Read an experiment's TOML file: corpus, text, folds, seeds, and a model with its options.

[experiment]
name = "retrieval-hmwp"
corpus = "hmwp"
model = "retrieval"

[retrieval]          # the table of options has the model's name
match = "fitting"

To train a network on several corpora, give a table [mixture] instead of `corpus` (mixture_options.py). To use a model
of your own, add `file`, the Python file that defines it (own_models.py).
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from sau_solver.data import find_corpus
from sau_solver.data.prepared.examples import TextView
from sau_solver.data.prepared.mixture_options import MixtureOptions
from sau_solver.equations.normal_form import Level
from sau_solver.errors import InputError, did_you_mean
from sau_solver.experiments.own_models import code_of, own_options
from sau_solver.models.base import BEAM
from sau_solver.models.baselines.retrieval import RetrievalOptions
from sau_solver.models.options import NETWORKS, ModelOptions, NetworkOptions
from sau_solver.training.training_options import WITHOUT_EFFECT, TrainingOptions

# The options class of every model of this package. Those of networks, which have a table [training], are in
# models/options.py.
OPTIONS: Mapping[str, type[ModelOptions]] = {RetrievalOptions.model: RetrievalOptions, **NETWORKS}

# fold: train on the other folds and test on the fold. validation: hold back a slice of the other folds and test on it,
# to make choices without looking at the fold.
Tested = Literal["fold", "validation"]

_TABLES = ("options", "training", "mixture")  # fields that have a table of their own


@dataclass(frozen=True, slots=True)
class ExperimentConfig:
    """An experiment: a model on the folds of a corpus, or a network on a mixture of corpora."""

    name: str  # its runs are stored in results/NAME.json
    corpus: str  # empty for a mixture
    model: str
    file: str = ""  # the Python file beside the configuration that defines the model, if it is your own
    text: TextView = "published"
    equations: Level = "published"  # the form of the gold equations that a model learns
    test: Tested = "fold"
    division: str = ""  # the fold manifest; empty for that of the corpus
    folds: tuple[int, ...] = (0, 1, 2, 3, 4)
    seeds: tuple[int, ...] = (0,)
    beam: int = BEAM
    keep_log_probabilities: bool = True  # in the stored predictions
    options: ModelOptions = field(default_factory=RetrievalOptions)
    training: TrainingOptions | None = None  # of networks
    mixture: MixtureOptions | None = None

    def __post_init__(self) -> None:
        if bool(self.corpus) == (self.mixture is not None):
            found = "both" if self.corpus else "neither"
            raise InputError(f"An experiment must have either a corpus or a table [mixture], got {found}.")
        if self.corpus:
            find_corpus(self.corpus)
        elif not isinstance(self.options, NetworkOptions) or self.division or self.test != "fold":
            raise InputError(
                f"[mixture] works with {', '.join(NETWORKS)} and names its held-out parts itself. "
                "Remove division and test from [experiment]."
            )
        if self.model in OPTIONS and self.file:
            raise InputError(f"[experiment] file is only for models of your own, got {self.model}. Remove file.")
        if getattr(self.options, "model", None) != self.model:
            _known(self.model, OPTIONS, "model")
            raise InputError(
                f"options of {self.model} must be {OPTIONS[self.model].__name__}, got {type(self.options).__name__}."
            )
        if not self.name or not all(character.isalnum() or character in "-_." for character in self.name):
            raise InputError(f"name must consist of letters, digits, '-', '_' and '.', got {self.name!r}.")
        if self.name.startswith("."):
            raise InputError(f"name must not start with a dot, because files are named after it, got {self.name!r}.")
        if self.beam < 1:
            raise InputError(f"beam must be at least 1, got {self.beam}.")
        if not self.folds or not self.seeds:
            raise InputError("An experiment needs at least one fold and one seed.")
        for name in ("folds", "seeds"):
            listed = getattr(self, name)
            if min(listed) < 0 or len(set(listed)) < len(listed):
                found = ", ".join(map(str, listed))
                raise InputError(f"[experiment] {name} must be different numbers of at least 0, got {found}.")
        if (self.training is not None) != isinstance(self.options, NetworkOptions):
            raise InputError(f"[training] is required for networks and only for them, got {self.model}.")

    def one_corpus(self) -> str:
        """Return the corpus of an experiment with folds; raise InputError for a mixture."""
        if self.mixture:
            raise InputError(
                f"{self.name} must be an experiment on the folds of one corpus, got a mixture of "
                f"{', '.join(self.mixture.sources)}. Train a mixture with sau train."
            )
        return self.corpus

    def one_mixture(self) -> MixtureOptions:
        """Return the mixture of the experiment; raise InputError if it has one corpus instead."""
        if self.mixture is None:
            raise InputError(f"{self.name} must have a table [mixture], got the corpus {self.corpus}.")
        return self.mixture

    @property
    def manifest(self) -> str:
        """Return the name of the fold manifest."""
        return self.division or self.corpus

    def run_fields(self) -> dict[str, Any]:
        """Return everything that decides the outcome of a run, except its fold, its seed and the data."""
        fields: dict[str, Any] = {
            "corpus": self.corpus,
            "model": self.model,
            "text": self.text,
            "division": self.manifest,
            "beam": self.beam,
            self.model: dataclasses.asdict(self.options),
        }
        if self.equations != "published":
            fields["equations"] = self.equations
        if self.test != "fold":
            fields["test"] = self.test
        if self.training:
            fields["training"] = _deciding(self.training)
        if self.mixture:
            fields["mixture"] = dataclasses.asdict(self.mixture)
        if code := code_of(self.options):
            fields["code"] = code
        return fields


def with_defaults(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Complete the stored fields of a run: an option that did not exist at the time has its default value."""
    completed = dict(fields)
    model = fields["model"]
    if model in OPTIONS:
        completed[model] = dataclasses.asdict(OPTIONS[model]()) | fields[model]
    if "training" in fields:
        completed["training"] = _deciding(TrainingOptions()) | fields["training"]
    if "mixture" in fields:
        completed["mixture"] = _defaults(MixtureOptions) | fields["mixture"]
    return completed


def _defaults(cls: type[Any]) -> dict[str, Any]:
    """Return the default values of a class whose instances need some values."""
    fields = dataclasses.fields(cls)
    made = {item.name: item.default_factory() for item in fields if item.default_factory is not dataclasses.MISSING}
    return made | {item.name: item.default for item in fields if item.default is not dataclasses.MISSING}


def _deciding(training: TrainingOptions) -> dict[str, Any]:
    """Return the training options that can change an outcome."""
    return {name: value for name, value in training.described().items() if name not in WITHOUT_EFFECT}


def load_config(path: Path | str, settings: Sequence[str] = ()) -> ExperimentConfig:
    """Read a configuration file; `settings` such as `training.epochs=5` override its values."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not a readable TOML file ({error}). Check the path.") from None
    try:
        return parse_config(text, settings, path.parent)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def find_configs(folder: Path) -> dict[str, Path]:
    """Return the TOML files of a folder and of its subfolders by experiment name, which is the file's stem."""
    found: dict[str, Path] = {}
    for path in sorted((*folder.glob("*.toml"), *folder.glob("*/*.toml"))):
        if path.stem in found:
            raise InputError(f"{found[path.stem]} and {path} have the same name. Rename one of them.")
        found[path.stem] = path
    return found


def parse_config(text: str, settings: Sequence[str] = (), folder: Path | None = None) -> ExperimentConfig:
    """Parse the text of a configuration file that lies in `folder`, by default the working folder."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"Not valid TOML: {error}") from None
    for setting in settings:
        _set(tables, setting)
    experiment = tables.pop("experiment", None)
    if not isinstance(experiment, dict):
        raise InputError("The table [experiment] is missing. Add it with name, corpus and model.")
    model = experiment.get("model")
    if not isinstance(model, str):
        raise InputError(f"[experiment] model must be one of {', '.join(OPTIONS)}, got {model!r}.")
    values = _typed(ExperimentConfig, {"corpus": ""} | experiment, "experiment", without=_TABLES)
    kind = _kind(model, values.get("file", ""), folder or Path())
    options = tables.pop(model, {})
    network = issubclass(kind, NetworkOptions)
    training = tables.pop("training", {}) if network else None
    mixture = tables.pop("mixture", None)
    for table in tables:
        _known(table, ("experiment", model, *(["training", "mixture"] if network else [])), "table")
    return ExperimentConfig(
        **values,
        options=kind(**_typed(kind, options, model)),
        training=None if training is None else TrainingOptions(**_typed(TrainingOptions, training, "training")),
        mixture=None if mixture is None else MixtureOptions(**_typed(MixtureOptions, mixture, "mixture")),
    )


def _kind(model: str, file: str, folder: Path) -> type[ModelOptions]:
    if file and model not in OPTIONS:
        return own_options(model, file, folder)
    _known(model, OPTIONS, "model")
    return OPTIONS[model]


def _set(tables: dict[str, Any], setting: str) -> None:
    """Apply one `table.key=value`; the value is written as in TOML, and a single word may go without quotes."""
    name, equals, value = setting.partition("=")
    table, dot, key = name.strip().partition(".")
    if not (equals and dot and key):
        raise InputError(f"--set must be table.key=value, such as training.epochs=5, got {setting!r}.")
    try:
        parsed = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value.strip()
    inside = tables.setdefault(table, {})
    if not isinstance(inside, dict):
        raise InputError(f"--set {setting}: {table} is not a table.")
    inside[key] = parsed


def _typed(cls: type[Any], table: object, name: str, without: Collection[str] = ()) -> dict[str, Any]:
    """Check each value of a table against the type of its field, and return them."""
    if not isinstance(table, dict):
        raise InputError(f"[{name}] must be a table, got {table!r}.")
    hints = get_type_hints(cls)
    fields = {item.name: item for item in dataclasses.fields(cls) if item.name not in without}
    values = {}
    for key, value in table.items():
        _known(key, fields, f"key of [{name}]")
        values[key] = _value(hints[key], value, f"[{name}] {key}")
    for key, item in fields.items():
        required = item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING
        if required and key not in values:
            raise InputError(f"[{name}] has no {key}. Add it.")
    return values


def _value(hint: Any, value: Any, where: str) -> Any:
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise InputError(f"{where} must be one of {', '.join(get_args(hint))}, got {value!r}.")
        return value
    if get_origin(hint) is tuple:
        inner = get_args(hint)[0]
        if not isinstance(value, list):
            raise InputError(f"{where} must be a list of {inner.__name__}, got {value!r}.")
        return tuple(_value(inner, one, where) for one in value)
    if get_origin(hint) is Mapping:
        if not isinstance(value, dict):
            raise InputError(f"{where} must be a table such as {{ name = 1.0 }}, got {value!r}.")
        return {key: _value(get_args(hint)[1], one, f"{where}.{key}") for key, one in value.items()}
    if hint is float and type(value) is int:
        return float(value)
    if type(value) is not hint:  # not isinstance: a bool is not accepted as an int
        raise InputError(f"{where} must be {hint.__name__}, got {value!r}.")
    return value


def _known(name: str, known: Collection[str], what: str) -> None:
    if name not in known:
        raise InputError(f"Unknown {what}: {name!r}.{did_you_mean(name, known)} Known: {', '.join(known)}.")
