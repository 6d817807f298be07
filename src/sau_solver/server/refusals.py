"""What a server says where it gives no answer: one exception for each row of the error table, one JSON body for all."""

from __future__ import annotations

import json
import re
from typing import Any

_ADVICE = re.compile(r"[;；:] ?(?=[^;；]*$)")  # our messages end with what to do, behind a semicolon


class Refusal(Exception):  # noqa: N818  # a refusal is an answer, too
    """A request that is answered with an error: the status, and the fields of the body."""

    def __init__(
        self, status: int, error: str, message: str, field: str = "", hint: str = "", retry_after: int | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.error, self.message, self.field = status, error, message, field
        self.hint = hint or _advice(message)
        self.retry_after = retry_after

    def body(self) -> bytes:
        """The JSON of the error, in ASCII: a message may quote what is not text."""
        return json.dumps(self.as_json()).encode()

    def as_json(self) -> dict[str, Any]:
        """The documented object."""
        return {"error": self.error, "message": self.message, "field": self.field, "hint": self.hint}


def too_long(what: str, limit: int, came: int, field: str) -> Refusal:
    """Past a limit of length."""
    message = f"{what} of at most {limit:,} {'bytes' if field == 'body' else 'characters'} was expected, {came:,} came"
    return Refusal(413, "too_long", f"{message}; send less at a time.", field)


def too_many(limit: int, came: int) -> Refusal:
    """A batch of too many problems."""
    message = f"A batch of at most {limit:,} problems was expected, {came:,} came; send it in parts."
    return Refusal(413, "too_long", message, "texts")


def busy(waiting: int) -> Refusal:
    """Too many requests wait already."""
    return Refusal(429, "busy", f"{waiting} requests are waiting already; try again in a second.", retry_after=1)


def stopping() -> Refusal:
    """New work while the server stops."""
    return Refusal(503, "stopping", "The server is being stopped; try again in a minute.", retry_after=60)


def too_slow(seconds: float) -> Refusal:
    """Not answered before the deadline."""
    return Refusal(504, "too_slow", f"No answer was found within {seconds:g} s; try a shorter problem, or later.")


def failed() -> Refusal:
    """A mistake of ours; the log knows more."""
    hint = "try again, and tell the operator the x-request-id of this answer."
    return Refusal(500, "failed", "The request could not be worked on.", hint=hint)


def unauthorized() -> Refusal:
    """No key, or a wrong one."""
    message = "An API key was expected, none or another came; send the header authorization: Bearer KEY."
    return Refusal(401, "unauthorized", message, hint="send the header authorization: Bearer KEY.")


def _advice(message: str) -> str:
    """The end of a message, where it says what to do."""
    return _ADVICE.split(message, maxsplit=1)[-1] if _ADVICE.search(message) else ""
