"""`sau solve --input` reads lists, tables and JSON lines, and writes worksheets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sau_solver.text.lists import problem_lists
from tests.by_heart import CHICKENS, DOUBTFUL, GARDEN, pens
from tests.cli.test_solve_command import Command, sau
from tests.sheets.latex_lint import check_latex

__all__ = ["sau"]  # the fixture

LIST = (
    f"Worksheet 3\n\n1. {pens(5, 3)}\n2. {CHICKENS}\n3. A garden is 5 meters longer\n   than wide, and its area is 84\n"
    "   square meters. How wide is it, in meters?\n"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("list.txt").write_text(LIST, encoding="utf-8")


def answers(path: str = "a.jsonl") -> list[list[str]]:
    return [json.loads(line).get("answers", []) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def test_a_numbered_list_is_solved_item_by_item(sau: Command) -> None:
    assert sau("--input", "list.txt", "--output", "a.jsonl")[0] == 0
    assert answers() == [["15"], ["15", "5"], ["7"]]
    records = [json.loads(line) for line in Path("a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [record["line"] for record in records] == [3, 4, 5]
    code, _, err = sau("--input", "list.txt", "--output", "a.jsonl")
    assert (code, err) == (0, "All lines of list.txt are already answered in a.jsonl.\n")


def test_a_table_is_solved_by_its_column(sau: Command) -> None:
    Path("p.csv").write_bytes(f'编号,题目,other\n1,"{CHICKENS}",x\n2,,y\n'.encode("gb18030"))
    code, _, err = sau("--input", "p.csv", "--output", "a.jsonl")
    assert (code, answers()) == (0, [["15", "5"], []])
    assert "p.csv:3: This row has no problem." in err
    Path("q.csv").write_text(f"a,b\n{pens(5, 3)},{pens(6, 3)}\n", encoding="utf-8")
    assert sau("--input", "q.csv", "--output", "b.jsonl", "--column", "b")[0] == 0
    assert answers("b.jsonl") == [["18"]]


def test_a_pipe_can_have_any_format(sau: Command) -> None:
    code, out, _ = sau("--input", "-", "--json", "--format", "list", stdin=LIST.encode())
    assert (code, out.count("\n")) == (0, 3)


@pytest.mark.parametrize("ending", ["md", "html", "csv", "tex"])
def test_a_worksheet_has_every_problem_with_its_answer(sau: Command, ending: str) -> None:
    code, out, err = sau("--input", "list.txt", "--output", f"sheet.{ending}", "--answers", "separate")
    assert (code, out) == (0, "")
    assert err == f"3 problems: 3 solved, 0 without a confident answer, 0 bad. Answers: sheet.{ending}\n"
    text = Path(f"sheet.{ending}").read_text(encoding="utf-8")
    assert all(
        part in text for part in ("A box holds 5 pens", "鸡兔同笼", "A garden is 5 meters longer than wide", "15")
    )
    if ending == "tex":
        check_latex(text)


def test_a_worksheet_replaces_an_older_one(sau: Command) -> None:
    for text in (GARDEN, DOUBTFUL):
        Path("p.txt").write_text(text, encoding="utf-8")
        assert sau("--input", "p.txt", "--output", "sheet.md")[0] == 0
    assert "A box holds 7 pens" in Path("sheet.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "arguments", "complaint"),
    [
        (b"", ["p.csv"], "The list is empty"),
        (b"a,b\n1,2\n", ["p.csv"], "No column has problems. The columns are: a, b."),
        (b"a,b\n1,2\n", ["p.csv", "--column", "c"], "There is no column"),
        (b"\x89PNG\x00", ["p.txt"], "This is not a text file."),
        ("caf\u00e9 \u00a35?".encode("cp1252"), ["p.txt"], "neither UTF-8 nor GB18030"),
        (b"3+4\n" * 1001, ["p.txt", "--output", "s.md"], "1,001 problems; at most 1,000"),
        (b"3?", ["p.txt", "--format", "pdf"], "--format must be one of auto, list, txt, csv, jsonl"),
        (b"3?", ["p.txt", "--answers", "later"], "--answers must be one of inline, separate, none"),
    ],
)
def test_files_that_cannot_be_read_are_explained(
    sau: Command, content: bytes, arguments: list[str], complaint: str
) -> None:
    Path(arguments[0]).write_bytes(content)
    if "--output" not in arguments:
        arguments = [*arguments, "--output", "a.jsonl"]
    code, out, err = sau("--input", *arguments)
    assert (code, out) == (2, "")
    assert complaint in err


def test_plain_text_that_is_too_large_to_be_a_list_is_read_line_by_line(
    sau: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(problem_lists, "MAX_FILE", 100)
    Path("p.txt").write_text(f"{pens(5, 3)}\n" * 4, encoding="utf-8")
    assert sau("--input", "p.txt", "--json")[1].count("\n") == 4
