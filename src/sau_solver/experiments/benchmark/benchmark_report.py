"""A benchmark -> report.md, report.html (one file with its figures), report.json and predictions.jsonl.gz."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sau_solver.errors import InputError
from sau_solver.experiments.benchmark.benchmark_tables import as_json, facts, tables
from sau_solver.experiments.benchmark.measuring import Benchmark
from sau_solver.experiments.report.rendering import markdown, shown
from sau_solver.experiments.report.table import Cell, Chance, Code, Compared, Table
from sau_solver.files import make_folder, write_atomically
from sau_solver.sheets.html_page import html_page

MARKDOWN, HTML, JSON, PREDICTIONS, FIGURES = (
    "report.md", "report.html", "report.json", "predictions.jsonl.gz", "figures",
)  # fmt: skip
_AFTER = {"accuracy": ("accuracy",), "calibration": ("reliability", "risk-coverage"), "skills": ("skills",)}
_STYLE = """
:root { color-scheme: light; font: 15px/1.5 system-ui, "Segoe UI", "Noto Sans", "Noto Sans CJK SC", sans-serif }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1.2rem; color: #1f2328; background: #fff }
h1 { font-size: 1.7rem; margin: 0 0 .4rem }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid #d0d7de; padding-bottom: .25rem }
p { margin: .3rem 0 }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1rem; margin: 1rem 0 }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem }
th, td { padding: .28rem .7rem; text-align: left; white-space: nowrap; border-bottom: 1px solid #eaeef2 }
th { border-bottom: 2px solid #d0d7de; vertical-align: bottom; white-space: normal }
.figure { text-align: right }
tbody tr:hover { background: #f6f8fa }
code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .92em }
.note { color: #57606a; font-size: .88rem; max-width: 60rem }
img { max-width: 100%; height: auto; margin: .8rem 1.5rem .4rem 0; vertical-align: top }
@media print { body { max-width: none; margin: 0 } .wide { overflow: visible } h2, img, tr { break-inside: avoid } }
"""


def write_report(
    found: Benchmark, folder: Path, limit: int | None = None, beside: Sequence[Path] = ()
) -> tuple[list[Path], str]:
    """Write all files; return them, and a remark if the figures are left out."""
    others = [read_report(path) for path in beside]
    make_folder(folder)
    pictures, remark = _drawn(found, folder / FIGURES)
    made = tables(found, others)
    content = {
        MARKDOWN: _markdown(found, made, limit, pictures),
        HTML: _html(found, made, limit, pictures),
        JSON: json.dumps(as_json(found, limit), indent=1, ensure_ascii=False) + "\n",
    }
    for name, text in content.items():
        write_atomically(folder / name, text)
    lines = (json.dumps(row.as_json(part), ensure_ascii=False) for part, rows in found.rows.items() for row in rows)
    packed = gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0)
    write_atomically(folder / PREDICTIONS, packed)
    return [*(folder / name for name in (*content, PREDICTIONS)), *pictures.values()], remark


def read_report(path: Path) -> dict[str, Any]:
    """Read the report.json of an earlier benchmark, or of the folder that contains it."""
    file = path / JSON if path.is_dir() else path
    try:
        fields: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        fields["name"], [(part["name"], part["problems"], part["metrics"]["answer"]) for part in fields["parts"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"--beside must name a report.json of sau benchmark, got {path} ({error}).") from None
    return fields


def _drawn(found: Benchmark, folder: Path) -> tuple[dict[str, Path], str]:
    if find_spec("matplotlib") is None:
        return {}, "Figures are left out: matplotlib is not installed. Run in a checkout: pip install '.[report]'"
    from sau_solver.experiments.benchmark.benchmark_figures import draw  # needs matplotlib

    return draw(found, folder), ""


def _opening(found: Benchmark, limit: int | None) -> list[str]:
    """Return the sentences before the tables."""
    problems = sum(part.problems for part in found.parts)
    told = [f"{problems:,} problems of {len(found.parts)} test parts.", *facts(found)]
    if limit is not None:
        told.append(f"At most {limit:,} problems of each part were drawn; the figures of the whole parts may differ.")
    notes = [note for system in found.systems for note in system.get("notes", ())]
    return [*told, *found.notes, *notes]


def _markdown(found: Benchmark, made: Sequence[Table], limit: int | None, pictures: Mapping[str, Path]) -> str:
    parts = [f"# Benchmark: {found.name}\n", *(f"- {line}" for line in _opening(found, limit)), ""]
    for table in made:
        parts.append(markdown([table]))
        own = {title: path for title, path in pictures.items() if path.stem in _AFTER.get(table.name, ())}
        parts += [f"![{title}]({FIGURES}/{path.name})\n" for title, path in own.items()]
    return "\n".join(parts)


def _html(found: Benchmark, made: Sequence[Table], limit: int | None, pictures: Mapping[str, Path]) -> str:
    title = f"Benchmark: {found.name}"
    links = "".join(f'<a href="#{table.name}">{escape(table.title)}</a>' for table in made)
    body = [
        f"<h1>{escape(title)}</h1>",
        *(f"<p>{_marked(line)}</p>" for line in _opening(found, limit)),
        f"<nav>{links}</nav>",
    ]
    for table in made:
        body.append(f'<h2 id="{table.name}">{escape(table.title)}</h2>\n{_table(table)}')
        body += [f'<p class="note">{_marked(note)}</p>' for note in table.notes]
        body += [_image(name, path) for name, path in pictures.items() if path.stem in _AFTER.get(table.name, ())]
    return html_page(title, body, _STYLE, images="data:")


def _table(table: Table) -> str:
    figures = [
        all(cell is None or isinstance(cell, Compared | Chance) for cell in column)
        for column in zip(*table.rows, strict=True)
    ]
    marks = [' class="figure"' if one else "" for one in figures]
    names = [escape(name).replace("&lt; ", "&lt;&nbsp;").replace("≥ ", "≥&nbsp;") for name in table.columns]
    head = "".join(f"<th{mark}>{name}</th>" for name, mark in zip(names, marks, strict=True))
    rows = "\n".join(
        f"<tr>{''.join(f'<td{mark}>{_cell(cell)}</td>' for cell, mark in zip(row, marks, strict=True))}</tr>"
        for row in table.rows
    )
    return f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table></div>'


def _cell(cell: Cell) -> str:
    text = escape(shown(cell))
    return f"<code>{text}</code>" if isinstance(cell, Code) else text


def _image(title: str, path: Path) -> str:
    """Return a figure inside the page, so that the page is one file."""
    content = b64encode(path.read_bytes()).decode()
    return f'<img alt="{escape(title)}" src="data:image/svg+xml;base64,{content}">'


def _marked(text: str) -> str:
    """Return a sentence with its `code`."""
    pieces = escape(text).split("`")
    return "".join(f"<code>{piece}</code>" if place % 2 else piece for place, piece in enumerate(pieces))
