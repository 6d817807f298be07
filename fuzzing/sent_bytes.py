"""Bytes that are almost HTTP, sent to a real server -> a response of the contract, or a closed connection."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import threading
from concurrent.futures import Future
from random import Random

from fuzzing.sent_requests import BODIES, STATUSES, OwnPool
from fuzzing.target import Spec, require
from sau_solver.server.listening import bind
from sau_solver.server.serving import Server
from sau_solver.server.settings import Settings

ALLOWED = STATUSES | {400}  # what is not HTTP is answered before the app sees it
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
SECONDS = 60.0  # that a client waits, on a busy machine
_PIECES = (
    b"\r\n", b"\n", b"\r", b"\x00", b"\xff", b" ", b":", b"\t", b"0\r\n\r\n", b"HTTP/1.1", b"HTTP/9.9",
    b"GET / HTTP/1.1\r\n", b"content-length: 5\r\n", b"content-length: -1\r\n", b"content-length: 1e9\r\n",
    b"transfer-encoding: chunked\r\n", b"transfer-encoding: gzip, chunked\r\n", b"ffffffffffffffff\r\n",
    b"connection: close\r\n", b"upgrade: websocket\r\n", b"expect: 100-continue\r\n", b"host: a\r\nhost: b\r\n",
    b"x: " + b"y" * 9_000 + b"\r\n", b" folded\r\n", b"PRI * HTTP/2.0\r\n\r\n",
)  # fmt: skip


class SentBytes:
    """A server in a thread, and one connection for each input."""

    name = "raw HTTP"

    def __init__(self) -> None:
        logging.getLogger("sau_solver.server").setLevel(logging.CRITICAL)
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
        self.started: Future[tuple[int, Server]] = Future()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        self.port, self.server = self.started.result(SECONDS)

    def _run(self) -> None:
        async def serve() -> None:
            settings = Settings(port=0, workers=1, max_batch=8, header_seconds=0.3, body_seconds=0.3, idle_seconds=0.3)
            pool = OwnPool(settings)
            pool.loop = asyncio.get_running_loop()
            server = Server(settings, pool)
            task = asyncio.create_task(server.serve([bind(settings.host, 0)]))
            while not server.started:
                await asyncio.sleep(0.01)
            self.started.set_result((server.servers[0].sockets[0].getsockname()[1], server))
            await task

        asyncio.run(serve())

    def close(self) -> None:
        """Stop the server."""
        self.server.should_exit = True
        self.thread.join(SECONDS)

    def draw(self, random: Random) -> Spec:
        """Return the bytes in Latin-1."""
        path = random.choice(tuple(BODIES))
        body = json.dumps(BODIES[path]).encode()
        fields = ("host: localhost", "content-type: application/json", f"content-length: {len(body)}")
        head = "\r\n".join((f"POST {path} HTTP/1.1", *fields, "", ""))
        sent = head.encode() + body
        if random.random() < 0.2:
            sent *= 2  # two requests on one connection
        for _ in range(random.choice((1, 1, 2, 3))):
            place = random.randrange(min(len(sent), len(head) + 20))
            end = place + random.choice((0, 0, 1, 5, 30))
            sent = sent[:place] + random.choice((*_PIECES, bytes([random.randrange(256)]))) + sent[end:]
        return sent.decode("latin-1")

    def check(self, spec: Spec) -> str:
        """Send the bytes and read until the server closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS) as connection:
            received = b""
            try:
                connection.sendall(spec.encode("latin-1"))
                connection.shutdown(socket.SHUT_WR)
                while part := connection.recv(65_536):
                    received += part
            except ConnectionError:  # the server may close before everything is sent
                pass
        received = received.removeprefix(CONTINUE)
        if not received:
            return "closed"
        status = re.match(rb"HTTP/1\.1 ([0-9]{3}) ", received)
        require(status, "responses are HTTP", received[:200])
        assert status is not None
        require(int(status[1]) in ALLOWED, f"status {int(status[1])}", received[:500])
        return status[1].decode()
