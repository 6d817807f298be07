"""An experiment's TOML file -> ExperimentConfig, and back: which corpus, folds, seeds, text, model and its options.

[experiment]
name = "retrieval-hmwp"
corpus = "hmwp"
model = "retrieval"

[retrieval]          # the table of options has the model's name
match = "fitting"

A network may learn from several corpora: a table [mixture] (mixture_options.py) then stands in place of `corpus`. A
model that is not of this package is named with the `file` that defines it (own_models.py).
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from sau_solver.data import find_corpus
from sau_solver.data.prepared.examples import TextView
from sau_solver.data.prepared.mixture_options import MixtureOptions
from sau_solver.equations.normal_form import Level
from sau_solver.errors import InputError
from sau_solver.experiments.own_models import code_of, own_options
from sau_solver.models.base import BEAM
from sau_solver.models.baselines.retrieval import RetrievalOptions
from sau_solver.models.options import NETWORKS, ModelOptions, NetworkOptions
from sau_solver.training.training_options import WITHOUT_EFFECT, TrainingOptions

# Every model of this package and the class of its options. Networks, which have a table [training], are listed in
# `models/options.py`.
OPTIONS: Mapping[str, type[ModelOptions]] = {RetrievalOptions.model: RetrievalOptions, **NETWORKS}

# fold: train on the other folds, test the fold; validation: test a slice of the other folds that is held back, to
# make choices on without looking at the fold.
Tested = Literal["fold", "validation"]

_TABLES = ("options", "training", "mixture")  # fields of a configuration that are tables of their own


@dataclass(frozen=True, slots=True)
class ExperimentConfig:
    """One experiment: a model on the folds of a corpus, or a network on a mixture of corpora."""

    name: str  # results/NAME/ holds its runs
    corpus: str  # empty for a mixture
    model: str
    file: str = ""  # that defines a model which is not of this package; it lies beside the configuration
    text: TextView = "published"
    equations: Level = "published"  # the form of the gold equations that a model learns
    test: Tested = "fold"
    division: str = ""  # the fold manifest; the corpus's own where empty
    folds: tuple[int, ...] = (0, 1, 2, 3, 4)
    seeds: tuple[int, ...] = (0,)
    beam: int = BEAM
    keep_log_probabilities: bool = True  # in the stored predictions
    options: ModelOptions = field(default_factory=RetrievalOptions)
    training: TrainingOptions | None = None  # of networks
    mixture: MixtureOptions | None = None

    def __post_init__(self) -> None:
        if bool(self.corpus) == (self.mixture is not None):
            came = "both came" if self.corpus else "none came"
            raise InputError(f"[experiment] needs corpus, or else the file a table [mixture]; {came}.")
        if self.corpus:
            find_corpus(self.corpus)
        elif not isinstance(self.options, NetworkOptions) or self.division or self.test != "fold":
            raise InputError(
                f"[mixture] is for {', '.join(NETWORKS)}, and says itself what is held out; "
                "leave division and test out of [experiment]."
            )
        if self.model in OPTIONS and self.file:
            raise InputError(f"[experiment] file defines another model than {', '.join(OPTIONS)}; {self.model} came.")
        if getattr(self.options, "model", None) != self.model:
            _known(self.model, OPTIONS, "model")
            raise InputError(f"{self.model} takes {OPTIONS[self.model].__name__}, {type(self.options).__name__} came.")
        if not self.name or not all(character.isalnum() or character in "-_." for character in self.name):
            raise InputError(f"An experiment's name has letters, digits, - and _; {self.name!r} came.")
        if self.name.startswith("."):
            raise InputError(f"An experiment's name becomes a folder and starts with no dot; {self.name!r} came.")
        if self.beam < 1:
            raise InputError(f"beam must be at least 1; {self.beam} came.")
        if not self.folds or not self.seeds:
            raise InputError("An experiment needs at least one fold and one seed.")
        for name in ("folds", "seeds"):
            listed = getattr(self, name)
            if min(listed) < 0 or len(set(listed)) < len(listed):
                came = ", ".join(map(str, listed))
                raise InputError(f"[experiment] {name} are different numbers, 0 or more; {came} came.")
        if (self.training is not None) != isinstance(self.options, NetworkOptions):
            raise InputError(f"[training] is for {', '.join(NETWORKS)}, and needed there; {self.model} came.")

    def one_corpus(self) -> str:
        """The corpus of an experiment with folds; InputError for a mixture."""
        if self.mixture:
            raise InputError(
                f"{self.name}: an experiment on the folds of one corpus was expected, a mixture of "
                f"{', '.join(self.mixture.sources)} came; a mixture is trained with sau train."
            )
        return self.corpus

    def one_mixture(self) -> MixtureOptions:
        """Return the mixture of the experiment; raise InputError if it has one corpus instead."""
        if self.mixture is None:
            raise InputError(f"{self.name} must have a table [mixture], got the corpus {self.corpus}.")
        return self.mixture

    @property
    def manifest(self) -> str:
        """The name of the fold manifest."""
        return self.division or self.corpus

    def run_fields(self) -> dict[str, Any]:
        """All that decides the outcome of one run besides its fold, its seed and the data."""
        fields: dict[str, Any] = {
            "corpus": self.corpus,
            "model": self.model,
            "text": self.text,
            "division": self.manifest,
            "beam": self.beam,
            self.model: _deciding(self.options),
        }
        if self.equations != "published":
            fields["equations"] = self.equations
        if self.test != "fold":
            fields["test"] = self.test
        if self.training:
            fields["training"] = _deciding(self.training, WITHOUT_EFFECT)
        if self.mixture:
            fields["mixture"] = dataclasses.asdict(self.mixture)
        if code := code_of(self.options):
            fields["code"] = code
        return fields


# Options that came after results were stored: left out of a result's fields where they say what was done before.
_LATER = frozenset({"encoder", "encoder_layers", "encoder_rate", "number_forms", "warmup"})


def _deciding(options: ModelOptions | TrainingOptions, without: Collection[str] = ()) -> dict[str, Any]:
    """The options that decide an outcome."""
    plain = {item.name: item.default for item in dataclasses.fields(options)}
    return {
        name: value
        for name, value in dataclasses.asdict(options).items()
        if name not in without and not (name in _LATER and value == plain[name])
    }


def load_config(path: Path | str, settings: Sequence[str] = ()) -> ExperimentConfig:
    """Read a configuration file; `settings` such as `training.epochs=5` replace what it says."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: a TOML file was expected ({error}).") from None
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
    """The same from text; `folder` is where a file that defines a model lies, the working one unless told."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not TOML: {error}") from None
    for setting in settings:
        _set(tables, setting)
    experiment = tables.pop("experiment", None)
    if not isinstance(experiment, dict):
        raise InputError("a table [experiment] with name, corpus and model was expected; add it.")
    model = experiment.get("model")
    if not isinstance(model, str):
        raise InputError(f"[experiment] needs model = one of {', '.join(OPTIONS)}.")
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
    """The class of a model's options."""
    if file and model not in OPTIONS:
        return own_options(model, file, folder)
    _known(model, OPTIONS, "model")
    return OPTIONS[model]


def _set(tables: dict[str, Any], setting: str) -> None:
    """Put one `table.key=value` into the tables; the value as in TOML, or a word without quotes."""
    name, equals, value = setting.partition("=")
    table, dot, key = name.strip().partition(".")
    if not (equals and dot and key):
        raise InputError(f"--set takes table.key=value, such as training.epochs=5; {setting!r} came.")
    try:
        parsed = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value.strip()
    inside = tables.setdefault(table, {})
    if not isinstance(inside, dict):
        raise InputError(f"--set {setting}: {table} is no table.")
    inside[key] = parsed


def config_text(config: ExperimentConfig) -> str:
    """The TOML file that reads back to an equal configuration."""
    lines = ["[experiment]"]
    lines += [
        f"{item.name} = {_toml(getattr(config, item.name))}"
        for item in dataclasses.fields(config)
        if item.name not in _TABLES and (item.name != "corpus" or config.corpus)
    ]
    tables = {"mixture": config.mixture, config.model: config.options, "training": config.training}
    for table, options in tables.items():
        if options:
            lines += ["", f"[{table}]"]
            lines += [f"{name} = {_toml(value)}" for name, value in dataclasses.asdict(options).items()]
    return "\n".join(lines) + "\n"


def _toml(value: str | bool | int | float | tuple[int, ...] | tuple[str, ...]) -> str:
    """JSON's strings, booleans, numbers and lists are TOML's too."""
    return json.dumps(value, ensure_ascii=False)


def _typed(cls: type[Any], table: object, name: str, without: Collection[str] = ()) -> dict[str, Any]:
    """The values of a table, each checked against the type of the field that it sets."""
    if not isinstance(table, dict):
        raise InputError(f"[{name}] must be a table, {table!r} came.")
    hints = get_type_hints(cls)
    fields = {item.name: item for item in dataclasses.fields(cls) if item.name not in without}
    values = {}
    for key, value in table.items():
        _known(key, fields, f"key of [{name}]")
        values[key] = _value(hints[key], value, f"[{name}] {key}")
    for key, item in fields.items():
        required = item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING
        if required and key not in values:
            raise InputError(f"[{name}] needs {key}; add it.")
    return values


def _value(hint: Any, value: Any, where: str) -> Any:
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise InputError(f"{where} must be one of {', '.join(get_args(hint))}; {value!r} came.")
        return value
    if get_origin(hint) is tuple:
        inner = get_args(hint)[0]
        if not isinstance(value, list):
            raise InputError(f"{where} must be a list of {inner.__name__}; {value!r} came.")
        return tuple(_value(inner, one, where) for one in value)
    if hint is float and type(value) is int:
        return float(value)
    if type(value) is not hint:  # bool is no int here
        raise InputError(f"{where} must be {hint.__name__}; {value!r} came.")
    return value


def _known(name: str, known: Collection[str], what: str) -> None:
    if name in known:
        return
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise InputError(f"no {what} is called {name!r}.{hint} Known: {', '.join(known)}.")
