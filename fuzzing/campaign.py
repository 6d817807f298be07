"""Runs the targets one after the other in slices of time, each in a process of its own, until the minutes are over."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from typing import Any

from fuzzing.fuzz_state import State
from fuzzing.fuzz_worker import CURRENT
from fuzzing.limits import HANGING_SECONDS, WAITING_SECONDS, seconds_of

SLICE_SECONDS = 30.0
Say = Callable[[str], None]


class Campaign:
    """Targets that are fuzzed with one seed, and the state that they share."""

    def __init__(self, state: State, seed: int, say: Say = print) -> None:
        self.state, self.seed, self.say = state, seed, say
        self._lock = threading.Lock()

    def run(self, names: Sequence[str], minutes: float, workers: int) -> None:
        """Fuzz the targets in turn until the minutes are over, with so many processes at a time."""
        end = time.monotonic() + 60 * minutes
        seconds = min(SLICE_SECONDS, 60 * minutes * workers / len(names))
        turns = cycle(names)

        def work() -> None:
            while (left := end - time.monotonic()) > 0:
                with self._lock:
                    name = next(turns)
                self.slice(name, min(seconds, left))

        with ThreadPoolExecutor(workers) as threads:
            for done in [threads.submit(work) for _ in range(workers)]:
                done.result()  # raises what stopped the campaign

    def slice(self, name: str, seconds: float) -> None:
        """Fuzz one target for some seconds; a process that hangs or crashes is a finding, and the next one goes on."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            with tempfile.NamedTemporaryFile() as current:
                start = self.state.of(name, self.seed).next
                arguments = [str(self.seed), str(start), f"{left:.1f}", current.name]
                ended = self._watched([name, *arguments], lambda told: self._told(name, told), Path(current.name))
                stopped = Path(current.name).read_bytes()
            if not ended:
                return
            if not stopped:
                raise RuntimeError(f"The process of {name} did not start: {ended}")
            index, _ = CURRENT.unpack(stopped)
            finding = {"rule": ended.partition("\n")[0], "detail": ended, "index": index}
            self._told(name, {"finding": finding | {"input": None, "original": None}})
            self._told(name, {"next": index + 1, "inputs": 1, "slowest": 0.0, "slowest_index": index, "memory": 0.0})

    def recheck(self) -> None:
        """Check every open finding again, and close those that no longer occur."""
        for name in sorted({finding["target"] for _, finding in self.state.stored_findings()}):
            stored = list(self.state.stored_findings(name))
            if files := [file for file, one in stored if one["input"] is not None]:
                self._watched([name, *map(str, files)], self._rechecked, None)
            for file, one in stored:  # an input that ended its process may do so again: then the finding stays open
                if one["input"] is None and one["rule"].startswith("crash"):
                    self._watched([name, str(file)], self._rechecked, None)

    def _rechecked(self, told: dict[str, Any]) -> None:
        self.state.settle(Path(told["file"]), told["wrong"])

    def _told(self, name: str, told: dict[str, Any]) -> None:
        with self._lock:
            if "keep" in told:
                self.state.keep(name, told["kind"], told["keep"])
            elif "finding" in told:
                if self.state.found(name, self.seed, told["finding"]):
                    self.say(f"{name}: {told['finding']['rule']}")
            else:
                self.state.add(name, self.seed, told)
                self.state.save()

    def _watched(self, arguments: list[str], told: Callable[[dict[str, Any]], None], current: Path | None) -> str:
        """Run a worker process and pass on what it tells; return "" or why it ended before its time."""
        command = [sys.executable, "-m", "fuzzing.fuzz_worker", *arguments]
        environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONUTF8": "1"}
        with (
            tempfile.TemporaryFile("w+") as errors,
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment) as process,
        ):
            hung = threading.Event()
            over = threading.Event()
            watch = threading.Thread(target=_watch, args=(process, current, hung, over))
            watch.start()
            for line in _lines(process):
                told(json.loads(line))
            process.wait()
            over.set()
            watch.join()
            errors.seek(0)
            if hung.is_set():
                return f"hangs\nno answer within {HANGING_SECONDS:g} s of work"
            return "" if process.returncode == 0 else f"crash ({process.returncode})\n{errors.read()[-4_000:]}"


def _lines(process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stdout is not None
    for line in process.stdout:
        if line.endswith("\n"):
            yield line


def _watch(process: subprocess.Popen[str], current: Path | None, hung: threading.Event, over: threading.Event) -> None:
    """Kill a process that checks one input for too long; on a busy machine, the wall clock alone says little."""
    seen, before, began = b"", 0.0, time.monotonic()
    while current is not None and not over.wait(1.0):
        content, now = current.read_bytes(), seconds_of(process.pid)
        if content != seen or not content:
            seen, before, began = content, now, time.monotonic()
        elif now - before > HANGING_SECONDS or time.monotonic() - began > WAITING_SECONDS:
            hung.set()
            process.kill()
            return
