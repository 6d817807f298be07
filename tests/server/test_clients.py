"""Behind a trusted proxy, log and limits use the address of the client; nobody else can claim to be another client."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from sau_solver.server.clients import Proxies
from sau_solver.server.connections import ConnectionLimit
from sau_solver.server.metrics import Metrics
from sau_solver.server.serving import Server
from sau_solver.server.settings import Settings
from sau_solver.server.workers.pool import Pool
from tests.server.running import running

CLIENT = "198.51.100.7"
PROXIES = ("127.0.0.0/8", "10.0.0.0/8")


@pytest.fixture
def lines() -> Iterator[list[dict[str, Any]]]:
    """The fields of the lines that a server in this process logs during a test."""
    found: list[dict[str, Any]] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(vars(record))

    logger, keep = logging.getLogger("sau_solver.server"), Keep()
    before = logger.level
    logger.addHandler(keep)
    logger.setLevel(logging.INFO)
    yield found
    logger.removeHandler(keep)
    logger.setLevel(before)


def ask(settings: Settings, *forwarded: str, peer: str = "127.0.0.1") -> None:
    """Send a request with these headers x-forwarded-for through all that is before the app; start no worker."""
    server = Server(settings, Pool(settings, Metrics(), ("no-such-worker",)))
    server.config.load()
    transport = httpx.ASGITransport(server.config.loaded_app, client=(peer, 4711))

    async def send() -> None:
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            await client.get("/openapi.json", headers=[("x-forwarded-for", value) for value in forwarded])

    with ThreadPoolExecutor(1) as threads:  # the tests of the page leave an event loop running in this thread
        threads.submit(asyncio.run, send()).result()


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        ([CLIENT], CLIENT),
        ([f"203.0.113.9, {CLIENT}"], CLIENT),  # what the client claims itself does not count
        ([f"203.0.113.9, {CLIENT}, 10.1.2.3"], CLIENT),  # another proxy in between
        (["203.0.113.9", f"{CLIENT}, 10.1.2.3"], CLIENT),
        ([f"{CLIENT}:4711"], CLIENT),
        (["[2001:db8::1]:4711"], "2001:db8::1"),
        (["2001:db8:0:0:0:0:0:1"], "2001:db8::1"),
        (["somebody"], "unknown"),
        (["10.1.2.3"], "10.1.2.3"),
        ([], "127.0.0.1"),
    ],
)
def test_the_log_has_the_address_that_the_proxy_saw(
    lines: list[dict[str, Any]], forwarded: list[str], client: str
) -> None:
    ask(Settings(proxies=PROXIES, log_client=True), *forwarded)
    assert lines[-1]["client"] == client


@pytest.mark.parametrize("proxies", [(), ("10.0.0.0/8",)])
def test_a_client_that_is_no_proxy_cannot_name_another_address(
    lines: list[dict[str, Any]], proxies: tuple[str, ...]
) -> None:
    ask(Settings(proxies=proxies, log_client=True), CLIENT)
    assert lines[-1]["client"] == "127.0.0.1"


def test_a_proxy_is_also_known_by_the_address_of_a_socket_of_both_versions(lines: list[dict[str, Any]]) -> None:
    ask(Settings(proxies=PROXIES, log_client=True), CLIENT, peer="::ffff:10.1.2.3")
    assert lines[-1]["client"] == CLIENT


def test_without_log_client_the_log_has_no_address(lines: list[dict[str, Any]]) -> None:
    ask(Settings(proxies=PROXIES), CLIENT)
    assert lines[-1]["path"] == "/openapi.json"
    assert not {"client", CLIENT, "127.0.0.1"} & {*lines[-1], *map(str, lines[-1].values())}


@pytest.mark.parametrize("wanted", [True, False])
def test_a_closed_connection_is_logged_with_its_address(wanted: bool, lines: list[dict[str, Any]]) -> None:
    ConnectionLimit(Settings(log_client=wanted), Metrics()).count("room", CLIENT)
    assert (lines[-1]["reason"], lines[-1].get("client")) == ("room", CLIENT if wanted else None)


@pytest.mark.slow
def test_one_client_of_a_proxy_cannot_use_the_places_of_the_others(tmp_path: Path) -> None:
    with running(proxies=PROXIES, max_client_connections=2, batch_size=1) as server:
        gate = tmp_path / "gate"

        def ask_as(*client: str) -> httpx.Response:
            return server.client.get("/healthz", headers=[("x-forwarded-for", one) for one in client])

        waiting = [server.later(f"until {gate}", headers={"x-forwarded-for": CLIENT}) for _ in range(2)]
        server.until("sau_requests_waiting", 1, lane="solve")  # one is being solved, the other one waits
        refused = ask_as(CLIENT)
        assert (refused.status_code, refused.json()["error"]) == (429, "too_many_connections")
        assert f"from {CLIENT}" in refused.json()["message"]
        assert refused.headers["retry-after"] == "1"
        assert refused.headers["x-request-id"]
        assert [ask_as(*other).status_code for other in (["198.51.100.8"], [], ["10.1.2.3"])] == [200] * 3
        gate.touch()
        assert [one.result().status_code for one in waiting] == [200, 200]
        assert ask_as(CLIENT).status_code == 200


@pytest.mark.parametrize(
    ("address", "trusted"),
    [
        ("10.0.0.1", True),
        ("::ffff:10.0.0.1", True),
        ("10.0.0.2", False),
        ("172.16.200.1", True),
        ("::ffff:172.16.200.1", True),
        ("fd00::5", True),
        ("fd01::5", False),
        ("fd00::5%eth0", True),
        ("", False),
        ("proxy", False),
    ],
)
def test_proxies_are_addresses_and_networks_of_both_versions(address: str, trusted: bool) -> None:
    assert Proxies(("10.0.0.1", "172.16.0.0/12", "fd00::/16")).include(address) is trusted
