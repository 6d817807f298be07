"""One solution as a shell or a notebook shows it: plain text, HTML with equations, tree and steps, LaTeX.

All texts are escaped, so that a problem from anywhere can be shown in a notebook.
"""

from __future__ import annotations

import base64
from html import escape

from sau_solver.equations.notation import escape_latex, latex, mathml
from sau_solver.equations.readable import readable
from sau_solver.equations.typesetting import formula, sentence_mathml
from sau_solver.phrases import Language, say
from sau_solver.sheets.sheet import SheetItem, printable

MAX_SHOWN = 60  # characters of an answer in a repr
INDENT = "  "


def short_text(item: SheetItem) -> str:
    """Return one line for a repr: the answer and the confidence."""
    answer = printable(item.answer).replace("\n", " ")
    answer = answer if len(answer) <= MAX_SHOWN else f"{answer[:MAX_SHOWN]}…"
    sure = "" if item.confidence is None else f", confidence {item.confidence:.2f}"
    if not item.answer:
        return "<Solution: no answer>"
    return f"<Solution: {'guess ' if item.abstained else ''}{answer}{sure}>"


def plain_text(item: SheetItem, language: Language) -> str:
    """Return the problem, equations, steps and answer as lines with headings."""
    equations = [readable(found) if (found := formula(text)) else text for text in item.equations]
    steps = [f"{place}. {step}" for place, step in enumerate(item.steps, start=1)]
    sections = {"problem": item.problem.splitlines(), "equations": equations, "steps": steps}
    lines: list[str] = []
    for title, content in sections.items():
        if content:
            lines += [say(language, f"label_{title}"), *(INDENT + printable(line) for line in content), ""]
    if item.abstained:
        lines += [say(language, "label_abstained"), *([INDENT + printable(item.reason)] if item.reason else ())]
        lines += [INDENT + printable(say(language, "label_guess", answer=item.answer))] if item.answer else []
    else:
        lines += [say(language, "label_answer"), INDENT + printable(item.answer)]
    return "\n".join([*lines, *(INDENT + line for line in _sureness(item, language))])


def notebook_html(item: SheetItem, language: Language, tree: str = "") -> str:
    """Return HTML for a notebook cell; `tree` is an SVG picture, shown as an image so that its styles stay in it."""
    parts = [f'<p style="white-space:pre-line">{escape(printable(item.problem))}</p>']
    if item.abstained:
        said = [say(language, "label_abstained"), item.reason]
        parts.append(f"<p><em>{escape(printable(' '.join(filter(None, said))))}</em></p>")
    if item.equations:
        read = [(text, formula(text)) for text in item.equations]
        shown = [escape(printable(text)) if found is None else mathml(found, block=False) for text, found in read]
        parts.append(f"<p>{'<br>'.join(shown)}</p>")
    if tree:
        picture = base64.b64encode(tree.encode()).decode()
        title = escape(say(language, "label_tree"))
        image = f'<img alt="{title}" src="data:image/svg+xml;base64,{picture}">'
        parts.append(f"<details><summary>{title}</summary>{image}</details>")
    if item.steps:
        steps = "".join(f"<li>{sentence_mathml(printable(step), item.unknowns)}</li>" for step in item.steps)
        title = escape(say(language, "label_steps"))
        parts.append(f"<details open><summary>{title}</summary><ol>{steps}</ol></details>")
    if item.answer:
        code = "label_guess" if item.abstained else "sheet_answer"
        answer = escape(printable(say(language, code, answer=item.answer)))
        sure = "".join(f"<br><small>{escape(line)}</small>" for line in _sureness(item, language))
        parts.append(f"<p><strong>{answer}</strong>{sure}</p>")
    return f'<div class="sau-solution">{"".join(parts)}</div>'


def notebook_latex(item: SheetItem) -> str | None:
    """Return the equations and the answer as one displayed formula, or None if there are no equations."""
    if not item.equations:
        return None
    rows = []
    for text in item.equations:
        found = formula(text)
        rows.append(_text(text) if found is None else latex(found))
    if item.answer and not item.abstained:
        rows.append(rf"\textbf{{{escape_latex(printable(item.answer))}}}")
    lines = "\\\\\n".join(f"& {row}" for row in rows)
    return f"$\\displaystyle \\begin{{aligned}}\n{lines}\n\\end{{aligned}}$"


def _text(text: str) -> str:
    return rf"\text{{{escape_latex(printable(text))}}}"


def _sureness(item: SheetItem, language: Language) -> list[str]:
    """Return the sentence about the confidence, which is never 100 %."""
    if item.confidence is None or not item.answer:
        return []
    percent = round(100 * item.confidence)
    return [say(language, "label_certain" if percent > 99 else "label_confidence", percent=percent)]
