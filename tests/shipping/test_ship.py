"""A trained network becomes a shipped model: smaller, calibrated, measured, and traceable."""

from __future__ import annotations

import gzip
import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from sau_solver import solver as pipeline
from sau_solver.answering.confidence import UNCALIBRATED
from sau_solver.answering.preference import PLAUSIBLE_FIRST
from sau_solver.data import Corpus, find_corpus, load
from sau_solver.data.prepared.examples import Prepared
from sau_solver.data.prepared.mixtures import held_out
from sau_solver.errors import CheckpointError, InputError
from sau_solver.experiments.config import ExperimentConfig, parse_config
from sau_solver.experiments.runs import Run
from sau_solver.experiments.training_runs import train
from sau_solver.models.checkpoint import read_checkpoint, write_checkpoint
from sau_solver.models.loading import load_model
from sau_solver.shipping import ship as shipping
from sau_solver.shipping.cards import card, draw_curves, page
from sau_solver.shipping.ship import refit, ship, verify
from sau_solver.shipping.trials import figures, try_out
from tests.data.prepared.small_mixture import TEXTS, TOOLS, row, write

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("ship")]

CONFIG = """
[experiment]
name = "small"
model = "sau"
text = "raw"
equations = "ordered"

[mixture]
language = "en"
sources = ["gsm8k"]
test = ["gsm8k/test"]
validation = ["gsm8k/slice3"]

[sau]
hidden = 32
embedding = 16
dropout = 0.0
minimum_word_count = 2

[training]
epochs = 20
batch = 8
learning_rate = 5e-3
device = "cpu"
"""
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def rows() -> list[dict[str, object]]:
    """Return three kinds of problems; every tenth annotated answer is wrong, so no network is always right."""
    made: list[dict[str, object]] = []
    for k in range(260):
        a, b, tool = 90 + k, 2 + k % 17, TOOLS[k % 3]
        value = {"+": a + b, "-": a - b, "*": a * b}[tool] + (1 if k % 10 == 9 else 0)
        # Different words, so that no problem counts as a copy of another.
        name = f"{LETTERS[k // 26]}{LETTERS[k % 26]}"
        text = f"{name.title()} asks: {TEXTS[k % 3].format(a, b)}"
        split = "test" if k >= 230 else "train"
        made.append({"id": str(k), "text": text, "solution": f"<<{a}{tool}{b}={value}>>\n#### {value}", "split": split})
    return made


@dataclass(frozen=True)
class Rig:
    config: ExperimentConfig
    data: Path
    trained: Path
    shipped: Path
    measured: dict[str, Any]
    report: Path


def take_fewer(patched: pytest.MonkeyPatch) -> None:
    """Fit the confidence on a fifth of the problems of School and of the curriculum."""

    def some(name: str, data: Path | None = None) -> Corpus:
        whole = load(name, data)
        return replace(whole, problems=whole.problems[::5]) if name.startswith("school") else whole

    patched.setattr(shipping, "load", some)
    patched.setattr(shipping, "GENERATED", 100)


@pytest.fixture(autouse=True)
def fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    take_fewer(monkeypatch)


@pytest.fixture(scope="session")  # the tests of a worker may come in any order
def rig(tmp_path_factory: pytest.TempPathFactory) -> Rig:
    folder = tmp_path_factory.mktemp("shipping")
    data = folder / "data"
    write(data, {"gsm8k": rows()})
    config = parse_config(CONFIG)
    run = Run(config, None, 0, folder / "runs")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("SAU_DATA", str(data))
        train(run)
    with pytest.MonkeyPatch.context() as patched:
        take_fewer(patched)
        measured = ship(config, run.model, folder / "weights/en", 127, folder / "results/en", data)
    return Rig(config, data, run.model, folder / "weights/en", measured, folder / "results/en")


def held_out_problems(rig: Rig) -> list[Prepared]:
    config = rig.config
    return held_out(config.one_mixture(), "gsm8k/test", config.text, config.equations, rig.data)


def test_a_shipped_model_solves_as_the_trained_one_in_a_quarter_of_its_size(rig: Rig) -> None:
    small, large = ((folder / "model.safetensors").stat().st_size for folder in (rig.shipped, rig.trained))
    assert small < 0.45 * large  # small tensors are not quantized, and the alignment is left out
    problems = held_out_problems(rig)
    answers = [
        [trial.answers for trial in try_out(load_model(folder), problems)] for folder in (rig.shipped, rig.trained)
    ]
    assert answers[0] == answers[1]


def test_it_brings_its_calibration_along(rig: Rig) -> None:
    model = load_model(rig.shipped)
    assert model.calibration != UNCALIBRATED
    assert model.calibration.notes["parts"] == ["gsm8k/slice3", "school-en/validation", "families-en"]
    solution = pipeline.load(rig.shipped).solve(held_out_problems(rig)[0].problem.text)
    assert 0.5 < solution.confidence < 1
    assert solution.model == "en"


def test_it_brings_its_preference_along(rig: Rig) -> None:
    model = load_model(rig.shipped)
    assert model.preference != PLAUSIBLE_FIRST
    assert model.preference.weights["log_probability"] > 0


def test_refitting_restores_preference_and_confidence_and_keeps_the_weights(rig: Rig, tmp_path: Path) -> None:
    copy, report = tmp_path / "en", tmp_path / "results/en"
    shutil.copytree(rig.shipped, copy)
    shutil.copytree(rig.report.parent, report.parent)
    config = json.loads((copy / "config.json").read_text(encoding="utf-8"))
    shipped = read_checkpoint(copy)
    forgetful = replace(shipped, data={**shipped.data, "preference": {}, "calibration": UNCALIBRATED.as_json()})
    write_checkpoint(forgetful, copy)
    assert refit(rig.config, copy, report, rig.data) == rig.measured
    assert load_model(copy).calibration == load_model(rig.shipped).calibration
    assert load_model(copy).preference == load_model(rig.shipped).preference
    assert (copy / "model.safetensors").read_bytes() == (rig.shipped / "model.safetensors").read_bytes()
    assert json.loads((copy / "config.json").read_text(encoding="utf-8")) == config


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([1000, 500, 250], [1000, 500, 500]),  # School and the families count half as much as the published corpora
        ([0, 500, 250], [0, 375, 375]),  # and the same if there are none
    ],
)
def test_the_confidence_is_fitted_on_all_sources_by_their_shares(sizes: list[int], expected: list[int]) -> None:
    weights = shipping.trial_weights(sizes)
    assert [weight * size for weight, size in zip(weights, sizes, strict=True)] == pytest.approx(expected)


def test_the_report_counts_what_is_right(rig: Rig) -> None:
    measured = json.loads(rig.report.with_suffix(".json").read_text(encoding="utf-8"))
    lines = gzip.decompress(rig.report.with_suffix(".jsonl.gz").read_bytes()).decode().splitlines()
    trials = [json.loads(line) for line in lines]
    assert measured == rig.measured
    for kind in ("validation", "test"):
        for part, found in measured[kind].items():
            own = [trial for trial in trials if trial["part"] == part]
            assert found["problems"] == len(own)
            assert found["answer"] == pytest.approx(
                sum("answer" in trial["right"] for trial in own) / len(own), abs=1e-4
            )
    assert measured["together"]["test"]["problems"] == 30
    # One answer in ten is annotated wrongly, which no network can predict.
    assert 0.5 < measured["test"]["gsm8k/test"]["answer"] <= 0.9


def test_a_trial_without_an_answer_is_wrong_and_has_no_confidence(rig: Rig) -> None:
    (problem,) = held_out_problems(rig)[:1]
    silent = replace(problem, problem=replace(problem.problem, text="Nothing is asked of 3 and 4."))
    (trial,) = try_out(load_model(rig.shipped), [silent])
    assert (trial.answers, trial.right, trial.confidence(UNCALIBRATED)) == ((), frozenset(), 0.0)
    assert figures([trial], UNCALIBRATED)["answer"] == 0


def test_weights_that_lose_too_much_are_refused(rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipping, "MOST_LOST", -1.0)
    with pytest.raises(InputError, match="Give a larger number"):
        ship(rig.config, rig.trained, tmp_path / "weights", 7, tmp_path / "report", rig.data)


def test_the_card_says_what_was_measured(rig: Rig) -> None:
    told = card("en", rig.shipped, rig.report)
    tested = rig.measured["test"]["gsm8k/test"]
    assert f"| test gsm8k/test | 30 | {100 * tested['answer']:.2f} |" in told
    assert "| GSM8K | 138 | 0 | MIT |" in told
    assert "quantized to integers up to 127" in told
    assert "The authors of all these corpora state a license that permits any use." in told
    assert told in page({"en": told}, "")


def test_the_picture_has_a_curve_for_each_test_part(rig: Rig, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (the extra `report`)")
    draw_curves("en", rig.report, tmp_path / "drawn.svg")
    assert ">gsm8k/test</text>" in (tmp_path / "drawn.svg").read_text(encoding="utf-8")


class TestTheChain:
    def test_holds_from_the_corpora_to_the_package(self, rig: Rig) -> None:
        checks = verify(rig.config, rig.shipped, rig.trained, rig.data)
        assert (len(checks.passed), checks.skipped) == (4, ())
        assert "quantized to integers up to 127" in checks.passed[-1]

    def test_says_what_could_not_be_compared(self, rig: Rig, tmp_path: Path) -> None:
        checks = verify(rig.config, rig.shipped, data=tmp_path)
        assert len(checks.passed) == 2
        assert checks.skipped == (
            "gsm8k: not available, fingerprint not compared",
            "trained weights: not given, not compared",
        )

    def test_breaks_at_other_settings_data_or_weights(self, rig: Rig, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="another configuration"):
            verify(parse_config(CONFIG, ["training.epochs=9"]), rig.shipped)
        write(tmp_path, {"gsm8k": [*rows(), row("x", "Add 1 and 2. What is it?", "x=1+2", 3) | {"solution": "#### 3"}]})
        with pytest.raises(InputError, match="trained on other data than the gsm8k"):
            verify(rig.config, rig.shipped, data=tmp_path)
        with pytest.raises(InputError, match="not made from"):
            verify(rig.config, rig.shipped, rig.shipped, rig.data)

    def test_holds_for_corpora_as_an_earlier_version_read_them(
        self, rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        trained_on = load("gsm8k", rig.data).fingerprint
        monkeypatch.setattr(shipping, "find_corpus", lambda name: replace(find_corpus(name), earlier=(trained_on,)))
        write(tmp_path, {"gsm8k": rows()[1:]})
        checks = verify(rig.config, rig.shipped, data=tmp_path)
        assert checks.passed[-1] == "gsm8k: the fingerprint is that of the training data, as an earlier version read it"

    def test_breaks_at_a_single_byte(self, rig: Rig, tmp_path: Path) -> None:
        folder = shutil.copytree(rig.shipped, tmp_path / "en")
        content = bytearray((folder / "model.safetensors").read_bytes())
        content[-1] ^= 1
        (folder / "model.safetensors").write_bytes(bytes(content))
        with pytest.raises(CheckpointError, match="checksum is wrong"):
            verify(rig.config, folder)
