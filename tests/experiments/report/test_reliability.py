"""Calibration errors are small for well-calibrated confidences and large for others; risk grows with coverage."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.experiments.report.figures import thinned
from sau_solver.experiments.report.reliability import (
    accuracy_at,
    brier,
    calibration_error_by_mass,
    calibration_error_by_width,
    calibration_error_floor,
    reliability,
    risk_coverage,
)

OUTCOMES = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)


def drawn(problems: int, seed: int, honest: bool = True) -> tuple[list[float], list[bool]]:
    """Draw even confidences, and answers that are right as often as they say, or half as often."""
    generator = random.Random(seed)
    confidences = [generator.random() for _ in range(problems)]
    return confidences, [generator.random() < (c if honest else c / 2) for c in confidences]


@given(st.integers(0, 1000))
def test_honest_confidences_have_a_small_error_and_boastful_ones_a_large_one(seed: int) -> None:
    assert calibration_error_by_mass(*drawn(4000, seed)) < 0.035
    assert calibration_error_by_width(*drawn(4000, seed)) < 0.035
    assert calibration_error_by_mass(*drawn(4000, seed, honest=False)) > 0.2
    assert calibration_error_by_width(*drawn(4000, seed, honest=False)) > 0.2


def test_the_floor_is_what_honest_confidences_reach() -> None:
    confidences, right = drawn(300, 7)
    floor = calibration_error_floor(confidences)
    assert floor == pytest.approx(calibration_error_by_width(confidences, right), abs=0.03)
    assert calibration_error_floor(confidences * 20) < floor


def test_the_errors_of_a_small_set_by_hand() -> None:
    confidences, right = [0.9, 0.9, 0.1, 0.1], [True, False, False, False]
    assert calibration_error_by_width(confidences, right) == pytest.approx(0.25)
    assert calibration_error_by_mass(confidences, right, bins=2) == pytest.approx(0.25)
    assert brier(confidences, right) == pytest.approx((0.01 + 0.81 + 0.01 + 0.01) / 4)


@given(OUTCOMES)
def test_all_figures_lie_between_0_and_1(outcomes: list[tuple[float, bool]]) -> None:
    found = reliability([c for c, _ in outcomes], [r for _, r in outcomes])
    figures = (found.accuracy, found.error_by_mass, found.error_by_width, found.floor, found.brier, found.half)
    assert all(0 <= figure <= 1 + 1e-9 for figure in figures)


@given(OUTCOMES)
def test_the_curve_ends_with_all_problems_and_their_risk(outcomes: list[tuple[float, bool]]) -> None:
    confidences, right = [c for c, _ in outcomes], [r for _, r in outcomes]
    points = risk_coverage(confidences, right)
    assert points[-1].coverage == 1
    assert points[-1].risk == pytest.approx(1 - sum(right) / len(right))
    assert [point.coverage for point in points] == sorted({point.coverage for point in points})
    assert accuracy_at(confidences, right, 1.0) == pytest.approx(sum(right) / len(right))


def test_problems_of_equal_confidence_are_answered_together() -> None:
    points = risk_coverage([0.9, 0.5, 0.5, 0.5], [True, False, True, False])
    assert [(point.coverage, point.risk) for point in points] == [(0.25, 0.0), (1.0, 0.5)]


def test_the_surest_half_of_well_ordered_problems_is_right() -> None:
    assert accuracy_at([0.9, 0.8, 0.2, 0.1], [True, True, False, False], 0.5) == 1.0


def test_nothing_to_measure_is_zero() -> None:
    assert reliability([], []).error_by_mass == 0
    assert accuracy_at([], [], 0.5) == 0


def test_a_thinned_curve_keeps_its_end() -> None:
    points = risk_coverage(*drawn(1234, 3))
    assert thinned(points, 100)[-1] == points[-1]
    assert len(thinned(points, 100)) == 100
