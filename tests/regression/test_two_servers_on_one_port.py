"""Two servers that start together bind the same port; the one that listens second ended with a traceback (D16)."""

from __future__ import annotations

import socket
from contextlib import closing

import pytest

from sau_solver.errors import InputError
from sau_solver.server import listening, serving
from sau_solver.server.settings import Settings
from tests.server.running import SCRIPTED


def test_the_server_that_listens_second_says_that_the_port_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    bind = listening.bind
    with closing(bind("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        def overtaken(host: str, port: int) -> socket.socket:
            place = bind(host, port)  # possible, because nobody listens yet
            other.listen()
            return place

        monkeypatch.setattr(serving, "bind", overtaken)
        with pytest.raises(InputError, match=f"Cannot listen on port {port} of 127.0.0.1: it is in use"):
            serving.serve(Settings(port=port, workers=1), SCRIPTED)
