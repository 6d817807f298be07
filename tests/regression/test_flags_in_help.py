"""Help showed `--json <bool>` as if the flag took a value, and shells did not complete the names of corpora."""

from __future__ import annotations

import pytest
import typer
from typer.testing import CliRunner

from sau_solver import __version__
from sau_solver.cli import app
from sau_solver.cli.command_classes import Listed
from sau_solver.cli.data_commands import corpus_names

runner = CliRunner()


@pytest.mark.parametrize("command", [[], ["solve"], ["equation"], ["evaluate"], ["data"], ["data", "list"], ["serve"]])
def test_a_flag_has_no_type(command: list[str]) -> None:
    shown = runner.invoke(app, [*command, "--help"]).stdout
    assert "--help" in shown
    assert "bool" not in shown.lower()


def test_the_version_is_printed() -> None:
    assert runner.invoke(app, ["--version"]).stdout == f"sau-solver {__version__}\n"


def test_names_are_completed() -> None:
    assert "hmwp" in corpus_names("hm")
    assert corpus_names("zzz") == []
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    listed = group.commands["solve"]
    assert isinstance(listed, Listed)
    solve = listed.load()
    (lang,) = [one for one in solve.params if one.name == "lang"]
    completed = lang.shell_complete(typer.Context(solve), "")
    assert [one.value for one in completed] == ["auto", "zh", "en"]
