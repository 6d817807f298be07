"""0^pi had no value, although 0 to any positive power is 0."""

from __future__ import annotations

import pytest

from sau_solver.equations.parser import parse_expression
from sau_solver.solving.exact_values import exact_value
from sau_solver.solving.reals import NoValueError


def test_irrational_powers_of_zero() -> None:
    assert exact_value(parse_expression("0^pi"), {}).rational == 0
    for text in ("0^(-pi)", "(-2)^pi"):
        with pytest.raises(NoValueError):
            exact_value(parse_expression(text), {})
