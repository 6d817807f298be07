"""The server read bodies of application/vnd.api+json, although it says that only application/json is read."""

from __future__ import annotations

from tests.server.running import running

BODY = b'{"text": "A box holds 7 pens. How many pens are in 3 boxes?"}'


def test_only_plain_json_is_read() -> None:
    with running() as server:
        for kind in ("application/vnd.api+json", "text/json", "application/jsonp", "text/plain", ""):
            answer = server.client.post("/v1/solve", content=BODY, headers={"content-type": kind})
            assert (answer.status_code, answer.json()["error"]) == (415, "wrong_type"), kind
        for kind in ("application/json", "Application/JSON; charset=utf-8"):
            assert server.client.post("/v1/solve", content=BODY, headers={"content-type": kind}).status_code == 200
