"""`sau equation` as users see it: output, exit codes, and hostile input."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.commands import sau

pytestmark = pytest.mark.slow

HOSTILE = {
    "9^9^9^9": ("9^9^9^9", 3),
    "x^1000=2": ("x^1000=2", 0),
    "10,000 nested brackets": ("(" * 10_000 + "x" + ")" * 10_000 + "=1", 2),
    "a 100,000-digit literal": ("x=" + "7" * 100_000, 2),
    "40 unknowns, linear": ("; ".join(f"a{k}+a{(k + 1) % 40}={k}" for k in range(39)) + "; a0=1", 0),
    "40 unknowns, quadratic": ("; ".join(f"a{k}*a{(k + 1) % 40}+a{k}^2={k}" for k in range(40)), 3),
    "1/0": ("1/0", 3),
    "0=1": ("0=1", 3),
    "x=x": ("x=x", 3),
    "x/0=1": ("x/0=1", 3),
    "0/0": ("0/0", 3),
    "(x^2-1)/(x-1)=0": ("(x^2-1)/(x-1)=0", 0),
    "empty": ("", 2),
    "control characters": ("x\x01=\x1b[31m3", 2),
    "sides past the range of floats": ("x^2=3000000000000000000000000000000000000000^9", 0),
    "a tower of powers": ("x^x^x^x^x=2", 3),
    "a dense power": ("(x+1)^999=(x-1)^998+7", 3),
    "a large power of a sum": ("(a+b+c+d+f+g)^90=1", 3),
    "right to left": ("س+1=3", 0),
    "emoji": ("🙂=3", 2),
}


def run(*arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return sau("equation", *arguments, given=stdin)


def test_the_json_object_has_the_documented_fields() -> None:
    done = run("x*(50-2*x)=300", "--json")
    printed = json.loads(done.stdout)
    assert done.returncode == 0
    assert printed["equations"] == ["x*(50-2*x)=300"]
    assert printed["outcome"] == "solved"
    assert printed["roots"] == [{"x": "10"}, {"x": "15"}]
    assert printed["decimal"] == [{"x": 10.0}, {"x": 15.0}]
    assert printed["steps"][0] == "Solve x(50 − 2x) = 300 for x."


@pytest.mark.parametrize(
    ("text", "outcome"), [("x^2=2", "solved"), ("0=1", "none"), ("x=x", "infinite"), ("9^9^9^9", "too_hard")]
)
def test_the_four_outcomes_and_their_exit_codes(text: str, outcome: str) -> None:
    done = run(text, "--json")
    assert json.loads(done.stdout)["outcome"] == outcome
    assert done.returncode == (0 if outcome == "solved" else 3)


def test_the_terminal_shows_tree_steps_and_roots() -> None:
    done = run("x+y=20; 2x+4y=50")
    assert done.returncode == 0
    assert "┌" in done.stdout
    assert "From (1): x = 20 − y." in done.stdout
    assert "x = 15,  y = 5" in done.stdout
    assert done.stderr == ""


def test_steps_in_chinese() -> None:
    assert "检验" in run("x+1=3", "--lang", "zh").stdout


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x^2=9; x>5", "无解：没有满足 x>5 的解"),
        ("x+y=5", "有无穷多解：方程不能确定每个未知数的值"),
        ("9^9^9^9", "没有解出：乘方的结果多达数千位"),
    ],
)
def test_a_chinese_reader_gets_chinese_alone(text: str, sentence: str) -> None:
    printed = run(text, "--lang", "zh").stdout
    assert f"  {sentence}\n" in printed
    assert not re.search(r"[A-Za-z]{3}", printed)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x+=3", "此处应为数、未知数或“(”，实际是“=”（第 3 个字符）"),
        ("x>5", "只有条件，没有方程。请加上方程"),
        ("(" * 100 + "x" + ")" * 100 + "=1", "嵌套超过 64 层。请化简方程。"),
    ],
)
def test_a_chinese_reader_gets_chinese_errors(text: str, complaint: str) -> None:
    assert complaint in run(text, "--lang", "zh").stderr


def test_equations_from_standard_input() -> None:
    assert "x = 2" in run("-", stdin="x+1=3\n").stdout


def test_an_unclosed_bracket_from_standard_input_is_an_error() -> None:
    done = run("-", stdin="(x=1\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Expected ')', got '=' (column 3)")


def test_the_tree_is_drawn_to_a_file(tmp_path: Path) -> None:
    target = tmp_path / "tree.svg"
    assert run("x+1=3", "--tree", str(target)).returncode == 0
    assert target.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["3+*4"], "column 3"),
        (["x=1", "--lang", "fr"], "--lang must be one of zh, en"),
        (["x>3"], "There are conditions but no equation"),
        (["x=comb(5,2)", "--tree", "t.svg"], "comb"),
        (["x=1", "--tree", "/nonexistent/a.svg"], "/nonexistent/a.svg: cannot be written (No such file or directory)"),
    ],
)
def test_bad_input_is_explained_on_standard_error(arguments: list[str], complaint: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("text", "code"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_equations_end_in_a_clear_outcome(text: str, code: int) -> None:
    done = run(text, "--json")
    assert done.returncode == code
    if code == 2:
        assert done.stdout == ""
        assert done.stderr.strip()
        assert "Traceback" not in done.stderr
        assert "\x1b" not in done.stderr
    else:
        assert json.loads(done.stdout)["outcome"] in ("solved", "none", "infinite", "too_hard")
