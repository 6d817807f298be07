"""The settings of a server. `sau serve` has an option and an environment variable for each of them."""

from __future__ import annotations

import ipaddress
import math
from dataclasses import dataclass, field
from pathlib import Path

from sau_solver.errors import SettingError
from sau_solver.server.cores import usable_cores
from sau_solver.text.screening import MAX_CHARACTERS

MOST_TEXT = 20_000  # characters: no equations may be longer, and a model's time grows with the square of the length
ENDING_SECONDS = 2.0  # the part of stop_seconds that is kept for the workers to end

_LEAST = {
    "workers": 1,
    "equation_workers": 1,
    "batch_size": 1,
    "bulk_size": 1,
    "batch_wait": 0,
    "max_text": 1,
    "max_body": 256,
    "max_upload": 256,
    "max_batch": 1,
    "max_generated": 1,
    "max_sheet": 1,
    "max_waiting": 1,
    "max_connections": 1,
    "max_client_connections": 1,
    "max_log_lines": 1,
    "stop_seconds": ENDING_SECONDS + 1,
}
_SECONDS = ("header_seconds", "body_seconds", "idle_seconds", "send_seconds", "request_seconds", "batch_seconds")
_POSITIVE = (*_SECONDS, "equation_seconds")


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one server process. Times are in seconds."""

    host: str = "127.0.0.1"  # only this machine can connect
    port: int = 8000
    model: str | None = None  # a folder, owner/name@revision of the Hub, "zh" or "en"; None for both shipped models

    workers: int = field(default_factory=usable_cores)  # processes that hold the models
    equation_workers: int = 1  # processes that solve equations
    batch_size: int = 32  # problems per batch of a worker
    bulk_size: int = 1  # problems per batch of a worker if they are of batch requests
    batch_wait: float = 0.005  # maximum time to wait for a batch to fill

    max_text: int = MAX_CHARACTERS  # characters
    max_body: int = 64 * 1024  # bytes
    max_upload: int = 1024 * 1024  # bytes of a list of problems
    max_batch: int = 256  # problems per request
    max_generated: int = 20  # generated problems per request
    max_sheet: int = 100  # generated problems of a worksheet
    max_waiting: int = 64  # requests that no worker has taken yet
    request_seconds: float = 10.0  # deadline of a request
    batch_seconds: float = 60.0  # deadline of a request with many problems, if it is later
    equation_seconds: float = 2.0  # time limit of the symbolic solver
    stop_seconds: float = 15.0  # from the signal to the end of the process

    max_connections: int = 512  # open at the same time
    max_client_connections: int = 64  # of one address; behind a proxy: requests in progress
    header_seconds: float = 10.0  # to send the header of a request
    body_seconds: float = 10.0  # to send its body
    idle_seconds: float = 15.0  # from a response to the next request of the connection
    send_seconds: float = 20.0  # for the client to read the next part of a response
    proxies: tuple[str, ...] = ()  # addresses and networks of proxies, whose x-forwarded-for is believed
    allowed_hosts: tuple[str, ...] = ()  # names besides localhost, the machine's name and IP addresses; * for all

    api_key: str = field(default="", repr=False)
    cors_origins: tuple[str, ...] = ()
    log_text: bool = False
    log_client: bool = False
    max_log_lines: int = 100  # per second and kind of line
    page: Path = Path(__file__).parent / "page"

    def __post_init__(self) -> None:
        for name in (*_LEAST, *_POSITIVE):
            if not math.isfinite(value := getattr(self, name)):
                raise SettingError(name, f"a finite number, got {value}")
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise SettingError(name, f"at least {least:g}, got {getattr(self, name)}")
        for name in _POSITIVE:
            if not getattr(self, name) > 0:
                raise SettingError(name, f"above 0, got {getattr(self, name)}")
        if self.max_text > MOST_TEXT:
            raise SettingError("max_text", f"at most {MOST_TEXT:,}, got {self.max_text:,}")
        for proxy in self.proxies:
            try:
                ipaddress.ip_network(proxy)
            except ValueError:
                wanted = "an IP address or a network such as 10.0.0.0/8"
                raise SettingError("proxies", f"{wanted}, got {proxy!r}") from None
