"""A registered corpus of six problems, four of them for tests, with lessons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TABLE = """
[toy]
title = "Toy"
language = "en"
format = "sau"
problems = 6
license = "none"
citation = "none"
notes = "none"
files = ["toy.jsonl"]
"""
ADD = "Tom has 3 apples and buys 5 more. How many apples does he have now?"
COPY = "Tom has 4 apples and buys 6 more. How many apples does he have now?"
TAKE = "A box had 9 pens. Ann took 2 of them. How many pens are left?"
SHARE = "Four friends share 12 cakes. How many cakes does each friend get?"
HALF = "What is half of 3 meters, in meters?"
PROBLEMS = (
    {"id": "add", "text": ADD, "equations": ["x=3+5"], "answers": ["8"], "split": "test", "skill": "addition"},
    {"id": "take", "text": TAKE, "equations": ["x=9-2"], "answers": ["7"], "split": "test", "skill": "subtraction"},
    {"id": "share", "text": SHARE, "answers": ["3"], "split": "test", "skill": "sharing", "unneeded": []},
    {"id": "half", "text": HALF, "equations": ["x=3/2"], "answers": ["3/2"], "split": "test", "skill": "sharing"},
    {"id": "copy", "text": COPY, "equations": ["x=4+6"], "answers": ["10"], "split": "train"},
    {"id": "far", "text": "A train needs 3 hours for 270 km. How fast is it?", "answers": ["90"], "split": "train"},
)


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data folder with the corpus `toy`."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "corpora.toml").write_text(TABLE, encoding="utf-8")
    lines = (json.dumps({"language": "en", "grade": 1, **problem}) for problem in PROBLEMS)
    (folder / "toy.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    monkeypatch.setenv("SAU_DATA", str(folder))
    return folder
