"""The Host header of a request -> whether it is a name of this server.

A page of another web site can point its own name at this machine (DNS rebinding). The browser then sends that name as
Host, so the server answers only to names that its operator knows. Nobody can rebind an IP address.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from functools import cached_property

_PORT = re.compile(r":[0-9]{0,5}$")


class Hosts:
    """The names of a server: localhost, IP addresses, the machine's own name, and those that the operator allows."""

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
