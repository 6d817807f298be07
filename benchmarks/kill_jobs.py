"""The jobs that benchmarks/kills.py kills, with their inputs: training, bulk solving, cross-validation and a report.

Each job takes seconds, and has many moments at which files change. Its command runs in an empty folder and writes
there; inputs lie in a folder beside it.
"""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXPERIMENTS = ("retrieval-alg514", "sau-alg514")  # whose results the report is about
SHARDS = ("a.jsonl", "b.jsonl.gz", "c.csv")
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ivy", "Joe")

CORPUS = """
[toy]
title = "Toy"
language = "en"
format = "sau"
problems = 10
licence = "none"
citation = "none"
notes = "none"
files = ["toy.jsonl.gz"]
folds = "contiguous"
"""
# All that has a state to restore after a kill: dropout, averaged weights, a changing learning rate.
CONFIG = """
[experiment]
name = "{name}"
corpus = "{corpus}"
model = "sau"
folds = [0, 1]
seeds = [3]

[sau]
embedding = {hidden}
hidden = {hidden}
dropout = 0.3
minimum_word_count = 1

[training]
epochs = {epochs}
batch = {batch}
schedule = "cosine"
averaging = 0.9
device = "cpu"
checkpoint_seconds = 0
"""
PAGE = "# Page\n\n<!-- sau report: configurations -->\n<!-- end -->\n"


@dataclass(frozen=True, slots=True)
class Job:
    """A command of `sau` that is killed and started again."""

    name: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)  # files that the command changes, by name


def prepare(inputs: Path) -> None:
    """Write the inputs of all jobs but the model of light bulk solving, which the training makes."""
    data = inputs / "data"
    data.mkdir(parents=True)
    (data / "corpora.toml").write_text(CORPUS, encoding="utf-8")
    rows = [
        {"id": str(k), "text": f"{name} has {k + 12} pears and buys {k + 3} more pears. How many pears has {name}?",
         "equations": [f"x={k + 12}+{k + 3}"], "answers": [str(2 * k + 15)]}
        for k, name in enumerate(NAMES)
    ]  # fmt: skip
    (data / "toy.jsonl.gz").write_bytes(gzip.compress(_lines(rows).encode(), mtime=0))
    for name, epochs in (("train", 40), ("crossval", 8)):
        text = CONFIG.format(name=name, corpus="toy", hidden=8, batch=2, epochs=epochs)
        (inputs / f"{name}.toml").write_text(text, encoding="utf-8")
    real = CONFIG.format(name="real", corpus="alg514", hidden=24, batch=64, epochs=4)
    (inputs / "real.toml").write_text(real, encoding="utf-8")
    texts = [str(rows[k % len(rows)]["text"]).replace("has 1", f"has {k}1") for k in range(1_800)]
    _write_shards(inputs / "light", [{"id": str(k), "text": text} for k, text in enumerate(texts)])
    lines = (ROOT / "examples" / "problems.jsonl").read_text(encoding="utf-8").splitlines()
    _write_shards(inputs / "examples", [json.loads(line) for line in lines] * 2)
    (inputs / "results").mkdir()
    for experiment in EXPERIMENTS:
        for path in (ROOT / "results").glob(f"{experiment}.*"):
            shutil.copy(path, inputs / "results")


def jobs(inputs: Path) -> dict[str, Job]:
    """Return the jobs by name; the names of those with real models and data end in -real."""
    toy = {"SAU_DATA": str(inputs / "data")}
    train = ("--resume", "--runs", "runs")
    bulk = ("solve", "--output", "answers", "--input")
    report = ("--output", "report", "--docs", "page.md", "--problem", "Ann has 3 pears and buys 4. How many has she?")
    return {
        "train": Job("training", ("train", str(inputs / "train.toml"), *train), toy),
        "train-real": Job("training, ALG514", ("train", str(inputs / "real.toml"), *train)),
        "bulk": Job("bulk solving", (*bulk, str(inputs / "light"), "--model", str(inputs / "model"), "--beam", "1")),
        "bulk-real": Job("bulk solving, shipped models", (*bulk, str(inputs / "examples"))),
        "crossval": Job("cross-validation", ("crossval", str(inputs / "crossval.toml")), toy),
        "report": Job(
            "report",
            ("report", "--results", str(inputs / "results"), "--configs", str(ROOT / "configs"), *report),
            given={"page.md": PAGE},
        ),
    }


def _lines(rows: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _write_shards(folder: Path, rows: list[dict[str, str]]) -> None:
    """Write a third of the problems to each of three files: JSON lines, compressed ones, and a table."""
    folder.mkdir()
    third = len(rows) // 3
    parts = [rows[:third], rows[third : 2 * third], rows[2 * third :]]
    (folder / SHARDS[0]).write_text(_lines(parts[0]), encoding="utf-8")
    (folder / SHARDS[1]).write_bytes(gzip.compress(_lines(parts[1]).encode(), mtime=0))
    texts = "".join('"' + row["text"].replace('"', '""') + '"\n' for row in parts[2])
    (folder / SHARDS[2]).write_text(f"text\n{texts}", encoding="utf-8")
