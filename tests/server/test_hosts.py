"""The server answers only to its own names, so that no web site can reach it under a name of its own."""

from __future__ import annotations

import socket

import pytest

from sau_solver.server.gate import Hosts
from tests.server.running import Running, running


@pytest.mark.parametrize(
    "host",
    [
        "localhost", "LOCALHOST:8000", "localhost.", "app.localhost:8000", "127.0.0.1", "127.0.0.1:8000", "[::1]:8000",
        "192.0.2.7", "[2001:db8::1]", socket.gethostname(), "solver.lan:80", "math.example.org", "a.b.example.net", "",
    ],
)  # fmt: skip
def test_own_names_and_addresses_are_allowed(host: str) -> None:
    assert Hosts("solver.lan", ("math.example.org", "*.example.net")).include(host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example", "::1", "[127.0.0.1]",
        "example.net", "notexample.net", "evilmath.example.org", "127.0.0.1:80:80", "localhost:x", "@localhost", "*",
    ],
)  # fmt: skip
def test_other_names_are_refused(host: str) -> None:
    assert not Hosts("solver.lan", ("math.example.org", "*.example.net")).include(host)


def test_a_star_allows_every_name() -> None:
    assert Hosts("127.0.0.1", ("*",)).include("evil.example")


@pytest.mark.parametrize("path", ["/", "/healthz", "/metrics", "/v1/skills"])
def test_a_request_for_another_host_is_refused(server: Running, path: str) -> None:
    refused = server.client.get(path, headers={"host": "evil.example"})
    assert (refused.status_code, refused.json()["error"]) == (421, "wrong_host")
    assert "'evil.example'" in refused.json()["message"]
    assert server.client.get(path, headers={"host": "localhost:1234"}).status_code == 200


def test_the_name_that_a_proxy_passes_on_can_be_allowed() -> None:
    with running(allowed_hosts=("math.example.org",)) as server:
        found = [
            server.client.get("/healthz", headers={"host": name}).status_code for name in ("math.example.org", "b")
        ]
        assert found == [200, 421]
