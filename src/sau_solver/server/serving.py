"""Runs the server until a signal stops it. Requests that it has accepted by then are answered first."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from sau_solver.errors import InputError
from sau_solver.server.app import create_app
from sau_solver.server.logs import OURS, json_logs
from sau_solver.server.metrics import Metrics
from sau_solver.server.settings import ENDING_SECONDS, Settings
from sau_solver.server.workers.pool import Command, Pool

_log = logging.getLogger(f"{OURS}.serving")


def serve(settings: Settings, worker: Command | None = None) -> None:
    """Serve until SIGINT or SIGTERM. Raise SauError if the workers do not start."""
    with json_logs():
        asyncio.run(_serve(settings, worker))


async def _serve(settings: Settings, worker: Command | None) -> None:
    with bind(settings.host, settings.port) as place:  # before the workers, which take seconds to start
        async with Pool(settings, Metrics(), worker) as pool:
            await Server(settings, pool).serve([place])


def bind(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address, not yet listening. Raise InputError if that is not possible."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        place = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        message = f"--host must be an address of this machine, got {host!r} ({error}). Try --host 127.0.0.1."
        raise InputError(message) from None
    try:
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind(address)
    except OSError as error:
        place.close()
        raise _cannot_listen(host, port, error) from None
    return place


def _cannot_listen(host: str, port: int, error: OSError) -> InputError:
    reason = "it is in use" if error.errno == errno.EADDRINUSE else error.strerror
    return InputError(f"Cannot listen on port {port} of {host}: {reason}. Choose another --port or --host.")


def address_of(host: str, port: int) -> str:
    """Return the URL of a server; an IPv6 address is put in brackets."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class Server(uvicorn.Server):
    """A uvicorn server that refuses new requests after a signal and finishes the accepted ones."""

    def __init__(self, settings: Settings, pool: Pool) -> None:
        self.pool = pool
        super().__init__(
            uvicorn.Config(
                create_app(pool),
                host=settings.host,
                port=settings.port,
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=max(1, int(settings.stop_seconds - ENDING_SECONDS)),
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening and log the address. Another server may have bound the port, too, and listen first."""
        try:
            await super().startup(sockets)
        except OSError as error:
            raise _cannot_listen(self.config.host, self.config.port, error) from None
        if self.started:
            host, port, *_ = self.servers[0].sockets[0].getsockname()
            _log.info("ready", extra={"address": address_of(host, port), "models": self.pool.solving.models})

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on a signal without raising it again, as uvicorn does: the workers would not be ended in order."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        handlers = {sign: signal.signal(sign, self.handle_exit) for sign in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for sign, handler in handlers.items():
                signal.signal(sign, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Schedule the stop. The interrupted code may hold a lock, even the log's, so nothing else happens here."""
        self.pool.loop.call_soon_threadsafe(self._stop, sig)

    def _stop(self, sig: int) -> None:
        """Stop after the accepted requests; a second signal stops at once."""
        _log.info("stopping", extra={"signal": sig})
        self.pool.refuse()
        self.force_exit = self.should_exit
        self.should_exit = True
