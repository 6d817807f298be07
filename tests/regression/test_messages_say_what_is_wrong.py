"""Messages spoke pydantic's English, named no file, pointed at nothing, or were in the wrong language."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from sau_solver.cli import main, solve_command
from sau_solver.errors import InputError
from sau_solver.text.screening import screen
from tests.cli.progress_lines import without_progress

GERMAN = "Der Mann hat 3 Äpfel und die Frau hat 5 Äpfel. Wie viele haben sie zusammen?"


def sau(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["sau", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "x", "--beam", "60"], "--beam must be between 1 and 50, got 60.\n"),
        (["solve", "x", "--beam", "many"], "--beam must be between 1 and 50, got many.\n"),
        (["crossval", "x.toml", "--folds", "0"], "--folds must be at least 1, got 0.\n"),
        (["equation", ""], "There is no equation; try x+2=5\n"),
        (["solve", "1e400"], "The number 1e400 has more than 200 digits. Use a smaller exponent.\n"),
        (["solve", GERMAN, "--lang", "zh"], "题目既不是中文，也不是英文。请用中文或英文输入题目。\n"),
        (["solve", "Solve 2x + 3 > 7"], "Inequalities are not solved, only equations."),
        (["solve", "解不等式2x+3>7"], "目前只能解方程，不能解不等式。"),
    ],
)
def test_bad_input_is_told_in_plain_words(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert sau(monkeypatch, *arguments) == 2
    assert without_progress(capfd.readouterr().err).startswith(message)


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["3+5"], "Loading the model and solving"),
        (["计算：3+5"], "正在加载模型并求解"),
        (["3+5", "--lang", "zh"], "正在加载模型并求解"),
    ],
)
def test_progress_is_told_in_the_language_of_the_reader(
    arguments: list[str], shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    def progress(task: str) -> AbstractContextManager[None]:
        told.append(task)
        return nullcontext()

    monkeypatch.setattr(solve_command, "progress", progress)
    assert sau(monkeypatch, "solve", *arguments) == 0
    assert told == [shown]


def test_an_empty_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "empty.csv"
    path.touch()
    for output in ([], ["--json"], ["--output", str(tmp_path / "sheet.html")]):
        assert sau(monkeypatch, "solve", "--input", str(path), *output) == 2
        assert without_progress(capfd.readouterr().err).startswith(f"{path}: The list is empty.")


def test_a_letter_alone_is_no_foreign_language() -> None:
    with pytest.raises(InputError, match="nothing to solve for x"):
        screen("x")
