"""A worksheet as CSV for a spreadsheet, in UTF-8 with the byte order mark that spreadsheet programs look for."""

from __future__ import annotations

import csv
import io
import re

from sau_solver.equations.readable import readable
from sau_solver.equations.typesetting import formula
from sau_solver.sheets.sheet import Sheet, SheetItem, printable

MAX_CONFIDENCE = 0.99  # never claim certainty
_FORMULA = re.compile(r"[=+\-@\t\r]")  # a spreadsheet runs a cell that begins like this
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def table_sheet(sheet: Sheet) -> str:
    """Return the table: a row for each problem. A cell that a spreadsheet would run as a formula is quoted."""
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
