"""On a terminal of 80 columns the progress of a training was cut off, and there was no bar."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from sau_solver.cli import terminal


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_long_description_leaves_room_for_the_bar(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)
    monkeypatch.setattr(terminal, "_errors", lambda: screen)
    description = "sau-alg514 fold0-seed0: loss 0.123, accuracy 45.6 %, 1,234 problems/s, 12 min left"
    with terminal.progress() as bars:
        bars.update(bars.add_task(description, total=30), completed=7)
        shown = io.StringIO()
        Console(file=shown, width=width, color_system=None).print(bars.get_renderable())
    lines = shown.getvalue().splitlines()
    assert "…" not in shown.getvalue()
    assert "━" in lines[0]
    assert "7/30" in lines[0]
    words = " ".join(line[: line.find("━") if "━" in line else None].strip() for line in lines)
    assert words.split() == description.split()
