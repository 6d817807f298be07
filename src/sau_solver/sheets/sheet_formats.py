"""The formats of worksheets by the ending of a file's name, and the simplest of them: CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from sau_solver.equations.readable import readable
from sau_solver.equations.typesetting import formula
from sau_solver.sheets.html_sheet import html_sheet
from sau_solver.sheets.latex_sheet import latex_sheet
from sau_solver.sheets.markdown_sheet import markdown_sheet
from sau_solver.sheets.sheet import Sheet, SheetItem, printable

SheetFormat = Literal["md", "html", "csv", "tex"]
MAX_CONFIDENCE = 0.99  # never claim certainty
_FORMULA = re.compile(r"[=+\-@\t\r]")  # a spreadsheet runs a cell that begins like this
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def table_sheet(sheet: Sheet) -> str:
    """Return a worksheet as CSV for a spreadsheet, a row for each problem, in UTF-8 with a byte order mark.

    Spreadsheet programs look for the mark. A cell that they would run as a formula is quoted.
    """
    solved = sheet.answers != "none"
    columns = ("number", "problem", *(("answer", "equations", "steps", "confidence", "remark") if solved else ()))
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow([sheet.says(f"column_{name}") for name in columns])
    for number, item in sheet.numbered:
        cells = [str(number), item.problem, *(_solution(sheet, item) if solved else ())]
        writer.writerow([_safe(cell) for cell in cells])
    return "\ufeff" + written.getvalue()


def _solution(sheet: Sheet, item: SheetItem) -> list[str]:
    steps = () if item.abstained else item.steps
    confidence = "" if item.confidence is None else f"{min(item.confidence, MAX_CONFIDENCE):.2f}"
    return [
        "" if item.abstained else item.answer,
        "; ".join(readable(found) if (found := formula(text)) else text for text in item.equations),
        "\n".join(f"{place}. {step}" for place, step in enumerate(steps, start=1)),
        confidence,
        sheet.remark(item),
    ]


def _safe(cell: str) -> str:
    text = printable(cell, " ")
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


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
