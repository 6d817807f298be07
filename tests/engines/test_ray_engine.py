"""The Ray engine leaves the environment of the process as it is. A stand-in takes the place of Ray."""

from __future__ import annotations

import os
import sys
from types import ModuleType

import pytest

from sau_solver.engines.ray_engine import RayEngine
from sau_solver.errors import InputError

VARIABLE = "RAY_USAGE_STATS_ENABLED"


class RayStandIn(ModuleType):
    """Keeps what the variable says when a cluster starts."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__("ray")
        self.seen: list[str | None] = []
        self.error = error

    def init(self, **_: object) -> None:
        self.seen.append(os.environ.get(VARIABLE))
        if self.error:
            raise self.error


def test_usage_reports_are_off_while_ray_starts_and_the_environment_is_restored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ray = RayStandIn()
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.delenv(VARIABLE, raising=False)
    before = dict(os.environ)
    RayEngine("local")
    assert ray.seen == ["0"]
    assert dict(os.environ) == before


def test_the_environment_is_restored_if_ray_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", RayStandIn(RuntimeError("no memory")))
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(InputError, match="no memory"):
        RayEngine("local")
    assert VARIABLE not in os.environ


def test_a_user_who_allows_usage_reports_keeps_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = RayStandIn()
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setenv(VARIABLE, "1")
    RayEngine("local")
    assert ray.seen == ["1"]
    assert os.environ[VARIABLE] == "1"
