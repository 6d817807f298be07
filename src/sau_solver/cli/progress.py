"""An iterator -> the same with a bar on standard error, where that is a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TimeRemainingColumn

T = TypeVar("T")


def shown(results: Iterator[T], of: Iterable[object]) -> Iterator[T]:
    """Pass results on; `of` is what they come from, whose length, where it has one, is how many there will be."""
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TaskProgressColumn(show_speed=True), TimeRemainingColumn())
    total = len(of) if isinstance(of, Sized) else None
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task("", total=total)
        for result in results:
            yield result
            bars.advance(task)
