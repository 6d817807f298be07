"""Write docs/steps.md: problems with their equations, the lines that a teacher would write, and the solver's steps.

Run it after a change of the steps: python scripts/steps_page.py
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sau_solver.answering.candidates import Candidate, evaluate_candidates
from sau_solver.equations.parser import parse
from sau_solver.equations.uet import Uet
from sau_solver.explaining.steps import Step
from sau_solver.explaining.story import tell
from sau_solver.text.numbers import map_text

ROOT = Path(__file__).parents[1]
PROBLEMS, PAGE = ROOT / "tests/explaining/teacher.jsonl", ROOT / "docs/steps.md"
HEAD = """# Worked steps

Below are {count} problems of all kinds, 30 in English and 30 in Chinese. Each has its equations, the lines that a
teacher would write on the board, and the steps that `sau` prints for these equations. {found} of the {lines} teacher's
lines are in the steps, word for word except for spaces. A line that is missing is marked with `·`.

`scripts/steps_page.py` writes this page from `tests/explaining/teacher.jsonl`, and a test keeps it current.
"""


@dataclass(frozen=True)
class Taught:
    """A problem, its equations, a teacher's lines, and the solver's steps."""

    id: str
    kind: str
    text: str
    equations: Sequence[str]
    teacher: Sequence[str]
    steps: Sequence[Step]

    def missing(self) -> list[str]:
        """Return the teacher's lines that are in none of the steps."""
        written = [plain(step.text) for step in self.steps]
        return [line for line in self.teacher if not any(plain(line) in step for step in written)]


def plain(text: str) -> str:
    """Return a line without spaces and with one minus sign."""
    return text.replace(" ", "").replace("−", "-")


def taught() -> list[Taught]:
    """Return every problem with its steps, derived from the annotated equations."""
    found = []
    for line in PROBLEMS.read_text(encoding="utf-8").splitlines():
        problem = json.loads(line)
        text = map_text(problem["text"])
        equations = parse("; ".join(problem["equations"]), "xyz")
        tree = Uet.from_equations(equations, [number.value for number in text.numbers])
        (solved,) = evaluate_candidates(text, [Candidate(tree, 0.0)])
        found.append(Taught(**problem, steps=tell(text, solved).steps))
    return found


def page(problems: Sequence[Taught]) -> str:
    """Return the page as Markdown."""
    lines = sum(len(one.teacher) for one in problems)
    missing = sum(len(one.missing()) for one in problems)
    parts = [HEAD.format(count=len(problems), found=lines - missing, lines=lines)]
    for one in problems:
        absent = one.missing()
        board = [f"{'·' if line in absent else ' '} {line}" for line in one.teacher]
        steps = [f"{number:>2}. {step.text}" for number, step in enumerate(one.steps, start=1)]
        parts.append(
            f"\n## {one.id}: {one.kind}\n\n{one.text}\n\n`{'; '.join(one.equations)}`\n\nTeacher:\n\n```text\n"
            + "\n".join(board)
            + "\n```\n\nSteps:\n\n```text\n"
            + "\n".join(steps)
            + "\n```\n"
        )
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(taught()), encoding="utf-8")
    sys.stdout.write(f"{PAGE.relative_to(ROOT)} is written.\n")
