"""docs/adding-a-corpus.md, followed to the letter: its files written, its commands run, what it shows printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from sau_solver.data import available, corpora, find_corpus, load
from sau_solver.data.prepared.folds import load_manifest, make_manifest
from sau_solver.errors import CorpusError, InputError
from sau_solver.experiments.results import ResultStore
from tests.docs.pages import ROOT, Reader


@pytest.mark.slow
def test_the_page_can_be_followed_to_the_letter(tmp_path: Path) -> None:
    assert len(Reader(ROOT / "docs/adding-a-corpus.md", tmp_path).follow()) == 7
    runs = ResultStore(tmp_path / "results", "retrieval-toy").runs()
    assert [run.name for run in runs] == [f"fold{fold}-seed0" for fold in range(5)]


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
LINES = "".join(f'{{"text": "What is {k} more than 3?", "id": "{k}", "fold": {k % 2}}}\n' for k in range(6))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SAU_DATA", str(tmp_path))
    (tmp_path / "toy.jsonl").write_text(LINES, encoding="utf-8")
    return tmp_path


def register(folder: Path, text: str) -> None:
    (folder / "corpora.toml").write_text(text, encoding="utf-8")


def test_a_corpus_of_the_data_folder_stands_beside_the_packages_own(folder: Path) -> None:
    assert "toy" not in corpora()
    register(folder, TABLE)
    assert list(corpora())[-1] == "toy"
    assert available()[-1] == "toy"
    assert len(load("toy")) == find_corpus("toy").problems == 6


@pytest.mark.parametrize(
    ("rule", "sizes"),
    [("contiguous", [1, 1, 1, 1, 2]), ("shuffled", [1, 1, 1, 1, 2])],
)
def test_its_folds_follow_from_its_rule_and_cover_it_once(folder: Path, rule: str, sizes: list[int]) -> None:
    register(folder, TABLE + f'folds = "{rule}"\n')
    corpus = load("toy")
    manifest = load_manifest("toy", corpus)
    assert [len(fold.test) for fold in manifest.folds] == sizes
    assert sorted(id_ for fold in manifest.folds for id_ in fold.test) == [str(k) for k in range(6)]
    assert manifest == make_manifest(corpus)


def test_without_a_rule_it_has_no_folds(folder: Path) -> None:
    register(folder, TABLE)
    with pytest.raises(InputError, match="There are no folds 'toy'"):
        load_manifest("toy", load("toy"))


def test_folds_that_the_data_lack_are_missed(folder: Path) -> None:
    register(folder, TABLE + 'folds = "published-folds"\n')  # the file has folds 0 and 1 alone
    with pytest.raises(CorpusError, match=r"in all published folds.*choose other folds in corpora"):
        load_manifest("toy", load("toy"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[toy", "must be a TOML file with a table for each corpus"),
        ("toy = 3", r"\[toy\] must have title, language"),
        (TABLE.replace('notes = "none"\n', ""), r"\[toy\] must have title, .*notes"),
        (TABLE + "colour = 3\n", "got .*colour"),
        (TABLE.replace('"en"', '"fr"'), "'fr'"),
        (TABLE + 'folds = "tenths"\n', "'tenths'"),
        (TABLE.replace('["toy.jsonl"]', '"toy.jsonl"'), "files must be a list"),
        (TABLE.replace("[toy]", "[hmwp]"), "must not have the name of a known corpus"),
    ],
)
def test_a_table_that_is_none_is_explained(folder: Path, text: str, complaint: str) -> None:
    register(folder, text)
    with pytest.raises(CorpusError, match=complaint):
        corpora()
