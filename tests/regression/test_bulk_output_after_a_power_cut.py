"""A power cut can leave zeros in the output of `sau solve`. They were kept, or the command refused its own file."""

from __future__ import annotations

import io
import json

import pytest

from sau_solver.cli.bulk.earlier_answers import MAX_LOST, UNSAFE, find_done
from sau_solver.cli.bulk.streaming import WINDOW
from sau_solver.errors import InputError

LINES = [json.dumps({"line": n, "problem": "p" * (n % 90)}).encode() + b"\n" for n in range(1, 900)]
WHOLE = b"".join(LINES)


def done_of(content: bytes) -> tuple[int, int]:
    """Return the number of the last line that counts, and the size up to it."""
    found = find_done(io.BytesIO(content), "a.jsonl")
    return (found.last["line"], found.size) if found else (0, 0)


def test_all_lines_that_were_not_synchronized_are_checked() -> None:
    assert UNSAFE >= WINDOW


@pytest.mark.parametrize("broken", [899, 898, 700, 644])
def test_lines_count_up_to_the_first_zero(broken: int) -> None:
    start = len(b"".join(LINES[: broken - 1]))
    for offset, length in ((0, 1), (5, 40), (0, 600)):
        end = min(start + offset + length, len(WHOLE))
        content = WHOLE[: start + offset] + bytes(end - start - offset) + WHOLE[end:]
        assert done_of(content) == (broken - 1, start)


def test_an_output_without_its_beginning_is_begun_again() -> None:
    assert done_of(bytes(512) + WHOLE[512:]) == (0, 0)
    assert done_of(bytes(100)) == (0, 0)


def test_a_whole_output_counts_to_its_last_complete_line() -> None:
    assert done_of(WHOLE) == (899, len(WHOLE))
    assert done_of(WHOLE[:-1]) == (898, len(WHOLE) - len(LINES[-1]))
    assert done_of(LINES[0]) == (1, len(LINES[0]))


@pytest.mark.parametrize("other", [bytes(8) + b"data of somebody else", bytes(MAX_LOST + 1), b"oops\n" + WHOLE])
def test_files_of_somebody_else_are_still_refused(other: bytes) -> None:
    with pytest.raises(InputError, match="was not written by an earlier run"):
        find_done(io.BytesIO(other), "a.jsonl")
