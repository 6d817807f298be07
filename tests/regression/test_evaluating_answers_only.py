"""`sau evaluate` took no model by name, and scored equations that the data did not have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sau_solver.cli.model_option import trained_model
from sau_solver.data import load_file
from sau_solver.errors import InputError
from sau_solver.experiments.evaluation import evaluate_trained
from sau_solver.experiments.user_evaluation import figures_for_users
from sau_solver.models.loading import Model, shipped_folder
from tests.by_heart import ByHeart, pens

PROBLEMS = [(pens(5, 3), "15"), (pens(6, 3), "18"), (pens(7, 3), "21"), (pens(8, 3), "25")]


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(json.dumps({"text": text, "answers": [right]}) for text, right in PROBLEMS))
    return path


def test_a_shipped_model_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = trained_model("en")
    assert named is not None
    assert named.folder("en") == shipped_folder("en")
    monkeypatch.chdir(tmp_path)
    Path("en").mkdir()
    named = trained_model("en")
    assert named is not None
    assert named.folder("en") == Path("en")


def test_the_figures_are_those_of_sau_solve(answers: Path) -> None:
    figures = figures_for_users(Model(ByHeart(), name="by heart"), load_file(answers))
    assert figures is not None
    assert (figures.problems, figures.answer, figures.answered) == (4, 0.75, 0.75)  # the third is only a guess
    assert figures.right_of_answered == pytest.approx(2 / 3)
    assert figures.right_of_surest == pytest.approx(2 / 3)  # of the first three
    assert figures.mean_confidence == pytest.approx(0.87, abs=0.01)


@pytest.mark.slow
def test_data_with_answers_only_are_scored_by_answers_only(answers: Path, tmp_path: Path) -> None:
    measured = evaluate_trained(shipped_folder("en"), load_file(answers))
    assert list(measured.metrics) == ["answer", "annotated"]
    assert (measured.by_type, measured.by_size) == ({}, {})
    assert measured.for_users is not None
    assert measured.for_users.answer == measured.metrics["answer"]
    (tmp_path / "bare.jsonl").write_text(json.dumps({"text": pens(5, 3)}))
    with pytest.raises(InputError, match="neither equations nor answers"):
        evaluate_trained(shipped_folder("en"), load_file(tmp_path / "bare.jsonl"))
