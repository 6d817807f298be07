"""A server without file descriptors left answers the connections that it has, writes a few JSON lines, and recovers."""

from __future__ import annotations

import errno
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import httpx
import pytest

from sau_solver.errors import InputError
from sau_solver.server.listening import Listener, possible_connections
from sau_solver.server.settings import Settings
from tests import by_heart
from tests.server.running import SCRIPTED

resource = pytest.importorskip("resource")
SERVE = (
    "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}))\n"
    "from sau_solver.server.serving import serve; from sau_solver.server.settings import Settings\n"
    "serve(Settings(port=0, workers=1), {worker!r})"
)
HALF = b"GET / HTTP/1.1\r\nX-a: "


@contextmanager
def started(files: int) -> Iterator[tuple[subprocess.Popen[bytes], int, IO[bytes]]]:
    """Start a server with a limit of open files; yield its process, its port and its log."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen([sys.executable, "-c", SERVE.format(files=files, worker=SCRIPTED)], stderr=log)
        try:
            while not (ready := [line for line in lines(log) if line["event"] == "ready"]):
                assert process.poll() is None
                time.sleep(0.05)
            yield process, int(str(ready[0]["address"]).rpartition(":")[2]), log
        finally:
            process.kill()
            process.wait()


def lines(log: IO[bytes]) -> list[dict[str, object]]:
    log.seek(0)
    return [json.loads(line) for line in log.read().splitlines(keepends=True) if line.endswith(b"\n")]


def healthy(port: int) -> bool:
    return httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=30, trust_env=False).status_code == 200


def solve(port: int) -> list[str]:
    url, body = f"http://127.0.0.1:{port}/v1/solve", {"text": by_heart.GARDEN}
    found: list[str] = httpx.post(url, json=body, timeout=30, trust_env=False).json()["answers"]
    return found


def test_slow_headers_do_not_stop_a_server_with_few_descriptors() -> None:
    with started(files=80) as (_, port, log), ExitStack() as sockets:
        for _ in range(260):
            connection = sockets.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
            connection.sendall(HALF)
        assert healthy(port)
        assert solve(port) == ["7"]
        assert len(lines(log)) < 300
        assert [line["connections"] for line in lines(log) if line["event"] == "fewer connections"] == [32]


def test_a_server_without_descriptors_rests_and_then_goes_on() -> None:
    with started(files=200) as (process, port, log):
        used = max(int(one.name) for one in Path(f"/proc/{process.pid}/fd").iterdir())
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (used + 1, 200))
        with ExitStack() as sockets:
            for _ in range(60):
                sockets.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30)).sendall(HALF)
            while not (told := [line for line in lines(log) if "accept" in str(line["event"])]):
                time.sleep(0.05)
            assert "OSError at " in str(told[0]["cause"])
            resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (200, 200))
            assert healthy(port)
            assert solve(port) == ["7"]
        assert len([line for line in lines(log) if "accept" in str(line["event"])]) < 100


def test_asyncio_is_told_once_that_there_is_no_descriptor(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: socket.socket) -> None:
        raise OSError(errno.EMFILE, "too many open files")

    monkeypatch.setattr(socket.socket, "accept", fail)
    with Listener() as place:
        for _ in range(2):
            with pytest.raises(OSError, match="too many open files"):
                place.accept()
            with pytest.raises(BlockingIOError):
                place.accept()


def test_a_limit_that_is_too_low_for_the_server_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (40, 40))
    monkeypatch.setattr(resource, "setrlimit", lambda *_: None)
    with pytest.raises(InputError, match="needs at least 56"):
        possible_connections(Settings(workers=1))


def test_the_limit_of_open_files_is_raised_as_far_as_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (100, 4_096))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: raised.append(limits))
    assert possible_connections(Settings(workers=1, max_connections=500)) == 500
    assert raised == [(548, 4_096)]
