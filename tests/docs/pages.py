"""Pages of docs/ that show steps, followed to the letter: files written, commands run, what they show printed.

A file is a code block under its name in backticks; `$SAU_DATA` in a name is the data folder. A block of language
`console` has commands behind `$`; what stands under a command must be what it prints, `…` any number of lines.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"

_STEP = re.compile(
    r"(?:^`(?P<file>[^`\n]+)`:\n\n)?^```(?P<language>\w+)\n(?P<content>.*?)^```$", re.DOTALL | re.MULTILINE
)


def follow(page: str, folder: Path) -> list[str]:
    """Do what a page says in an empty folder; the commands that were run."""
    commands = []
    for step in _STEP.finditer((DOCS / page).read_text(encoding="utf-8")):
        if step["file"]:
            path = folder / step["file"].replace("$SAU_DATA", "data")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step["content"], encoding="utf-8")
            continue
        assert step["language"] == "console"
        for part in re.split(r"^\$ ", step["content"], flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            done = run(command, folder)
            assert done.returncode == 0, done.stderr
            assert done.stdout
            if shown.strip():
                assert _matches(shown, done.stdout), done.stdout
            commands.append(command)
    return commands


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """One command line of a page."""
    program, *arguments = shlex.split(command)
    # -P: the command `sau` does not find modules in the working folder, and neither may this.
    start = {"python": [], "sau": ["-P", "-c", "from sau_solver.cli import main; main()"]}[program]
    # One thread: processes of two threads each wait for one another on few cores.
    environment = os.environ | {"SAU_DATA": str(folder / "data"), "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, *start, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        timeout=240,
        check=False,
    )


def _matches(shown: str, printed: str) -> bool:
    lines = [re.escape(line) if line != "…" else "(?:.*\n)*.*" for line in shown.rstrip("\n").splitlines()]
    return bool(re.fullmatch("\n".join(lines), "\n".join(line.rstrip() for line in printed.splitlines())))
