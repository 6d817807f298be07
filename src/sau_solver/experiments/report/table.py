"""A table of a report: rows of texts, counts and figures, some of them compared with the paper."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Compared:
    """Our figure, None if its runs are missing, and the paper's, None if it has none."""

    ours: float | None
    paper: float | None = None
    deviation: float | None = None
    digits: int = 2
    remark: str = ""

    @property
    def difference(self) -> float | None:
        """Return our figure minus the paper's, both as they are shown."""
        if self.ours is None or self.paper is None:
            return None
        return round(round(self.ours, self.digits) - self.paper, self.digits)


@dataclass(frozen=True, slots=True)
class Code:
    """Text in a fixed-width font: a command, a name, an equation."""

    text: str


@dataclass(frozen=True, slots=True)
class Chance:
    """A p value."""

    value: float


Cell = str | Code | Compared | Chance | None  # None: an empty cell


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under named columns; the first column names the row, and notes follow below."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
