"""JSON lines survive being stored by columns, with every byte, also if their fields differ."""

from __future__ import annotations

import bz2
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.experiments.columns import pack, unpack

VALUES = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text() | st.integers(), max_size=3)
FIELDS = ("run", "id", "candidates", "unreadable", "expressible")


def lines_of(objects: list[dict[str, Any]]) -> list[str]:
    return [json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in objects]


@given(st.lists(st.fixed_dictionaries({"run": VALUES}, optional=dict.fromkeys(FIELDS[1:], VALUES)), max_size=8))
def test_lines_come_back_as_they_were(objects: list[dict[str, Any]]) -> None:
    lines = lines_of([{name: one[name] for name in FIELDS if name in one} for one in objects])
    assert unpack(pack(lines)) == lines


def test_files_that_hold_the_lines_themselves_are_read() -> None:
    lines = lines_of([{"run": "fold0-seed0", "id": "1"}, {"run": "fold0-seed0", "epoch": 2}])
    assert unpack(bz2.compress("".join(lines).encode())) == lines


@pytest.mark.parametrize(
    "text",
    [
        '{"kinds":[["run"]],"kind_of":[0,0]}\n[1]\n',
        '{"kinds":[["run"]],"kind_of":[0]}\n',
        '{"kinds":[["run"]],"kind_of":[1]}\n[1]\n',
        '{"kinds":[["run"]]}\n[1]\n',
        '{"kinds":[["run"]],"kind_of":[0]}\n1\n',
    ],
)
def test_a_damaged_file_is_an_error(text: str) -> None:
    with pytest.raises((ValueError, KeyError, IndexError, TypeError)):
        unpack(bz2.compress(text.encode()))
