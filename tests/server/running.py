"""A server inside the test process: its event loop runs in a thread, its workers are scripted."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from sau_solver.server.listening import bind
from sau_solver.server.metrics import Metrics
from sau_solver.server.serving import Server
from sau_solver.server.settings import Settings
from sau_solver.server.workers.batching import Lane
from sau_solver.server.workers.pool import Pool

SCRIPTED = (sys.executable, "-m", "tests.server.scripted_worker")
PATIENCE = 60.0  # seconds for a request on a busy machine
LAZY = (sys.executable, "-m", "tests.server.lazy_worker")


def pids_of(lane: Lane) -> list[int]:
    """Return the ids of the running processes of a lane."""
    return [worker.process.pid for worker in lane._workers if worker.process.pid is not None]


class Running:
    """A running server with its client and pool, and a way to send requests without waiting."""

    def __init__(self, pool: Pool, url: str) -> None:
        self.pool, self.url = pool, url
        self.client = httpx.Client(base_url=url, timeout=PATIENCE, trust_env=False)
        self._threads = ThreadPoolExecutor(max_workers=32)

    def solve(self, text: str, **more: Any) -> httpx.Response:
        return self.client.post("/v1/solve", json={"text": text, **more})

    def later(self, text: str, headers: dict[str, str] | None = None, **more: Any) -> Future[httpx.Response]:
        """Send the request from another thread."""
        body = {"text": text, **more}
        return self._threads.submit(httpx.post, f"{self.url}/v1/solve", json=body, headers=headers, timeout=PATIENCE)

    def blocked(self, gate: Path) -> Future[httpx.Response]:
        """Send a request and wait until a worker works on it; the worker is busy until the file exists."""
        batches = self.metric("sau_batch_size_count", lane="solve")
        asked = self.later(f"until {gate}")
        self.until("sau_batch_size_count", batches + 1, lane="solve")
        return asked

    def metric(self, name: str, **labels: str) -> float:
        """Return a value of /metrics, or 0 if it is not there yet."""
        key = {"x-api-key": self.pool.settings.api_key}
        for line in self.client.get("/metrics", headers=key).text.splitlines():
            head, _, value = line.rpartition(" ")
            found, _, rest = head.partition("{")
            if found == name and all(f'{key}="{wanted}"' in rest for key, wanted in labels.items()):
                return float(value)
        return 0.0

    def until(self, name: str, wanted: float, **labels: str) -> None:
        """Wait until a metric has the value."""
        for _ in range(2_000):
            if self.metric(name, **labels) == wanted:
                return
            threading.Event().wait(0.01)
        raise AssertionError(f"{name}{labels} must be {wanted}, got {self.metric(name, **labels)}")

    def close(self) -> None:
        self.client.close()
        self._threads.shutdown()


@contextmanager
def running(**settings: Any) -> Iterator[Running]:
    """Serve on a free port with these settings; by default with one scripted worker.

    A worker for equations starts with the first of them, except where the test limits their seconds.
    """
    worker = SCRIPTED if "equation_seconds" in settings else LAZY
    started: Future[Running] = Future()
    stop = threading.Event()

    async def serve() -> None:
        given = Settings(**{"port": 0, "workers": 1, "batch_wait": 0.0, "request_seconds": PATIENCE} | settings)
        async with Pool(given, Metrics(), worker) as pool:
            server = Server(given, pool)
            task = asyncio.create_task(server.serve([bind(given.host, given.port)]))
            while not server.started:
                await asyncio.sleep(0.005)
            port = server.servers[0].sockets[0].getsockname()[1]
            started.set_result(Running(pool, f"http://127.0.0.1:{port}"))
            await asyncio.to_thread(stop.wait)
            server.should_exit = True
            await task

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:
            if started.done():
                raise
            started.set_exception(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        server = started.result(timeout=60)
        yield server
        server.close()
    finally:
        stop.set()
        thread.join(timeout=30)
