"""If two servers started on the same port at the same time, the second one ended with a traceback."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from sau_solver.errors import InputError
from sau_solver.server import listening, serving
from sau_solver.server.settings import Settings
from tests.server.running import SCRIPTED


@pytest.mark.slow
def test_the_server_that_listens_second_says_that_the_port_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    bind = listening.bind
    with closing(bind("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        def overtaken(host: str, port: int) -> socket.socket:
            place = bind(host, port)  # possible, because nobody listens yet
            other.listen()
            return place

        monkeypatch.setattr(serving, "bind", overtaken)
        # In another thread, because a browser of other tests has an event loop in this one.
        with ThreadPoolExecutor(1) as thread:
            serving_second = thread.submit(serving.serve, Settings(port=port, workers=1), SCRIPTED)
            with pytest.raises(InputError, match=f"Cannot listen on port {port} of 127.0.0.1: it is in use"):
                serving_second.result()
