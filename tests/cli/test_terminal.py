"""Progress is shown on terminals as bars and elsewhere as plain lines."""

from __future__ import annotations

import time

import pytest

from sau_solver.cli import terminal
from sau_solver.cli.terminal import TrainingBars, duration, progress
from sau_solver.errors import RowError
from sau_solver.training.trainer import EpochReport
from tests.cli.progress_lines import without_progress

EPOCH = EpochReport(
    run="tiny", epoch=3, epochs=10, steps=30, loss=0.5, accuracy=0.25, alignment=0.0, rate=0.001,
    problems_per_second=90.0, seconds_left=200.0,
)  # fmt: skip


class Errors:
    """Standard error, which is not a terminal here."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.text = ""

    def read(self) -> str:
        self.text += self._capsys.readouterr().err
        return self.text

    def wait_for(self, line: str) -> None:
        for _ in range(1_000):
            if line in self.read():
                return
            time.sleep(0.005)
        raise AssertionError(f"{line!r} must be in {self.text!r}")


@pytest.fixture
def errors(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Errors:
    """Standard error with a line of progress every 20 ms."""
    monkeypatch.setattr(terminal, "FIRST_LINE", 0.02)
    monkeypatch.setattr(terminal, "NEXT_LINE", 0.02)
    return Errors(capsys)


def test_a_task_without_a_length_shows_that_it_is_running(errors: Errors) -> None:
    with progress("Reading [hmwp]"):
        errors.wait_for("[0 s] Reading [hmwp]\n")
    assert without_progress(errors.read()) == ""


def test_a_task_with_a_length_shows_its_share_until_it_is_done(errors: Errors) -> None:
    with progress() as bars:
        first, second = (bars.add_task(name, total=8) for name in ("hmwp", "math23k"))
        bars.update(first, completed=2)
        errors.wait_for("] hmwp: 25 %\n")
        bars.update(first, completed=8)
        bars.update(second, completed=4)
        errors.wait_for("] math23k: 50 %\n")
    assert "hmwp: 100 %" not in errors.read()


def test_a_file_shows_its_share_without_control_characters(errors: Errors) -> None:
    with progress(in_bytes=True) as bars:
        bars.update(bars.add_task("a\x1b[31m.jsonl", total=200), completed=50)
        errors.wait_for("] a·[31m.jsonl: 25 %\n")


def test_a_training_shows_loss_accuracy_and_the_time_left(errors: Errors) -> None:
    with progress() as bars:
        shown = TrainingBars(bars)
        shown.waiting("tiny: reading alg514")
        errors.wait_for("] tiny: reading alg514\n")
        shown.report(EPOCH)
        errors.wait_for("] tiny: loss 0.500, accuracy 25.0 %, 90 problems/s, 3 min left: 30 %\n")
        shown.ended("tiny", "done")
    assert without_progress(errors.read()) == "tiny: done\n"


def test_a_training_reports_the_bad_rows_of_a_corpus_once(errors: Errors) -> None:
    rows = [RowError("not JSON", "data/hmwp.jsonl", line) for line in range(1, 24)]
    with progress() as bars:
        shown = TrainingBars(bars)
        for _round in range(2):
            shown.rejected("hmwp", rows)
    lines = without_progress(errors.read()).splitlines()
    assert lines[0] == "Skipped data/hmwp.jsonl:1: not JSON"
    assert lines[20:] == ["Skipped 3 more rows of hmwp."]


def test_a_short_command_prints_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("Solving"):
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (89, "89 s"), (90, "2 min"), (5_000, "83 min"), (11_100, "3 h 05 min")]
)
def test_durations_are_short(seconds: float, text: str) -> None:
    assert duration(seconds) == text
