"""Runs the server until a signal stops it. Requests that it has accepted by then are answered first."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from sau_solver.server.app import create_app
from sau_solver.server.clients import Proxies
from sau_solver.server.connections import Config, ConnectionLimit
from sau_solver.server.listening import address_of, bind, cannot_listen, possible_connections
from sau_solver.server.logs import OURS, json_logs
from sau_solver.server.metrics import Metrics
from sau_solver.server.settings import ENDING_SECONDS, Settings
from sau_solver.server.workers.pool import Command, Pool

_log = logging.getLogger(f"{OURS}.serving")


def serve(settings: Settings, worker: Command | None = None) -> None:
    """Serve until SIGINT or SIGTERM. Raise SauError if the workers do not start."""
    metrics = Metrics()
    with json_logs(settings.max_log_lines, metrics.dropped):
        asyncio.run(_serve(settings, metrics, worker))


async def _serve(settings: Settings, metrics: Metrics, worker: Command | None) -> None:
    most = possible_connections(settings)
    with bind(settings.host, settings.port) as place:  # before the workers, which take seconds to start
        async with Pool(settings, metrics, worker) as pool:
            await Server(settings, pool, most).serve([place])


class Server(uvicorn.Server):
    """A uvicorn server that refuses new requests after a signal and finishes the accepted ones."""

    def __init__(self, settings: Settings, pool: Pool, most: int | None = None) -> None:
        """Create the server of a pool; `most` replaces the number of connections if the system allows fewer."""
        self.pool = pool
        super().__init__(
            Config(
                create_app(pool),
                ConnectionLimit(settings, pool.metrics, most),
                host=settings.host,
                port=settings.port,
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=bool(settings.proxies),
                forwarded_allow_ips=Proxies(settings.proxies).names(),
                timeout_graceful_shutdown=max(1, int(settings.stop_seconds - ENDING_SECONDS)),
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening and log the address. Raise InputError if another process has started to listen there."""
        try:
            await super().startup(sockets)
        except OSError as error:
            raise cannot_listen(self.config.host, self.config.port, error) from None
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
