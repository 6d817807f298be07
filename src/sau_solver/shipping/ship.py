"""A trained network -> the folder that the package carries, and how good it is: the last link of the chain.

corpora (fingerprints) -> mixture -> training (configs/shipped/, seed) -> weights -> whole numbers -> preference
and calibration on validation problems -> measured on test problems. Every link is recorded in the shipped config.json,
and `verify` goes through them.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sau_solver.answering.confidence import Calibration
from sau_solver.data import available, load
from sau_solver.data.prepared.mixtures import held_out
from sau_solver.errors import InputError
from sau_solver.experiments.config import ExperimentConfig
from sau_solver.models.loading import Model
from sau_solver.shipping.trials import Trial, attempts, figures, try_out

MOST_LOST = 0.003  # of the share of right answers on validation problems, by storing weights as whole numbers


@dataclass(frozen=True, slots=True)
class Shipped:
    """What `ship` made and measured."""

    folder: Path
    report: dict[str, Any]


def ship(
    config: ExperimentConfig, trained: Path, folder: Path, most: int, report: Path, data: Path | None = None
) -> Shipped:
    """Shrink, calibrate and measure a trained network; write its folder and its report with all trials."""
    from sau_solver.models.checkpoint import load_solver, read_checkpoint, write_checkpoint
    from sau_solver.shipping.calibrate import fit  # torch, only where a network is at hand
    from sau_solver.shipping.prefer import Choice, cross_fitted
    from sau_solver.shipping.prefer import fit as fit_preference

    mixture = config.one_mixture()
    validation = {part: held_out(mixture, part, config.text, config.equations, data) for part in mixture.validation}
    whole = {part: try_out(Model(load_solver(trained, "auto")), own) for part, own in validation.items()}
    checkpoint = read_checkpoint(trained)
    write_checkpoint(checkpoint.quantized(most), folder)
    small = Model(load_solver(folder, "auto"))
    tried = {part: attempts(small, own) for part, own in validation.items()}
    lost = _share_right(whole) - _share_right({part: [one.trial() for one in own] for part, own in tried.items()})
    if lost > MOST_LOST:
        raise InputError(
            f"Whole numbers up to {most} lose {100 * lost:.2f} points on validation problems, at most "
            f"{100 * MOST_LOST} were expected; give a larger number."
        )
    every = [one for own in tried.values() for one in own if one.ranked and one.ranked.groups]
    choices = [Choice(tuple(g.features for g in one.ranked.groups), tuple(one.right())) for one in every if one.ranked]
    preference = fit_preference(choices)
    unseen = dict(zip(map(id, every), cross_fitted(choices), strict=True))
    validated = {part: [one.trial(unseen.get(id(one))) for one in own] for part, own in tried.items()}
    given = [trial for own in validated.values() for trial in own if trial.answers]
    notes = {"problems": len(given), "parts": list(validation)}
    calibration = fit([trial.evidence for trial in given], ["answer" in trial.right for trial in given], notes=notes)
    preferring = Model(small.predictor, calibration, "", preference)
    tested = {
        part: try_out(preferring, held_out(mixture, part, config.text, config.equations, data)) for part in mixture.test
    }
    measured = {
        "config": _fields(config),
        "most": most,
        "lost": round(lost, 4),
        "validation": {part: figures(own, calibration) for part, own in validated.items()},
        "test": {part: figures(own, calibration) for part, own in tested.items()},
        "together": {
            kind: figures([trial for own in parts.values() for trial in own], calibration)
            for kind, parts in (("validation", validated), ("test", tested))
        },
    }
    told = {
        "preference": preference.as_json(),
        "calibration": calibration.as_json(),
        "config": _fields(config),
        "measured": _short(measured),
    }
    write_checkpoint(checkpoint.quantized(most, **told), folder)
    write_report(report, measured, {**validated, **tested}, calibration)
    return Shipped(folder, measured)


def verify(config: ExperimentConfig, folder: Path, trained: Path | None = None, data: Path | None = None) -> list[str]:
    """What holds of a shipped folder, link by link; an error where a link is broken, words where one is missing."""
    from sau_solver.models.checkpoint import read_checkpoint
    from sau_solver.models.quantized import digest, same_values

    checkpoint = read_checkpoint(folder)  # its files against config.json, and config.json against its own seal
    found = [f"{folder.name}: every file has the checksum of config.json, and config.json its own"]
    if checkpoint.data.get("config") != _fields(config):
        raise InputError(f"{folder}: trained with another configuration than {config.name}'s.")
    found.append(f"the configuration is that of {config.name}")
    at_hand = available(data)
    for name, source in checkpoint.data["sources"].items():
        if name not in at_hand:
            found.append(f"{name}: not at hand, its fingerprint was not compared")
        elif load(name, data).fingerprint != source["fingerprint"]:
            raise InputError(f"{folder}: {name} at hand is not what the network learned from.")
        else:
            found.append(f"{name}: has the fingerprint that the network learned from")
    made = checkpoint.model["trained"]
    if trained is None:
        found.append(f"trained weights {made['sha256'][:12]}: not given, not compared")
        return found
    source = read_checkpoint(trained)
    again = source.quantized(made["most"])
    if digest(source.weights) != made["sha256"] or not same_values(again.weights, checkpoint.weights):
        raise InputError(f"{folder}: not made from {trained}.")
    found.append(f"its weights are those of {trained.name} as whole numbers up to {made['most']}")
    return found


def write_report(
    path: Path, measured: Mapping[str, Any], trials: Mapping[str, Sequence[Trial]], c: Calibration
) -> None:
    """NAME.json with the figures, NAME.jsonl.gz with every trial."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_suffix(".json").write_text(json.dumps(measured, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    lines = [
        {
            "part": part,
            "id": trial.id,
            "equations": trial.equations,
            "answers": trial.answers,
            "confidence": round(trial.confidence(c), 4),
            "right": sorted(trial.right),
        }
        for part, own in trials.items()
        for trial in own
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.with_suffix(".jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def _fields(config: ExperimentConfig) -> dict[str, Any]:
    """What decides an outcome, as JSON gives it back."""
    found: dict[str, Any] = json.loads(json.dumps(config.run_fields()))
    return found


def _share_right(trials: Mapping[str, Sequence[Trial]]) -> float:
    every = ["answer" in trial.right for own in trials.values() for trial in own]
    return sum(every) / len(every) if every else 0.0


def _short(measured: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """The share of right answers by part, for the checkpoint."""
    return {
        kind: {part: figures["answer"] for part, figures in measured[kind].items()} for kind in ("validation", "test")
    }
