"""Equations that are not polynomial -> solutions by SymPy, in a process with a deadline and a memory limit.

The process starts with the first such equation. Requests and replies are JSON lines; nothing is unpickled.
"""

from __future__ import annotations

import atexit
import json
import queue
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Protocol

from sau_solver.equations.expressions import Equations, Expression, Function, Number, Operation, Unknown, walk_equations
from sau_solver.solving.outcomes import Reason
from sau_solver.solving.values import ClosedForm, Periodic, Value, is_printable

START_SECONDS = 10.0  # importing SymPy on a busy machine
MEMORY_MEGABYTES = 512


@dataclass(frozen=True, slots=True)
class SymbolicAnswer:
    """The solutions, or None with the reason why they were not found."""

    solutions: list[dict[str, Value]] | None
    reason: Reason | None = None
    infinite: bool = False
    families: tuple[dict[str, Value], ...] = ()
    complete: bool = True


class SymbolicSolver(Protocol):
    """Anything that solves equations symbolically before a deadline."""

    def solve(self, equations: Equations, names: tuple[str, ...], deadline: float) -> SymbolicAnswer:
        """Return all real solutions that can be found and verified before the deadline."""
        ...


class SymbolicWorker:
    """A SymPy process, started on demand. A missed deadline kills it, and the next request starts another."""

    def __init__(self, memory_megabytes: int = MEMORY_MEGABYTES) -> None:
        self.memory_megabytes = memory_megabytes
        self._process: subprocess.Popen[str] | None = None
        self._replies: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._turn = threading.Lock()

    @staticmethod
    @cache
    def shared() -> SymbolicWorker:
        """Return the one worker of this Python process; it is stopped at exit."""
        worker = SymbolicWorker()
        atexit.register(worker.close)
        return worker

    def solve(self, equations: Equations, names: tuple[str, ...], deadline: float) -> SymbolicAnswer:
        """Return all real solutions that SymPy finds and verifies before the deadline."""
        if not all(is_printable(node.value) for node in walk_equations(equations) if isinstance(node, Number)):
            return SymbolicAnswer(None, Reason("large_coefficients"))
        sides = [[_encode(e.left), _encode(e.right)] for e in equations]
        with self._turn:
            start = time.monotonic()
            if not self._ready():
                return SymbolicAnswer(None, Reason("not_started"))
            # Starting the process counts, so that the first answer does not take longer than the others.
            left = max(deadline - (time.monotonic() - start), deadline / 2)
            request = {"unknowns": names, "equations": sides, "seconds": left}
            reply = self._ask(json.dumps(request), left)
        if reply is None:
            return SymbolicAnswer(None, Reason.of("deadline", seconds=deadline))
        if "error" in reply:
            return SymbolicAnswer(None, Reason.of(reply["error"], **reply.get("values", {})))
        solutions = [{name: _decode(value) for name, value in found.items()} for found in reply["solutions"]]
        reason = Reason.of(reply["reason"], **reply.get("values", {})) if "reason" in reply else None
        families = tuple({name: _decode(value) for name, value in one.items()} for one in reply.get("families", ()))
        return SymbolicAnswer(solutions, reason, reply.get("infinite", False), families, reply.get("complete", True))

    def close(self) -> None:
        """Stop the process, if one runs."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()

    def _ready(self) -> bool:
        if self._process is not None and self._process.poll() is None:
            return True
        self.close()
        self._replies = queue.SimpleQueue()
        self._process = subprocess.Popen(  # noqa: S603  # our own interpreter and module
            [sys.executable, "-m", "sau_solver.solving.symbolic_worker", str(self.memory_megabytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        threading.Thread(target=_forward, args=(self._process.stdout, self._replies), daemon=True).start()
        return self._wait(START_SECONDS) is not None

    def _ask(self, request: str, deadline: float) -> dict[str, Any] | None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(request + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            self.close()
            return None
        return self._wait(deadline)

    def _wait(self, seconds: float) -> dict[str, Any] | None:
        """Return the next reply; kill the process and return None if there is none in time."""
        try:
            line = self._replies.get(timeout=seconds)
        except queue.Empty:
            line = ""
        if not line:
            self.close()
            return None
        reply: dict[str, Any] = json.loads(line)
        return reply


def _forward(stream: Any, replies: queue.SimpleQueue[str]) -> None:
    """Move lines from the process to the queue; an empty line means that the process has ended."""
    try:
        for line in stream:
            replies.put(line)
    except ValueError:  # the stream was closed because the process was killed
        return
    replies.put("")


def _encode(node: Expression) -> Any:
    match node:
        case Number(value):
            return str(value)
        case Unknown(name):
            return {"unknown": name}
        case Operation(operator, left, right):
            return [operator, _encode(left), _encode(right)]
        case Function(name, arguments):
            return [name, *map(_encode, arguments)]


def _decode(value: dict[str, Any]) -> Value:
    if "base" in value:
        base, period = _decode(value["base"]), _decode(value["period"])
        assert isinstance(base, Fraction | ClosedForm)
        assert isinstance(period, Fraction | ClosedForm)
        return Periodic(base, period)
    if value["rational"]:
        return Fraction(value["exact"])
    return ClosedForm.from_json(value)
