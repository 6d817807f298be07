"""A trained network -> the model that the package ships: quantized, with preference and confidence, and measured.

The shipped config.json records every step: the fingerprints of the corpora, the configuration, the checksum of the
trained weights, and what was measured. `verify` checks them.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from sau_solver.answering.asked.final_unknown import asked_first_of
from sau_solver.answering.confidence import Calibration
from sau_solver.answering.preference import Preference
from sau_solver.curriculum.generation import Choice, generate
from sau_solver.data import available, find_corpus, load
from sau_solver.data.prepared.examples import Prepared
from sau_solver.data.prepared.mixture_options import AUGMENTED, CURRICULUM
from sau_solver.data.prepared.mixtures import held_out, prepared
from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig, with_defaults
from sau_solver.files import write_atomically
from sau_solver.models.loading import Model
from sau_solver.shipping.trials import Attempt, Trial, attempts, figures, try_out

MOST_LOST = 0.003  # of the share of right answers on validation problems, by quantizing the weights

GENERATED, GENERATED_SEED = 500, 5  # problems of held-out families on which the confidence is fitted

UNLIKE = ("school-", "families-")  # corpora unlike the published ones

Parts = dict[str, list[Trial]]  # by held-out part


def ship(
    config: ExperimentConfig, trained: Path, folder: Path, most: int, report: Path, data: Path | None = None
) -> dict[str, Any]:
    """Quantize, fit and measure a trained network; write its folder and its report, and return the report.

    Weights are stored as integers between -`most` and `most`. Preference and confidence are fitted on validation
    problems; test problems are only measured.
    """
    from sau_solver.models.checkpoint import load_predictor, read_checkpoint, write_checkpoint  # imports torch

    mixture = config.one_mixture()
    validation = {part: _held_out(config, part, data) for part in mixture.validation}
    learned = Model(load_predictor(trained, "auto"), asked_first=mixture.asked)
    before = {part: try_out(learned, own) for part, own in validation.items()}
    checkpoint = read_checkpoint(trained)
    write_checkpoint(checkpoint.quantized(most), folder)
    quantized = Model(load_predictor(folder, "auto"), asked_first=mixture.asked)
    tried = {part: attempts(quantized, own) for part, own in (validation | _unlike(config, data)).items()}
    after = {part: [one.trial() for one in tried[part]] for part in validation}
    lost = _share_right(before) - _share_right(after)
    if lost > MOST_LOST:
        raise InputError(
            f"Quantizing to integers up to {most} may lose at most {100 * MOST_LOST} points on validation problems, "
            f"but loses {100 * lost:.2f}. Give a larger number."
        )
    extra = _fitted(config, quantized, tried, data, report, {"most": most, "lost": round(lost, 4)})
    write_checkpoint(checkpoint.quantized(most, **extra.stored), folder)
    return extra.measured


def refit(config: ExperimentConfig, folder: Path, report: Path, data: Path | None = None) -> dict[str, Any]:
    """Fit preference and confidence of a shipped model again, and measure it; its weights stay as they are.

    Needed when the meaning of a right answer changes, or the features do. Write the folder and the report, and return
    the report.
    """
    from sau_solver.models.checkpoint import load_predictor, read_checkpoint, write_checkpoint  # imports torch

    checkpoint = read_checkpoint(folder)
    model = Model(load_predictor(folder, "auto"), asked_first=asked_first_of(checkpoint.data))
    validation = {part: _held_out(config, part, data) for part in config.one_mixture().validation}
    tried = {part: attempts(model, own) for part, own in (validation | _unlike(config, data)).items()}
    before = json.loads(report.with_suffix(".json").read_text(encoding="utf-8"))
    extra = _fitted(config, model, tried, data, report, {name: before[name] for name in ("most", "lost")})
    write_checkpoint(replace(checkpoint, data={**checkpoint.data, **extra.stored}), folder)
    return extra.measured


@dataclass(frozen=True, slots=True)
class _Fitted:
    """What a shipped model stores beside its weights, and its report."""

    stored: dict[str, Any]
    measured: dict[str, Any]


def _fitted(
    config: ExperimentConfig,
    model: Model,
    tried: Mapping[str, Sequence[Attempt]],
    data: Path | None,
    report: Path,
    notes: Mapping[str, Any],
) -> _Fitted:
    """Fit preference and confidence on attempts at validation problems, measure the test parts, write the report."""
    preference, calibration, validated = _fit(tried, config.one_mixture().validation)
    fitted = replace(model, calibration=calibration, preference=preference)
    tested = {part: try_out(fitted, _held_out(config, part, data)) for part in config.one_mixture().test}
    measured = {
        "config": _fields(config),
        **notes,
        "validation": {part: figures(own, calibration) for part, own in validated.items()},
        "test": {part: figures(own, calibration) for part, own in tested.items()},
        "together": {
            kind: figures([trial for part in names for trial in parts[part]], calibration)
            for kind, names, parts in (
                ("validation", config.one_mixture().validation, validated),
                ("test", tuple(tested), tested),
            )
        },
    }
    write_report(report, measured, {**validated, **tested}, calibration)
    stored = {
        "preference": preference.as_json(),
        "calibration": calibration.as_json(),
        "config": _fields(config),
        "measured": _short(measured),
    }
    return _Fitted(stored, measured)


def _unlike(config: ExperimentConfig, data: Path | None) -> dict[str, list[Prepared]]:
    """Return problems unlike the training problems, for fitting the confidence: School and held-out families."""
    language, first = config.one_mixture().language, config.one_mixture().asked
    school = [problem for problem in load(f"school-{language}", data) if problem.split == "validation"]
    generated = list(islice(generate(Choice(language, part="held-out"), GENERATED_SEED), GENERATED))
    return {
        f"school-{language}/validation": list(prepared(school, config.text, config.equations, first)),
        f"families-{language}": list(prepared(generated, config.text, config.equations, first)),
    }


def _held_out(config: ExperimentConfig, part: str, data: Path | None) -> list[Prepared]:
    return held_out(config.one_mixture(), part, config.text, config.equations, data)


def _fit(tried: Mapping[str, Sequence[Attempt]], seen: Sequence[str]) -> tuple[Preference, Calibration, Parts]:
    """Fit preference and confidence on attempts at validation problems; return them with the trials.

    The answer of each trial is chosen by a preference that was fitted on other problems. The preference is fitted on
    the validation parts of the configuration, `seen`. For the confidence, those of published corpora, if there are any,
    count as much as the problems unlike them, and School as much as the held-out families. Answers without a model,
    which have a confidence of their own, are left out.
    """
    from sau_solver.shipping import fit_confidence, fit_preference  # imports torch

    useful = [one for part in seen for one in tried[part] if one.ranked and one.ranked.groups]
    choices = [
        fit_preference.Choice(tuple(group.features for group in one.ranked.groups), tuple(one.right()))
        for one in useful
        if one.ranked
    ]
    preference = fit_preference.fit(choices)
    unseen = dict(zip(map(id, useful), fit_preference.cross_fitted(choices), strict=True))
    validated = {part: [one.trial(unseen.get(id(one), preference)) for one in own] for part, own in tried.items()}
    unlike = [part for part in tried if part.startswith(UNLIKE)]
    published = [part for part in seen if part not in unlike]
    sources = [published, *([part] for part in unlike)]
    answered = [
        [trial for part in source for trial in validated[part] if trial.answers and trial.fixed_confidence is None]
        for source in sources
    ]
    weights = trial_weights([len(own) for own in answered])
    calibration = fit_confidence.fit(
        [trial.features for own in answered for trial in own],
        ["answer" in trial.right for own in answered for trial in own],
        notes={"problems": sum(map(len, answered)), "parts": list(tried)},
        weights=[weight for own, weight in zip(answered, weights, strict=True) for _ in own],
    )
    return preference, calibration, validated


def trial_weights(sizes: Sequence[int]) -> list[float]:
    """Return the weight of one trial of each source, given their numbers of trials; the published corpora come first.

    Together they have the same weight as all other sources together, which share their weight equally. A permissive
    model in Chinese has no published corpora.
    """
    whole, others = sizes[0] or sum(sizes), len(sizes) - 1
    return [1.0, *(whole / others / size if size else 0.0 for size in sizes[1:])]


@dataclass(frozen=True, slots=True)
class Checks:
    """What `verify` found to be true, and what it could not check."""

    passed: tuple[str, ...]
    skipped: tuple[str, ...]


def verify(config: ExperimentConfig, folder: Path, trained: Path | None = None, data: Path | None = None) -> Checks:
    """Check a shipped model against its configuration, the corpora and the trained network.

    Raise InputError if a check fails. A corpus that is not available, or a trained network that is not given, is
    listed as skipped.
    """
    from sau_solver.models.checkpoint import read_checkpoint  # imports torch

    checkpoint = read_checkpoint(folder)  # raises CheckpointError if a checksum is wrong
    passed = [f"{folder.name}: the files have the checksums of config.json, and config.json has its own"]
    if _as_json(with_defaults(checkpoint.data["config"])) != _fields(config):
        raise InputError(f"{folder} was trained with another configuration than {config.name}. Give its own.")
    passed.append(f"configuration: {config.name}")
    sources, here = checkpoint.data["sources"], available(data)
    for name in (name for name in sources if name in here):
        recorded = sources[name]["fingerprint"]
        if recorded == load(name, data).fingerprint:
            passed.append(f"{name}: the fingerprint is that of the training data")
        elif recorded in find_corpus(name).earlier:
            passed.append(f"{name}: the fingerprint is that of the training data, as an earlier version read it")
        else:
            raise InputError(f"{folder} was trained on other data than the {name} under SAU_DATA. Fetch it again.")
    made = (CURRICULUM, AUGMENTED)
    skipped = [f"{name}: not available, fingerprint not compared" for name in sources if name not in (*here, *made)]
    skipped += [f"{name}: made for the mixture, fingerprint not compared" for name in sources if name in made]
    if trained is None:
        skipped.append("trained weights: not given, not compared")
    else:
        passed.append(_check_weights(folder, trained))
    return Checks(tuple(passed), tuple(skipped))


def _check_weights(folder: Path, trained: Path) -> str:
    from sau_solver.models.checkpoint import read_checkpoint  # imports torch
    from sau_solver.models.quantized import digest, same_values

    shipped, source = read_checkpoint(folder), read_checkpoint(trained)
    made = shipped.model["trained"]
    again = source.quantized(made["most"])
    if digest(source.weights) != made["sha256"] or not same_values(again.weights, shipped.weights):
        raise InputError(f"{folder} was not made from {trained}. Give the network that was shipped.")
    return f"weights: those of {trained.name}, quantized to integers up to {made['most']}"


def write_report(
    path: Path, measured: Mapping[str, Any], trials: Mapping[str, Sequence[Trial]], calibration: Calibration
) -> None:
    """Write the figures to NAME.json and every trial to NAME.jsonl.gz."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path.with_suffix(".json"), json.dumps(measured, indent=1, ensure_ascii=False) + "\n")
    lines = [
        {
            "part": part,
            "id": trial.id,
            "equations": trial.equations,
            "answers": trial.answers,
            "confidence": round(trial.confidence(calibration), 4),
            "right": sorted(trial.right),
        }
        for part, own in trials.items()
        for trial in own
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    write_atomically(path.with_suffix(".jsonl.gz"), gzip.compress(text.encode(), mtime=0))


def _fields(config: ExperimentConfig) -> dict[str, Any]:
    return _as_json(config.run_fields())


def _as_json(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields as they are after they have been stored: tuples are lists."""
    found: dict[str, Any] = json.loads(json.dumps(fields))
    return found


def _share_right(trials: Mapping[str, Sequence[Trial]]) -> float:
    every = ["answer" in trial.right for own in trials.values() for trial in own]
    return sum(every) / len(every) if every else 0.0


def _short(measured: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    return {
        kind: {part: figures["answer"] for part, figures in measured[kind].items()} for kind in ("validation", "test")
    }
