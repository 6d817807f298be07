"""examples/client.py said that it was 100 % sure."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

sureness = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "client.py"))["sureness"]


@pytest.mark.parametrize(
    ("confidence", "said"), [(0.9999, "more than 99 % sure"), (0.992, "99 % sure"), (0.5, "50 % sure")]
)
def test_the_client_is_never_100_percent_sure(confidence: float, said: str) -> None:
    assert sureness({"abstained": False, "kind": "problem", "confidence": confidence}) == said


def test_guesses_and_exact_results_have_no_percentage() -> None:
    assert sureness({"abstained": True, "kind": "problem", "confidence": 0.4}) == "not sure"
    assert sureness({"abstained": False, "kind": "equation", "confidence": 1.0}) == "exact"
