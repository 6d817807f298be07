"""Every command and example of README, CONTRIBUTING and docs/ works as shown; links and paths lead somewhere."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import typer
from torch.distributed import run as torchrun

from sau_solver.cli import app
from sau_solver.cli.command_classes import Listed
from tests.docs.pages import PAGES, ROOT, Reader, blocks, corpora_in

NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
OWN_TESTS = ("adding-a-corpus.md", "adding-a-model.md", "hub.md")
PROGRAMS = ("sau", "python", "make", "pip", "pytest", ".venv/bin/pytest", "curl", "torchrun")

# Why a block is not run, and how many commands there are for each reason.
NOT_RUN = {
    "installs packages": 13,
    "runs until you stop it": 4,
    "needs an object store": 3,
    "needs a cluster": 9,
    "needs a running server": 2,
    "downloads": 1,
    "needs several GPUs": 2,
    "trains for minutes or hours": 13,
    "needs a container engine": 4,
    "needs root": 7,
    "takes minutes": 16,
    "needs a finding": 1,
}


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def needing(with_corpora: bool) -> list[Path]:
    """Return the pages with something to run that does or does not need a corpus."""
    found = []
    for page in PAGES:
        run = [block for block in blocks(page) if block.language in ("console", "python") and not block.reason]
        if any(bool(corpora_in(block.content)) is with_corpora for block in run) and page.name not in OWN_TESTS:
            found.append(page)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("page", needing(with_corpora=False), ids=lambda page: page.name)
def test_the_examples_of_a_page_run_and_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    assert Reader(page, tmp_path).follow()


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize("page", needing(with_corpora=True), ids=lambda page: page.name)
def test_the_examples_of_a_page_that_need_corpora_run(page: Path, tmp_path: Path) -> None:
    content = "".join(block.content for block in blocks(page) if not block.reason)
    data = Path(os.environ.get("SAU_DATA", tmp_path))
    if missing := [name for name in corpora_in(content) if not (data / name.partition("-")[0]).is_dir()]:
        pytest.skip(f"not under SAU_DATA: {', '.join(missing)}")
    assert Reader(page, tmp_path).follow(with_corpora=True)


def unrun_commands() -> Iterator[tuple[str, str, str]]:
    """Yield page, reason and command of everything that is shown and not run."""
    for page, name in zip(PAGES, NAMES, strict=True):
        for block in blocks(page):
            if block.language == "console" and block.reason:
                yield from ((name, block.reason, command) for command, _ in block.commands())


def inline_commands() -> Iterator[tuple[str, str]]:
    """Yield page and command for each command in the running text."""
    for page, name in zip(PAGES, NAMES, strict=True):
        prose = re.sub(r"^```.*?^```$", "", text_of(page), flags=re.DOTALL | re.MULTILINE)
        for code in re.findall(r"`([^`\n]+)`", prose):
            if code.split()[0] in PROGRAMS and " " in code.strip():
                yield name, code


@pytest.mark.parametrize(
    ("page", "command"), sorted({(page, command) for page, _, command in unrun_commands()} | set(inline_commands()))
)
def test_a_command_that_is_not_run_has_known_options(page: str, command: str) -> None:
    for line in re.split(r"\n|&&|\||;(?= )", command.replace("\\\n", " ")):
        words = shlex.split(line, comments=True)
        if words and words[0] in PROGRAMS:
            check_options(words[0].rpartition("/")[2], words[1:])


def check_options(program: str, words: list[str]) -> None:
    for path in (word for word in words if re.fullmatch(r"(configs/\w+|examples)/[\w.-]+", word)):
        assert (ROOT / path).exists(), path
    if program == "sau":
        known = _options(_commands(), words)
        given = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert given <= known, given - known
    elif program == "torchrun":
        end = words.index("sau_solver.cli")
        known = set(torchrun.get_args_parser()._option_string_actions)
        assert {word.partition("=")[0] for word in words[:end] if word.startswith("-")} <= known
        check_options("sau", words[end + 1 :])
    elif program == "make":
        target = [word for word in words if "=" not in word]
        done = subprocess.run(["make", "-n", *target], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    elif program == "python" and words[0].endswith(".py"):
        source = text_of(ROOT / words[0])
        assert all(word in source for word in words[1:] if word.startswith("--"))
    elif program == "pip":
        extras = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]["optional-dependencies"]
        named = re.search(r"\[(.+)\]", words[-1])
        assert words[-1].startswith(".") or words[1:3] == ["torch", "--index-url"]
        assert not named or set(named[1].split(",")) <= set(extras)


@cache
def _commands() -> typer.core.TyperGroup:
    """Return the commands of `sau`, which take a while to build."""
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    return group


def _options(group: typer.core.TyperGroup, words: list[str]) -> set[str]:
    """Return every option of the subcommand that the words name."""
    command = group.commands[words[0]] if words and not words[0].startswith("-") else group
    command = command.load() if isinstance(command, Listed) else command
    if isinstance(command, typer.core.TyperGroup) and command is not group:
        return _options(command, words[1:])
    options = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    return options | {"--help", "-h", "--version"}


def test_commands_that_are_not_run_are_counted() -> None:
    reasons = [reason for _, reason, _ in unrun_commands()]
    assert {reason: reasons.count(reason) for reason in sorted({*reasons, *NOT_RUN})} == dict(sorted(NOT_RUN.items()))


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_commands_stand_in_console_blocks_only(page: Path) -> None:
    outside = re.sub(r"^```\w*\n.*?^```$", "", text_of(page), flags=re.DOTALL | re.MULTILINE)
    assert not re.findall(r"^ *\$? ?(?:sau|python|make|pip|curl) .*$", outside, re.MULTILINE)
    assert all(block.language for block in blocks(page))


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_the_first_example_of_a_page_is_english(page: Path) -> None:
    first = next((block.content for block in blocks(page) if block.language in ("console", "python")), "")
    assert not re.search(r"[一-鿿]", first.partition("\n$")[0])


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", text_of(page)):
        path, _, heading = target.partition("#")
        found = (page.parent / path) if path else page
        assert found.exists(), target
        titles = re.findall(r"^#+ (.+)$", text_of(found), re.MULTILINE) if heading else []
        assert not heading or heading in [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_files_that_a_page_names_exist(page: Path) -> None:
    own = {Path(block.file).name for block in blocks(page) if block.file}
    for path in re.findall(r"`([\w./-]+\.(?:py|toml|sh|jsonl|txt))`", text_of(page)):
        if Path(path).name not in own | {"corpora.toml", "mine.jsonl", "convert.py"}:
            places = (ROOT, ROOT / "src", ROOT / "src/sau_solver", page.parent)
            assert any((place / path).exists() for place in places), path


def test_the_index_names_every_page_once() -> None:
    index = re.findall(r"\]\((\w[\w-]*\.md)\)", text_of(ROOT / "docs/README.md"))
    assert sorted(index) == sorted(page.name for page in (ROOT / "docs").glob("*.md") if page.name != "README.md")


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ".venv" / ".installed").is_file(), reason="this environment was not made by make")
def test_make_solve_solves_the_samples_and_the_users_problem() -> None:
    typed = "Ann has 12 pears and eats 5 of them. How many pears are left?"
    make = ["make", "-o", ".venv/.installed", "solve", f"P={typed}"]  # a test installs nothing
    done = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    samples = text_of(ROOT / "examples/problems.jsonl").splitlines()
    shown = done.stdout.count("\nProblem\n") + done.stdout.count("\n题目\n")
    assert shown == len(samples) + 1
    assert f'$ sau solve "{typed}"' in done.stdout


def test_make_bench_runs_benchmarks_that_exist() -> None:
    names = re.findall(r"^BENCHMARKS := (.+)$", text_of(ROOT / "Makefile"), re.MULTILINE)[0].split()
    assert len(names) == 8
    assert all((ROOT / f"benchmarks/{name}.py").is_file() for name in names)
