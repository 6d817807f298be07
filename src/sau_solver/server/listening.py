"""An address -> a listening socket that pauses when the process has no free file descriptor."""

from __future__ import annotations

import errno
import logging
import socket
import sys
from typing import Any

from sau_solver.errors import InputError, SettingError
from sau_solver.server.settings import Settings

OWN_DESCRIPTORS = 32  # of the event loop, the log, files of the page, and of what libraries open
WORKER_DESCRIPTORS = 8  # of one worker process, while another one takes its place
FEWEST_CONNECTIONS = 8
EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})

_log = logging.getLogger(__name__)


class Listener(socket.socket):
    """A listening socket. If it cannot accept, asyncio is told once, and then tries again after a second.

    asyncio (up to Python 3.12) goes on accepting after such an error: it tries once for each place in the backlog,
    writes a log line each time and schedules as many retries, which again fail.
    """

    _resting = False

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection. Raise BlockingIOError if there is none, or after an error was raised."""
        if self._resting:
            self._resting = False
            raise BlockingIOError
        try:
            return super().accept()
        except OSError as error:
            self._resting = error.errno in EXHAUSTED
            raise


def bind(host: str, port: int) -> Listener:
    """Return a socket bound to the address, not yet listening. Raise InputError if that is not possible."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        place = Listener(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise SettingError("host", f"an address of this machine, got {host!r} ({error})") from None
    try:
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind(address)
    except OSError as error:
        place.close()
        raise cannot_listen(host, port, error) from None
    return place


def cannot_listen(host: str, port: int, error: OSError) -> InputError:
    """Return the error of an address that cannot be used."""
    reason = "it is in use" if error.errno == errno.EADDRINUSE else error.strerror
    return InputError(f"Cannot listen on port {port} of {host}: {reason}. Choose another --port or --host.")


def possible_connections(settings: Settings) -> int:
    """Return how many connections the limit of open files allows, at most `max_connections`.

    The limit is raised as far as the system lets this process raise it.
    """
    reserved = OWN_DESCRIPTORS + WORKER_DESCRIPTORS * (settings.workers + settings.equation_workers)
    most = settings.max_connections
    if sys.platform == "win32":
        return most
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = reserved + most
    if soft != resource.RLIM_INFINITY and soft < wanted:
        raised = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
        most = raised - reserved
    if most < min(FEWEST_CONNECTIONS, settings.max_connections):
        raise InputError(
            f"The limit of open files is {hard}, and this server needs at least {reserved + FEWEST_CONNECTIONS}. "
            "Raise it with `ulimit -n`, or use fewer --workers."
        )
    if most < settings.max_connections:
        _log.warning("fewer connections", extra={"connections": most, "open_files": hard})
    return most


def address_of(host: str, port: int) -> str:
    """Return the URL of a server; an IPv6 address is put in brackets."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
