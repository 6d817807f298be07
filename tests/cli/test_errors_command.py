"""`sau errors MODEL --data` as users see it: tables, JSON and messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sau_solver.cli import app, errors_command
from sau_solver.data import Corpus
from sau_solver.data.prepared.examples import prepare_all
from sau_solver.experiments.evaluation import Trial
from sau_solver.models.loading import Model
from tests.by_heart import ByHeart, pens

PROBLEMS = [(pens(5, 3), "15"), (pens(6, 3), "9"), (pens(7, 3), "2100"), (pens(8, 3), "24")]


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file with two problems that the model by heart gets wrong; it stands in for the network of `en`."""

    @contextmanager
    def trial_of(folder: Path, corpus: Corpus, device: str, name: str) -> Iterator[Trial]:
        described = {"model": name or folder.name, "data": corpus.name, "fingerprint": corpus.fingerprint, "learned": 0}
        yield Trial(Model(ByHeart()), tuple(prepare_all(corpus, corpus.name, "raw")), described, False)

    monkeypatch.setattr(errors_command, "trial_of", trial_of)
    path = tmp_path / "mine.jsonl"
    lines = [{"id": f"p{place}", "text": text, "answers": [right]} for place, (text, right) in enumerate(PROBLEMS)]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return str(path)


def sau(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, arguments, env={"COLUMNS": "160"})
    return done.exit_code, done.stdout, done.stderr or str(done.exception or "")


def test_wrong_answers_of_a_model_are_grouped(mine: str) -> None:
    code, out, err = sau("errors", "en", "--data", mine)
    assert code == 0, err
    assert "2 of 4 predictions are wrong by answer." in out
    assert "right in beam" in out
    assert "unit or percent" in out
    assert "label wrong" not in out  # it does not occur
    assert "numbers in the text" in out
    assert "annotated  2100" in out
    assert "given      21" in out


def test_json_has_causes_traits_groups_and_ids(mine: str) -> None:
    found: dict[str, Any] = json.loads(sau("errors", "en", "--data", mine, "--json", "--examples", "0")[1])
    assert (found["data"], found["problems"], found["wrong"]) == ("mine.jsonl", 4, 2)
    assert found["causes"]["unit or percent"]["ids"] == ["p2"]
    assert found["causes"]["other"]["ids"] == ["p1"]
    assert found["causes"]["other"]["traits"]["right in beam"] == 0
    groups = found["groups"]["numbers in the text"]
    assert groups == {"2": {"problems": 4, "wrong": 2, "causes": {"unit or percent": 1, "other": 1}}}


def test_problems_without_answers_are_refused(mine: str) -> None:
    Path(mine).write_text(json.dumps({"text": pens(5, 3)}), encoding="utf-8")
    code, _, err = sau("errors", "en", "--data", mine)
    assert code != 0
    assert "have no answers" in err


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (["nowhere", "--data", "FILE"], "nowhere is not a trained model"),
        (["en", "--data", "FILE", "--run", "fold0-seed0"], "--run and --protocol are for result files"),
        (["en", "--data", "FILE", "--protocol", "strict"], "--run and --protocol are for result files"),
        (["en", "--split", "test"], "--split works only with --data"),
        (["en"], "or a model and --data CORPUS"),
    ],
)
def test_options_that_do_not_fit_are_explained(mine: str, more: list[str], complaint: str) -> None:
    code, out, err = sau("errors", *(mine if one == "FILE" else one for one in more))
    assert (code != 0, out) == (True, "")
    assert complaint in err
