"""Connections with limits: their number, their time, and which one is closed for a new one.

A client that sends its header or body too slowly, keeps a connection open without a request, or does not read its
response is disconnected. When there are too many connections, the one that has waited longest without a request is
closed; a new one is refused only if all others are being answered.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Any, Literal

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from sau_solver.server import refusals
from sau_solver.server.clients import Proxies, client_of
from sau_solver.server.metrics import Metrics
from sau_solver.server.refusals import Refusal
from sau_solver.server.settings import Settings

GONE = "the client has closed the connection"  # why the task of a request is cancelled
FLUSH_SECONDS = 2.0  # to send or receive what is left when a connection is closed

Phase = Literal["idle", "header", "body", "answer"]

_log = logging.getLogger(__name__)


class ConnectionLimit:
    """All open connections, and the rules for new ones."""

    def __init__(self, settings: Settings, metrics: Metrics, most: int | None = None) -> None:
        """Start without connections; `most` replaces the number of the settings if the system allows fewer."""
        self.settings, self.metrics = settings, metrics
        self.most = settings.max_connections if most is None else most
        self._proxies = Proxies(settings.proxies)
        self._members: dict[Connection, str] = {}  # each connection with its client, oldest first
        metrics.watch_connections(lambda: len(self._members))

    def enter(self, connection: Connection, address: str) -> Refusal | None:
        """Add a connection and return None, or return why it is refused."""
        client, most_each = client_of(address), self.settings.max_client_connections
        if not self._proxies.include(address):
            own = [one for one, whose in self._members.items() if whose == client]
            if len(own) >= most_each and not self._make_room(own):
                return refusals.too_many_of_client(most_each, client)
        if len(self._members) >= self.most and not self._make_room(self._members):
            return refusals.too_many_connections(self.most)
        self._members[connection] = client
        return None

    def leave(self, connection: Connection) -> None:
        """Remove a connection that has ended."""
        self._members.pop(connection, None)

    def count(self, reason: str, address: str) -> None:
        """Record that a connection was closed or refused because of a limit."""
        self.metrics.closed(reason)
        if reason != "idle":
            client = {"client": address} if self.settings.log_client else {}
            _log.warning("connection closed", extra={"reason": reason} | client)

    def _make_room(self, members: Iterable[Connection]) -> bool:
        """Close the connection that has waited longest without a request; return False if there is none."""
        waiting = [one for one in members if one.phase in ("idle", "header")]
        if not waiting:
            return False
        longest = min(waiting, key=lambda one: one.since)
        self.leave(longest)
        longest.drop("room")
        return True


class Config(uvicorn.Config):
    """The configuration of uvicorn, and the limit that its connections share."""

    def __init__(self, app: Any, limit: ConnectionLimit, **options: Any) -> None:
        self.limit = limit
        idle = max(1, round(limit.settings.idle_seconds))
        super().__init__(app, http=Connection, ws="none", timeout_keep_alive=idle, **options)


class Connection(H11Protocol):
    """A connection of uvicorn with deadlines."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.timeout_keep_alive = config.limit.settings.idle_seconds  # type: ignore[assignment]  # call_later takes it
        self.limit = config.limit
        self.phase: Phase = "header"
        self.since = self.loop.time()  # when the phase began
        self._deadline: asyncio.TimerHandle | None = None
        self._flushing: asyncio.TimerHandle | None = None

    @property
    def address(self) -> str:
        """The address at the other end: that of a client or of a proxy."""
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock of the first header, or refuse the connection."""
        super().connection_made(transport)
        if refusal := self.limit.enter(self, self.address):
            self.limit.count("clients" if refusal.status == 429 else "full", self.address)
            self._refuse(refusal)
            return
        self._deadline = self.loop.call_later(self.limit.settings.header_seconds, self._expire)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all clocks, and cancel the request that nobody waits for."""
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self.limit.leave(self)
        self._stop(self._deadline)
        self._stop(self._flushing)
        if self.cycle is not None and not self.cycle.response_complete:
            task = self.scope["state"].get("task")
            if task is not None:
                task.cancel(GONE)

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        if self.transport.is_closing():  # refused: what it still sends is not read
            return
        super().data_received(data)
        self._enter_phase()

    def on_response_complete(self) -> None:
        """Wait for the next request, or a moment for the rest of a body that was answered before it had arrived."""
        super().on_response_complete()
        if self.phase == "body":
            self._stop(self._deadline)
            self._deadline = self.loop.call_later(FLUSH_SECONDS, self._expire)
        if self.transport.is_closing():
            self._flush(self.limit.settings.send_seconds)
        self._enter_phase()

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection without a request."""
        if not self.transport.is_closing():
            self.limit.count("idle", self.address)
            super().timeout_keep_alive_handler()
            self._flush(FLUSH_SECONDS)

    def pause_writing(self) -> None:
        """Wait for the client to read its response, but not forever."""
        super().pause_writing()
        self._flush(self.limit.settings.send_seconds)

    def resume_writing(self) -> None:
        """Go on with the response."""
        super().resume_writing()
        if not self.transport.is_closing():
            self._stop(self._flushing)
            self._flushing = None

    def drop(self, reason: str) -> None:
        """Close the connection at once."""
        self.limit.count(reason, self.address)
        self.transport.abort()

    def _enter_phase(self) -> None:
        """Find out what the connection waits for, and start the clock of a new phase."""
        phase = self._find_phase()
        if phase == self.phase:
            return
        self.phase, self.since = phase, self.loop.time()
        self._stop(self._deadline)
        settings = self.limit.settings
        seconds = {"header": settings.header_seconds, "body": settings.body_seconds + FLUSH_SECONDS}.get(phase)
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self._expire)

    def _find_phase(self) -> Phase:
        if self.conn.their_state is h11.SEND_BODY:
            return "body"
        if self.cycle is not None and not self.cycle.response_complete:
            return "answer"
        return "header" if self.conn.trailing_data[0] else "idle"

    def _expire(self) -> None:
        """Close a connection whose phase takes too long. The gate has had time to answer a late body."""
        if self.transport.is_closing():
            return
        if self.phase == "header":
            self.limit.count("header", self.address)
            self._refuse(refusals.late_header(self.limit.settings.header_seconds))
        else:
            self.drop(self.phase)

    def _refuse(self, refusal: Refusal) -> None:
        """Answer without a request, whose language is not known, and close."""
        body = refusal.body()
        retry = "" if refusal.retry_after is None else f"retry-after: {refusal.retry_after}\r\n"
        head = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n{retry}connection: close\r\n\r\n"
        self.transport.write(f"HTTP/1.1 {refusal.status} {refusal.error}\r\n{head}".encode() + body)
        self.transport.close()
        self._flush(FLUSH_SECONDS)

    def _flush(self, seconds: float) -> None:
        """Give the client some time to read what was written."""
        self._stop(self._flushing)
        self._flushing = self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        self.drop("send")

    @staticmethod
    def _stop(clock: asyncio.TimerHandle | None) -> None:
        if clock is not None:
            clock.cancel()
