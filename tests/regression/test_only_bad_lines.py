"""`sau solve --input` exited with 0 although no line was a problem."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.by_heart import pens
from tests.cli.test_solve_command import Command, sau

__all__ = ["sau"]  # the fixture


@pytest.mark.parametrize("more", [["--output", "a.jsonl"], ["--json"], [], ["--output", "sheet.md"]])
def test_only_bad_lines_give_exit_code_2(
    sau: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.jsonl").write_text('oops\n{"text": ""}\n', encoding="utf-8")
    assert sau("--input", "bad.jsonl", *more)[0] == 2
    Path("good.jsonl").write_text("oops\n" + json.dumps(pens(5, 3)), encoding="utf-8")
    if more != ["--output", "a.jsonl"]:
        assert sau("--input", "good.jsonl", *more)[0] == 0
