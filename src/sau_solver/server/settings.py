"""Everything about a server that an operator may set; `sau serve` has an option for each."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from sau_solver.errors import InputError
from sau_solver.text.screening import MAX_CHARACTERS

MOST_TEXT = 20_000  # characters: no equations have more, and a model's time grows with the square of a text
CONCLUDING_SECONDS = 2.0  # of the time to stop: for the workers to end


@dataclass(frozen=True, slots=True)
class Settings:
    """Of one server. Times are in seconds."""

    host: str = "127.0.0.1"  # nobody but this machine
    port: int = 8000
    model: str | None = None  # a folder, "zh" or "en"; the shipped models of both languages where it is None

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)  # processes that hold the models
    equation_workers: int = 1  # processes that solve equations
    batch_size: int = 32  # problems that a worker takes at a time
    batch_wait: float = 0.005  # that a problem waits for others to share its batch

    max_text: int = MAX_CHARACTERS  # characters
    max_body: int = 64 * 1024  # bytes
    max_batch: int = 256  # problems of one request
    max_waiting: int = 64  # requests that no worker has taken yet
    request_seconds: float = 10.0
    equation_seconds: float = 2.0  # for an equation that needs the symbolic solver
    stop_seconds: float = 15.0  # from the signal to the end

    api_key: str = field(default="", repr=False)
    cors_origins: tuple[str, ...] = ()
    log_text: bool = False
    page: Path = Path(__file__).parent / "page"

    def __post_init__(self) -> None:
        least = {
            "workers": 1, "equation_workers": 1, "batch_size": 1, "max_text": 1, "max_body": 256, "max_batch": 1,
            "max_waiting": 1,
        }  # fmt: skip
        for name, bound in least.items():
            if getattr(self, name) < bound:
                raise InputError(f"{name} of at least {bound} was expected, {getattr(self, name)} came.")
        for name in ("request_seconds", "equation_seconds"):
            if not getattr(self, name) > 0:
                raise InputError(f"{name} above 0 was expected, {getattr(self, name)} came.")
        if self.max_text > MOST_TEXT:
            raise InputError(f"max_text of at most {MOST_TEXT:,} was expected, {self.max_text:,} came.")
        if self.batch_wait < 0:
            raise InputError(f"batch_wait of at least 0 was expected, {self.batch_wait} came.")
        if self.stop_seconds < CONCLUDING_SECONDS + 1:
            raise InputError(
                f"stop_seconds of at least {CONCLUDING_SECONDS + 1:g} was expected, {self.stop_seconds} came."
            )
