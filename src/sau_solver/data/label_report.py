"""Checks of corpora -> docs/labels.md: every problem whose published labels do not fit together, by id."""

from __future__ import annotations

from collections.abc import Iterable

from sau_solver.data.checking import Check

LISTED = (
    "hmwp",
    "math23k",
    "alg514",
    "draw1k",
    "mawps",
    "dolphin1878",
    "dolphin18k-manual",
    "cm17k-valid",
    "ape210k-valid",
)

KINDS = {
    "other": "The equations have solutions, and the annotated answer is none of them: one of the two labels is wrong.",
    "rounded": "The annotated answer is our value rounded to fewer digits than 1e-4 relative allows.",
    "unparsed": "The equation text is broken, or is no equation.",
    "none": "The equations contradict each other, or have no real solution.",
    "infinite": "The equations do not determine the unknowns, and no solution has the annotated answer.",
    "too_hard": "Our solver gave up; the label may be right.",
}
MAX_CELL = 60

_HEAD = """# Labels that do not fit together

Written by `make figures` (`sau data check --report docs/labels.md`); do not edit by hand. A problem is listed where its
published equations, solved exactly, do not give its annotated answer within 1e-4 relative. The corpora themselves are
not part of this repository: ids are those of `sau data convert`. Both values are shown; the text tells which label is
wrong. What we saw when reading them: in HMWP most are slips of the annotator (a rate of 20 % annotated as 20, a second
moment that the one equation cannot have, a misplaced bracket) and rates rounded as the text asks; in MAWPS half are
rounded, the others are equations of another problem or wrong sums; in the Dolphin corpora many ask for integers or
digits, which equations alone do not fix, or round.
"""


def label_report(checks: Iterable[Check]) -> str:
    """Markdown with a section a corpus and a table a kind."""
    parts = [_HEAD]
    for check in checks:
        if check.name not in LISTED:
            continue
        share = 100 * check.agreeing / max(1, check.problems)
        parts.append(f"## {check.name}\n\n{check.agreeing:,} of {check.problems:,} problems agree ({share:.2f} %).\n")
        for kind, meaning in KINDS.items():
            rows = [d for d in check.disagreements if d.kind == kind]
            if rows:
                lines = [f"| {d.id} | {_cell(d.found)} | {_cell(d.annotated)} |" for d in rows]
                table = "\n".join(["| id | from the equations | annotated |", "|---|---|---|", *lines])
                parts.append(f"**{kind}** ({len(rows)}). {meaning}\n\n{table}\n")
    return "\n".join(parts)


def _cell(text: str) -> str:
    plain = text.replace("|", "or").replace("\n", " ")
    return plain if len(plain) <= MAX_CELL else plain[: MAX_CELL - 1] + "…"
