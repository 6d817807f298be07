"""Folders that the library `datasets` itself has written are read with their splits and in their order."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from sau_solver.data import load_file
from tests.data.test_parquet_rows import QUESTIONS

ROOT = Path(__file__).parents[2]
PLACES = {"train": [QUESTIONS[:2], QUESTIONS[2:4]], "test": [QUESTIONS[4:]]}

# `prepared` has the names that `datasets` chooses, `hub` those of a repository of the Hub.
WRITE = """
import glob, os
from datasets import load_dataset, load_dataset_builder
files = {split: sorted(glob.glob(f"{split}-*.jsonl")) for split in ("train", "test")}
builder = load_dataset_builder("json", "gsm8k", data_files=files, cache_dir="cache")
builder.download_and_prepare("prepared", file_format="parquet", max_shard_size=1)
os.makedirs("hub/data")
for split, rows in load_dataset("json", data_files=files, cache_dir="cache").items():
    for number in range(2):
        name = f"hub/data/{split}-{number:05d}-of-00002.parquet"
        rows.shard(2, number, contiguous=True).to_parquet(name)
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Let `datasets` write the questions, in the environment that scripts/test_servers.sh makes for it."""
    program = shutil.which(os.environ.get("SAU_DATASETS") or str(ROOT / ".cache/datasets/bin/python"))
    if program is None:
        pytest.skip("the library `datasets` is not installed: sh scripts/test_servers.sh datasets")
    folder = tmp_path_factory.mktemp("datasets")
    for split, parts in PLACES.items():
        for number, rows in enumerate(parts):
            (folder / f"{split}-{number}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    # Its own environment has its own packages: ours must not be found.
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    own |= {"HF_HOME": str(folder / "home"), "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
    done = subprocess.run([program, "-c", WRITE], cwd=folder, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "files"),
    [
        ("prepared", ["test", "train-00000-of-00002", "train-00001-of-00002"]),
        ("hub", [f"{split}-{number:05d}-of-00002" for split in ("test", "train") for number in range(2)]),
    ],
)
def test_a_folder_of_datasets_is_one_corpus_with_its_splits(written: Path, place: str, files: list[str]) -> None:
    pytest.importorskip("pyarrow", reason="the extra `parquet` is not installed")
    names = sorted(path.stem for path in (written / place).rglob("*.parquet"))
    assert [name.removeprefix("json-") for name in names] == files
    corpus = load_file(written / place)
    assert [problem.text for problem in corpus] == [row["question"] for row in QUESTIONS]
    assert [problem.split for problem in corpus] == ["train"] * 4 + ["test"] * 2
    assert [int(problem.answers[0]) for problem in corpus] == [k + 5 for k in range(3, 9)]
    assert not corpus.rejected
