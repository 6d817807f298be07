"""Markdown pages -> their code blocks, and a reader who follows them: writes files, runs commands, compares output.

- A block under a file name in backticks and a colon is a file. `$SAU_DATA` in its name stands for the data folder.
- A `console` block has commands after `$`. The lines under a command must be what it prints; a line `…` stands for any
  number of lines.
- A `python` block runs. The comment after an expression is its value.
- `<!-- not run: REASON -->` before a block means that its commands are not run; only their options are checked.

`SAU_RENEW_DOCS=1 pytest tests/docs` writes the real output into the pages.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sau_solver.data import corpora
from tests.commands import write_program

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))

_BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<reason>[^\n]+) -->\n)?"
    r"(?:^`(?P<file>[^`\n]+)`:\n\n)?"
    r"^```(?P<language>\w*)\n(?P<content>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_CORPUS = re.compile(rf"\b({'|'.join(map(re.escape, corpora()))})\b")
_SHARED = ("benchmarks", "configs", "examples", "results", "scripts")  # what a reader has in a checkout


@dataclass(frozen=True)
class Block:
    """One fenced block of a page; `file` and `reason` are empty unless the page gives them."""

    language: str
    content: str
    file: str = ""
    reason: str = ""

    def commands(self) -> Iterator[tuple[str, str]]:
        """Yield each command of a console block and the output shown under it."""
        for part in re.split(r"^\$ ", self.content, flags=re.MULTILINE)[1:]:
            lines = part.splitlines(keepends=True)
            end = next(k for k, line in enumerate(lines) if not line.endswith("\\\n")) + 1
            yield "".join(lines[:end]).rstrip("\n"), "".join(lines[end:])


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page in order."""
    found = _BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Block(one["language"], one["content"], one["file"] or "", one["reason"] or "") for one in found]


def corpora_in(text: str) -> set[str]:
    """Return the published corpora that a command or program names."""
    return set(_CORPUS.findall(text))


class Reader:
    """Someone who follows a page in a copy of a checkout, or in an empty folder if the page brings its own corpus."""

    def __init__(self, page: Path, folder: Path) -> None:
        self.page, self.folder = page, folder
        own_data = any(block.file.startswith("$SAU_DATA") for block in blocks(page))
        for name in () if own_data else _SHARED:
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        self.programs = folder / ".bin"
        self.programs.mkdir()
        # Like the installed command, this one does not find modules in the working folder.
        write_program(self.programs / "sau")
        self._program("python", "")
        self._program("torchrun", "-m torch.distributed.run")
        self.environment = os.environ | {"OMP_NUM_THREADS": "1", "PATH": f"{self.programs}:{os.environ['PATH']}"}
        if own_data:
            self.environment["SAU_DATA"] = str(folder / "data")

    def follow(self, with_corpora: bool = False) -> list[str]:
        """Do what the page says, with or without the commands that need a corpus; return the commands that ran."""
        done, program = [], ""
        for block in blocks(self.page):
            if block.file:
                path = self.folder / block.file.replace("$SAU_DATA", "data")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.content, encoding="utf-8")
            elif block.language == "console" and not block.reason:
                for command, shown in block.commands():
                    if bool(corpora_in(command)) is with_corpora:
                        self._command(command, shown)
                        done.append(command)
            elif block.language == "python" and not block.reason and bool(corpora_in(block.content)) is with_corpora:
                program += block.content
        if program:
            self._python(program)
            done.append(program)
        return done

    def run(self, command: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run one command line of the page."""
        return subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, encoding="utf-8", timeout=240, check=False,
            cwd=folder or self.folder, env=self.environment,
        )  # fmt: skip

    def _program(self, name: str, arguments: str) -> None:
        path = self.programs / name
        path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n', encoding="utf-8")
        path.chmod(0o755)

    def _command(self, command: str, shown: str) -> None:
        done = self.run(command)
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        assert done.stdout or "--output" in command, command
        if shown.strip() and not _matches(shown, done.stdout):
            assert os.environ.get("SAU_RENEW_DOCS"), f"{command} prints\n{done.stdout}"
            text = self.page.read_text(encoding="utf-8")
            printed = "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
            self.page.write_text(text.replace(f"$ {command}\n{shown}", f"$ {command}\n{printed}"), encoding="utf-8")

    def _python(self, program: str) -> None:
        """Run a page's Python and compare the value of each expression with the comment after it."""
        lines, expected, code = program.splitlines(), [], []
        for statement in ast.parse(program).body:
            source = ast.unparse(statement)
            comment = lines[(statement.end_lineno or 1) - 1].partition("  # ")[2]
            if isinstance(statement, ast.Expr) and comment:
                source = f"print(repr({source}))"
                expected.append(comment)
            code.append(source)
        done = subprocess.run(
            [self.programs / "python", "-c", "\n".join(code)], capture_output=True, text=True, encoding="utf-8",
            timeout=240, check=False, cwd=self.folder, env=self.environment,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines() == expected, f"{done.stdout.splitlines()} is not {expected}"


def _matches(shown: str, printed: str) -> bool:
    lines = ["(?:.*\n)*.*" if line == "…" else re.escape(_plain(line)) for line in shown.rstrip("\n").splitlines()]
    return bool(re.fullmatch("\n".join(lines), "\n".join(map(_plain, printed.splitlines()))))


def _plain(line: str) -> str:
    """Return a line of output without what differs between CPUs: the last digits of a confidence."""
    return re.sub(r"\d+", "N", line.rstrip()) if re.search("onfidence|置信度", line) else line.rstrip()
