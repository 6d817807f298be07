"""`sau doctor`: versions, devices, corpora, weights, and whether the solver works here."""

from __future__ import annotations

import platform
import sys
from importlib import metadata, util
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from sau_solver import __version__
from sau_solver.cli.terminal import output, print_json
from sau_solver.data import available, corpora, data_folder
from sau_solver.equations.parser import parse
from sau_solver.models.loading import LANGUAGES, check_shipped
from sau_solver.solving import solve

PLAIN = ("python-flint", "sympy", "rjieba", "torch", "numpy", "safetensors", "pooch", "typer", "rich")
EXTRAS = ("tensorboard", "transformers", "fastapi", "uvicorn", "prometheus-client")
PROBES = {"exact solver": "x^2=x+1", "symbolic worker": "2^x=8"}


def doctor(json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> None:
    """Report versions, devices, corpora and weights, and try the solver."""
    report = _report()
    if json:
        print_json(report)
        return
    table = Table(show_header=False, box=None, pad_edge=False)
    for section, entries in report.items():
        table.add_row(f"[bold]{section}[/bold]", "")
        for name, value in entries.items():
            table.add_row(f"  {name}", escape(str(value)))
    output().print(table)


def _report() -> dict[str, dict[str, Any]]:
    here = available()
    return {
        "software": {
            "sau-solver": __version__,
            "python": platform.python_version(),
            "platform": f"{sys.platform} {platform.machine()}",
            **{name: _version(name) for name in (*PLAIN, *EXTRAS)},
        },
        "devices": {"gpu": _gpu()},
        "corpora": {
            "folder": str(data_folder()),
            "at hand": ", ".join(here) or "none",
            "absent": ", ".join(name for name in corpora() if name not in here) or "none",
        },
        "weights": {name: check_shipped(language) for language, name in LANGUAGES.items()},
        "self-test": {name: str(solve(parse(equation)).outcome) for name, equation in PROBES.items()},
    }


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


def _gpu() -> str:
    if util.find_spec("torch") is None:
        return "unknown: torch is not installed (pip install sau-solver)"
    torch = __import__("torch")
    return str(torch.cuda.get_device_name()) if torch.cuda.is_available() else "none"
