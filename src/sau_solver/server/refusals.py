"""The errors that the server answers with: one function for each row of the error table, one JSON body for all."""

from __future__ import annotations

import json

from sau_solver.errors import InputError
from sau_solver.phrases import Language, hint_for, say


class Refusal(Exception):  # noqa: N818  # it is an answer, not a failure
    """A request that is answered with an error: its HTTP status and the fields of its body."""

    def __init__(
        self, status: int, error: str, message: str, field: str = "", hint: str = "", retry_after: int | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.error, self.message, self.field = status, error, message, field
        self.hint = hint
        self.retry_after = retry_after

    def body(self) -> bytes:
        """Return the body as ASCII JSON: a message may quote characters that UTF-8 cannot encode."""
        body = {"error": self.error, "message": self.message, "field": self.field, "hint": self.hint}
        return json.dumps(body).encode()


def too_long(limit: int, length: int, field: str, language: Language = "en") -> Refusal:
    """Return the refusal of a problem or of equations that are longer than the limit."""
    code = "long_equations" if field == "equations" else "long"
    message = say(language, code, count=length, limit=limit)
    return Refusal(413, "too_long", message, field, hint_for(language, code))


def too_large(limit: int, size: int) -> Refusal:
    """Return the refusal of a body that is larger than the limit."""
    message = f"The body must be at most {limit:,} bytes, got {size:,}."
    return Refusal(413, "too_long", message, "body", "Send less at a time.")


def too_many(limit: int, count: int, field: str = "texts") -> Refusal:
    """Return the refusal of a batch or worksheet with too many problems."""
    thing = "batch" if field == "texts" else "worksheet"
    message = f"A {thing} must have at most {limit:,} problems, got {count:,}."
    return Refusal(413, "too_long", message, field, f"Split the {thing} into several requests.")


def no_list(error: InputError) -> Refusal:
    """Return the refusal of a text or file whose problems cannot be read."""
    field = "column" if "column" in error.code else "text"
    if error.code in ("list_many", "list_lines", "list_large"):
        return Refusal(413, "too_long", error.message, field, error.hint)
    return Refusal(422, "no_problem", error.message, field, error.hint)


def busy(waiting: int) -> Refusal:
    """Return the refusal of a request that finds the queue full."""
    message = f"The server is busy: {waiting} requests are waiting already."
    return Refusal(429, "busy", message, hint="Try again in a second.", retry_after=1)


def too_many_connections(limit: int, whose: str, status: int) -> Refusal:
    """Return the refusal of a connection beyond the limit."""
    message = f"At most {limit:,} connections {whose} are allowed, and all of them have requests."
    return Refusal(status, "too_many_connections", message, hint="Try again in a second.", retry_after=1)


def late_header(seconds: float) -> Refusal:
    """Return the refusal of a request whose header arrives too slowly."""
    message = f"The header of the request did not arrive within {seconds:g} s."
    return Refusal(408, "slow_client", message, hint="Send the request again.")


def late_body(seconds: float) -> Refusal:
    """Return the refusal of a request whose body arrives too slowly."""
    message = f"The body of the request did not arrive within {seconds:g} s."
    return Refusal(408, "slow_client", message, "body", "Send the request again, or send less at a time.")


def wrong_type(kind: str) -> Refusal:
    """Return the refusal of a body that is not announced as JSON."""
    message = f"The content type must be application/json, got {kind[:100] or 'none'}."
    return Refusal(415, "wrong_type", message, "body", "Send content-type: application/json.")


def wrong_host(host: str) -> Refusal:
    """Return the refusal of a request for another server."""
    message = f"This server does not answer to the name {host[:100]!r}."
    hint = "Use the address that the server is known by. The operator can add names with --allowed-host."
    return Refusal(421, "wrong_host", message, hint=hint)


def stopping() -> Refusal:
    """Return the refusal of new requests while the server is shutting down."""
    return Refusal(503, "stopping", "The server is shutting down.", hint="Try again in a minute.", retry_after=60)


def too_slow(seconds: float) -> Refusal:
    """Return the refusal of a request that was not answered before its deadline."""
    message = f"The request was not answered within {seconds:g} s."
    return Refusal(504, "too_slow", message, hint="Try a shorter problem, or try again later.")


def failed() -> Refusal:
    """Return the answer to a request that met an internal error; the log has the cause."""
    hint = "Try again. If it fails again, tell the operator the x-request-id of this response."
    return Refusal(500, "failed", "The server failed to process the request.", hint=hint)


def unauthorized() -> Refusal:
    """Return the refusal of a request without the right API key."""
    message = "The API key is missing or wrong."
    return Refusal(401, "unauthorized", message, hint="Send the header authorization: Bearer KEY.")
