"""`sau doctor` names every library of the package, and fails if a problem is not solved."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from sau_solver.cli import doctor_command
from tests.commands import sau

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def declared() -> list[str]:
    """Return the requirements of the project in the form of its metadata."""
    extras = PROJECT["optional-dependencies"].items()
    return [*PROJECT["dependencies"], *(f'{one}; extra == "{extra}"' for extra, own in extras for one in own)]


def test_doctor_lists_what_the_package_needs_and_its_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "requires", lambda _name: declared())
    named = doctor_command._libraries()
    users = [one for extra, own in PROJECT["optional-dependencies"].items() if extra != "dev" for one in own]
    assert set(named) == {re.split("[^a-zA-Z0-9-]", one)[0] for one in (*PROJECT["dependencies"], *users)}
    assert len(named) == len(set(named))
    assert {"requests", "matplotlib", "ray", "pyarrow", "huggingface-hub"} <= set(named)
    assert "ruff" not in named


def test_doctor_works_where_the_package_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", missing)
    assert doctor_command._libraries() == []


def test_doctor_solves_equations_and_a_word_problem_per_language() -> None:
    done = sau("doctor", "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 0
    assert report["self-test"].keys() == {
        "exact solver", "symbolic solver", "Chinese word problem", "English word problem",
    }  # fmt: skip
    assert all(result.startswith("solved") for result in report["self-test"].values())
    assert report["self-test"]["English word problem"].endswith("x=3+5 -> 8")
    assert report["software"]["python-flint"] != "not installed"


def test_doctor_fails_if_a_word_problem_is_not_solved() -> None:
    code = (
        "from sau_solver import solver; from tests import by_heart\nsolver.load = lambda language: by_heart.solver()\n"
    )
    done = sau("doctor", "--json", before=code)
    assert done.returncode == 1
    assert json.loads(done.stdout)["self-test"]["English word problem"].startswith("failed: ")
