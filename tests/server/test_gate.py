"""The middleware of every request: ids, headers, HEAD, the API key, CORS, metrics and the log."""

from __future__ import annotations

import io
import json
import logging
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from sau_solver.server.logs import JsonLines
from sau_solver.sheets.html_sheet import STYLE_SOURCE
from tests import by_heart
from tests.server.running import Running, running
from tests.server.scripted_worker import SECRET


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """The log of the server, as the operator sees it."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("sau_solver.server")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield stream
    logger.removeHandler(handler)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines(keepends=True) if line.endswith("\n")]


def line_of(stream: io.StringIO, answer: httpx.Response) -> dict[str, Any]:
    """Return the log line of a request, which is written after its response."""
    for _ in range(1_000):
        if found := [line for line in lines(stream) if line.get("request_id") == answer.headers["x-request-id"]]:
            assert len(found) == 1
            return found[0]
        time.sleep(0.01)
    raise AssertionError("the log has no line of the request")


def test_the_log_has_a_line_for_each_request_and_never_the_text(server: Running, log: io.StringIO) -> None:
    answers = [server.solve(by_heart.GARDEN), server.solve("raise"), server.solve("")]
    answers += [server.client.post("/v1/equation", json={"equations": "x+271828=3"})]
    told = [line_of(log, answer) for answer in answers]
    assert [(line["event"], line["path"], line["status"]) for line in told] == [
        ("request", "/v1/solve", 200),
        ("request", "/v1/solve", 500),
        ("request", "/v1/solve", 422),
        ("request", "/v1/equation", 200),
    ]
    assert told[0]["characters"] == len(by_heart.GARDEN)
    assert told[1]["cause"].startswith("RuntimeError at scripted_worker.py:")
    for private in (by_heart.GARDEN, "271828", SECRET):
        assert private not in log.getvalue()


def test_the_log_has_the_text_if_the_operator_wants_it(log: io.StringIO) -> None:
    with running(log_text=True) as server:
        assert line_of(log, server.solve(by_heart.GARDEN))["text"] == [by_heart.GARDEN]


def test_an_exception_is_logged_by_type_and_place_only() -> None:
    try:
        raise ValueError(SECRET)
    except ValueError as error:
        record = logging.makeLogRecord({"msg": "broke", "exc_info": (ValueError, error, error.__traceback__)})
    line = json.loads(JsonLines().format(record))
    assert line["cause"].startswith("ValueError at test_gate.py:")
    assert SECRET not in str(line)


def test_a_request_keeps_its_valid_id(server: Running) -> None:
    def returned(given: str) -> str:
        return server.client.get("/healthz", headers={"x-request-id": given}).headers["x-request-id"]

    assert returned("order-66.a_b") == "order-66.a_b"
    assert returned('"}{"level": "error') != '"}{"level": "error'
    assert len(returned("x" * 65)) == 32
    assert returned("") != returned("")


@pytest.mark.parametrize("path", ["/", "/page/index.html", "/healthz", "/metrics", "/openapi.json", "/nothing"])
def test_head_answers_like_get_without_a_body(server: Running, log: io.StringIO, path: str) -> None:
    full, head = server.client.get(path), server.client.head(path)
    assert head.status_code == full.status_code
    assert head.content == b""
    assert head.headers["content-type"] == full.headers["content-type"]
    if path != "/metrics":  # whose length changes with every request
        assert head.headers["content-length"] == str(len(full.content))
    assert line_of(log, head)["method"] == "HEAD"


def test_head_is_refused_where_get_is(server: Running) -> None:
    refused = server.client.head("/v1/solve")
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("path", ["/", "/page/index.html", "/healthz", "/nothing", "/openapi.json"])
def test_every_answer_has_the_security_headers(server: Running, path: str) -> None:
    headers = server.client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "server" not in headers


def test_the_page_may_load_its_own_files_and_nothing_else(server: Running) -> None:
    page = server.client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    policy = dict(rule.split(" ", 1) for rule in page.headers["content-security-policy"].split("; "))
    assert policy["script-src"] == policy["connect-src"] == "'self'"
    assert policy["style-src"] == f"'self' {STYLE_SOURCE}"  # the hash of the style of worksheets, which it opens
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in page.headers["content-security-policy"]
    assert "http" not in page.headers["content-security-policy"]


def test_answers_are_not_cached(server: Running) -> None:
    assert server.solve(by_heart.GARDEN).headers["cache-control"] == "no-store"
    assert server.client.get("/").headers["cache-control"] == "no-cache"


def test_other_sites_may_ask_only_if_the_operator_allows_it(server: Running) -> None:
    def allowed(client: httpx.Client, origin: str) -> str | None:
        asked = {"origin": origin, "access-control-request-method": "POST"}
        preflight = client.options("/v1/solve", headers=asked | {"access-control-request-headers": "content-type"})
        direct = client.post("/v1/solve", json={"text": by_heart.GARDEN}, headers={"origin": origin})
        assert preflight.headers.get("access-control-allow-origin") == direct.headers.get("access-control-allow-origin")
        found: str | None = direct.headers.get("access-control-allow-origin")
        return found

    assert allowed(server.client, "https://example.org") is None
    with running(cors_origins=("https://example.org",)) as other:
        assert allowed(other.client, "https://example.org") == "https://example.org"
        assert allowed(other.client, "https://example.com") is None


def test_with_an_api_key_other_sites_can_still_ask_and_read_every_refusal() -> None:
    origin = {"origin": "https://example.org"}
    with running(cors_origins=("https://example.org",), api_key="open sesame", max_body=300) as server:
        asked = {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}
        preflight = server.client.options("/v1/solve", headers=origin | asked)
        assert preflight.status_code == 200
        assert "authorization" in preflight.headers["access-control-allow-headers"]
        refused = [server.client.post("/v1/solve", json={"text": "a" * size}, headers=origin) for size in (1, 300)]
        assert [one.status_code for one in refused] == [401, 413]
        assert {one.headers.get("access-control-allow-origin") for one in (preflight, *refused)} == {
            "https://example.org"
        }


def test_with_an_api_key_only_the_page_and_health_are_open() -> None:
    with running(api_key="open sesame") as server:
        body = {"text": by_heart.GARDEN}
        right = ({"authorization": "Bearer open sesame"}, {"x-api-key": "open sesame"})
        wrong: tuple[dict[str, str], ...] = (
            {},
            {"authorization": "Bearer open"},
            {"authorization": "Basic open sesame"},
            {"x-api-key": ""},
        )
        assert [server.client.post("/v1/solve", json=body, headers=key).status_code for key in right] == [200, 200]
        refused = [server.client.post("/v1/solve", json=body, headers=key) for key in wrong]
        assert [one.status_code for one in refused] == [401] * len(wrong)
        assert refused[0].json()["error"] == "unauthorized"
        assert refused[0].headers["www-authenticate"] == "Bearer"
        opened = {path: server.client.get(path).status_code for path in ("/", "/healthz", "/openapi.json", "/metrics")}
        assert opened == {"/": 200, "/healthz": 200, "/openapi.json": 200, "/metrics": 401}


def test_the_metrics_count_requests_latency_batches_abstentions_and_outcomes() -> None:
    with running() as server:
        server.solve(by_heart.GARDEN)
        assert server.solve(by_heart.DOUBTFUL).json()["abstained"]
        server.solve("")
        server.client.post("/v1/equation", json={"equations": "0=1"})
        server.client.get("/somewhere/else")
        server.until("sau_requests_total", 2, endpoint="/v1/solve", status="200")
        server.until("sau_requests_total", 1, endpoint="/v1/solve", status="422")
        server.until("sau_requests_total", 1, endpoint="other", status="404")
        server.until("sau_request_seconds_count", 3, endpoint="/v1/solve")
        assert server.metric("sau_batch_size_count", lane="solve") == 3
        assert server.metric("sau_abstentions_total", language="en") == 1
        assert server.metric("sau_outcomes_total", source="problem", outcome="solved") == 2
        assert server.metric("sau_outcomes_total", source="equation", outcome="none") == 1
        assert server.metric("sau_requests_waiting", lane="solve") == 0
        assert server.metric("process_resident_memory_bytes") > 0


def test_the_page_comes_with_the_package(server: Running) -> None:
    page = server.client.get("/")
    assert page.status_code == 200
    assert server.client.get("/page/index.html").content == page.content
