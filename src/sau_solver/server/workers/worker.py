"""A worker process: reads one line of JSON per job from standard input, writes one line per item to standard output.

A line of the output is a JSON object with the item's place and values for metrics, a tab, and the body. JSON text
contains neither tabs nor line breaks. Nothing is unpickled. The process ends with its standard input.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from typing import BinaryIO

from sau_solver.errors import SauError
from sau_solver.models.loading import LANGUAGES
from sau_solver.server.logs import cause_of
from sau_solver.server.practice import warm_up
from sau_solver.server.workers.jobs import EquationJobs, Jobs, SolveJobs
from sau_solver.server.workers.memory import give_back, keep_memory_level
from sau_solver.solver import load

# Solved at the start, so that the first user does not wait for what is loaded on first use.
WARM_UP = (
    ("zh", "小明有3个苹果，又买了5个，一共有多少个苹果？"),
    ("en", "Tom has 3 apples and buys 5 more. How many apples does he have?"),
)
OUT_OF_MEMORY = 70  # exit code; the server starts another worker and tries the item once more


def main() -> None:
    """Run `worker solve MODEL MAX_TEXT` or `worker equation SECONDS MAX_TEXT MODEL` until standard input ends."""
    kind, argument, longest = sys.argv[1:4]
    if kind == "equation":
        threading.Thread(target=warm_up, daemon=True).start()  # the server is ready before the families are read
        run(lambda: _equation_jobs(float(argument), int(longest), sys.argv[4]))
    else:
        run(lambda: _solve_jobs(argument, int(longest)))


def run(prepare: Callable[[], Jobs]) -> None:
    """Prepare the jobs, report that the process is ready, and answer."""
    warnings.simplefilter("ignore")
    sys.excepthook = lambda kind, error, _: print(cause_of(kind, error), file=sys.stderr)  # no message: it may quote
    keep_memory_level()
    replies = _reserve_output()
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    # Before the report: a process that has no memory for a thread must not say that it is ready.
    threading.Thread(target=_read, args=(lines,), daemon=True).start()
    try:
        jobs = prepare()
    except SauError as error:
        _write(replies, {"ready": False, "message": str(error)})
        sys.exit(2)
    _write(replies, {"ready": True, "models": jobs.models})
    try:
        while True:
            for place, answer in enumerate(jobs.answers(json.loads(lines.get())["items"])):
                _write(replies, {"place": place, "status": answer.status, **answer.counted}, answer.body)
            give_back()
    except MemoryError:
        os.write(2, b"out of memory\n")
        os._exit(OUT_OF_MEMORY)


def _read(lines: queue.SimpleQueue[bytes]) -> None:
    """Queue the jobs. End the process with its input, even during a job: nobody waits for it any more."""
    try:
        for line in sys.stdin.buffer:
            lines.put(line)
    finally:  # also without memory for the next job
        if sys.platform != "win32" and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)  # includes the symbolic solver that this process has started
        os._exit(0)


def _equation_jobs(seconds: float, longest: int, model: str) -> EquationJobs:
    solver = load(model or None, longest)
    return EquationJobs(seconds, longest, {language: solver.asked_first(language) for language in LANGUAGES})


def _solve_jobs(model: str, longest: int) -> SolveJobs:
    languages = [language for language in LANGUAGES if model in ("", language) or model not in LANGUAGES]
    jobs = SolveJobs(load(model or None, longest), languages)
    for language, text in WARM_UP:
        if language in languages:
            jobs.solver.solve(text)
    return jobs


def _reserve_output() -> BinaryIO:
    """Reserve standard output for replies; what libraries print goes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return replies


def _write(replies: BinaryIO, head: dict[str, object], body: bytes = b"") -> None:
    replies.write(json.dumps(head).encode() + b"\t" + body + b"\n")
    replies.flush()


if __name__ == "__main__":
    main()
