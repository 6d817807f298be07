"""The middleware around the app: ids, Host, body limits, the API key, HEAD, security headers, metrics and the log.

It is plain ASGI, so that a request needs no extra task and no copy.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import logging
import re
import socket
import time
import uuid
from collections.abc import Mapping
from functools import cached_property

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sau_solver.phrases import Language
from sau_solver.server import refusals
from sau_solver.server.clients import Clients, address_in
from sau_solver.server.connections import GONE
from sau_solver.server.metrics import Metrics
from sau_solver.server.refusals import Refusal
from sau_solver.server.settings import Settings
from sau_solver.sheets.html_sheet import STYLE_SOURCE

UPLOADS = frozenset({"/v1/problems", "/v1/export"})  # lists of problems, which may be larger than other bodies
OPEN = frozenset({"/", "/healthz", "/openapi.json"})  # no API key needed, as for everything under /page/
PAGE_POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' {STYLE_SOURCE}; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
NO_POLICY = "default-src 'none'; frame-ancestors 'none'"  # for responses that are not a page
SECURITY: Mapping[str, str] = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_PORT = re.compile(r":[0-9]{0,5}$")
CLIENT_GONE = 499  # in log and metrics: the client has closed the connection; nginx uses the same status
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

_log = logging.getLogger("sau_solver.server.requests")


class Gate:
    """ASGI middleware that lets only valid requests through to the app."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self.app, self.settings, self.metrics = app, settings, metrics
        self.hosts = Hosts(settings.host, settings.allowed_hosts)
        self.clients = Clients(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        await _Passage(self, scope, receive, send).pass_through()


class _Passage:
    """One request on its way through the gate.

    HEAD is answered like GET; uvicorn leaves the body out.
    """

    def __init__(self, gate: Gate, scope: Scope, receive: Receive, send: Send) -> None:
        self.gate, self._receive, self._send = gate, receive, send
        self.method = scope["method"]
        self.scope = {**scope, "method": "GET"} if self.method == "HEAD" else scope
        self.headers = Headers(scope=scope)
        self.client = address_in(scope)
        given = self.headers.get("x-request-id", "")
        self.id = given if _ID.fullmatch(given) else uuid.uuid4().hex
        self.status, self.began, self.read = 500, time.perf_counter(), 0
        self.started = False  # the response has begun
        self.limit = gate.settings.max_upload if scope["path"] in UPLOADS else gate.settings.max_body
        self.complete = False  # the whole body has been received
        self.overrun: Refusal | None = None  # set when the body is too long or arrives too slowly
        self.logged: dict[str, object] = {}  # fields that the app adds to the log line
        self.scope.setdefault("state", {}).update(logged=self.logged, spent=self.spent, task=asyncio.current_task())

    def spent(self) -> float:
        """Return the seconds since the request began."""
        return time.perf_counter() - self.began

    async def pass_through(self) -> None:
        """Check the request, let the app answer it, and record it in metrics and log."""
        try:
            with self.gate.clients.counted(self.client):
                self._admit()
                await self.gate.app(self.scope, self.receive, self.send)
            if self.overrun is not None:
                raise self.overrun
        except Refusal as refusal:
            await self._answer(refusal)
        except asyncio.CancelledError as cancelled:
            self.status = CLIENT_GONE
            if cancelled.args != (GONE,):
                raise
        except Exception:  # noqa: BLE001  # the client gets JSON, the log gets the place
            _log.exception("request failed", extra={"request_id": self.id})
            await self._answer(refusals.failed())
        finally:
            self._record()

    def _admit(self) -> None:
        host = self.headers.get("host", "")
        if not self.gate.hosts.include(host):
            raise refusals.wrong_host(host)
        length = self.headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > self.limit:
            raise refusals.too_large(self.limit, int(length[:20]))
        path = self.scope["path"]
        if self.gate.settings.api_key and path not in OPEN and not path.startswith("/page/"):
            scheme, _, key = self.headers.get("authorization", "").partition(" ")
            given = key.strip() if scheme.lower() == "bearer" else self.headers.get("x-api-key", "")
            if not hmac.compare_digest(given.encode(), self.gate.settings.api_key.encode()):
                raise refusals.unauthorized()

    async def receive(self) -> Message:
        """Return the next part of the body.

        A body that is too long or too late stops the app, and the app's own answer to that is not sent.
        """
        settings = self.gate.settings
        if self.complete:
            return await self._receive()
        try:
            seconds = min(settings.body_seconds, settings.request_seconds)
            async with asyncio.timeout(seconds - self.spent()):
                message = await self._receive()
        except TimeoutError:
            late = settings.body_seconds <= settings.request_seconds
            self.overrun = refusals.late_body(seconds) if late else refusals.too_slow(seconds)
            raise self.overrun from None
        self.complete = not message.get("more_body", False)
        self.read += len(message.get("body", b""))
        if self.read > self.limit:
            self.overrun = refusals.too_large(self.limit, self.read)
            raise self.overrun
        return message

    async def send(self, message: Message) -> None:
        """Pass on a part of the app's response."""
        if self.overrun is None:
            await self._pass(message)

    async def _pass(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started, self.status = True, message["status"]
            headers = MutableHeaders(raw=message.setdefault("headers", []))
            for name, value in SECURITY.items():
                headers[name] = value
            page = headers.get("content-type", "").startswith(("text/html", "image/svg"))
            headers["content-security-policy"] = PAGE_POLICY if page else NO_POLICY
            headers["x-request-id"] = self.id
            headers.setdefault("cache-control", "no-store" if self.scope["path"].startswith("/v1/") else "no-cache")
        await self._send(message)

    async def _answer(self, refusal: Refusal) -> None:
        if not self.started:
            language = refusals.accepted_language(self.headers.get("accept-language"))
            await response_to(refusal, language)(self.scope, self._receive, self._pass)

    def _record(self) -> None:
        seconds = self.spent()
        endpoint = getattr(self.scope.get("route"), "path", "other")
        self.gate.metrics.request(endpoint, self.status, seconds)
        line: dict[str, object] = {"request_id": self.id, "method": self.method, "path": self.scope["path"]}
        line |= {"status": self.status, "seconds": round(seconds, 4)} | self.logged
        line |= {"client": self.client} if self.gate.settings.log_client else {}
        _log.info("request", extra=line | {"kind": f"{endpoint} {self.status}"})


def response_to(refusal: Refusal, language: Language | None) -> Response:
    """Return the response to a refused request, with sentences in the language of the client."""
    headers = {} if refusal.retry_after is None else {"retry-after": str(refusal.retry_after)}
    if refusal.status == 401:
        headers["www-authenticate"] = "Bearer"
    return Response(refusal.body(language), refusal.status, headers, "application/json")


class Hosts:
    """The names of a server: localhost, IP addresses, the machine's own name, and those that the operator allows.

    A page of another web site can point its own name at this machine (DNS rebinding). The browser then sends that name
    as Host, so the server answers only to names that its operator knows. Nobody can rebind an IP address.
    """

    def __init__(self, host: str, allowed: tuple[str, ...] = ()) -> None:
        """Create the names of a server that listens on `host`; `*` allows every name, `*.example.org` a domain."""
        self.everything = "*" in allowed
        self.names = {name.lower().rstrip(".") for name in (host, *allowed) if not name.startswith("*")}
        self.domains = tuple(name[1:].lower() for name in allowed if name.startswith("*."))

    @cached_property
    def _own(self) -> set[str]:
        return {"localhost", socket.gethostname().lower()}

    def include(self, header: str) -> bool:
        """Return whether a Host header names this server. HTTP/1.0 has none, and browsers do not speak it."""
        if self.everything or not header:
            return True
        name = _PORT.sub("", header).lower().rstrip(".")
        if name in self.names or name in self._own or name.endswith((".localhost", *self.domains)):
            return True
        return _is_address(name)


def _is_address(name: str) -> bool:
    bracketed = name.startswith("[") and name.endswith("]")
    try:
        return ipaddress.ip_address(name.strip("[]")).version == (6 if bracketed else 4)
    except ValueError:
        return False
