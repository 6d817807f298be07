"""A worker process as the event loop sees it: started, asked, killed; nothing here blocks."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sau_solver.errors import SauError

START_SECONDS = 120.0  # to import torch and read weights on a busy machine
END_SECONDS = 1.0  # from the end of its input
LONGEST_LINE = 64 << 20  # bytes of one reply


class WorkerError(SauError):
    """A worker that could not be started, or that ended while it worked."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker said of one item: the status and the body of a response, and what metrics count."""

    status: int
    body: bytes
    counted: dict[str, Any] = field(default_factory=dict)


class WorkerProcess:
    """One process after the other, each started with the same command."""

    def __init__(self, command: Sequence[str], threads: int = 1) -> None:
        self.command = tuple(command)
        # So many threads of each network operation, unless the operator has decided.
        self.environment = {"OMP_NUM_THREADS": str(threads)} | os.environ
        self._process: Process | None = None

    @property
    def pid(self) -> int | None:
        """Of the process that runs, if one does."""
        return self._process.pid if self._process and self._process.returncode is None else None

    async def start(self) -> list[str]:
        """Start a process and wait until it is ready; the names of the models that it has loaded."""
        self._process = await asyncio.create_subprocess_exec(
            *self.command,
            stdin=PIPE,
            stdout=PIPE,
            env=self.environment,
            limit=LONGEST_LINE,
            start_new_session=True,  # Ctrl+C is for the server alone; and what a worker starts ends with it
        )
        try:
            async with asyncio.timeout(START_SECONDS):
                head, _ = await self._read()
        except TimeoutError:
            self.kill()
            raise WorkerError(f"A worker was expected to be ready within {START_SECONDS:g} s; it was not.") from None
        if not head.get("ready"):
            raise WorkerError(str(head.get("message")))
        return list(head["models"])

    async def ask(self, items: Sequence[dict[str, Any]]) -> AsyncIterator[tuple[int, Answer]]:
        """The places of items and their answers, as they come; WorkerError where the process ends before the last."""
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"items": items}).encode() + b"\n")
            await self._process.stdin.drain()
        except (ConnectionError, RuntimeError) as error:
            raise WorkerError("The worker's input is closed.") from error
        for _ in items:
            head, body = await self._read()
            yield head.pop("place"), Answer(head.pop("status"), body, head)

    async def ended(self) -> None:
        """Return once the process has ended."""
        assert self._process is not None
        await self._process.wait()

    def kill(self) -> None:
        """End the process and all that it has started; whoever waits for a reply gets a WorkerError."""
        if self.pid is None or self._process is None:
            return
        if sys.platform == "win32":
            self._process.kill()
        else:
            os.killpg(self.pid, signal.SIGKILL)

    async def close(self) -> None:
        """Let the process end by itself, or else end it."""
        if self._process is None:
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(END_SECONDS):
                await self._process.wait()
        except TimeoutError:
            self.kill()
            await self._process.wait()

    async def _read(self) -> tuple[dict[str, Any], bytes]:
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            line = await self._process.stdout.readline()
        except ValueError:  # longer than the limit
            self.kill()
            line = b""
        if not line.endswith(b"\n"):
            await self._process.wait()
            raise WorkerError(f"A worker ended with code {self._process.returncode} before it had answered.")
        head, _, body = line[:-1].partition(b"\t")
        return json.loads(head), body
