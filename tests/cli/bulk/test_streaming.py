"""Lines of problems become lines of answers: in order, in constant memory, without repetition after a kill."""

from __future__ import annotations

import io
import json
import os
import tracemalloc
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from sau_solver.cli.bulk.earlier_answers import ModelOf, find_done
from sau_solver.cli.bulk.sources import Source
from sau_solver.cli.bulk.streaming import (
    WINDOW,
    Answer,
    Lines,
    Listener,
    Shard,
    SolveLines,
    Tally,
    answer_lines,
    solve_shards,
)
from sau_solver.errors import InputError, SauError
from sau_solver.solution import Solution
from sau_solver.text.lists.problem_lines import MAX_LINE, ProblemLine, read_line, read_lines
from tests.by_heart import pens, solver

LINES = [
    json.dumps({"id": "a", "text": pens(5, 3)}),
    json.dumps(pens(6, 3)),
    "",
    "{broken",
    json.dumps({"id": 4, "text": pens(7, 3), "lang": "en"}),
    json.dumps({"text": ""}),
    json.dumps({"id": "z", "text": "每盒有8支笔，3盒有多少支？"}, ensure_ascii=False),
]


def solve(lines: Sequence[ProblemLine]) -> Iterator[Solution | SauError]:
    return solver().solve_many(((line.text, line.language) for line in lines), errors="return")


def ignore(shard: Shard, answer: Answer, tally: Tally) -> None:
    pass


def solve_file(source: Path, output: Path, solve: SolveLines, hear: Listener, model_of: ModelOf | None = None) -> Tally:
    """Solve one file in this process; raise its error if it has one."""

    def answers(windows: Iterable[Lines]) -> Iterator[Iterator[Answer]]:
        return (answer_lines(window, solve) for window in windows)

    (solved,) = solve_shards([Shard(Source(str(source)), str(output))], answers, hear, model_of)
    if solved.error:
        raise solved.error
    return solved.tally


def write(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    return write(tmp_path / "problems.jsonl", LINES)


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    return tmp_path / "answers.jsonl"


def test_every_line_is_answered_in_order_and_bad_lines_are_reported(problems: Path, answers: Path) -> None:
    heard: list[tuple[int, bool]] = []
    tally = solve_file(problems, answers, solve, lambda _, answer, __: heard.append((answer.line, bool(answer.error))))
    found = records(answers)
    assert [(record["line"], record.get("id")) for record in found] == [
        (1, "a"), (2, None), (4, None), (5, 4), (6, None), (7, "z"),
    ]  # fmt: skip
    assert [record.get("answers") for record in found] == [["15"], ["18"], None, ["21"], None, ["24"]]
    assert (tally.solved, tally.abstained, tally.bad, tally.lines) == (3, 1, 2, 6)
    assert heard == [(1, False), (2, False), (4, True), (5, False), (6, True), (7, False)]
    assert "not JSON" in found[2]["error"]
    assert "The problem is empty." in found[4]["error"]
    assert found[5]["unit"] == "支"


def test_a_record_is_the_documented_object_with_line_and_id(problems: Path, answers: Path) -> None:
    solve_file(problems, answers, solve, ignore)
    first = records(answers)[0]
    assert list(first)[:2] == ["line", "id"]
    assert first == {"line": 1, "id": "a"} | solver().solve(pens(5, 3)).as_json()


@pytest.mark.parametrize("windows", [1, 3])
def test_a_run_that_is_cut_anywhere_continues_to_the_same_bytes(
    tmp_path: Path, answers: Path, windows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sau_solver.cli.bulk.streaming.WINDOW", 7 // windows)
    problems = write(tmp_path / "p.jsonl", LINES)
    solve_file(problems, answers, solve, ignore)
    whole = answers.read_bytes()
    for size in range(0, len(whole) + 1, 61):
        answers.write_bytes(whole[:size])
        tally = solve_file(problems, answers, solve, ignore)
        assert answers.read_bytes() == whole
        assert tally.lines == 6 - whole[:size].count(b"\n")


def test_a_finished_output_is_left_alone(problems: Path, answers: Path) -> None:
    solve_file(problems, answers, solve, ignore)
    before = answers.read_bytes()
    tally = solve_file(problems, answers, solve, ignore)
    assert (tally.earlier, tally.lines) == (7, 0)
    assert answers.read_bytes() == before


def test_an_input_that_has_grown_is_answered_from_where_it_ended(problems: Path, answers: Path) -> None:
    solve_file(problems, answers, solve, ignore)
    with problems.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"text": pens(9, 9)}) + "\n")
    tally = solve_file(problems, answers, solve, ignore)
    assert (tally.earlier, tally.lines) == (7, 1)
    assert records(answers)[-1]["answers"] == ["81"]


def test_the_position_grows_with_every_line(tmp_path: Path, answers: Path) -> None:
    problems = write(tmp_path / "p.jsonl", [json.dumps(pens(n, 2)) for n in range(1, WINDOW + 9)])
    seen: list[int] = []
    solve_file(problems, answers, solve, lambda shard, answer, tally: seen.append(tally.position))
    assert seen == sorted(set(seen))
    assert len(seen) == WINDOW + 8
    assert seen[-1] == problems.stat().st_size


def test_windows_begin_at_the_same_lines_in_every_run(
    tmp_path: Path, answers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = 40
    monkeypatch.setattr("sau_solver.cli.bulk.streaming.WINDOW", window)
    problems = write(tmp_path / "p.jsonl", [json.dumps(pens(n, 2)) for n in range(1, 2 * window)])
    seen: list[tuple[int, int]] = []

    def watched(lines: Sequence[ProblemLine]) -> Iterator[Solution | SauError]:
        seen.append((lines[0].number, lines[-1].number))
        return solve(lines)

    solve_file(problems, answers, watched, ignore)
    whole = answers.read_bytes()
    answers.write_bytes(b"".join(whole.splitlines(keepends=True)[: window + 10]))
    solve_file(problems, answers, watched, ignore)
    assert seen == [(1, window), (window + 1, 2 * window - 1), (window + 1, 2 * window - 1)]
    assert answers.read_bytes() == whole


@pytest.mark.parametrize("changed", [0, 6])
def test_an_output_of_another_input_is_refused_and_not_touched(problems: Path, answers: Path, changed: int) -> None:
    solve_file(problems, answers, solve, ignore)
    answers.write_bytes(answers.read_bytes() + b'{"line": 8, "to')
    before = answers.read_bytes()
    write(problems, [*LINES[:changed], json.dumps({"id": "z", "text": pens(1, 1)}), *LINES[changed + 1 :]])
    with pytest.raises(InputError, match=r"another input: line .* differs.*remove the output"):
        solve_file(problems, answers, solve, ignore)
    assert answers.read_bytes() == before


def test_an_input_that_is_shorter_than_its_output_is_refused(problems: Path, answers: Path) -> None:
    solve_file(problems, answers, solve, ignore)
    write(problems, LINES[:5])
    with pytest.raises(InputError, match="line 7 differs"):
        solve_file(problems, answers, solve, ignore)


@pytest.mark.parametrize("cut", [1, 4, 6])
def test_an_output_of_another_model_is_refused_and_not_touched(problems: Path, answers: Path, cut: int) -> None:
    solve_file(problems, answers, solve, ignore)
    answers.write_bytes(b"".join(answers.read_bytes().splitlines(keepends=True)[:cut]))
    before = answers.read_bytes()
    with pytest.raises(InputError, match=r"started with the model by heart, but the model is now other-en"):
        solve_file(problems, answers, solve, ignore, model_of=lambda language: f"other-{language}")
    assert answers.read_bytes() == before
    assert solve_file(problems, answers, solve, ignore, model_of=lambda _: "by heart").earlier > 0


def test_an_output_without_an_answer_names_no_model(tmp_path: Path, answers: Path) -> None:
    problems = write(tmp_path / "p.jsonl", ["{broken", json.dumps({"text": "Who is 3?"}), json.dumps(pens(5, 3))])
    solve_file(problems, answers, solve, ignore)
    answers.write_bytes(b"".join(answers.read_bytes().splitlines(keepends=True)[:2]))
    assert solve_file(problems, answers, solve, ignore, model_of=lambda _: "other").lines == 1


def test_two_runs_do_not_write_to_one_output(problems: Path, answers: Path) -> None:
    def meanwhile(lines: Sequence[ProblemLine]) -> Iterator[Solution | SauError]:
        with pytest.raises(InputError, match="Another run is writing to"):
            solve_file(problems, answers, solve, ignore)
        return solve(lines)

    assert solve_file(problems, answers, meanwhile, ignore).lines == 6


@pytest.mark.parametrize("content", ["my notes\n", "my notes", '{"text": "a problem"}\n', "[1]\n", '{"line": "one"}\n'])
def test_a_file_with_other_content_is_not_overwritten(problems: Path, answers: Path, content: str) -> None:
    answers.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="not written by an earlier run of this command"):
        solve_file(problems, answers, solve, ignore)
    assert answers.read_text(encoding="utf-8") == content


def test_the_last_record_is_found_behind_blocks_of_long_lines(answers: Path) -> None:
    long = [json.dumps({"line": n, "problem": "x" * 200_000}) for n in (1, 2, 3)]
    answers.write_text("\n".join(long) + '\n{"line": 4, "prob' + "y" * 100_000, encoding="utf-8")
    with answers.open("rb") as file:
        done = find_done(file, str(answers))
    assert done is not None
    assert (done.first["line"], done.last["line"], done.size) == (1, 3, sum(len(line) + 1 for line in long))


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        (b"\xff\xfe1", "not UTF-8 text (byte 1)"),
        (b"{", "not JSON (Expecting property name"),
        (b"[" * 100_000, "not JSON (too large or too deep)"),
        (b"3", "JSON object such as"),
        (b"[]", "got a list"),
        (b"null", "got null"),
        (b"{}", 'no string "text"'),
        (b'{"text": 3}', 'no string "text"'),
        (b'{"text": "\\ud800 3 pens?"}', "half of a surrogate pair"),
        (b'{"text": "3 pens?", "lang": "fr"}', "must be zh, en or auto, got 'fr'"),
    ],
)
def test_a_bad_line_gets_a_clear_error(raw: bytes, error: str) -> None:
    line = read_line(raw, 3)
    assert line is not None
    assert (line.number, line.text) == (3, "")
    assert error in line.error


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        (b'{"text": "t", "id": 7, "lang": "zh", "more": 1}', ProblemLine(1, "t", 7, "zh")),
        (b'{"text": "t", "id": [7], "language": "auto"}', ProblemLine(1, "t")),
        (b' "t" \r\n', ProblemLine(1, "t")),
        (b"  \r\n", None),
    ],
)
def test_what_a_line_may_look_like(raw: bytes, line: ProblemLine | None) -> None:
    assert read_line(raw, 1) == line


def test_plain_text_has_one_problem_per_line_and_a_byte_order_mark_is_removed() -> None:
    source = io.BytesIO("\ufeffHow many?\n\n{}\n".encode())
    assert list(read_lines(source, plain=True)) == [ProblemLine(1, "How many?"), ProblemLine(3, "{}")]


class Endless(io.RawIOBase):
    """A line of the given size, generated while it is read."""

    def __init__(self, size: int) -> None:
        self.left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = min(len(buffer), self.left)
        buffer[:count] = b"a" * count
        self.left -= count
        return count


def peak_of(source: Path) -> int:
    """Return the peak memory of streaming, in bytes."""

    def refuse(lines: Sequence[ProblemLine]) -> Iterator[Solution | SauError]:
        return iter([InputError("no") for _ in lines])

    tracemalloc.start()
    try:
        solve_file(source, Path(os.devnull), refuse, ignore)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_an_overlong_line_is_refused_without_being_held_in_memory(tmp_path: Path) -> None:
    (line,) = read_lines(io.BufferedReader(Endless(40 * MAX_LINE)))
    assert line.error == f"A line must be at most {MAX_LINE:,} bytes, got {40 * MAX_LINE:,}."
    assert peak_of(write(tmp_path / "long.jsonl", ["a" * 40 * MAX_LINE])) < 4 * MAX_LINE


@pytest.mark.slow
@pytest.mark.parametrize("line", [json.dumps({"text": pens(5, 3)}), "{broken"], ids=["problems", "bad lines"])
def test_memory_does_not_grow_with_the_number_of_lines(line: str, tmp_path: Path) -> None:
    few, many = (peak_of(write(tmp_path / f"{count}.jsonl", [line] * count * WINDOW)) for count in (2, 40))
    assert many < 1.5 * few
