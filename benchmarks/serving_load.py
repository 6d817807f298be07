"""Measure the server under load: throughput relative to `solve_many`, latency, errors, memory, overload and recovery.

    python benchmarks/serving_load.py [--requests 10000] [--clients 32] [--overload 10] [--short]

Each client sends Chinese and English problems one after the other over its own connection. The load generator shares
the machine with the server. Overload sends requests at 4 times the measured throughput without waiting for answers.

Memory is that of the server and its workers. It is read when the server is ready, after a warm-up of a tenth of the
requests, every second during the measured requests, and after the last of them. Growth is relative to the first reading
and to the one after the warm-up.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sau_solver.errors import SauError
from sau_solver.solver import load

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # makes `benchmarks` importable
from benchmarks.solve_speed import problems  # noqa: E402

SAU = [sys.executable, "-c", "from sau_solver.cli import main; main()"]
HEAD = b"POST %s HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
BURST = 4  # overload relative to the measured throughput
PROBES = 50  # requests after the overload


@dataclass
class Load:
    """Results of requests: the counts of HTTP statuses, and the seconds of each answer with status 200."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def add(self, status: int, seconds: float) -> None:
        """Add the result of one request."""
        self.statuses[status] += 1
        if status == 200:
            self.seconds.append(seconds)

    def quantile(self, share: float) -> float:
        """Return the milliseconds within which a share of the requests was answered."""
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


class Client:
    """A persistent connection; it writes HTTP by hand, so that the load generator uses little CPU time."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, body: bytes, path: bytes = b"/v1/solve") -> int:
        """Send a request and return the status of the answer, or 0 if the connection failed."""
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self.port)
            reader, writer = self._streams
            writer.write(HEAD % (path, len(body)) + body)
            answered = await reader.readuntil(b"\r\n\r\n")
            length = int(answered.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            await reader.readexactly(length)
        except (OSError, asyncio.IncompleteReadError):
            self.close()
            return 0
        return int(answered[9:12])

    def close(self) -> None:
        """Close the connection."""
        if self._streams:
            self._streams[1].close()
        self._streams = None


async def closed_loop(port: int, bodies: list[bytes], clients: int) -> tuple[Load, float]:
    """Let each client send its next request after an answer; return the results and the total seconds."""
    result, turn, started = Load(), iter(bodies), time.perf_counter()

    async def run() -> None:
        client = Client(port)
        for body in turn:
            began = time.perf_counter()
            result.add(await client.ask(body), time.perf_counter() - began)
        client.close()

    await asyncio.gather(*(run() for _ in range(clients)))
    return result, time.perf_counter() - started


async def open_loop(port: int, bodies: list[bytes], rate: float, seconds: float) -> Load:
    """Send requests at a fixed rate without waiting for answers, and return their results."""
    result = Load()
    idle: list[Client] = []
    running: set[asyncio.Task[None]] = set()

    async def one(body: bytes) -> None:
        client = idle.pop() if idle else Client(port)
        began = time.perf_counter()
        result.add(await client.ask(body), time.perf_counter() - began)
        idle.append(client)

    started, sent = time.perf_counter(), 0
    while (passed := time.perf_counter() - started) < seconds:
        for _ in range(int(passed * rate) - sent):
            task = asyncio.create_task(one(bodies[sent % len(bodies)]))
            running.add(task)
            task.add_done_callback(running.discard)
            sent += 1
        await asyncio.sleep(0.005)
    await asyncio.gather(*running)
    for client in idle:
        client.close()
    return result


@asynccontextmanager
async def serving(model: str | None, *options: str) -> AsyncIterator[tuple[int, int]]:
    """Start a server on a free port with these options; yield the port and the process id."""
    command = [
        *SAU,
        "serve",
        "--port",
        "0",
        "--max-client-connections",
        "400",
        *(["--model", model] if model else []),
        *options,
    ]
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    assert process.stderr is not None
    address = ""
    while not address:
        line = await process.stderr.readline()
        if not line:
            sys.exit("The server did not start.")
        address = json.loads(line).get("address", "")
    reading = asyncio.create_task(_discard(process.stderr))
    try:
        yield int(address.rpartition(":")[2]), process.pid
    finally:
        process.terminate()
        await process.wait()
        await reading


async def _discard(stream: asyncio.StreamReader) -> None:
    while await stream.read(1 << 16):
        pass


def memory(pid: int) -> float:
    """Return the MB of a process and its descendants; shared memory counts once."""
    return sum(map(proportional_memory, process_tree(pid)))


def proportional_memory(pid: int) -> float:
    """Return the MB of a process with its share of shared memory, or 0 if it has just ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


@asynccontextmanager
async def watched(pid: int) -> AsyncIterator[list[float]]:
    """Yield a list that receives the memory of a process every second."""
    readings = [memory(pid)]

    async def read() -> None:
        while True:
            await asyncio.sleep(1)
            readings.append(memory(pid))

    reading = asyncio.create_task(read())
    yield readings
    reading.cancel()


def process_tree(pid: int) -> Iterator[int]:
    """Yield the ids of a process and its descendants."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text(encoding="ascii").split()
        except (FileNotFoundError, ProcessLookupError):  # the thread or the process has just ended
            continue
        for child in children:
            yield from process_tree(int(child))


def in_process(model: str | None, texts: list[str]) -> float:
    """Return the problems per second of `solve_many`."""
    solver = load(model)
    list(solver.solve_many(texts[:64]))
    started = time.perf_counter()
    count = sum(1 for _ in solver.solve_many(texts))
    return count / (time.perf_counter() - started)


def solvable(model: str | None, texts: list[str]) -> list[str]:
    """Return the texts that the solver accepts as problems."""
    return [
        t
        for t, r in zip(texts, load(model).solve_many(texts, errors="return"), strict=True)
        if not isinstance(r, SauError)
    ]


async def measure(given: argparse.Namespace, texts: list[str], alone: float) -> None:
    """Start a server, measure it and print the results."""
    bodies = [json.dumps({"text": text}, ensure_ascii=False).encode() for text in texts]
    many = [bodies[k % len(bodies)] for k in range(given.requests)]
    async with serving(given.model) as (port, pid):
        ready = memory(pid)
        warming = many[: max(200, given.requests // 10)]
        await closed_loop(port, warming, given.clients)
        warm = memory(pid)
        async with watched(pid) as readings:
            result, seconds = await closed_loop(port, many, given.clients)
        after = memory(pid)
        rate = given.requests / seconds
        errors = given.requests - result.statuses[200]
        print(f"server      {rate:8.1f} problems/s, {given.clients} clients: {100 * rate / alone:.0f} % of solve_many")
        print(f"latency     {result.quantile(0.5):8.0f} ms median, {result.quantile(0.99):.0f} ms p99")
        print(f"errors      {errors:8} of {given.requests:,}  {dict(result.statuses)}")
        warmed, most = f"after {len(warming):,} requests", max(*readings, after)
        print(
            f"memory      {warm:8.0f} MB {warmed}, {after:.0f} MB after {given.requests:,} more: {growth(warm, after)}"
        )
        print(f"            {ready:8.0f} MB before the first: {growth(ready, after)} from there; {most:.0f} MB at most")
        if given.overload:
            await overload(port, bodies, BURST * rate, given.overload)


def growth(before: float, after: float) -> str:
    """Return the growth in percent, as text."""
    return f"{100 * (after / before - 1):+.1f} %"


async def overload(port: int, bodies: list[bytes], rate: float, seconds: float) -> None:
    """Overload the server, then send single requests and print when it recovers."""
    flood = await open_loop(port, bodies, rate, seconds)
    stopped = time.perf_counter()
    carried = flood.statuses[200] / seconds
    print(
        f"overload    {rate:8.1f} requests/s for {seconds:g} s: {carried:.1f} solved/s, statuses {dict(flood.statuses)}"
    )
    print(f"            {flood.quantile(0.99):8.0f} ms p99 of those that were solved")
    first = None
    probes = Load()
    client = Client(port)
    for body in bodies[:PROBES]:
        began = time.perf_counter()
        probes.add(await client.ask(body), time.perf_counter() - began)
        if first is None and probes.statuses[200]:
            first = time.perf_counter() - stopped
    client.close()
    recovered = "never" if first is None else f"{first:.2f} s"
    print(f"recovery    first answer after {recovered}, {PROBES} requests then: {dict(probes.statuses)}")
    print(f"            {probes.quantile(0.5):8.0f} ms median of them, one at a time")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="folder of a model (default: the shipped models)")
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--problems", type=int, default=600, help="number of different problems, half of them Chinese")
    parser.add_argument("--overload", type=float, default=10.0, help="seconds of overload; 0 skips it")
    parser.add_argument("--short", action="store_true", help="send a tenth of the requests and overload for 3 seconds")
    parser.add_argument("--only", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.short:
        given.requests, given.problems, given.overload = given.requests // 10, given.problems // 2, 3.0
    texts = [text for language in ("zh", "en") for text in problems(language, given.problems // 2)]
    random.Random(0).shuffle(texts)
    if given.only:
        print(max(in_process(given.model, solvable(given.model, texts)) for _ in range(3)))
        return
    done = subprocess.run([sys.executable, __file__, *sys.argv[1:], "--only"], stdout=subprocess.PIPE, check=True)
    alone = float(done.stdout)
    print(f"{os.cpu_count()} cores, {len(texts)} problems")
    print(f"solve_many  {alone:8.1f} problems/s")
    asyncio.run(measure(given, solvable(given.model, texts), alone))


if __name__ == "__main__":
    main()
