"""Requests to the server's app, without a socket -> statuses of the contract, JSON errors, and never a 500."""

from __future__ import annotations

import asyncio
import copy
import json
import logging
from collections.abc import Sequence
from random import Random
from typing import Any

from fuzzing.json_values import leaves
from fuzzing.printed_equations import PIECES
from fuzzing.problem_texts import changed, guessing_solver, known_texts
from fuzzing.target import InvalidSpecError, Spec, require
from sau_solver.server import sample_bodies
from sau_solver.server.app import create_app
from sau_solver.server.metrics import Metrics
from sau_solver.server.settings import Settings
from sau_solver.server.workers.jobs import EquationJobs, SolveJobs
from sau_solver.server.workers.pool import Pool
from sau_solver.server.workers.process import Answer

STATUSES = frozenset({200, 401, 404, 405, 408, 413, 415, 421, 422, 429, 503, 504})
BODIES: dict[str, Any] = {
    "/v1/solve": sample_bodies.SOLVE_REQUESTS[0],
    "/v1/solve/batch": sample_bodies.BATCH_REQUEST,
    "/v1/template": sample_bodies.TEMPLATE_REQUEST,
    "/v1/equation": sample_bodies.EQUATION_REQUESTS[0],
    "/v1/problems": sample_bodies.PROBLEMS_REQUEST,
    "/v1/export": sample_bodies.EXPORT_REQUEST,
    "/v1/generate": sample_bodies.GENERATE_REQUESTS[0],
    "/v1/check": sample_bodies.CHECK_REQUESTS[0],
}
_OTHER = (
    "/",
    "/healthz",
    "/metrics",
    "/openapi.json",
    "/v1/skills",
    "/v1",
    "/page/app.js",
    "/page/../app.py",
    "//",
    "/%2e%2e",
    "/x?y",
)
_VALUES: tuple[Any, ...] = (
    None, True, 0, 1, -1, 51, 10**30, 0.5, "", "x", "auto", "zh", "en", [], {}, [[]], ["x=1"], "\ud800", "\u0000",
    "x" * 11_000, "pdf",
    "html", "csv", "latex", [""] * 300, "x=9^9^9^9", "N0", "+ N0 N1", "= x N9", ["+", "N0", "N1"], {"text": "a"}, 1e400,
)  # fmt: skip
_HEADERS = (
    ("content-type", "text/plain"), ("content-type", "application/json; charset=latin-1"), ("accept-language", "zh-CN"),
    ("content-type", "application/vnd.api+json"), ("host", "evil.example"), ("x-request-id", "a b\x00"),
    ("origin", "null"),
    ("content-length", "-1"), ("content-length", "99999999999999999999999"), ("authorization", "Bearer é"),
    ("accept", "image/png"),
    ("transfer-encoding", "chunked"), ("accept-language", "\xff"), ("expect", "100-continue"),
    ("content-encoding", "gzip"),
)  # fmt: skip


class OwnPool(Pool):
    """A pool whose work is done at once, in the process of the app."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings, Metrics())
        self._solving = SolveJobs(guessing_solver(), ("zh", "en"))
        self._exact = EquationJobs(settings.equation_seconds, settings.max_text)

    async def solve(self, items: Sequence[dict[str, Any]], spent: float) -> list[Answer]:
        """Return the answers to word problems."""
        sent = json.loads(json.dumps(items))  # as workers get them
        return [answer for item in sent for answer in self._solving.answers([item])]

    async def work(self, item: dict[str, Any], spent: float) -> Answer:
        """Return the answer to any other item."""
        (answer,) = self._exact.answers([json.loads(json.dumps(item))])
        return answer


class SentRequests:
    """Requests with changed bodies, paths, methods and headers."""

    name = "requests"

    def __init__(self) -> None:
        logging.getLogger("sau_solver.server").setLevel(logging.CRITICAL)
        self.app = create_app(OwnPool(Settings(workers=1, max_batch=8)))
        self.texts = known_texts()

    def draw(self, random: Random) -> Spec:
        """Return method, path, headers, body as bytes in Latin-1, and where the body is split."""
        path = random.choice(tuple(BODIES)) if random.random() < 0.9 else random.choice(_OTHER)
        body = json.loads(json.dumps(BODIES.get(path, {})))
        for _ in range(random.choice((0, 1, 1, 2))):
            paths = leaves(body)[1:]
            if paths:
                *inside, last = random.choice(paths)
                holder = body
                for step in inside:
                    holder = holder[step]
                texts = (
                    changed(random, random.choice(self.texts)),
                    "".join(random.choices(PIECES, k=9)),
                    random.choice(_VALUES),
                )
                holder[last] = copy.deepcopy(random.choice(texts))
        if random.random() < 0.1:
            body[random.choice(("beam", "lang", "explain", "text", "count", "x", ""))] = copy.deepcopy(
                random.choice(_VALUES)
            )
        content = json.dumps(body, ensure_ascii=random.random() < 0.5).encode("utf-8", "surrogatepass")
        if random.random() < 0.1 and content:
            place = random.randrange(len(content))
            content = content[:place] + bytes([random.randrange(256)]) + content[place + random.randint(0, 9) :]
        method = "POST" if path in BODIES else "GET"
        if random.random() < 0.03:
            method = random.choice(("GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE", "PATCH", "TRACE", "x"))
        headers = [list(random.choice(_HEADERS)) for _ in range(random.choice((0, 0, 0, 0, 1, 2)))]
        return {
            "method": method,
            "path": path,
            "headers": headers,
            "body": content.decode("latin-1"),
            "parts": random.choice((1, 1, 2, 5)),
        }

    def check(self, spec: Spec) -> str:
        """Send the request and check the response."""
        if not spec["path"].startswith("/") or not spec["method"]:
            raise InvalidSpecError
        status, headers, body = asyncio.run(self._sent(spec))
        where = f"{spec['method']} {spec['path']}: {status} {body[:300]!r}"
        require(status in STATUSES, f"status {status} of {spec['path']}", where)
        kind = headers.get("content-type", "")
        if status >= 400 and spec["path"] != "/healthz":
            told = json.loads(body)
            require(kind == "application/json" and told["error"] and told["message"], "errors are JSON", where)
        elif kind.startswith("application/json"):
            json.loads(body, parse_constant=_refused)
        require("x-request-id" in headers, "a response has its id", where)
        return f"{spec['path']} {status}"

    async def _sent(self, spec: Spec) -> tuple[int, dict[str, str], bytes]:
        content = spec["body"].encode("latin-1")
        given = {"host": "localhost", "content-type": "application/json"} | dict(map(tuple, spec["headers"]))
        path, _, query = spec["path"].partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": spec["method"],
            "scheme": "http",
            "path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8000),
            "headers": [(k.encode("latin-1"), v.encode("latin-1")) for k, v in given.items()],
        }  # fmt: skip
        size = max(1, -(-len(content) // max(1, spec["parts"])))
        parts = [content[k : k + size] for k in range(0, len(content), size)] or [b""]
        messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
        messages[-1]["more_body"] = False
        received: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            if messages:
                return messages.pop(0)
            await asyncio.Event().wait()  # the client stays connected
            raise AssertionError

        async def send(message: Any) -> None:
            received.append(message)

        await self.app(scope, receive, send)
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in received[0]["headers"]}
        return received[0]["status"], headers, b"".join(one.get("body", b"") for one in received[1:])


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
