"""Two servers behind nginx, with the documented configuration: a rolling restart loses no request."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import httpx
import pytest

from tests import by_heart
from tests.docs.pages import ROOT, blocks
from tests.server.running import SCRIPTED

pytestmark = [pytest.mark.cluster, pytest.mark.slow]

SERVE = (
    "from sau_solver.server.serving import serve; from sau_solver.server.settings import Settings\n"
    "serve(Settings(port={port}, workers=1, proxies=('127.0.0.1',)), {worker!r})"
)
CLIENTS = 4


def free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on."""
    taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in taken]
    for one in taken:
        one.close()
    return ports


class Replica:
    """A server on a fixed port that can be restarted."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self._code = SERVE.format(port=port, worker=SCRIPTED)
        self.start()

    def start(self) -> None:
        """Start it, and wait until it is healthy."""
        self.process = subprocess.Popen(
            [sys.executable, "-c", self._code], stderr=subprocess.PIPE, text=True, cwd=ROOT, encoding="utf-8"
        )
        assert self.process.stderr is not None
        while json.loads(self.process.stderr.readline())["event"] != "ready":
            pass
        self._log = threading.Thread(target=self._read_log, args=(self.process.stderr,))
        self._log.start()
        self._client = httpx.Client(timeout=60, trust_env=False)
        assert self._client.get(f"{self.address}/healthz").status_code == 200

    @staticmethod
    def _read_log(log: IO[str]) -> None:
        with log:
            log.read()

    def stop(self) -> None:
        """Ask it to stop, and wait for its end."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(120) == 0
        self.close()

    def close(self) -> None:
        """End it at once, if it still runs."""
        self._client.close()
        self.process.kill()
        self.process.wait()
        self._log.join()

    def answered(self) -> float:
        """Return how many problems it has answered since its start."""
        for line in self._client.get(f"{self.address}/metrics").text.splitlines():
            if line.startswith("sau_batch_size_sum") and 'lane="solve"' in line:
                return float(line.rpartition(" ")[2])
        return 0.0


@contextmanager
def nginx(folder: Path, ports: dict[str, int]) -> Iterator[str]:
    """Run nginx with the configuration of docs/scaling.md on these ports; yield its address."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        pytest.skip("nginx is not installed: apt-get install nginx-light")
    (text,) = (block.content for block in blocks(ROOT / "docs/scaling.md") if block.file == "nginx.conf")
    text = re.sub(r"(?<=127\.0\.0\.1:)\d+", lambda documented: str(ports[documented[0]]), text)
    (folder / "nginx.conf").write_text(text, encoding="utf-8")
    log = folder / "error.log"
    own = f"daemon off; pid {folder}/pid; error_log {log};"
    command = [program, "-e", str(log), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", own]
    process = subprocess.Popen(command)
    try:
        address = f"http://127.0.0.1:{ports['8000']}"
        for _ in range(600):
            assert process.poll() is None, log.read_text()
            try:
                httpx.get(f"{address}/healthz", timeout=60, trust_env=False)
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def ports() -> dict[str, int]:
    return dict(zip(("8000", "8001", "8002"), free_ports(3), strict=True))


@pytest.fixture
def replicas(ports: dict[str, int]) -> Iterator[list[Replica]]:
    running: list[Replica] = []
    try:
        for name in ("8001", "8002"):
            running.append(Replica(ports[name]))
        yield running
    finally:
        for one in running:
            one.close()


def test_a_rolling_restart_loses_no_request(tmp_path: Path, ports: dict[str, int], replicas: list[Replica]) -> None:
    statuses: Counter[int] = Counter()
    ended = threading.Event()

    def ask(address: str) -> None:
        with httpx.Client(timeout=120, trust_env=False) as client:
            while not ended.is_set():
                try:
                    answer = client.post(f"{address}/v1/solve", json={"text": by_heart.GARDEN})
                    statuses[answer.status_code] += 1
                except httpx.HTTPError:
                    statuses[0] += 1

    with nginx(tmp_path, ports) as address:
        threads = [threading.Thread(target=ask, args=(address,)) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        try:
            for replica in replicas:
                reached(replica)
                before = statuses.total()
                replica.stop()
                while statuses.total() < before + 4 * CLIENTS:  # the other one answers alone
                    time.sleep(0.01)
                replica.start()
                reached(replica)
        finally:
            ended.set()
            for thread in threads:
                thread.join()
    assert list(statuses) == [200]


def reached(replica: Replica) -> None:
    """Wait until a replica has answered requests."""
    for _ in range(3_000):
        if replica.answered():
            return
        time.sleep(0.02)
    raise AssertionError(f"{replica.address} gets no requests")
