"""The options --engine and --address of several commands: where jobs run."""

from __future__ import annotations

from typing import Annotated, get_args

import typer

from sau_solver.cli.terminal import completing, one_of
from sau_solver.engines.engine import EngineName, Place

EngineOption = Annotated[
    str,
    typer.Option(
        help="Where jobs run: local (this machine) or ray (a Ray cluster).",
        autocompletion=completing(*get_args(EngineName)),
    ),
]
AddressOption = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Ray cluster: auto (the one this machine belongs to) or HOST:PORT. Default: RAY_ADDRESS, else a new one "
        "on this machine.",
    ),
]


def engine_place(engine: str, address: str | None, jobs: int | None) -> Place:
    """Return where jobs run."""
    return Place(one_of("--engine", engine, get_args(EngineName)), address, jobs)
