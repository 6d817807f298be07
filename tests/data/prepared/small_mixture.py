"""Three small corpora for the tests of mixtures, with copies, wrong labels and repeated problems among them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from sau_solver.data.prepared import held_out_parts
from sau_solver.data.prepared.folds import make_manifest
from sau_solver.data.prepared.mixture_options import MixtureOptions
from tests.experiments.conftest import problems

MIXTURE = MixtureOptions(
    language="en",
    sources=("alg514", "mawps", "gsm8k"),
    test=("alg514/fold0", "gsm8k/test"),
    validation=("mawps/slice3",),
)
TEXTS = (
    "A baker sells {0} loaves in the morning and {1} rolls at noon. How many does the baker sell in all?",
    "Tom read {0} pages on Monday and {1} fewer pages on Tuesday. How many pages did Tom read on Tuesday?",
    "Each of {0} gardeners plants {1} tulips along the fence. How many tulips are planted along the fence?",
)
TOOLS = ("+", "-", "*")


def row(id_: str, text: str, equation: str, answer: float, **more: object) -> dict[str, object]:
    return {"id": id_, "text": text, "equations": [equation], "answer": [answer]} | more


def mawps() -> list[dict[str, object]]:
    """Return twelve problems of three kinds, and five that a mixture must drop."""
    rows = []
    for k in range(12):
        a, b = 20 + k, 3 + k
        text = TEXTS[k % 3].format(a, b).replace("Tom", f"Tom{'abcd'[k // 3]}")
        value = {"+": a + b, "-": a - b, "*": a * b}[TOOLS[k % 3]]
        rows.append(row(f"m{k}", text, f"{a}{TOOLS[k % 3]}{b}=x", value, fold=k % 5))
    (tested,) = (p for p in problems() if p.id == "0-heads")
    rows += [
        row("copy", tested.text.replace("12", "40").replace("30", "100"), "h+c=40; 2*h+4*c=100", 30, fold=0),
        row("near", tested.text.replace("On a farm", "On one small farm"), "h+c=12; 2*h+4*c=30", 9, fold=0),
        row("wrong", "There are 9 swans and 4 geese on a lake. How many birds swim there?", "x=9-4", 13, fold=1),
        row("guess", "Of 8 swans on a pond half fly away. How many swans are left there?", "x=4", 4, fold=1),
        row("none", "A text without an equation that 3 readers understand", "x=(3", 3, fold=2),
    ]
    for one in rows[-5:-3]:
        one["equations"] = str(one["equations"][0]).split("; ")  # type: ignore[index]
        one["answer"] = [30, 10] if one["id"] == "copy" else [9, 3]
    return rows


def gsm8k() -> list[dict[str, object]]:
    return [
        {"id": f"{split}-{k}", "text": text, "solution": f"So <<{sum_}>>.\n#### {answer}", "split": split}
        for split, k, text, sum_, answer in (
            ("train", 0, "Kim saves 15 dollars each week for 6 weeks. How many dollars has Kim saved?", "15*6=90", 90),
            ("train", 1, TEXTS[0].format(20, 3), "20+3=23", 23),  # also in MAWPS
            (
                "test",
                0,
                "Lou folds 30 paper cranes and loses 7 of them. How many paper cranes are left?",
                "30-7=23",
                23,
            ),
        )
    ]


def alg514() -> list[dict[str, object]]:
    return [
        {"id": p.id, "text": p.text, "equations": p.equations, "answer": list(map(float, p.answers)), "fold": fold}
        for p in problems()
        for fold in [int(p.id[0]) if p.id[0].isdigit() else 4]
    ]


def write(folder: Path, corpora: Mapping[str, Sequence[Mapping[str, object]]]) -> None:
    for name, rows in corpora.items():
        path = folder / name / f"{name}.jsonl.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress("".join(json.dumps(one) + "\n" for one in rows).encode()))


def compute_manifests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute the folds of the small corpora instead of comparing them with the recorded folds."""
    monkeypatch.setattr(held_out_parts, "load_manifest", lambda name, corpus: make_manifest(corpus, name))


def write_small_corpora(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the three corpora and make their folder the data folder."""
    write(folder, {"alg514": alg514(), "mawps": mawps(), "gsm8k": gsm8k()})
    monkeypatch.setenv("SAU_DATA", str(folder))
    compute_manifests(monkeypatch)
    return folder
