"""Break a server in eight ways under load, and count what happens to the requests and how long it takes to recover.

    python benchmarks/faults.py [ROUNDS] [--only FAULT …] [--light]

Eight clients ask problems, batches and equations whose answers are known. In every round, something fails while they
ask. Each request must get its right answer or an error that says to try again; a broken connection is
counted as lost, except where the server itself is killed: there the clients send the request again. A round ends when
all workers are ready again and a new problem and a new equation are answered; recovery is the time until then, from the
fault, or from its end if it lasts. `--light` replaces the models by a lookup table, so that workers start quickly.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import signal
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # makes `benchmarks` importable
from benchmarks.fault_load import Client, Tally, batch, clients, encode, equation, single  # noqa: E402

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
HEAD = "| fault | rounds | requests | right | refused | failed | lost | wrong | slowest | recovery: median, maximum |"
WORKERS = 4
LONGEST_RECOVERY = 120.0  # seconds
HELD = 1.0  # seconds that a lasting fault lasts


class Victim:
    """A server in its own process, whose standard error goes to a file."""

    def __init__(self, light: bool, folder: Path, fake_clock: bool) -> None:
        self.gone = 0  # a worker that is about to end
        self.folder, self.log, self.offset = folder, folder / "log.jsonl", folder / "offset"
        with socket.socket() as place:
            place.bind(("127.0.0.1", 0))
            self.port = place.getsockname()[1]
        self._command = [sys.executable, "-c", SERVE.format(port=self.port, worker=LIGHT if light else None)]
        (folder / "sitecustomize.py").write_text(CLOCK)
        self.offset.write_text("0")
        paths = [*([str(folder)] if fake_clock else []), str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
        self._environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "FAKE_CLOCK": str(self.offset)}

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

    @property
    def pid(self) -> int:
        """The id of the server process."""
        return self.process.pid

    def workers(self) -> list[int]:
        """Return the ids of the worker processes."""
        return [int(pid) for pid in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()]

    async def recovered(self, began: float | None = None) -> float:
        """Wait until everything works again; return the seconds since `began`."""
        start, seen = time.perf_counter(), "no answer"
        while time.perf_counter() < start + LONGEST_RECOVERY:
            if self.gone in self.workers():
                await asyncio.sleep(0.01)
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
            await asyncio.sleep(0.02)
        raise AssertionError(f"the server does not recover: {seen}")

    def limit(self, pid: int, kind: int, soft: int) -> None:
        """Set a limit of a process, and leave its hard limit as it is."""
        with suppress(ProcessLookupError):
            resource.prlimit(pid, kind, (soft, resource.prlimit(pid, kind)[1]))


Fault = Callable[[Victim, random.Random], Awaitable[float]]  # makes it, ends it, and returns when


async def kill_worker(victim: Victim, draw: random.Random) -> float:
    """Kill a worker with SIGKILL."""
    victim.gone = draw.choice(victim.workers())
    os.kill(victim.gone, signal.SIGKILL)
    return time.perf_counter()


async def kill_server(victim: Victim, draw: random.Random) -> float:
    """Kill the server with SIGKILL and start it again, as systemd does; its workers must end by themselves."""
    workers, began = victim.workers(), time.perf_counter()
    victim.process.kill()
    await victim.process.wait()
    await victim.start()
    while alive := [pid for pid in workers if Path(f"/proc/{pid}").exists() and _state(pid) != "Z"]:
        assert time.perf_counter() < began + LONGEST_RECOVERY, f"{alive} outlive their server"
        await asyncio.sleep(0.02)
    return began


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "Z"


async def stop_worker(victim: Victim, draw: random.Random) -> float:
    """Stop a worker with SIGSTOP for 30 seconds, or until the server has ended it."""
    victim.gone = stopped = draw.choice(victim.workers())
    began = time.perf_counter()
    os.kill(stopped, signal.SIGSTOP)
    while _state(stopped) != "Z" and time.perf_counter() < began + 30:
        await asyncio.sleep(0.02)
    with suppress(ProcessLookupError):
        os.kill(stopped, signal.SIGCONT)
    return began


async def fill_disk(victim: Victim, draw: random.Random) -> float:
    """Let the log file grow by a few bytes only (RLIMIT_FSIZE)."""
    victim.limit(victim.pid, resource.RLIMIT_FSIZE, victim.log.stat().st_size + draw.randrange(1_000))
    await asyncio.sleep(HELD)
    victim.limit(victim.pid, resource.RLIMIT_FSIZE, resource.RLIM_INFINITY)
    return time.perf_counter()


async def starve_worker(victim: Victim, draw: random.Random) -> float:
    """Give a worker no further memory (RLIMIT_AS)."""
    starved = draw.choice(victim.workers())
    used = int(Path(f"/proc/{starved}/statm").read_text().split()[0]) * resource.getpagesize()
    victim.limit(starved, resource.RLIMIT_AS, used)
    await asyncio.sleep(HELD)
    victim.limit(starved, resource.RLIMIT_AS, resource.RLIM_INFINITY)
    return time.perf_counter()


async def turn_clock(victim: Victim, draw: random.Random) -> float:
    """Set the clock of server and workers to another hour, day or year."""
    victim.offset.write_text(str(draw.choice((-1, 1)) * draw.choice((3_600, 86_400, 31_536_000))))
    await asyncio.sleep(HELD)
    return time.perf_counter()


async def exhaust_descriptors(victim: Victim, draw: random.Random) -> float:
    """Leave the server without file descriptors, and open connections that it cannot accept."""
    highest = max(int(one.name) for one in Path(f"/proc/{victim.pid}/fd").iterdir())
    before = resource.prlimit(victim.pid, resource.RLIMIT_NOFILE)[0]
    victim.limit(victim.pid, resource.RLIMIT_NOFILE, highest + 1)
    waiting = [await asyncio.open_connection("127.0.0.1", victim.port) for _ in range(40)]
    for _, writer in waiting:
        writer.write(b"GET / HTTP/1.1\r\nx-a: ")
    await asyncio.sleep(HELD)
    victim.limit(victim.pid, resource.RLIMIT_NOFILE, before)
    began = time.perf_counter()
    for _, writer in waiting:
        writer.close()
    return began


async def disappear(victim: Victim, draw: random.Random) -> float:
    """Send requests and close their connections before the answers."""

    async def one() -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", victim.port)
        request = encode(draw.choice((single, batch, equation))())
        writer.write(request[: draw.choice((len(request), draw.randrange(len(request))))])
        await asyncio.sleep(draw.random() * HELD / 2)
        writer.transport.abort()

    await asyncio.gather(*(one() for _ in range(20)))
    return time.perf_counter()


FAULTS: dict[str, tuple[str, Fault]] = {
    "kill-worker": ("kill -9 of a worker", kill_worker),
    "kill-server": ("kill -9 of the server, started again", kill_server),
    "stop-worker": ("SIGSTOP of a worker, up to 30 s", stop_worker),
    "full-disk": ("disk full for the log", fill_disk),
    "memory": ("no memory for a worker", starve_worker),
    "clock": ("clock set by an hour, a day or a year", turn_clock),
    "descriptors": ("no file descriptors for the server", exhaust_descriptors),
    "clients": ("20 clients disappear", disappear),
}


@dataclass
class Report:
    """The results of all rounds of one fault."""

    tally: Tally = field(default_factory=Tally)
    recovery: list[float] = field(default_factory=list)  # seconds
    torn: int = 0  # log lines that are not JSON
    lines: int = 0

    def problems(self, rounds: int) -> list[str]:
        """Return what must not have happened."""
        bad = [kind for kind in ("broken", "wrong", "failed") if self.tally.outcomes[kind]]
        return bad + (["log lines that are not JSON"] if self.torn > rounds else [])


async def inject(name: str, rounds: int, light: bool, seed: int = 0) -> Report:
    """Run all rounds of one fault on a server of its own."""
    with tempfile.TemporaryDirectory() as folder:
        async with Victim(light, Path(folder), fake_clock=FAULTS[name][1] is turn_clock) as victim:
            return await inject_into(victim, name, rounds, seed)


async def inject_into(victim: Victim, name: str, rounds: int, seed: int = 0) -> Report:
    """Run all rounds of one fault on a running server."""
    report, draw, fault = Report(), random.Random(seed), FAULTS[name][1]
    logged = victim.log.stat().st_size
    for _ in range(rounds):
        async with clients(victim.port, again=fault is kill_server) as tally:
            await asyncio.sleep(0.2 + 0.3 * draw.random())
            began = await fault(victim, draw)
            report.recovery.append(await victim.recovered(began))
        report.tally.add(tally)
    for line in victim.log.read_bytes()[logged:].rpartition(b"\n")[0].splitlines():
        report.lines += 1
        report.torn += not _is_json(line)
    if fault is not fill_disk and report.torn:
        report.torn += rounds  # only a full disk may tear a line
    return report


def _is_json(line: bytes) -> bool:
    try:
        found: Any = json.loads(line)
    except ValueError:
        return False
    return isinstance(found, dict)


def row(name: str, report: Report) -> str:
    """Return the line of a fault in the table."""
    count = report.tally.outcomes
    again = count["broken, sent again"]
    broken = f"{count['broken']:,}" + (f" ({again:,} sent again)" if again else "")
    recovery = f"{statistics.median(report.recovery):.1f} s, {max(report.recovery):.1f} s"
    counts = f"{report.tally.requests:,} | {count['right']:,} | {count['refused']:,} | {count['failed']:,} | {broken}"
    slowest = f"{report.tally.slowest:.1f} s"
    return f"| {FAULTS[name][0]} | {len(report.recovery)} | {counts} | {count['wrong']:,} | {slowest} | {recovery} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rounds", type=int, nargs="?", default=100, metavar="ROUNDS")
    parser.add_argument("--only", nargs="+", choices=FAULTS, default=list(FAULTS))
    parser.add_argument("--light", action="store_true", help="workers without models")
    given = parser.parse_args()
    print(HEAD)
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|", flush=True)
    bad = []
    for name in given.only:
        report = asyncio.run(inject(name, given.rounds, given.light))
        print(row(name, report), flush=True)
        bad += [f"{name}: {problem}" for problem in report.problems(given.rounds)]
    sys.exit("\n".join(bad) or None)


if __name__ == "__main__":
    main()
