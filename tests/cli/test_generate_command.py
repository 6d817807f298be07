"""`sau generate` and `sau data augment`: worksheets, JSON lines, lists of skills, and clear messages for bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sau_solver.cli import app
from sau_solver.curriculum.families import skills
from sau_solver.data import load_file
from sau_solver.errors import SauError


def run(*arguments: str) -> str:
    """Return what the command prints; its errors are raised as `main` would print them."""
    result = CliRunner().invoke(app, list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_problems_are_printed_with_their_answers() -> None:
    printed = run("generate", "--skill", "speed", "--count", "3", "--seed", "3")
    assert printed.count("?") >= 2
    assert all(f"\n{number}: " in printed for number in (1, 2, 3))
    assert printed == run("generate", "--skill", "speed", "--count", "3", "--seed", "3")


@pytest.mark.parametrize(("ending", "mark"), [("html", "<!doctype html>"), ("md", "1. "), ("tex", r"\documentclass")])
@pytest.mark.parametrize("language", ["en", pytest.param("zh", marks=pytest.mark.slow)])
def test_a_worksheet_has_problems_answers_and_steps(tmp_path: Path, ending: str, mark: str, language: str) -> None:
    target = tmp_path / f"sheet.{ending}"
    run("generate", "--grade", "6", "--lang", language, "--count", "6", "--output", str(target))
    text = target.read_text(encoding="utf-8")
    assert mark.lower() in text.lower()
    assert ("Answers" if language == "en" else "答案") in text


def test_answers_can_be_left_out(tmp_path: Path) -> None:
    target = tmp_path / "sheet.md"
    said = run("generate", "--skill", "ages", "--count", "4", "--answers", "none", "--output", str(target))
    assert "Answer" not in target.read_text(encoding="utf-8")
    assert "4 problems without answers" in said
    assert "with answers and steps" in run("generate", "--skill", "ages", "--count", "4", "--output", str(target))


@pytest.mark.slow
def test_json_lines_can_be_read_back(tmp_path: Path) -> None:
    target = tmp_path / "problems.jsonl.gz"
    run("generate", "--lang", "zh", "--count", "25", "--part", "train", "--output", str(target))
    problems = load_file(target).problems
    assert len(problems) == 25
    assert all(problem.asks and problem.lesson and problem.id.endswith("-train") for problem in problems)


def test_json_lines_are_the_sequence_of_the_seed_and_the_screen_leaves_repetitions_out() -> None:
    chosen = ("generate", "--skill", "consecutive", "--lang", "zh", "--count", "60", "--seed", "3")
    texts = [json.loads(line)["text"] for line in run(*chosen, "--json").splitlines()]
    printed = [line.partition(". ")[2] for line in run(*chosen).partition("\n\n")[0].splitlines()]
    first = list(dict.fromkeys(texts))
    assert len(first) < len(texts) == 60
    assert printed[: len(first)] == first
    assert len(set(printed)) == len(printed) == 60


@pytest.mark.slow
def test_the_list_names_every_skill_with_its_grade() -> None:
    rows = [json.loads(line) for line in run("generate", "--list", "--json").splitlines()]
    assert [row["skill"] for row in rows] == list(skills())
    assert all(1 <= row["grade"] <= 9 and min(row["families"].values()) >= 1 for row in rows)
    assert "heads-legs" in run("generate", "--list")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--skill", "speeed"], "no skill 'speeed'. Did you mean speed"),
        (["--skill", "fraction"], "fraction-of or fraction-whole"),
        (["--count", "0"], "between 1 and 200,000, got 0"),
        (["--count", "1000000"], "between 1 and 200,000, got 1,000,000"),
        (["--count", "501", "--output", "sheet.html"], "of a worksheet must be between 1 and 500"),
        (["--seed", "-1"], "--seed must be between 0"),
        (["--seed", "4294967296"], "--seed must be between 0"),
        (["--grade", "12"], "grade must be between 1 and 9"),
        (["--lang", "fr"], "--lang must be one of zh, en"),
        (["--part", "some"], "--part must be one of"),
        (["--answers", "maybe"], "--answers must be one of inline, separate, none, got 'maybe'"),
        (["--json", "--output", "problems.jsonl"], "--json prints to the screen"),
        (["--output", "problems.doc"], ".jsonl"),
    ],
)
def test_bad_input_gets_a_clear_message(arguments: list[str], message: str) -> None:
    with pytest.raises(SauError) as raised:
        run("generate", *arguments)
    assert message in str(raised.value)


def test_copies_of_a_file_are_written_with_their_kinds(tmp_path: Path) -> None:
    source, target = tmp_path / "mine.jsonl", tmp_path / "copies.jsonl"
    run("generate", "--count", "40", "--output", str(source))
    printed = run("data", "augment", str(source), str(target), "--only", "names", "--only", "reverse")
    copies = load_file(target).problems
    assert f"{len(copies)} copies" in printed
    assert {problem.id.rpartition("+")[2] for problem in copies} == {"names", "reverse"}
    with pytest.raises(SauError, match="--only must be one of"):
        run("data", "augment", str(source), str(target), "--only", "nams")


def test_problems_of_a_test_split_are_never_copied(tmp_path: Path) -> None:
    line = {
        "text": "Tom has 3 pens and Anna has 9 pens. How many pens is that?",
        "equations": ["x=3+9"],
        "answers": ["12"],
    }
    source, target = tmp_path / "mine.jsonl", tmp_path / "copies.jsonl"
    source.write_text("".join(json.dumps(line | {"split": split}) + "\n" for split in ("test", "train")))
    run("data", "augment", str(source), str(target), "--only", "numbers")
    assert len(load_file(target).problems) == 1
