"""The address of a request -> its client, also behind a proxy, and how many requests each client has in progress.

The connections of a proxy are those of many clients, so the limit of connections per client cannot be applied to them.
Behind a proxy, the same limit holds for the requests in progress of each client that `x-forwarded-for` names. uvicorn
reads that header if a trusted proxy has sent it, and puts the address into the scope.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.types import Scope

from sau_solver.server import refusals
from sau_solver.server.settings import Settings

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

UNKNOWN = "unknown"  # a proxy has named its client by something that is not an address
_MAPPED = int(ipaddress.IPv6Address("::ffff:0:0"))


class Proxies:
    """The addresses of trusted proxies."""

    def __init__(self, given: tuple[str, ...]) -> None:
        self.networks: list[Network] = []
        for network in map(ipaddress.ip_network, given):
            self.networks.append(network)
            if isinstance(network, ipaddress.IPv4Network):  # a socket of both versions names it in this form
                mapped = (_MAPPED + int(network.network_address), 96 + network.prefixlen)
                self.networks.append(ipaddress.IPv6Network(mapped))

    def include(self, address: str) -> bool:
        """Return whether an address is that of a proxy."""
        found = _read(address)
        return found is not None and any(found in network for network in self.networks)

    def names(self) -> list[str]:
        """Return all networks as uvicorn takes them."""
        return [str(network) for network in self.networks]


class Clients:
    """The clients with requests in progress."""

    def __init__(self, settings: Settings) -> None:
        self.most = settings.max_client_connections
        self.proxies = Proxies(settings.proxies)
        self._requests: Counter[str] = Counter()

    @contextmanager
    def counted(self, address: str) -> Iterator[None]:
        """Count a request while it is in progress; raise Refusal if its client has too many."""
        if not self.proxies.networks or self.proxies.include(address):  # counted by ConnectionLimit, or a proxy
            yield
            return
        client = client_of(address)
        if self._requests[client] >= self.most:
            raise refusals.too_many_of_client(self.most, client)
        self._requests[client] += 1
        try:
            yield
        finally:
            self._requests[client] -= 1
            if not self._requests[client]:
                del self._requests[client]


def address_in(scope: Scope) -> str:
    """Return the address of a request's client, or UNKNOWN if a proxy has sent something that is not an address."""
    found = _read((scope.get("client") or ("",))[0])
    return UNKNOWN if found is None else str(found)


def client_of(address: str) -> str:
    """Return what counts as one client: an IPv4 address, or the /64 network of an IPv6 address."""
    found = _read(address)
    if found is None:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


def _read(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(address.partition("%")[0])  # without the zone of a link-local address
    except ValueError:
        return None
