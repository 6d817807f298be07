"""benchmarks/scaling.py solves English and Chinese problems in turn, and says where their texts come from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.scaling import Kind, in_turn, kinds, write_input
from sau_solver.text.language import detect_language


@pytest.fixture
def without_corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAU_DATA", str(tmp_path / "none"))


@pytest.mark.usefixtures("without_corpora")
def test_without_corpora_the_examples_are_named_as_the_source() -> None:
    english, chinese = kinds(30, exact=False)
    for kind in (english, chinese):
        assert kind.source == "examples/problems.jsonl, repeated; the corpora are missing"
        assert len(kind.texts) == 15


@pytest.mark.usefixtures("without_corpora")
def test_half_of_the_problems_are_chinese_in_every_file(tmp_path: Path) -> None:
    write_input(tmp_path, in_turn(kinds(64, exact=False), 64), warm_up=8)
    for part, count in (("few", 2), ("many", 16)):
        files = sorted((tmp_path / part).glob("*.jsonl"))
        assert len(files) == 4
        for file in files:
            texts = [json.loads(line)["text"] for line in file.read_text(encoding="utf-8").splitlines()]
            assert [detect_language(text) for text in texts] == ["en", "zh"] * (count // 2)


def test_texts_of_a_kind_are_repeated_if_there_are_too_few() -> None:
    assert in_turn([Kind("a", ["1", "2"], ""), Kind("b", ["3"], "")], 5) == ["1", "3", "2", "3", "1"]


def test_equations_are_a_kind_of_their_own() -> None:
    (only,) = kinds(100, exact=True)
    assert (only.name, len(set(only.texts))) == ("equations", 100)
