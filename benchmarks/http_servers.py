"""Run the app under different HTTP servers: speed, memory, and what each does with clients that misbehave.

    python benchmarks/http_servers.py [--requests 1000] [--clients 16] [--rounds 5] [--only SERVER …]

`sau` is uvicorn with the connections of this project (server/connections.py), as `sau serve` runs it; `uvicorn` is
without them. granian and hypercorn are measured where they are installed. All run one process with the same app,
workers without models, 300 file descriptors, and timeouts of 2 seconds wherever it offers a setting. Speed is measured
in rounds, all servers one after the other in each of them; the figures are medians of the rounds: requests per second,
99th percentile, and CPU time of the server without its workers per request, which other work on the machine hardly
changes.

- slow headers: 600 connections of one client send half of a header and stop. How many does the server hold at most, how
  many are open 5 seconds later, and is another client answered meanwhile and after that?
- unfinished body: a client sends a tenth of a body and stops. What does it get, and is the connection closed?
- SIGTERM: 8 requests are in progress. How many are answered, and how long does the server take to end?
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import itertools
import os
import resource
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # makes `benchmarks` importable
from benchmarks.fault_load import Client, Question, encode, equation  # noqa: E402
from benchmarks.serving_load import Load, process_tree, proportional_memory  # noqa: E402

SERVERS = ("sau", "uvicorn", "granian", "hypercorn")
LIGHT = (sys.executable, "-m", "tests.server.scripted_worker")
SECONDS = 2  # of the timeouts
FILES = 300
ATTACKERS = 600
HEAD = (
    "| server | GET /healthz: rate, p99, CPU | POST /v1/equation | memory | slow headers | unfinished body | SIGTERM |"
)
PATIENCE = 5.0  # seconds that the other client waits

Running = tuple[int, subprocess.Popen[bytes]]  # port and process


class Application:
    """The app of the server as an ASGI app that starts its workers itself."""

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._app: Callable[..., Awaitable[None]] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Start and end with the server, and pass requests on."""
        if scope["type"] == "lifespan":
            await receive()
            await self.start()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await self._stack.aclose()
            await send({"type": "lifespan.shutdown.complete"})
        elif self._app is not None:
            await self._app(scope, receive, send)

    async def start(self) -> None:
        """Start the workers."""
        from sau_solver.server.app import create_app
        from sau_solver.server.logs import json_logs
        from sau_solver.server.metrics import Metrics
        from sau_solver.server.workers.pool import Pool

        self._stack.enter_context(json_logs(settings(0).max_log_lines, lambda _: None))
        self._app = create_app(await self._stack.enter_async_context(Pool(settings(0), Metrics(), LIGHT)))


application = Application()


def settings(port: int) -> Any:
    """Return the settings of the server."""
    from sau_solver.server.settings import Settings

    return Settings(port=port, workers=1, header_seconds=SECONDS, body_seconds=SECONDS, idle_seconds=SECONDS)


def run(name: str, port: int) -> None:
    """Run one server in this process until a signal ends it."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))
    if name == "sau":
        from sau_solver.server.serving import serve

        serve(settings(port), LIGHT)
    elif name == "uvicorn":
        import uvicorn

        uvicorn.run(application, port=port, timeout_keep_alive=SECONDS, log_level="error", http="h11", ws="none")
    elif name == "granian":
        from granian import Granian
        from granian.constants import Interfaces, Loops
        from granian.http import HTTP1Settings

        slow = HTTP1Settings(header_read_timeout=1000 * SECONDS)
        target = "benchmarks.http_servers:application"
        Granian(
            target, port=port, interface=Interfaces.ASGI, loop=Loops.asyncio, http1_settings=slow, log_enabled=False
        ).serve()
    else:
        from hypercorn.asyncio import serve as serve_hypercorn
        from hypercorn.config import Config

        config = Config()
        config.bind, config.errorlog = [f"127.0.0.1:{port}"], None
        config.read_timeout, config.keep_alive_timeout = SECONDS, SECONDS
        asyncio.run(_until_signal(serve_hypercorn, config))


async def _until_signal(serve_hypercorn: Any, config: Any) -> None:
    stop = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, stop.set)
    await serve_hypercorn(application, config, shutdown_trigger=stop.wait)


@asynccontextmanager
async def serving(name: str) -> AsyncIterator[Running]:
    """Start a server; yield its port and its process."""
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        port = place.getsockname()[1]
    paths = os.pathsep.join((str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")))
    command = [sys.executable, __file__, "--serve", name, "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": paths})
    try:
        while not await healthy(port):
            if process.poll() is not None:
                sys.exit(f"{name} did not start.")
            await asyncio.sleep(0.1)
        yield port, process
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()


async def healthy(port: int) -> bool:
    """Return whether a new client is answered in time."""
    client = Client(port)
    with suppress(OSError, EOFError, TimeoutError):
        async with asyncio.timeout(PATIENCE):
            return (await client.get("/healthz"))[0] == 200
    return False


async def speed(server: Running, given: argparse.Namespace, solving: bool) -> tuple[float, float, float]:
    """Return requests per second, the 99th percentile in ms and the CPU time in ms of a GET or an equation."""
    load, left, (port, process) = Load(), iter(range(given.requests)), server

    async def one() -> None:
        client = Client(port)
        for _ in left:
            began = time.perf_counter()
            status, _ = await (client.send(encode(equation())) if solving else client.get("/healthz"))
            load.add(status, time.perf_counter() - began)
        client.close()

    began, used = time.perf_counter(), cpu_seconds(process)
    await asyncio.gather(*(one() for _ in range(given.clients)))
    if load.statuses[200] < given.requests:
        sys.exit(f"Not all requests were answered: {dict(load.statuses)}")
    rate = given.requests / (time.perf_counter() - began)
    return rate, load.quantile(0.99), 1000 * (cpu_seconds(process) - used) / given.requests


def own_processes(process: subprocess.Popen[bytes]) -> list[int]:
    """Return the ids of the server's processes without its workers."""
    found = process_tree(process.pid)
    return [pid for pid in found if b"scripted_worker" not in Path(f"/proc/{pid}/cmdline").read_bytes()]


def cpu_seconds(process: subprocess.Popen[bytes]) -> float:
    """Return the CPU time that the server itself has used."""
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in own_processes(process)]
    return sum(int(one[11]) + int(one[12]) for one in fields) / os.sysconf("SC_CLK_TCK")


async def speeds(running: dict[str, Running], given: argparse.Namespace) -> dict[str, list[str]]:
    """Return the cells on speed of each server."""
    found: dict[tuple[str, bool], list[tuple[float, float, float]]] = {}
    for turn in range(given.rounds + 1):
        for solving, (name, server) in itertools.product((False, True), running.items()):
            result = await speed(server, given, solving)
            if turn:  # the first round warms up
                found.setdefault((name, solving), []).append(result)
    cells: dict[str, list[str]] = {}
    for (name, _), results in found.items():
        rate, late, used = (statistics.median(column) for column in zip(*results, strict=True))
        cells.setdefault(name, []).append(f"{rate:.0f}/s, {late:.0f} ms, {used:.2f} ms")
    return cells


def memory(process: subprocess.Popen[bytes]) -> str:
    """Return the memory of the server without its workers."""
    return f"{sum(map(proportional_memory, own_processes(process))):.0f} MB"


def descriptors(process: subprocess.Popen[bytes]) -> int:
    """Return how many descriptors the server itself has open."""
    return sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in own_processes(process))


async def slow_headers(port: int, process: subprocess.Popen[bytes]) -> str:
    """Hold connections with half a header; return how many stay open and whether others are answered."""
    streams, before, most = [], descriptors(process), 0
    for _ in range(ATTACKERS):
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(PATIENCE):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
            streams.append((reader, writer))
            writer.write(b"GET / HTTP/1.1\r\nx-a: ")
        most = max(most, descriptors(process) - before)
    meanwhile = await healthy(port)
    await asyncio.sleep(5)
    still = sum([not await closed(reader) for reader, _ in streams])
    after = await healthy(port)
    for _, writer in streams:
        writer.transport.abort()
    said = {True: "yes", False: "no"}
    return f"{most} held, {still} open; answered meanwhile: {said[meanwhile]}, after: {said[after]}"


async def closed(reader: asyncio.StreamReader) -> bool:
    """Return whether the server has closed a connection, perhaps after an answer."""
    try:
        async with asyncio.timeout(0.005):
            await reader.read()
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


async def unfinished_body(port: int) -> str:
    """Send a part of a body; return the status of the answer, and whether the connection is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = (
        "POST /v1/solve HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n"
    )
    writer.write(head.encode() + b"x" * 100)
    status = "no answer"
    with suppress(TimeoutError, OSError, EOFError):
        async with asyncio.timeout(10):
            status = (await reader.readuntil(b"\r\n\r\n"))[9:12].decode()
    await asyncio.sleep(2 * SECONDS + 1)
    ended = "closed" if await closed(reader) else "left open"
    writer.transport.abort()
    return f"{status}, {ended}"


async def stopping(port: int, process: subprocess.Popen[bytes]) -> str:
    """Send SIGTERM while requests are in progress; return how many are answered, and the seconds until the end."""
    question = encode(Question("/v1/solve", {"text": "sleep 0.3"}, []))
    asked = [asyncio.create_task(Client(port).send(question)) for _ in range(8)]
    await asyncio.sleep(0.5)
    process.send_signal(signal.SIGTERM)
    began = time.perf_counter()
    found = await asyncio.gather(*asked, return_exceptions=True)
    answered = sum(isinstance(one, tuple) and one[0] == 200 for one in found)
    with suppress(subprocess.TimeoutExpired):
        await asyncio.to_thread(process.wait, 30)
    ended = "not ended" if process.poll() is None else f"exit code {process.returncode}"
    return f"{answered} of 8, {time.perf_counter() - began:.1f} s, {ended}"


async def measure(given: argparse.Namespace, names: list[str]) -> None:
    """Print a line for each server."""
    async with AsyncExitStack() as stack:
        running = {name: await stack.enter_async_context(serving(name)) for name in names}
        cells = await speeds(running, given)
        for name, (_, process) in running.items():
            cells[name].append(memory(process))
    for name in names:
        async with serving(name) as (port, process):
            attacked = [await slow_headers(port, process)]
        async with serving(name) as (port, process):
            attacked.append(await unfinished_body(port))
            attacked.append(await stopping(port, process))
        print(f"| {name} | {' | '.join(cells[name] + attacked)} |", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=SERVERS, default=SERVERS)
    parser.add_argument("--serve", choices=SERVERS, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        run(given.serve, given.port)
        return
    print(HEAD)
    print("|---|---|---|---:|---|---|---|", flush=True)
    names = [name for name in given.only if name == "sau" or importlib.util.find_spec(name) is not None]
    asyncio.run(measure(given, names))
    for name in set(given.only).difference(names):
        print(f"{name} is not installed.")


if __name__ == "__main__":
    main()
