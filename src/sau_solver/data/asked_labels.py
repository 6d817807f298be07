"""What the questions of corpora ask for, where the corpora annotate every unknown.

ALG514, DRAW-1K, HMWP and Dolphin18K annotate the values of all unknowns, even for "How many boys are there?". The files
in reader_labels/ hold the values that are really asked for, derived from the question and the gold equations by
scripts/reader_labels.py. They contain ids and values only, and how many labels were checked by eye.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files

# The corpora whose labels are in a file of their own, by the corpora that share them.
LABELED = {
    "alg514": "alg514",
    "draw1k": "draw1k",
    "hmwp": "hmwp",
    "hmwp-all": "hmwp",
    "dolphin18k": "dolphin18k",
    "dolphin18k-manual": "dolphin18k",
    "dolphin18k-reconstructed": "dolphin18k",
}


@cache
def reader_labels(corpus: str) -> Mapping[str, tuple[Fraction, ...]]:
    """Return the values asked for, by the ids of the problems whose annotation has more; empty for other corpora."""
    if corpus not in LABELED:
        return {}
    path = files("sau_solver") / "data" / "reader_labels" / f"{LABELED[corpus]}.json"
    labels = json.loads(path.read_text(encoding="utf-8"))["labels"]
    return {name: tuple(map(Fraction, values)) for name, values in labels.items()}
