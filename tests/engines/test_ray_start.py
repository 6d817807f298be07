"""Ray is started again if a busy machine was too slow, and other errors are explained at once; Ray is simulated."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from sau_solver.engines.ray_engine import RayEngine
from sau_solver.errors import InputError

SLOW = Exception("The current node timed out during startup.")


def start(errors: list[Exception], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Start an engine while Ray raises these errors in turn; return what it was asked to do."""
    asked: list[str] = []

    def init(**_: object) -> None:
        asked.append("init")
        if errors:
            raise errors.pop(0)

    simulated = SimpleNamespace(init=init, shutdown=lambda: asked.append("shutdown"))
    monkeypatch.setitem(sys.modules, "ray", simulated)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    RayEngine()
    return asked


def test_a_start_that_takes_too_long_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    assert start([SLOW, SLOW], monkeypatch) == ["init", "shutdown", "init", "shutdown", "init"]


def test_a_start_that_always_takes_too_long_is_an_error_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="timed out during startup"):
        start([SLOW] * 3, monkeypatch)


def test_other_errors_are_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    errors: list[Exception] = [ConnectionError("nobody listens"), SLOW]
    with pytest.raises(InputError, match="nobody listens"):
        start(errors, monkeypatch)
    assert errors == [SLOW]
