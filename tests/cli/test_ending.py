"""How `sau` ends where it is not let finish: a word after Ctrl+C, none where nobody reads its output any more."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sau_solver.cli import doctor_command as doctor
from sau_solver.cli import main

SAU = [sys.executable, "-c", "from sau_solver.cli import main; main()"]


def test_ctrl_c_ends_with_a_word_and_130(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def pressed() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(doctor, "_report", pressed)
    monkeypatch.setattr(sys, "argv", ["sau", "doctor"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
    assert capfd.readouterr().err == "Interrupted.\n"


@pytest.mark.parametrize(
    "arguments", [["data", "list"], ["data", "list", "--json"], ["equation", "0=1", "--json"], ["equation", "x=1"]]
)
def test_a_pipe_that_nobody_reads_ends_it_without_a_word(arguments: list[str]) -> None:
    with subprocess.Popen([*SAU, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141
