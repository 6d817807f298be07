"""`sau --help` lists all commands without importing them, and a command imports only what it needs."""

from __future__ import annotations

import subprocess
import sys

import pytest
import typer

from sau_solver.cli import COMMANDS, app
from sau_solver.cli.command_classes import Listed

RUN = "import sys\nsys.argv = ['sau', *{arguments!r}]\nfrom sau_solver.cli import main\ntry:\n    main()\nfinally:\n"
PRINT = "    print(*sorted(sys.modules), file=sys.stderr)\n"
NEVER = {"torch", "numpy", "onnxruntime", "sympy", "requests", "pooch", "safetensors", "sau_solver.solver"}


def imported_by(*arguments: str) -> set[str]:
    """Return the modules that a process has imported after `sau ARGUMENTS`."""
    code = RUN.format(arguments=arguments) + PRINT
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("name", [name for name, _, _ in COMMANDS])
def test_the_list_has_the_first_sentence_of_the_commands_own_help(name: str) -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    listed = group.commands[name]
    assert isinstance(listed, Listed)
    assert listed.load().help.partition("\n\n")[0] == listed.help
    assert listed.load().name == name


def test_help_imports_no_command() -> None:
    imported = imported_by("--help")
    assert not imported & NEVER
    assert not [
        name for name in imported if name.startswith("sau_solver.cli.") and name.endswith(("command", "commands"))
    ]


def test_equations_are_solved_without_the_parts_that_read_problems() -> None:
    imported = imported_by("equation", "2x+3=7")
    assert not imported & NEVER
    assert not {"sau_solver.text.asking", "sau_solver.answering", "sau_solver.data", "sau_solver.models"} & imported
