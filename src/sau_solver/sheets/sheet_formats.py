"""The formats of worksheets by the ending of a file's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from sau_solver.sheets.html_sheet import html_sheet
from sau_solver.sheets.latex_sheet import latex_sheet
from sau_solver.sheets.markdown_sheet import markdown_sheet
from sau_solver.sheets.sheet import Sheet
from sau_solver.sheets.table_sheet import table_sheet

SheetFormat = Literal["md", "html", "csv", "tex"]


@dataclass(frozen=True, slots=True)
class _Kind:
    media_type: str
    write: Callable[[Sheet], str]


SHEET_FORMATS: Mapping[SheetFormat, _Kind] = {
    "md": _Kind("text/markdown", markdown_sheet),
    "html": _Kind("text/html", html_sheet),
    "csv": _Kind("text/csv", table_sheet),
    "tex": _Kind("application/x-tex", latex_sheet),
}


def sheet_format(name: str) -> SheetFormat | None:
    """Return the format that a file's name asks for, or None."""
    return next((form for form in SHEET_FORMATS if name.lower().endswith(f".{form}")), None)
