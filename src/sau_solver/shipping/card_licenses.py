"""The unlicensed corpora behind a shipped model, and the accuracy of a model that was trained without them.

A corpus is permissive if its authors state a license that permits any use (`permissive` in data/corpora.toml).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sau_solver.data import corpora
from sau_solver.hub.model_card import MADE
from sau_solver.problem import Language

OPENING = """## Permissive models

`configs/shipped/shipped-zh-permissive.toml` and `configs/shipped/shipped-en-permissive.toml` train networks from
School, Workbook, Stories, the curriculum and, in English, GSM8K: corpora whose authors state a license that permits any
use. The configurations say for every other corpus why it is left out. They need no GPU: they have small encoders
(bge-small-zh-v1.5, all-MiniLM-L6-v2) and no teacher, and train for eight epochs. The publishers of the encoders license
their weights, and [NOTICE](../NOTICE) says what that leaves
open. The package does not contain these models.
"""

COMPARED = """The difference has two causes: other corpora, and smaller networks that were trained for a shorter time.
"""

COMMANDS = """Train and measure them with:

<!-- not run: trains for minutes or hours -->
```console
$ sau train configs/shipped/shipped-zh-permissive.toml
$ python scripts/ship.py build zh runs/shipped-zh-permissive/all-seed0/model --permissive
$ sau train configs/shipped/shipped-en-permissive.toml
$ python scripts/ship.py build en runs/shipped-en-permissive/all-seed0/model --permissive
```
"""


def unlicensed(sources: Mapping[str, Any]) -> list[str]:
    """Return the titles of the corpora among the sources of a model whose authors state no permissive license."""
    known = corpora()
    return [known[name].title for name in sources if name not in MADE and not known[name].permissive]


def rests_on(sources: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Return the lines of a card that say which corpora without a license of their authors the weights rest on."""
    titles = unlicensed(sources)
    if not titles:
        return ["The authors of all these corpora state a license that permits any use."]
    known = corpora()
    learned = {name: own["learned"] for name, own in sources.items() if name not in MADE}
    without = sum(count for name, count in learned.items() if not known[name].permissive)
    return [
        "**These weights rest on corpora whose authors state no license for the files that we read**:",
        f"{'; '.join(titles)}.",
        f"They have {without:,} of the {sum(learned.values()):,} learned problems that were not generated. If the",
        "table names a license for one of them, it is that of a collection or of the corpus that was translated.",
        "[A permissive model](#permissive-models) does without them.",
    ]


def comparison(reports: Mapping[Language, tuple[Path, Path]]) -> str:
    """Return the section about permissive models, given the reports of the shipped and of the permissive ones.

    A test part is compared if both reports have it. Without a report of a permissive model, there is no table.
    """
    rows = []
    for shipped, permissive in reports.values():
        if permissive.with_suffix(".json").is_file():
            ours, theirs = (_tested(shipped), _tested(permissive))
            rows += [
                f"| {part} | {own['problems']:,} | {100 * own['answer']:.2f} | {100 * theirs[part]['answer']:.2f} |"
                for part, own in ours.items()
                if part in theirs
            ]
    header = ["| test problems | problems | shipped: answer | permissive: answer |", "|---|---:|---:|---:|"]
    return "\n".join([OPENING, *([*header, *rows, "", COMPARED] if rows else ()), COMMANDS])


def _tested(report: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(report.with_suffix(".json").read_text(encoding="utf-8"))["test"]
    return found
