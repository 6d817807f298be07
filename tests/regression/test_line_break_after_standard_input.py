"""`echo … | sau solve - --json` printed a problem that ended with a line break."""

from __future__ import annotations

import json

import pytest

from tests.by_heart import GARDEN
from tests.cli.test_solve_command import Command, sau

__all__ = ["sau"]  # the fixture


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_the_problem_ends_with_its_last_character(sau: Command, end: bytes) -> None:
    assert json.loads(sau("-", "--json", stdin=GARDEN.encode() + end)[1])["problem"] == GARDEN
