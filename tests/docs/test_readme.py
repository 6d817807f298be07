"""Every command of the README does what the README shows."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")

Command = tuple[str, str]  # the command, and what the README shows under it


def console_commands() -> list[Command]:
    found: list[Command] = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            found.append((command, shown))
    return found


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program, *arguments = shlex.split(command)
    assert program == "sau"
    code = "from sau_solver.cli import main; main()"
    arguments = [str(ROOT / a) if a.startswith(("configs/", "examples/")) else a for a in arguments]
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, cwd=folder, timeout=240, check=False
    )


def needs_corpus(command: str) -> str | None:
    named = re.search(r"\b(hmwp|alg514|draw1k)\b", command)
    return named[1] if named else None


@pytest.mark.parametrize(("command", "shown"), console_commands(), ids=[c for c, _ in console_commands()])
def test_a_command_of_the_readme_runs_and_prints_what_is_shown(command: str, shown: str, tmp_path: Path) -> None:
    corpus = needs_corpus(command)
    if corpus and not (Path(os.environ.get("SAU_DATA", tmp_path)) / corpus).is_dir():
        pytest.skip(f"{corpus} is not under SAU_DATA")
    if "runs/" in command:  # what the command before has trained
        trained = next(earlier for earlier, _ in console_commands() if earlier.startswith("sau train"))
        assert run(trained, tmp_path).returncode == 0
    if ("crossval" in command and "sau-" in command) or command.startswith(("sau report", "sau errors")):
        shutil.copytree(ROOT / "results", tmp_path / "results")  # networks: from the stored results
        shutil.copytree(ROOT / "configs", tmp_path / "configs")
    done = run(command, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout or "--output" in command
    if shown.strip():
        assert [without_confidence(line) for line in done.stdout.splitlines()] == [
            without_confidence(line) for line in shown.splitlines()
        ]


def without_confidence(line: str) -> str:
    """A CPU that multiplies in bfloat16 gives a confidence that differs by a point or two."""
    return re.sub(r"^(  把握 )\d+(%：100 个这样的答案里大约有 )\d+", r"\g<1>N\g<2>N", line.rstrip())


def test_the_python_example_gives_the_values_in_its_comments() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    imports = [line for line in block.splitlines() if line.startswith(("from", "import"))]
    examples = [line.split("#", 1) for line in block.splitlines() if "#" in line]
    assert len(examples) == 3
    for expression, comment in examples:
        code = "\n".join([*imports, f"print({expression.strip()})"])
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == comment.strip()


@pytest.mark.skipif(not (ROOT / ".venv" / ".installed").is_file(), reason="this environment was not made by make")
def test_make_solve_solves_the_samples_and_the_users_problem() -> None:
    typed = "Ann has 12 pears and eats 5 of them. How many pears are left?"
    done = subprocess.run(
        ["make", "solve", f"P={typed}"], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    samples = (ROOT / "examples/problems.jsonl").read_text(encoding="utf-8").splitlines()
    shown = done.stdout.count("\nProblem\n") + done.stdout.count("\n题目\n")
    assert shown == len(samples) + 1
    assert f'$ sau solve "{typed}"' in done.stdout


def test_files_that_the_readme_links_to_exist() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
