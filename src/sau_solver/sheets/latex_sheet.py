"""A worksheet as a LaTeX document. English sheets compile with any LaTeX, sheets with Chinese need xelatex and ctex."""

from __future__ import annotations

from sau_solver.equations.notation import escape_latex, latex
from sau_solver.equations.typesetting import formula, sentence_latex
from sau_solver.sheets.sheet import Sheet, SheetItem

_ANY_LATEX = r"""% Compile with pdflatex, xelatex or lualatex. Options of the class: a4paper or letterpaper.
\documentclass[11pt,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp}"""
_UNICODE = r"""% Compile with xelatex. Options of the class: a4paper or letterpaper.
\documentclass[11pt,a4paper,fontset=fandol]{ctexart}"""
_PREAMBLE = r"""\usepackage{amsmath}
\usepackage{enumitem}
\usepackage[margin=2.2cm]{geometry}
\setlength{\parindent}{0pt}
\sloppy"""


def latex_sheet(sheet: Sheet) -> str:
    """Return the document. No character of a problem is read as a command."""
    body = [rf"\section*{{{escape_latex(sheet.says('title'))}}}"]
    if sheet.answers != "inline":
        names = r"\hfill ".join(
            rf"{escape_latex(sheet.says(code))} \underline{{\hspace{{5cm}}}}" for code in ("name", "date")
        )
        body += [names, "", r"\bigskip"]
    body.append(r"\begin{enumerate}")
    for number, item in sheet.numbered:
        body += [_item(number), _lines(item.problem)]
        body += _solution(sheet, item) if sheet.answers == "inline" else [r"\par\vspace{3cm}"]
    body.append(r"\end{enumerate}")
    if sheet.answers == "separate":
        body += [r"\clearpage", rf"\section*{{{escape_latex(sheet.says('answers'))}}}", r"\begin{enumerate}"]
        for number, item in sheet.numbered:
            body += [_item(number), *_solution(sheet, item)]
        body.append(r"\end{enumerate}")
    content = "\n".join(body)
    head = _ANY_LATEX if content.isascii() else _UNICODE
    return "\n".join([head, _PREAMBLE, r"\begin{document}", content, r"\end{document}", ""])


def _item(number: int) -> str:
    return rf"\item[{number}.]"


def _lines(text: str) -> str:
    """Return the lines of a problem as paragraphs; an empty problem would swallow the next command."""
    lines = [escape_latex(line.strip()) for line in text.split("\n")]
    return "\\par\n".join(f"{{}}{line}" for line in lines if line) or "{}"


def _solution(sheet: Sheet, item: SheetItem) -> list[str]:
    if remark := sheet.remark(item):
        return [rf"\par\emph{{{escape_latex(remark)}}}"]
    lines = []
    if item.equations:
        lines += [r"\par", "\\\\\n".join(_equation(text) for text in item.equations)]
    if item.steps:
        steps = [rf"\item {{}}{sentence_latex(step, item.unknowns)}" for step in item.steps]
        lines += [r"\begin{enumerate}[label=(\arabic*),nosep]", *steps, r"\end{enumerate}"]
    return [*lines, rf"\par\textbf{{{escape_latex(sheet.says('answer', answer=item.answer))}}}"]


def _equation(text: str) -> str:
    found = formula(text)
    return escape_latex(text) if found is None else f"$\\displaystyle {latex(found)}$"
