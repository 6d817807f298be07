"""`sau benchmark` with the example program, and on bad input."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests import commands
from tests.experiments.benchmark.conftest import toy

__all__ = ["toy"]
pytestmark = pytest.mark.slow

PROGRAM = f"{sys.executable} {Path(__file__).parents[2] / 'examples/benchmark_program.py'}"


def test_any_program_can_be_tested(toy: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    done = commands.sau(
        "benchmark", "--program", PROGRAM, "--data", "toy", "--learned-from", "toy", "--name", "Words",
        "--output", str(output), "--json", environment=dict(os.environ),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    fields = json.loads(done.stdout)
    (part,) = fields["parts"]
    assert (part["name"], part["problems"], part["metrics"]["answer"]) == ("toy/test", 4, 0.25)  # 9 - 2 alone
    assert part["copies"]["near"] == 0.25
    assert json.loads((output / "report.json").read_text(encoding="utf-8")) == fields
    assert "Benchmark: Words" in (output / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("en", "--program", "cat"), "Give a model or --program, not both"),
        (("fr",), "The model must be a folder or one of zh, en, got 'fr'"),
        (("en", "--learned-from", "toy"), "--learned-from is only for --program"),
        (("--program", "cat", "--data", "toyy"), "There is no corpus 'toyy'. Did you mean toy?"),
        (("--program", "cat", "--beside", "none.json"), "--beside must name a report.json"),
    ],
)
def test_bad_input_is_explained(toy: Path, tmp_path: Path, arguments: tuple[str, ...], complaint: str) -> None:
    done = commands.sau("benchmark", *arguments, "--output", str(tmp_path / "out"), environment=dict(os.environ))
    assert done.returncode == 2
    assert complaint in done.stderr
    assert not (tmp_path / "out").exists()
