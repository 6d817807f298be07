"""Confidence is a probability, grows with the evidence, and can be stored as JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.answering.confidence import UNCALIBRATED, Calibration, sigmoid
from sau_solver.answering.features import CONFIDENCE_FEATURES
from sau_solver.answering.ranking import Ranked, rank
from sau_solver.errors import CheckpointError
from sau_solver.text.numbers import map_text
from tests.predictors import proposed

CHICKENS = "鸡兔同笼，上有20个头，下有50条腿，鸡有多少只？"
CALIBRATION = Calibration(
    {"log_odds": 0.5, "share_log_odds": 0.2, "log_total": 0.8, "agreeing": 1.5, "doubtful": -4.0}, -0.5
)


def ranked(*proposals: tuple[str, float]) -> Ranked:
    text = map_text(CHICKENS)
    return rank(text, proposed(text, proposals))


def evidence(found: Ranked, unknown_words: float = 0.0) -> dict[str, float]:
    return replace(found, unknown_words=unknown_words).confidence_features()


def test_every_feature_is_measured_and_no_other() -> None:
    assert set(evidence(ranked(("x=50-20", 0.4)))) == set(CONFIDENCE_FEATURES)


def test_the_features_show_what_the_candidates_show() -> None:
    found = evidence(ranked(("x=(20*4-50)/2", 0.6), ("x=50-20", 0.2), ("x=15", 0.1), ("x=20-50", 0.05)), 0.25)
    assert found["log_odds"] == pytest.approx(0.8473, abs=1e-3)  # of 0.7
    assert found["share_log_odds"] == pytest.approx(1.2528, abs=1e-3)  # of 7/9: the negative answer does not count
    assert found["log_total"] == pytest.approx(-0.0513, abs=1e-3)  # of 0.95
    assert found["agreeing"] == 0.5
    assert found["unused_numbers"] == 0
    assert found["unknown_words"] == 0.25
    assert (found["doubtful"], found["not_whole"], found["from_text"]) == (0, 0, 0)


def test_a_problem_without_an_answer_has_no_features() -> None:
    with pytest.raises(ValueError, match="without an answer"):
        evidence(ranked(("x=x+20", 0.4)))


@given(st.floats(0.01, 0.5), st.floats(0.01, 0.45))
def test_confidence_lies_between_0_and_1_and_grows_with_the_share_of_the_answer(share: float, more: float) -> None:
    less_sure = CALIBRATION.confidence(evidence(ranked(("x=50-20", share), ("x=50+20", 0.005))))
    surer = CALIBRATION.confidence(evidence(ranked(("x=50-20", share + more), ("x=50+20", 0.005))))
    assert 0 < less_sure < surer < 1


def test_candidates_that_agree_make_surer_than_candidates_that_do_not() -> None:
    agreeing = evidence(ranked(("x=50-20", 0.4), ("x=30", 0.3)))
    differing = evidence(ranked(("x=50-20", 0.4), ("x=31", 0.3)))
    assert CALIBRATION.confidence(agreeing) > CALIBRATION.confidence(differing)


def test_a_doubtful_answer_is_less_sure() -> None:
    plausible, doubtful = ranked(("x=50-20", 0.6)), ranked(("x=20-50", 0.6))
    assert CALIBRATION.confidence(evidence(doubtful)) < CALIBRATION.confidence(evidence(plausible)) - 0.3


@given(st.floats(0.001, 0.999))
def test_an_uncalibrated_confidence_is_the_networks_probability(probability: float) -> None:
    found = UNCALIBRATED.confidence(evidence(ranked(("x=50-20", probability))))
    assert found == pytest.approx(probability, abs=1e-6)


@given(st.floats(allow_nan=False))
def test_a_sigmoid_is_never_exactly_0_or_1(log_odds: float) -> None:
    assert 0 < sigmoid(log_odds) < 1


def test_a_calibration_survives_json() -> None:
    calibration = Calibration({"log_odds": 0.25}, -1.5, 0.6, {"problems": 100})
    assert Calibration.from_json(json.loads(json.dumps(calibration.as_json()))) == calibration


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"features": {}, "bias": 0},
        {"features": [1], "bias": 0, "threshold": 0.5},
        {"features": {"log_odds": "much"}, "bias": 0, "threshold": 0.5},
    ],
)
def test_an_invalid_calibration_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(CheckpointError, match="Calibrate the model again"):
        Calibration.from_json(fields)


def test_a_feature_of_another_version_is_named() -> None:
    with pytest.raises(CheckpointError, match="moon_phase"):
        Calibration.from_json({"features": {"moon_phase": 1.0}, "bias": 0.0, "threshold": 0.5})
