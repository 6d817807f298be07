"""A stopped server answers accepted requests, refuses new ones, and ends in time; `sau serve` as users start it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests import by_heart
from tests.server.conftest import SAU
from tests.server.running import SCRIPTED, running

WAITING = 'sau_requests_waiting{lane="solve"} 1.0'
WORKING = 'sau_batch_size_count{lane="solve"} 1.0'

SERVE = (
    "from sau_solver.server.serving import serve; from sau_solver.server.settings import Settings\n"
    "serve(Settings(port=0, workers=1, batch_size=1, {options}), {worker!r})"
)


@contextmanager
def started(options: str = "") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server in its own process; yield the process and its URL."""
    code = SERVE.format(options=options, worker=SCRIPTED)
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, encoding="utf-8")
    assert process.stderr is not None
    try:
        yield process, json.loads(process.stderr.readline())["address"]
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def wait_for(address: str, *metrics: str) -> None:
    """Wait until /metrics has these lines."""
    for _ in range(1_000):
        found = httpx.get(f"{address}/metrics", timeout=30, trust_env=False).text.splitlines()
        if all(line in found for line in metrics):
            return
        time.sleep(0.02)
    raise AssertionError(f"/metrics must have {metrics}")


def ask(address: str, text: str) -> httpx.Response:
    return httpx.post(f"{address}/v1/solve", json={"text": text}, timeout=30, trust_env=False)


def refused(address: str) -> bool:
    """Return whether new requests are refused: with 503 at first, then because nobody listens."""
    for _ in range(1_000):
        try:
            if ask(address, by_heart.GARDEN).status_code != 503:
                return False
        except httpx.TransportError:
            return True
    return False


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_accepted_requests_are_answered_and_new_ones_refused(sign: signal.Signals, tmp_path: Path) -> None:
    with started() as (process, address), ThreadPoolExecutor(8) as threads:
        taken = [threads.submit(ask, address, f"until {tmp_path / 'gate'}")]
        wait_for(address, WORKING)
        taken += [threads.submit(ask, address, by_heart.GARDEN)]
        wait_for(address, WAITING)
        process.send_signal(sign)
        assert process.stderr is not None
        while json.loads(process.stderr.readline())["event"] != "stopping":
            pass
        assert refused(address)
        (tmp_path / "gate").touch()
        assert [one.result().status_code for one in taken] == [200, 200]
        assert process.wait(timeout=15) == 0


def test_new_work_on_an_open_connection_is_refused_as_json() -> None:
    with running() as server:
        server.pool.stopping = True
        refused = server.solve(by_heart.GARDEN)
        assert (refused.status_code, refused.json()["error"]) == (503, "stopping")
        assert server.client.get("/healthz").json()["status"] == "stopping"
        assert server.client.get("/healthz").status_code == 503


def test_endless_work_does_not_keep_the_server_from_stopping() -> None:
    with started("request_seconds=600, stop_seconds=4") as (process, address), ThreadPoolExecutor(2) as threads:
        taken = [threads.submit(ask, address, "sleep 600") for _ in range(2)]
        wait_for(address, WORKING, WAITING)
        process.terminate()
        assert process.wait(timeout=15) == 0
        assert [(one.result().status_code, one.result().json()["error"]) for one in taken] == [(503, "stopping")] * 2


def test_a_log_that_nobody_reads_blocks_nothing() -> None:
    with started() as (process, address), httpx.Client(base_url=address, timeout=30, trust_env=False) as client:
        answered = [client.get("/healthz", headers={"x-request-id": "x" * 64}).status_code for _ in range(500)]
        assert answered == [200] * 500  # their log lines have more than the 64 KB that a pipe holds
        assert process.poll() is None


def test_no_worker_outlives_a_server_that_was_killed() -> None:
    with started() as (process, _):
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        if not children.exists():
            pytest.skip("this system does not list the children of a process")
        pids = list(map(int, children.read_text().split()))
        assert len(pids) == 2
        process.kill()
        process.wait()
        for pid in pids:
            while _runs(pid):
                time.sleep(0.02)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--model", "no/such/folder"], "no/such/folder"),
        (["--api-key-file", "no/such/file"], "cannot be read"),
        (["--max-text", "50000"], "20,000"),
        (["--host", "no.such.host.invalid"], "an address of this machine"),
    ],
)
def test_wrong_options_are_explained_before_anything_starts(options: list[str], complaint: str) -> None:
    done = subprocess.run(
        [*SAU, "serve", "--port", "0", *options], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_in_use_is_reported(address: str) -> None:
    port = address.rpartition(":")[2]
    done = subprocess.run([*SAU, "serve", "--port", port], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert f"Cannot listen on port {port} of 127.0.0.1: it is in use" in done.stderr
    assert "Traceback" not in done.stderr


def test_damaged_weights_are_reported(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    done = subprocess.run(
        [*SAU, "serve", "--port", "0", "--workers", "1", "--model", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert str(tmp_path) in done.stderr
    assert "Traceback" not in done.stderr


def test_without_the_extra_the_command_says_what_to_install() -> None:
    code = "import sys; sys.modules['fastapi'] = None\nfrom sau_solver.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "serve"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "pip install '.[serve]'" in done.stderr
