"""Tests over seeds and folds agree with tables and with counting all outcomes."""

from __future__ import annotations

from itertools import product
from operator import mul
from statistics import stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.errors import InputError
from sau_solver.experiments.report.significance import corrected_test, holm, sign_flips, student_p


@pytest.mark.parametrize(
    ("freedom", "t"), [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (14, 2.1448), (30, 2.0423)]
)
def test_students_p_is_that_of_the_tables(freedom: int, t: float) -> None:
    assert student_p(t, freedom) == student_p(-t, freedom) == pytest.approx(0.05, abs=1e-5)
    assert student_p(0.0, freedom) == pytest.approx(1.0)


def test_overlapping_training_folds_make_the_error_larger() -> None:
    differences = [0.02, 0.01, 0.03, 0.00, 0.04]
    test = corrected_test(differences, 1 / 4)
    assert test.pairs == 5
    assert test.difference == pytest.approx(0.02)
    assert test.error == pytest.approx(stdev(differences) * (1 / 5 + 1 / 4) ** 0.5)
    assert test.p == pytest.approx(student_p(test.difference / test.error, 4))
    plain = student_p(test.difference / (stdev(differences) / 5**0.5), 4)
    assert plain < 0.05 < test.p


def test_equal_differences_have_no_error() -> None:
    assert corrected_test([0.0, 0.0], 0.25).p == 1.0
    assert corrected_test([0.1, 0.1], 0.25).p == 0.0


def test_one_pair_of_runs_is_refused() -> None:
    with pytest.raises(InputError, match="at least two pairs of runs, got 1"):
        corrected_test([0.1], 0.25)


def test_several_tests_are_corrected_step_by_step() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.integers(-9, 9), max_size=8))
def test_signs_are_flipped_in_every_way(differences: list[int]) -> None:
    ways = [sum(map(mul, differences, signs)) for signs in product((1, -1), repeat=len(differences))]
    extreme = sum(abs(total) >= abs(sum(differences)) for total in ways)
    assert sign_flips(differences) == extreme / len(ways)


def test_fifteen_gains_in_a_row_are_no_chance() -> None:
    assert sign_flips([3] * 15) == 2 / 2**15
    assert sign_flips([0, 0]) == sign_flips([]) == 1
