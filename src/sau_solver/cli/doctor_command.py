"""`sau doctor`: print versions, devices, corpora and weights, and solve a few problems as a self-test."""

from __future__ import annotations

import platform
import re
import sys
import time
from importlib import import_module, metadata
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from sau_solver import __version__, solver
from sau_solver.cli.terminal import output, print_json, progress
from sau_solver.data import available, corpora, data_folder
from sau_solver.equations.parser import parse
from sau_solver.errors import SauError
from sau_solver.models.loading import LANGUAGES, check_shipped
from sau_solver.problem import Language
from sau_solver.solving import solve

PACKAGE = "sau-solver"
EQUATIONS = {"exact solver": "x^2=x+1", "symbolic solver": "2^x=8"}
PROBLEMS: dict[Language, tuple[str, str]] = {  # a problem and its answer
    "zh": ("一支钢笔8元，买3支钢笔要多少元？", "24"),
    "en": ("Tom has 3 apples and buys 5 more. How many apples does he have?", "8"),
}
FAILED = 1  # exit code
_EXTRA = "extra =="  # in the requirements of an extra


def doctor(json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> None:
    """Check the installation.

    Prints versions, devices, corpora and weights, then solves two equations and one word problem per language with
    the shipped models. The exit code is 1 if one of them fails.
    """
    with progress("Checking the installation"):
        report = _report()
    if json:
        print_json(report)
    else:
        table = Table(show_header=False, box=None, pad_edge=False)
        for section, entries in report.items():
            table.add_row(f"[bold]{section}[/bold]", "")
            for name, value in entries.items():
                table.add_row(f"  {name}", escape(str(value)))
        output().print(table)
    if not all(result.startswith("solved") for result in report["self-test"].values()):
        raise typer.Exit(FAILED)


def _report() -> dict[str, dict[str, Any]]:
    present = available()
    return {
        "software": {
            PACKAGE: __version__,
            "python": platform.python_version(),
            "platform": f"{sys.platform} {platform.machine()}",
            **{name: _version(name) for name in _libraries()},
        },
        "devices": {"gpu": _gpu()},
        "corpora": {
            "folder": str(data_folder()),
            "present": ", ".join(present) or "none",
            "missing": ", ".join(name for name in corpora() if name not in present) or "none",
        },
        "weights": {name: check_shipped(language) for language, name in LANGUAGES.items()},
        "self-test": {name: str(solve(parse(equation)).outcome) for name, equation in EQUATIONS.items()}
        | {f"{LANGUAGES[language]} word problem": _solve(language) for language in PROBLEMS},
    }


def _libraries() -> list[str]:
    """Return the libraries that the package needs and those of its extras, without the tools of its developers."""
    try:
        requirements = metadata.requires(PACKAGE) or []
    except metadata.PackageNotFoundError:  # the source is on the path, but the package is not installed
        return []
    wanted = sorted((_EXTRA in one, one) for one in requirements if f'{_EXTRA} "dev"' not in one)
    names = (re.split(r"[^A-Za-z0-9._-]", one, maxsplit=1)[0] for _, one in wanted)
    return list(dict.fromkeys(name for name in names if name != PACKAGE))


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


def _gpu() -> str:
    try:
        torch = import_module("torch")
    except ImportError:
        return "unknown: torch, which training needs, is not installed. Run in a checkout: pip install '.[train]'"
    return str(torch.cuda.get_device_name()) if torch.cuda.is_available() else "none"


def _solve(language: Language) -> str:
    """Solve the word problem of a language with the shipped model; return the result as a sentence."""
    problem, right = PROBLEMS[language]
    started = time.perf_counter()
    try:
        solution = solver.load(language).solve(problem)
    except SauError as error:
        return f"failed: {error}"
    seconds = time.perf_counter() - started
    answers = ", ".join(map(str, solution.answers)) or "no answer"
    if answers != right:
        return f"failed: {problem} -> {answers}, but {right} is right"
    return f"solved in {seconds:.1f} s: {problem} -> {'; '.join(map(str, solution.equations))} -> {answers}"
