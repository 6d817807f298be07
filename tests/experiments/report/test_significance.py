"""McNemar's test agrees with counting all outcomes."""

from __future__ import annotations

from itertools import product
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.errors import InputError
from sau_solver.experiments.report.significance import holm, mcnemar, p_values, sign_flips


def by_enumeration(only_first: int, only_second: int) -> tuple[float, float]:
    """Count the outcomes of fair coins that are as far from half as the observed one, and those that are farther."""
    coins = only_first + only_second
    seen = abs(only_first - only_second)
    distances = [abs(coins - 2 * sum(outcome)) for outcome in product((0, 1), repeat=coins)]
    as_far, farther = (sum(d >= seen for d in distances), sum(d > seen for d in distances))
    return as_far / 2**coins, (farther + (as_far - farther) / 2) / 2**coins


@pytest.mark.parametrize(("first", "second"), [(b, c) for b in range(6) for c in range(6) if b + c])
def test_the_p_values_are_those_of_all_outcomes_counted(first: int, second: int) -> None:
    assert p_values(first, second) == pytest.approx(by_enumeration(first, second))


def test_a_published_example() -> None:
    """Fagerland, Lydersen, Laake 2013: 1 and 7 discordant pairs, p 0.0703 and mid-p 0.0391."""
    assert p_values(1, 7) == pytest.approx((0.0703125, 0.0390625))


def test_systems_that_never_differ_could_be_one() -> None:
    assert p_values(0, 0) == (1.0, 1.0)


def test_thousands_of_problems_stay_exact() -> None:
    exact, mid = p_values(4_000, 4_400)
    assert 0 < mid < exact < 2e-5
    assert p_values(4_400, 4_000) == (exact, mid)
    assert p_values(0, 3_000)[0] == pytest.approx(0.0, abs=1e-300)


def test_verdicts_are_compared_problem_by_problem() -> None:
    first = {"a": True, "b": True, "c": False, "d": True}
    second = {"d": False, "c": True, "b": True, "a": False}
    test = mcnemar(first, second)
    assert (test.problems, test.only_first, test.only_second) == (4, 2, 1)
    assert (test.exact, test.mid) == pytest.approx(by_enumeration(2, 1))


def test_other_problems_are_refused() -> None:
    with pytest.raises(InputError, match="got 2 and 1 with 1 in common"):
        mcnemar({"a": True, "b": True}, {"a": True})


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
