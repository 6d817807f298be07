"""The option --model of several commands: a folder, or a model of the Hugging Face Hub, which is downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sau_solver.cli.terminal import progress
from sau_solver.hub.model_names import NamedModel, find_model, is_hub_name
from sau_solver.models.loading import LANGUAGES

HUB_HELP = "owner/name or owner/name@revision on the Hugging Face Hub"

ModelOption = Annotated[
    str | None,
    typer.Option(metavar="MODEL", help=f"Folder of a trained model, or {HUB_HELP}. Default: the shipped models."),
]


def named_model(model: str) -> NamedModel:
    """Return the model that a user has named; download it if it is one of the Hub."""
    with progress(f"Looking for {model}"):
        return find_model(model)


def pinned_model(model: str | None) -> str | None:
    """Return the name that every process of a command gives to the model; a branch of the Hub becomes a commit."""
    if model is None or Path(model).is_dir() or not is_hub_name(model.partition("@")[0]):
        return model
    return named_model(model).pinned


def trained_model(model: str) -> NamedModel | None:
    """Return a trained model, or None for a file; a file or folder called `en` precedes the shipped model."""
    path = Path(model)
    if path.is_dir():
        return find_model(path)
    is_name = model in LANGUAGES or is_hub_name(model.partition("@")[0])
    return None if path.exists() or path.suffix == ".toml" or not is_name else named_model(model)


def title_of(model: str, named: NamedModel) -> str:
    """Return the name of a model of the Hub with its commit; empty for a folder or a shipped model."""
    return "" if Path(model).is_dir() or model in LANGUAGES else named.name
