"""A worksheet as Markdown; equations are in dollar signs, as GitHub, Jupyter and pandoc read them."""

from __future__ import annotations

import re

from sau_solver.equations.notation import latex
from sau_solver.equations.typesetting import formula
from sau_solver.sheets.sheet import Sheet, SheetItem

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~$&#!])")
_LINE_BEGIN = re.compile(r"^(\s*)([-+=:]|\d{1,9}(?=[.)]))")


def markdown_sheet(sheet: Sheet) -> str:
    """Return the sheet. No character of a problem is read as Markdown or HTML."""
    lines = [f"# {escape_markdown(sheet.says('title'))}", ""]
    for number, item in sheet.numbered:
        lines += _indented(
            number, [_problem(item.problem), *(_solution(sheet, item) if sheet.answers == "inline" else [])]
        )
    if sheet.answers == "separate":
        lines += [f"## {escape_markdown(sheet.says('answers'))}", ""]
        for number, item in sheet.numbered:
            lines += _indented(number, _solution(sheet, item))
    return "\n".join(lines).rstrip("\n") + "\n"


def escape_markdown(text: str) -> str:
    """Return one line of text so that Markdown shows it as it is."""
    printable = "".join(char if char.isprintable() else " " for char in text)
    return _LINE_BEGIN.sub(_escaped_begin, _SPECIAL.sub(r"\\\1", printable.strip()))


def _escaped_begin(found: re.Match[str]) -> str:
    return f"{found[1]}{found[2]}\\" if found[2].isdecimal() else f"{found[1]}\\{found[2]}"


def _indented(number: int, paragraphs: list[str]) -> list[str]:
    """Return the paragraphs of a list item."""
    lead = f"{number}. "
    lines: list[str] = []
    for paragraph in paragraphs:
        lines += [*(" " * len(lead) + line if line else "" for line in paragraph.split("\n")), ""]
    lines[0] = lead + lines[0].lstrip()
    return lines


def _problem(text: str) -> str:
    lines = [escape_markdown(line) for line in text.split("\n")]
    return "  \n".join(line for line in lines if line) or "…"


def _solution(sheet: Sheet, item: SheetItem) -> list[str]:
    if remark := sheet.remark(item):
        return [f"*{escape_markdown(remark)}*"]
    paragraphs = []
    if item.equations:
        paragraphs.append("  \n".join(_equation(text) for text in item.equations))
    if item.steps:
        paragraphs.append(
            "\n".join(f"{place}. {escape_markdown(step)}" for place, step in enumerate(item.steps, start=1))
        )
    return [*paragraphs, f"**{escape_markdown(sheet.says('answer', answer=item.answer))}**"]


def _equation(text: str) -> str:
    found = formula(text)
    return escape_markdown(text) if found is None else f"${latex(found)}$"
