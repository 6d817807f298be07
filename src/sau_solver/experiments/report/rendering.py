"""A table -> Markdown, LaTeX or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sau_solver.experiments.report.table import Cell, Chance, Code, Compared, Table

MISSING = "missing"
NOTHING = "–"
SMALLEST = 0.0001  # smaller p values are shown as "<0.0001"

_LATEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "±": r"$\pm$",
        "–": "--",
        "−": "$-$",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
    }
)


def markdown(tables: Iterable[Table]) -> str:
    """Return every table with a heading and its notes."""
    return "\n".join(
        f"## {table.title}\n\n{markdown_rows(table.columns, table.rows)}"
        + "".join(f"\n{note}\n" for note in table.notes)
        for table in tables
    )


def latex(tables: Iterable[Table]) -> str:
    """Return every table as a `table*` for booktabs and adjustbox. Chinese needs XeLaTeX and a Chinese font."""
    return "\n".join(map(_latex, tables))


def json_fields(table: Table) -> dict[str, Any]:
    """Return a table as one object; a row maps columns to text or to {ours, paper, difference, deviation}."""
    return {
        "name": table.name,
        "title": table.title,
        "columns": list(table.columns),
        "rows": [{column: _json(cell) for column, cell in zip(table.columns, row, strict=True)} for row in table.rows],
        "notes": list(table.notes),
    }


def shown(cell: Cell) -> str:
    """Return a cell as plain text: our figure ± deviation, with the paper's and the difference in brackets."""
    match cell:
        case None:
            return NOTHING
        case str():
            return cell
        case Code(text):
            return text
        case Chance(value):
            return f"{value:.4f}" if value >= SMALLEST else f"<{SMALLEST}"
    if cell.ours is None:
        return MISSING if cell.paper is None else f"{MISSING} ({_number(cell.paper, cell.digits)})"
    text = _number(cell.ours, cell.digits)
    if cell.deviation is not None:
        text += f" ± {_number(cell.deviation, cell.digits)}"
    if cell.difference is not None and cell.paper is not None:
        text += f" ({_number(cell.paper, cell.digits)}; {_number(cell.difference, cell.digits, '+')})"
    return f"{text} {cell.remark}".rstrip()


def markdown_rows(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return the lines of a Markdown table."""
    rows = list(rows)
    right = [_is_figures([row[place] for row in rows]) for place in range(len(columns))]
    lines = [f"| {' | '.join(columns)} |", "|" + "|".join("---:" if one else "---" for one in right) + "|"]
    lines += [f"| {' | '.join(map(_markdown_cell, row))} |" for row in rows]
    return "\n".join(lines) + "\n"


def _markdown_cell(cell: Cell) -> str:
    if isinstance(cell, Code):
        return f"`{cell.text}`"
    return shown(cell).replace("|", "\\|").replace("*", "\\*")


def _latex(table: Table) -> str:
    right = [_is_figures([row[place] for row in table.rows]) for place in range(len(table.columns))]
    lines = [
        r"\begin{table*}",
        r"\centering",
        r"\small",
        r"\begin{adjustbox}{max width=\textwidth}",
        rf"\begin{{tabular}}{{{''.join('r' if one else 'l' for one in right)}}}",
        r"\toprule",
        f"{' & '.join(map(_escaped, table.columns))} \\\\",
        r"\midrule",
        *(f"{' & '.join(map(_latex_cell, row))} \\\\" for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{adjustbox}",
        rf"\caption{{{_escaped(' '.join((table.title + '.', *table.notes)))}}}",
        rf"\label{{tab:{table.name}}}",
        r"\end{table*}",
    ]
    return "\n".join(lines) + "\n"


def _latex_cell(cell: Cell) -> str:
    return rf"\texttt{{{_escaped(cell.text)}}}" if isinstance(cell, Code) else _escaped(shown(cell))


def _escaped(text: str) -> str:
    return text.translate(_LATEX)


def _json(cell: Cell) -> str | float | Mapping[str, Any] | None:
    match cell:
        case Compared():
            fields = {
                "ours": cell.ours,
                "paper": cell.paper,
                "difference": cell.difference,
                "deviation": cell.deviation,
                "remark": cell.remark or None,
            }
            return {name: value for name, value in fields.items() if value is not None or name == "ours"}
        case Code(text):
            return text
        case Chance(value):
            return value
    return cell


def _is_figures(cells: Sequence[Cell]) -> bool:
    """Tell whether a column holds only figures, so that it is aligned to the right."""
    shown_cells = [cell for cell in cells if cell is not None]
    return bool(shown_cells) and all(isinstance(cell, Compared | Chance) for cell in shown_cells)


def _number(value: float, digits: int, sign: str = "-") -> str:
    shown = f"{value:{sign},.{digits}f}"
    return shown.replace("-", "−") if sign == "+" else shown
