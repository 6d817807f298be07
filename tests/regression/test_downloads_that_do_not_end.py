"""`sau data fetch` had no size limit, and it waited forever for a server that sends a byte now and then."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sau_solver.data import fetch, fetching
from sau_solver.errors import CorpusError
from tests.data.test_fetching import left_behind, pages
from tests.data.web_server import web_server


@contextmanager
def dripping(head: bytes, drop: bytes, stop: threading.Event) -> Iterator[str]:
    """Run a server that sends a head at once, and then one drop after the other until it is stopped."""
    with socket.create_server(("127.0.0.1", 0)) as place:

        def serve() -> None:
            connection, _ = place.accept()
            with connection:
                connection.recv(1 << 16)
                connection.sendall(head)
                while not stop.wait(0.02):
                    try:
                        connection.sendall(drop)
                    except OSError:  # the client is gone
                        return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{place.getsockname()[1]}"
        finally:
            stop.set()
            thread.join()


ENDLESS = b"HTTP/1.1 200 OK\r\n\r\n"
LONG = b"HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n"


@pytest.mark.parametrize(("head", "drop"), [(LONG, b"x"), (ENDLESS, b"x"), (b"HTTP/1.1 200 OK\r\nA: ", b"x")])
def test_a_server_that_drips_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: bytes, drop: bytes
) -> None:
    monkeypatch.setattr(fetching, "STALL_SECONDS", 0.5)
    with (
        dripping(head, drop, threading.Event()) as address,
        pytest.raises(CorpusError, match="sends too slowly"),
    ):
        fetch("hmwp", tmp_path, address)
    assert left_behind(tmp_path) == []


def test_a_download_has_a_time_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "DOWNLOAD_SECONDS", 0.5)
    with (
        dripping(LONG, b"x" * 2000, threading.Event()) as address,
        pytest.raises(CorpusError, match="sends too slowly"),
    ):
        fetch("hmwp", tmp_path, address)
    assert left_behind(tmp_path) == []


def test_a_download_has_a_size_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "MAX_DOWNLOAD_BYTES", 1 << 20)
    with (
        web_server(pages("hmwp", bytes((1 << 20) + 1))) as (address, _),
        pytest.raises(CorpusError, match="larger than 1 MiB"),
    ):
        fetch("hmwp", tmp_path, address)
    with (
        dripping(ENDLESS, bytes(1 << 19), threading.Event()) as address,
        pytest.raises(CorpusError, match="larger than 1 MiB"),
    ):
        fetch("hmwp", tmp_path, address)
    assert left_behind(tmp_path) == []
