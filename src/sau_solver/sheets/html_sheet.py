"""A worksheet as one HTML page without scripts or other files, for the screen and for paper (A4 and Letter)."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape

from sau_solver.equations.notation import mathml
from sau_solver.equations.typesetting import formula, sentence_mathml
from sau_solver.sheets.html_page import html_page
from sau_solver.sheets.sheet import Sheet, SheetItem, printable

_TAGS = {"zh": "zh-CN", "en": "en"}
_STYLE = """
:root { color-scheme: light; font: 11.5pt/1.5 "Noto Serif", "Noto Serif CJK SC", "Songti SC", SimSun, Georgia, serif }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff }
h1 { font-size: 1.5em; margin: 0 0 .3em }
h2 { font-size: 1.25em; margin: 0 0 .6em }
.name { display: flex; gap: 2em; margin: 0 0 1.6em }
.name span { flex: 1; border-bottom: 1px solid #555; padding-bottom: .2em }
ol.problems, ol.answers { list-style: none; margin: 0; padding: 0 }
ol.problems > li, ol.answers > li { position: relative; padding-left: 2.4em; margin: 0 0 1.3em }
.number { position: absolute; left: 0; width: 2em; text-align: right; font-weight: 600 }
p { margin: 0 0 .4em; overflow-wrap: anywhere; white-space: pre-line }
.space { height: 30mm }
.equations { margin: .2em 0 .5em; overflow-x: auto }
.equations p { margin: 0 0 .2em 1em }
math { font-family: "Latin Modern Math", "STIX Two Math", "Cambria Math", "Noto Serif", Georgia, serif }
ol.steps { margin: .2em 0 .5em; padding-left: 1.6em; font-size: .95em; color: #222 }
ol.steps li { margin: .1em 0; overflow-wrap: anywhere }
.answer { font-weight: 600 }
.remark { font-style: italic; color: #444 }
.page { border-top: 1px solid #999; margin-top: 2em; padding-top: 1.2em }
@page { margin: 18mm 17mm }
@media print {
  body { max-width: none; margin: 0; padding: 0; font-size: 11pt }
  ol.problems > li { break-inside: avoid-page }
  ol.steps li, p, .equations { break-inside: avoid }
  h1, h2, .name, .equations { break-after: avoid }
  .answer { break-before: avoid }
  .equations { overflow: visible }
  .page { break-before: page; border: 0; margin: 0; padding: 0 }
}
"""

# The source of the style in a content security policy. The web page of the server opens sheets under its own policy.
STYLE_SOURCE = f"'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}'"


def html_sheet(sheet: Sheet) -> str:
    """Return the page. Every text of a problem is escaped."""
    body = [f"<h1>{escape(sheet.says('title'))}</h1>"]
    if sheet.answers != "inline":
        names = "".join(f"<span>{escape(sheet.says(code))}</span>" for code in ("name", "date"))
        body.append(f'<div class="name">{names}</div>')
    body += ['<ol class="problems">', *(_problem(sheet, number, item) for number, item in sheet.numbered), "</ol>"]
    if sheet.answers == "separate":
        solutions = [_listed(number, _solution(sheet, item)) for number, item in sheet.numbered]
        heading = f"<h2>{escape(sheet.says('answers'))}</h2>"
        body += ['<section class="page">', heading, '<ol class="answers">', *solutions, "</ol>", "</section>"]
    return html_page(sheet.says("title"), body, _STYLE, _TAGS[sheet.language])


def _problem(sheet: Sheet, number: int, item: SheetItem) -> str:
    after = _solution(sheet, item) if sheet.answers == "inline" else '<div class="space"></div>'
    language = _TAGS[item.language or sheet.language]
    return _listed(number, f'<p lang="{language}">{escape(_clean(item.problem))}</p>\n{after}')


def _listed(number: int, content: str) -> str:
    return f'<li><span class="number">{number}.</span>\n{content}\n</li>'


def _solution(sheet: Sheet, item: SheetItem) -> str:
    if remark := sheet.remark(item):
        return f'<p class="remark">{escape(_clean(remark))}</p>'
    parts = [_equations(item)] if item.equations else []
    if item.steps:
        steps = "".join(f"<li>{sentence_mathml(_clean(step), item.unknowns)}</li>" for step in item.steps)
        parts.append(f'<ol class="steps">{steps}</ol>')
    parts.append(f'<p class="answer">{escape(_clean(sheet.says("answer", answer=item.answer)))}</p>')
    return "\n".join(parts)


def _equations(item: SheetItem) -> str:
    read = [(text, formula(text)) for text in item.equations]
    shown = [escape(_clean(text)) if found is None else mathml(found, block=False) for text, found in read]
    return f'<div class="equations">{"".join(f"<p>{equation}</p>" for equation in shown)}</div>'


def _clean(text: str) -> str:
    """Replace control characters, which HTML does not allow."""
    return printable(text, " ")
