"""A configuration -> the TOML file that reads back to it, to test the reader by round trips."""

from __future__ import annotations

import dataclasses
import json

from sau_solver.experiments.config import ExperimentConfig

TABLES = ("options", "training", "mixture")


def config_text(config: ExperimentConfig) -> str:
    """Return a TOML file with every setting of a configuration."""
    experiment = {
        item.name: getattr(config, item.name)
        for item in dataclasses.fields(config)
        if item.name not in TABLES and (item.name != "corpus" or config.corpus)
    }
    tables = {"mixture": config.mixture, config.model: config.options, "training": config.training}
    every = {"experiment": experiment} | {name: dataclasses.asdict(own) for name, own in tables.items() if own}
    lines = []
    for table, values in every.items():
        lines += [
            f"[{table}]",
            *(f"{name} = {_value(value)}" for name, value in values.items()),
        ]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_value(one)}" for key, one in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)
