"""A server in its own process that benchmarks/faults.py breaks: its workers, its log, its metrics and its recovery."""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import socket
import sys
import time
from collections import Counter
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from benchmarks.fault_load import Client, Question, encode, equation, refused_or_failed, single

ROOT = Path(__file__).parents[1]
SERVE = (
    "from sau_solver.server.serving import serve; from sau_solver.server.settings import Settings\n"
    "serve(Settings(port={port}, workers=2, equation_workers=2), {worker!r})"
)
LIGHT = (sys.executable, "-m", "tests.server.scripted_worker")
CLOCK = """
import os, time
_real, _file = time.time, os.open(os.environ["FAKE_CLOCK"], os.O_RDONLY)
def _fake():
    return _real() + float(os.pread(_file, 99, 0) or 0)
time.time = _fake
"""
LONG = "The shop is near the old school and the river where children play. " * 55
HUNGRY = {True: "hoard 64", False: f"{LONG}A box holds 12 pens. How many pens are in 8 boxes?"}  # needs memory
WORKERS = 4
LONGEST_RECOVERY = 120.0  # seconds
TICK = 0.02  # seconds between two looks
JUMP = 1_800.0  # seconds between two log lines that only another clock explains


class NotRecoveredError(Exception):
    """A server did not work again; the message says what was seen."""


class Victim:
    """A server whose standard error goes to a file. With `fake_clock`, `offset` has the seconds that it is wrong."""

    def __init__(self, light: bool, folder: Path, fake_clock: bool) -> None:
        self.light = light
        self.gone = 0  # a worker that is about to end
        self.log, self.offset = folder / "log.jsonl", folder / "offset"
        with socket.socket() as place:
            place.bind(("127.0.0.1", 0))
            self.port = place.getsockname()[1]
        self._command = [sys.executable, "-c", SERVE.format(port=self.port, worker=LIGHT if light else None)]
        (folder / "sitecustomize.py").write_text(CLOCK)
        self.offset.write_text("0")
        paths = [*([str(folder)] if fake_clock else []), str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
        self._environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "FAKE_CLOCK": str(self.offset)}
        self.events: Counter[str] = Counter()  # of the log so far; a jump of its clock and a torn line count, too
        self._read, self._told = 0, 0.0  # bytes of the log, and the time of its last line
        self._answers: list[str] | None = None  # to the hungry problem

    async def __aenter__(self) -> Self:
        await self.start()
        await self.recovered()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(ProcessLookupError):
            self.process.terminate()
        await self.process.wait()

    async def start(self) -> None:
        """Start the server process, which appends to the log."""
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *self._command, stderr=log, env=self._environment, cwd=ROOT
            )

    async def start_again(self) -> None:
        """End a server that does not recover, and start another one."""
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        await self.start()
        await self.recovered()

    @property
    def pid(self) -> int:
        """The id of the server process."""
        return self.process.pid

    def workers(self, kind: str = "") -> list[int]:
        """Return the ids of the worker processes; `kind` is solve or equation."""
        try:
            found = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
            commands = {int(pid): Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0") for pid in found}
        except FileNotFoundError:  # a process has just ended
            return []
        return [pid for pid, command in commands.items() if not kind or kind.encode() in command]

    async def recovered(self, began: float | None = None) -> float:
        """Wait until everything works again; return the seconds since `began`. Raise NotRecoveredError."""
        start, turns, seen = time.perf_counter(), 0, "no answer"
        # A turn takes longer if this process does not get its share of the machine, so turns count as well.
        while time.perf_counter() < start + LONGEST_RECOVERY or turns < LONGEST_RECOVERY:
            turns += 1
            if self.gone in self.workers():
                seen = f"worker {self.gone} has not been replaced"
                await asyncio.sleep(TICK)
                continue
            with suppress(OSError, EOFError, TimeoutError):
                client = Client(self.port)
                status, found = await client.get("/healthz")
                seen = str(found)
                if status == 200 and sum(found["workers"].values()) == WORKERS:
                    outcomes = [await client.ask(question) for question in (single(), equation())]
                    seen = str(outcomes)
                    if outcomes == ["right", "right"]:
                        client.close()
                        return time.perf_counter() - (start if began is None else began)
                client.close()
            await asyncio.sleep(TICK)
        raise NotRecoveredError(f"{seen}; load {os.getloadavg()[0]:.1f}; {self._last_warnings()}")

    def _last_warnings(self) -> str:
        lines = [line for line in self.log.read_bytes().splitlines() if b'"level": "info"' not in line]
        return " ".join(line[:300].decode("utf-8", "replace") for line in lines[-4:])

    def limit(self, pid: int, kind: int, soft: int) -> None:
        """Set a limit of a process, and leave its hard limit as it is."""
        with suppress(ProcessLookupError):
            resource.prlimit(pid, kind, (soft, resource.prlimit(pid, kind)[1]))

    async def metric(self, name: str, label: str = "") -> float:
        """Return the sum of a metric over all labels, or over those that contain `label`."""
        client = Client(self.port)
        text = (await client.read("/metrics")).decode()
        client.close()
        return sum(float(value) for value in re.findall(rf"^{name}{{[^}}]*{label}[^}}]*}} (\S+)$", text, re.M))

    def event(self, name: str) -> int:
        """Return how many lines of the log so far tell of an event."""
        with self.log.open("rb") as log:
            log.seek(self._read)
            new = log.read().rpartition(b"\n")[0]
        if new:
            self._read += len(new) + 1
        for line in filter(None, new.split(b"\n")):
            self._count(line)
        return self.events[name]

    def _count(self, line: bytes) -> None:
        try:
            found: Any = json.loads(line)
            told = datetime.fromisoformat(found["time"]).timestamp()
        except (ValueError, TypeError, KeyError):
            self.events["torn"] += 1
            return
        self.events["line"] += 1
        self.events["jump"] += bool(self._told) and abs(told - self._told) > JUMP
        self.events[str(found["event"])] += 1
        self._told = told

    async def ask_hungry(self) -> str:
        """Ask for something that needs memory, and return what became of it; the first answer counts as right."""
        client, question = Client(self.port), Question("/v1/solve", {"text": HUNGRY[self.light]}, [])
        try:
            status, found = await client.send(encode(question))
        except (OSError, EOFError, TimeoutError):
            return "broken"
        finally:
            client.close()
        if status != 200:
            return refused_or_failed(status, found)
        if self._answers is None:
            self._answers = found["answers"]
        return "right" if found["answers"] == self._answers else "wrong"
