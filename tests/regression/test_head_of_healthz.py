"""`HEAD /healthz` was answered with 405."""

from __future__ import annotations

import pytest

from tests.server.running import running


@pytest.mark.slow
def test_head_is_answered_like_get() -> None:
    with running() as server:
        for path in ("/healthz", "/openapi.json"):
            assert server.client.head(path).status_code == server.client.get(path).status_code == 200
            assert server.client.head(path).content == b""
