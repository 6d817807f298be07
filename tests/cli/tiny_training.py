"""A training that takes a second: a small corpus under the name of a published one, and a configuration."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from tests.experiments.conftest import problems

# All that has a state to restore after an interruption: dropout, averaged weights, a changing learning rate.
CONFIG = """
[experiment]
name = "tiny"
corpus = "alg514"
model = "sau"
seeds = [3]

[sau]
embedding = 6
hidden = 8
dropout = 0.3
minimum_word_count = 1
minimum_constant_count = 1

[training]
epochs = {epochs}
batch = 4
schedule = "cosine"
averaging = 0.9
device = "cpu"
checkpoint_seconds = 0
"""


def write_corpus(folder: Path) -> Path:
    """Write the corpus into a data folder, and return that."""
    (folder / "alg514").mkdir(parents=True)
    rows = [
        {
            "id": problem.id,
            "text": problem.text,
            "equations": problem.equations,
            "answer": list(map(float, problem.answers)),
            "fold": place % 5,
        }
        for place, problem in enumerate(problems())
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "alg514" / "alg514.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    return folder
