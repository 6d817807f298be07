"""Fitting finds the weights behind the outcomes, respects the signs of features, and ends in a checkpoint."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sau_solver as sau
from sau_solver.answering.confidence import Calibration, sigmoid
from sau_solver.answering.features import CONFIDENCE_FEATURES
from sau_solver.errors import InputError
from sau_solver.experiments.report.reliability import calibration_error_by_mass
from sau_solver.models.checkpoint import read_checkpoint, write_checkpoint
from sau_solver.shipping.fit_confidence import fit
from sau_solver.training.learning import learn
from tests.models.problems import examples
from tests.strategies import times
from tests.training.tasks import SHORT, task


def problems(number: int, seed: int, **weights: float) -> tuple[list[dict[str, float]], list[bool]]:
    """Draw features at random, and outcomes by a logistic model with these weights."""
    generator = random.Random(seed)
    evidence = [{name: generator.gauss(0, 1) for name in CONFIDENCE_FEATURES} for _ in range(number)]
    odds = (sum(weight * one[name] for name, weight in weights.items()) for one in evidence)
    return evidence, [generator.random() < sigmoid(one) for one in odds]


def test_fitting_finds_the_weights_that_made_the_outcomes() -> None:
    calibration = fit(*problems(8000, 0, log_odds=1.5, doubtful=-1.0, log_size=0.5))
    assert calibration.weights["log_odds"] == pytest.approx(1.5, abs=0.15)
    assert calibration.weights["doubtful"] == pytest.approx(-1.0, abs=0.15)
    assert calibration.weights["log_size"] == pytest.approx(0.5, abs=0.15)
    assert calibration.bias == pytest.approx(0, abs=0.1)


def test_confidences_are_calibrated_on_problems_that_were_not_fitted_on() -> None:
    calibration = fit(*problems(4000, 1, log_odds=2.0, agreeing=1.0))
    evidence, right = problems(4000, 2, log_odds=2.0, agreeing=1.0)
    assert calibration_error_by_mass([calibration.confidence(one) for one in evidence], right) < 0.03


@given(st.integers(0, 10_000), st.sampled_from(["log_odds", "agreeing", "doubtful"]))
@times(10)
def test_no_weight_goes_against_what_a_feature_means(seed: int, name: str) -> None:
    calibration = fit(*problems(300, seed, **{name: -1.0 * CONFIDENCE_FEATURES[name]}))
    assert name not in calibration.weights
    assert all(weight * CONFIDENCE_FEATURES[other] >= 0 for other, weight in calibration.weights.items())


@pytest.mark.parametrize("right", [[True] * 80, [False] * 80, [True, False] * 5])
def test_too_few_problems_or_all_alike_are_refused(right: list[bool]) -> None:
    with pytest.raises(InputError, match="more validation problems"):
        fit([{"log_odds": math.sin(k)} for k in range(len(right))], right)


def test_a_trained_network_solves_with_the_calibration_in_its_folder(tmp_path: Path) -> None:
    run = tmp_path / "mine" / "fold0-seed0"
    learn([task(run)], replace(SHORT, epochs=1))
    trained = read_checkpoint(run / "model")
    calibrated = {**trained.data, "calibration": Calibration({}, bias=-3.0).as_json()}
    write_checkpoint(replace(trained, data=calibrated), run / "model")
    problem = examples()[0].problem
    solution = sau.load(run).solve(problem.text)
    assert solution.problem == problem.text
    assert solution.abstained
    assert solution.confidence == pytest.approx(sigmoid(-3.0)) or not solution.answers
    assert len(solution.candidates) == 5
    assert solution.model == "mine/fold0-seed0"
