"""Lines of problems -> lines of answers, in order and in constant memory; a killed run continues where it stopped.

One process reads the inputs and writes the outputs. An engine answers windows of lines, in this process or in many.
Records are written in the order of the lines, so every engine gives the same output. Each record is written once, even
if a window was answered twice after the loss of a worker.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from sau_solver.cli.bulk.earlier_answers import ModelOf, Record
from sau_solver.cli.bulk.outputs import Output, open_output
from sau_solver.cli.bulk.sources import OpenSource, Source
from sau_solver.errors import InputError, SauError
from sau_solver.solution import Solution
from sau_solver.text.lists.problem_lines import ProblemLine

WINDOW = 256  # lines that are answered together
MAX_REPEATED = 2_000  # characters of a text that the record of an error repeats

Lines = Sequence[ProblemLine]
SolveLines = Callable[[Lines], Iterator[Solution | SauError]]


@dataclass(frozen=True, slots=True)
class Answer:
    """The record of one line, and whether the line was solved."""

    line: int
    record: bytes
    outcome: Literal["solved", "abstained", "bad"]
    error: str = ""


AnswerWindows = Callable[[Iterable[Lines]], Iterator[Iterable[Answer]]]  # in order


@dataclass(slots=True)
class Tally:
    """The counts of this run, and how many lines earlier runs had done."""

    earlier: int = 0  # number of the last line done by earlier runs
    solved: int = 0
    abstained: int = 0
    bad: int = 0
    position: int = 0  # bytes of the input that are done, estimated within a window

    @property
    def lines(self) -> int:
        """The number of lines that this run has answered."""
        return self.solved + self.abstained + self.bad

    def count(self, outcome: Literal["solved", "abstained", "bad"]) -> None:
        """Add the outcome of one more line."""
        self.solved += outcome == "solved"
        self.abstained += outcome == "abstained"
        self.bad += outcome == "bad"


@dataclass(frozen=True, slots=True)
class Shard:
    """An input and its output, each a path, a URL or a pipe."""

    source: Source
    target: str


@dataclass(frozen=True, slots=True)
class Solved:
    """A finished shard: its counts, and the error if its input could not be read to the end."""

    shard: Shard
    tally: Tally
    error: InputError | None = None


Listener = Callable[[Shard, Answer, Tally], None]  # is called for every answered line


def solve_shards(
    shards: Iterable[Shard], answers: AnswerWindows, hear: Listener, model_of: ModelOf | None = None
) -> Iterator[Solved]:
    """Answer the lines that are not yet in the outputs, and yield each shard at its end.

    Lines are answered in windows that begin at the same lines in every run, so that a continued run has the same
    batches, and hence the same digits, as an uninterrupted one. With `model_of`, answers of another model are refused.
    Windows of the next shards are read while those of a shard are answered.
    """
    awaited: deque[tuple[_OpenShard, _Extent | None]] = deque()  # None ends a shard

    def windows() -> Iterator[Lines]:
        for shard in shards:
            opened = _OpenShard(shard, model_of)
            for window, end in opened.windows():
                awaited.append((opened, _Extent(len(window), end)))
                yield window
            awaited.append((opened, None))

    def ended() -> Iterator[Solved]:
        while awaited and awaited[0][1] is None:
            yield awaited.popleft()[0].close()

    try:
        for answered in answers(windows()):
            yield from ended()
            opened, extent = awaited.popleft()
            assert extent is not None
            try:
                opened.write(answered, extent, hear)
            except BaseException:
                opened.give_up()
                raise
        yield from ended()
    finally:
        for opened, _ in awaited:
            opened.give_up()


@dataclass(frozen=True, slots=True)
class _Extent:
    """The number of lines of a window, and its end in bytes of the input."""

    lines: int
    end: int


class _OpenShard:
    """A shard whose input is read and whose output is written."""

    def __init__(self, shard: Shard, model_of: ModelOf | None) -> None:
        self._shard = shard
        self._tally = Tally()
        self._error: InputError | None = None
        self._open = ExitStack()
        self._output: Output | None = None
        self._input: OpenSource | None = None
        try:
            source = self._open.enter_context(shard.source.opened())
            self._output = self._open.enter_context(open_output(shard.target))
            self._tally.earlier = self._output.resume(source.lines, model_of)
            self._input = source
        except InputError as error:
            self._error = error
        except BaseException:
            self._open.close()
            raise

    def windows(self) -> Iterator[tuple[Lines, int]]:
        """Yield the windows that are not yet answered, each with its end in bytes of the input."""
        earlier = self._tally.earlier
        try:
            if self._input is not None:
                lines = self._input.lines(earlier // WINDOW * WINDOW + 1)
                for _, group in groupby(lines, key=lambda line: (line.number - 1) // WINDOW):
                    window = tuple(group)
                    if window[-1].number > earlier:
                        yield window, self._input.position()
        except InputError as error:
            self._error = error

    def write(self, answers: Iterable[Answer], extent: _Extent, hear: Listener) -> None:
        """Write the answers of one window that earlier runs have not written."""
        assert self._output is not None
        tally, begin = self._tally, self._tally.position
        for count, answer in enumerate(answers, start=1):
            tally.position = begin + (extent.end - begin) * count // extent.lines
            if answer.line > tally.earlier:
                self._output.file.write(answer.record)
                tally.count(answer.outcome)
                hear(self._shard, answer, tally)
        self._output.keep()

    def close(self) -> Solved:
        """End the output."""
        try:
            if self._output is not None:
                if self._error is None:
                    self._output.finish()
                else:
                    self._output.give_up()
        finally:
            self.release()
        return Solved(self._shard, self._tally, self._error)

    def release(self) -> None:
        """Close input and output."""
        self._open.close()

    def give_up(self) -> None:
        """Close input and output after an error; on a full disk, what is buffered cannot be written here either."""
        with suppress(OSError):
            self.release()


def answer_lines(window: Lines, solve: SolveLines) -> Iterator[Answer]:
    """Yield the answers of one window; its good lines are solved together."""
    results = solve([line for line in window if not line.error])
    for line in window:
        yield _answer(line, None if line.error else next(results))


def _answer(line: ProblemLine, result: Solution | SauError | None) -> Answer:
    record = to_record(line, result)
    raw = json.dumps(record, ensure_ascii=False).encode() + b"\n"
    if isinstance(result, Solution):
        return Answer(line.number, raw, "abstained" if result.abstained else "solved")
    return Answer(line.number, raw, "bad", record["error"])


def to_record(line: ProblemLine, result: Solution | SauError | None) -> Record:
    """Return the record of a line: its number, its id, and the documented object or an error."""
    record: Record = {"line": line.number}
    if line.id is not None:
        record["id"] = line.id
    if isinstance(result, Solution):
        return record | result.as_json()
    if line.text and len(line.text) <= MAX_REPEATED:
        record["problem"] = line.text
    return record | {"error": line.error or str(result)}
