"""Settings -> a server that runs until a signal stops it, and then finishes what it took."""

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
from sau_solver.server.logs import OURS, written_logs
from sau_solver.server.metrics import Metrics
from sau_solver.server.settings import CONCLUDING_SECONDS, Settings
from sau_solver.server.workers.pool import Command, Pool

_log = logging.getLogger(f"{OURS}.serving")


def serve(settings: Settings, worker: Command | None = None) -> None:
    """Run until SIGINT or SIGTERM; SauError where the workers do not start."""
    with written_logs():
        asyncio.run(_serve(settings, worker))


async def _serve(settings: Settings, worker: Command | None) -> None:
    with bound(settings.host, settings.port) as place:  # before the workers: they take seconds to start
        async with Pool(settings, Metrics(), worker) as pool:
            await Server(settings, pool).serve([place])


def bound(host: str, port: int) -> socket.socket:
    """A socket at that address, on which nobody listens yet; InputError where it cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        place = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise InputError(f"An address of this machine was expected, {host!r} came ({error}); try 127.0.0.1.") from None
    try:
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind(address)
    except OSError as error:
        place.close()
        why = "is taken; give another --port" if error.errno == errno.EADDRINUSE else f"cannot be had: {error.strerror}"
        raise InputError(f"Port {port} of {host} {why}.") from None
    return place


def address_of(host: str, port: int) -> str:
    """What a browser is given; an address of IPv6 stands in brackets."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class Server(uvicorn.Server):
    """Refuses new work from the signal on; uvicorn lets what was taken finish."""

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
                timeout_graceful_shutdown=max(1, int(settings.stop_seconds - CONCLUDING_SECONDS)),
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say where."""
        await super().startup(sockets)
        if self.started:
            host, port, *_ = self.servers[0].sockets[0].getsockname()
            _log.info("ready", extra={"address": address_of(host, port), "models": self.pool.solving.models})

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at a signal; uvicorn's own way would then end the process under the workers' feet."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {sign: signal.signal(sign, self.handle_exit) for sign in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for sign, handler in before.items():
                signal.signal(sign, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal came. Whatever it interrupted may hold a lock, that of the log too: nothing is done here."""
        self.pool.loop.call_soon_threadsafe(self._stop, sig)

    def _stop(self, sig: int) -> None:
        """Finish and end; a second signal ends the server without its last answers."""
        _log.info("stopping", extra={"signal": sig})
        self.pool.refuse()
        self.force_exit = self.should_exit
        self.should_exit = True
