"""Slow, silent and too many connections are closed; the others are answered."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from sau_solver.server.clients import client_of
from tests import by_heart
from tests.server.running import Running, pids_of, running

START = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n"
POST = b"POST /v1/solve HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"


@contextmanager
def connected(server: Running, sent: bytes = b"") -> Iterator[socket.socket]:
    url = httpx.URL(server.url)
    with socket.create_connection((url.host, url.port or 80), timeout=30) as connection:
        connection.sendall(sent)
        yield connection


def received(connection: socket.socket) -> bytes:
    """Return what the server sends until it closes the connection."""
    found = b""
    try:
        while part := connection.recv(1 << 16):
            found += part
    except ConnectionError:  # closed without waiting for us
        pass
    return found


def answered(connection: socket.socket) -> bytes:
    """Return one response, whose connection stays open."""
    found = b""
    while b"\r\n\r\n" not in found:
        part = connection.recv(1 << 16)
        assert part, "the connection was closed"
        found += part
    head, _, body = found.partition(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    while len(body) < length:
        body += connection.recv(1 << 16)
    return head


def drip(connection: socket.socket, part: bytes) -> threading.Thread:
    """Send the part again and again, faster than any limit of idle time, until the server closes the connection."""

    def send() -> None:
        try:
            while True:
                connection.sendall(part)
                threading.Event().wait(0.02)
        except OSError:
            return

    thread = threading.Thread(target=send)
    thread.start()
    return thread


def leave_only(server: Running, count: int) -> None:
    """Wait until the server has this number of connections, without asking it over another one."""
    wanted = f"sau_connections {count:.1f}"
    while wanted not in server.pool.metrics.text().decode().splitlines():
        threading.Event().wait(0.01)


def closed(server: Running, reason: str) -> float:
    return server.metric("sau_connections_closed_total", reason=reason)


@pytest.mark.parametrize("sent", [b"", START + b"x-a: "], ids=["silent", "half a header"])
def test_a_header_that_does_not_arrive_is_not_waited_for(sent: bytes) -> None:
    with running(header_seconds=0.3) as server, connected(server, sent) as connection:
        head, _, body = received(connection).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 408 ")
        assert json.loads(body)["error"] == "slow_client"
        assert closed(server, "header") == 1
        assert server.client.get("/healthz").status_code == 200


def test_a_header_that_drips_is_not_waited_for() -> None:
    with running(header_seconds=0.5) as server, connected(server, START) as connection:
        thread = drip(connection, b"x-a: 1\r\n")
        received(connection)
        assert closed(server, "header") == 1
        thread.join()


def test_the_next_header_of_a_connection_has_its_own_time() -> None:
    with running(header_seconds=0.5) as server, connected(server, START + b"\r\n") as connection:
        assert answered(connection).startswith(b"HTTP/1.1 200 ")
        connection.sendall(START)
        assert received(connection).startswith(b"HTTP/1.1 408 ")


def test_a_connection_without_a_next_request_is_closed() -> None:
    with running(idle_seconds=0.2) as server, connected(server, START + b"\r\n") as connection:
        assert received(connection).startswith(b"HTTP/1.1 200 ")
        assert closed(server, "idle") == 1


def test_a_body_that_drips_is_answered_and_closed() -> None:
    with running(body_seconds=0.5) as server, connected(server, POST) as connection:
        connection.sendall(b"content-length: 60000\r\n\r\n")
        thread = drip(connection, b" ")
        answer = received(connection)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b'"slow_client"' in answer
        assert closed(server, "body") == 1
        thread.join()


def test_the_rest_of_a_refused_body_is_not_waited_for_long() -> None:
    with running(api_key="open sesame") as server, connected(server, POST) as connection:
        connection.sendall(b"content-length: 60000\r\n\r\n")
        thread = drip(connection, b" ")
        assert received(connection).startswith(b"HTTP/1.1 401 ")
        thread.join()


def test_a_client_that_does_not_read_its_responses_is_disconnected() -> None:
    with running(send_seconds=0.5) as server:
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(30)
            connection.connect((httpx.URL(server.url).host, httpx.URL(server.url).port or 80))
            request = b"GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n"
            thread = drip(connection, 20 * request)
            server.until("sau_connections_closed_total", 1, reason="send")
            thread.join()
        assert server.client.get("/healthz").status_code == 200


def test_a_request_of_a_client_that_is_gone_is_not_solved(tmp_path: Path) -> None:
    with running(batch_size=1) as server:
        working = server.blocked(tmp_path / "gate")
        body = json.dumps({"text": f"die once {tmp_path / 'died'}"}).encode()
        with connected(server, POST + b"content-length: %d\r\n\r\n" % len(body) + body):
            server.until("sau_requests_waiting", 1, lane="solve")
        server.until("sau_requests_waiting", 0, lane="solve")
        server.until("sau_requests_total", 1, endpoint="/v1/solve", status="499")
        (tmp_path / "gate").touch()
        assert working.result().json()["answers"] == ["7"]
        assert server.solve(by_heart.GARDEN).json()["answers"] == ["7"]
        assert not (tmp_path / "died").exists()


def test_a_client_that_goes_while_its_problem_is_solved_costs_no_worker(tmp_path: Path) -> None:
    with running() as server:
        (pid,) = pids_of(server.pool.solving)
        body = json.dumps({"text": f"until {tmp_path / 'gate'}"}).encode()
        with connected(server, POST + b"content-length: %d\r\n\r\n" % len(body) + body):
            server.until("sau_batch_size_count", 1, lane="solve")
        server.until("sau_requests_total", 1, endpoint="/v1/solve", status="499")
        (tmp_path / "gate").touch()
        assert server.solve(by_heart.GARDEN).json()["answers"] == ["7"]
        assert pids_of(server.pool.solving) == [pid]


def test_a_worker_that_solves_for_a_client_that_is_gone_has_a_deadline() -> None:
    with running(request_seconds=1.0) as server:
        body = json.dumps({"text": "sleep 600"}).encode()
        with connected(server, POST + b"content-length: %d\r\n\r\n" % len(body) + body):
            server.until("sau_batch_size_count", 1, lane="solve")
        server.until("sau_workers_replaced_total", 1, lane="solve")
        server.until("sau_workers_ready", 1, lane="solve")
        assert server.solve(by_heart.GARDEN).status_code == 200


def test_the_connection_that_waited_longest_makes_room_for_a_new_one() -> None:
    with running(max_client_connections=3) as server:
        server.client.close()  # leaves the places to the connections below
        with connected(server, START) as first, connected(server, START) as second:
            assert httpx.get(f"{server.url}/healthz", trust_env=False).status_code == 200
            leave_only(server, 2)
            with connected(server, START + b"\r\n") as third, connected(server, START + b"\r\n") as fourth:
                assert answered(third).startswith(b"HTTP/1.1 200 ")
                assert answered(fourth).startswith(b"HTTP/1.1 200 ")
                assert received(first) == b""
                second.sendall(b"\r\n")
                assert answered(second).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    ("limits", "status"),
    [({"max_client_connections": 2}, 429), ({"max_connections": 2, "proxies": ("127.0.0.1",)}, 503)],
    ids=["of a client", "in all"],
)
def test_a_connection_too_many_is_refused_while_all_others_are_answered(
    limits: dict[str, object], status: int, tmp_path: Path
) -> None:
    with running(batch_size=1, **limits) as server:
        server.client.close()
        gate = tmp_path / "gate"
        body = json.dumps({"text": f"until {gate}"}).encode()
        request = POST + b"content-length: %d\r\n\r\n" % len(body) + body
        with connected(server, request) as first, connected(server, request) as second:
            leave_only(server, 2)
            while server.pool.solving.waiting < 1:  # one is being solved, the other one waits
                threading.Event().wait(0.01)
            refused = httpx.get(f"{server.url}/healthz", trust_env=False)
            assert (refused.status_code, refused.json()["error"]) == (status, "too_many_connections")
            assert refused.headers["retry-after"] == "1"
            gate.touch()
            assert answered(first).startswith(b"HTTP/1.1 200 ")
            assert answered(second).startswith(b"HTTP/1.1 200 ")
        leave_only(server, 0)
        assert httpx.get(f"{server.url}/healthz", trust_env=False).status_code == 200


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_an_ipv6_client_has_one_network_and_not_one_address(address: str, client: str) -> None:
    assert client_of(address) == client
