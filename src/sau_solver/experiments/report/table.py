"""A table of a report as a value: rows of texts, counts and figures, some with the paper's beside them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure of ours, None where its runs are missing, and the paper's, None where it prints none."""

    ours: float | None
    paper: float | None = None
    deviation: float | None = None
    digits: int = 2
    remark: str = ""

    @property
    def difference(self) -> float | None:
        """Ours less the paper's, of the figures as they are shown."""
        if self.ours is None or self.paper is None:
            return None
        return round(round(self.ours, self.digits) - self.paper, self.digits)


@dataclass(frozen=True, slots=True)
class Code:
    """Text to be shown as it is typed: a command, a name, an equation."""

    text: str


@dataclass(frozen=True, slots=True)
class Chance:
    """A p value."""

    value: float


Cell = str | Code | Compared | Chance | None  # None: there is nothing to show


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under named columns; the first column names the row. `notes` stand under it."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
