"""Ctrl+C ends `sau` with a message, a closed pipe without one; --version prints the version."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sau_solver import __version__
from sau_solver.cli import doctor_command as doctor
from sau_solver.cli import main

pytestmark = pytest.mark.slow

SAU = [sys.executable, "-c", "from sau_solver.cli import main; main()"]


def test_ctrl_c_exits_with_130_and_a_message(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def pressed() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(doctor, "_report", pressed)
    monkeypatch.setattr(sys, "argv", ["sau", "doctor"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
    assert capfd.readouterr().err == "Interrupted.\n"


def test_the_version_is_printed(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["sau", "--version"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert (ended.value.code or 0) == 0
    assert capfd.readouterr().out == f"sau-solver {__version__}\n"


@pytest.mark.parametrize(
    "arguments", [["data", "list"], ["data", "list", "--json"], ["equation", "0=1", "--json"], ["equation", "x=1"]]
)
def test_a_closed_pipe_exits_with_141_and_no_message(arguments: list[str]) -> None:
    with subprocess.Popen([*SAU, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141
