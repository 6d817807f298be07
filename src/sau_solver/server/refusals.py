"""The errors that the server answers with: one function for each row of the error table, one JSON body for all."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Self

from sau_solver.errors import InputError
from sau_solver.phrases import Language, Phrase, hint_of

_JSON = "application/json"
_SCHEMA = "GET /openapi.json"
_HTTP_ERRORS = {404: ("not_found", "no_path"), 405: ("wrong_method", "wrong_method")}

# The kinds of pydantic's errors: the code of the sentence, and which value of the error is its limit.
_INVALID = {
    "missing": ("field_missing", ""),
    "extra_forbidden": ("field_unknown", ""),
    "string_type": ("field_string", ""),
    "int_type": ("field_integer", ""),
    "bool_type": ("field_boolean", ""),
    "list_type": ("field_list", ""),
    "greater_than_equal": ("field_least", "ge"),
    "less_than_equal": ("field_most", "le"),
    "too_short": ("field_short", "min_length"),
    "string_too_short": ("field_short", "min_length"),
    "too_long": ("field_long", "max_length"),
    "string_too_long": ("field_long", "max_length"),
}


class Refusal(Exception):  # noqa: N818  # it is an answer, not a failure
    """A request that is answered with an error: its HTTP status and the fields of its body.

    A message or hint that is a phrase is written in the client's language; text is already in it. `language` is for a
    client that does not name one.
    """

    language: Language = "en"

    def __init__(
        self,
        status: int,
        error: str,
        message: str | Phrase,
        field: str = "",
        hint: str | Phrase = "",
        retry_after: int | None = None,
    ) -> None:
        super().__init__(str(message))
        self.status, self.error, self.message, self.field = status, error, message, field
        self.hint = hint
        self.retry_after = retry_after

    @classmethod
    def phrased(cls, status: int, error: str, message: Phrase, field: str = "", retry_after: int | None = None) -> Self:
        """Return the refusal of a phrase, with the hint that belongs to its code."""
        return cls(status, error, message, field, hint_of(message), retry_after)

    def body(self, language: Language | None = None) -> bytes:
        """Return the body as ASCII JSON: a message may quote characters that UTF-8 cannot encode."""
        message, hint = (_written(one, language or self.language) for one in (self.message, self.hint))
        return json.dumps({"error": self.error, "message": message, "field": self.field, "hint": hint}).encode()


def _written(sentence: str | Phrase, language: Language) -> str:
    return sentence.said(language) if isinstance(sentence, Phrase) else sentence


def accepted_language(header: str | None) -> Language | None:
    """Return the language that an accept-language header asks for; None if it is neither Chinese nor English."""
    accepted = (header or "")[:2].lower()
    return "zh" if accepted == "zh" else "en" if accepted == "en" else None


def too_long(limit: int, length: int, field: str, language: Language = "en") -> Refusal:
    """Return the refusal of a problem or of equations that are longer than the limit."""
    code = "long_equations" if field == "equations" else "long"
    refusal = Refusal.phrased(413, "too_long", Phrase.of(code, count=length, limit=limit), field)
    refusal.language = language
    return refusal


def too_large(limit: int, size: int) -> Refusal:
    """Return the refusal of a body that is larger than the limit."""
    return Refusal.phrased(413, "too_long", Phrase.of("large_body", limit=limit, size=size), "body")


def too_many(limit: int, count: int, field: str = "texts") -> Refusal:
    """Return the refusal of a batch or worksheet with too many problems."""
    code = "large_batch" if field == "texts" else "large_sheet"
    return Refusal.phrased(413, "too_long", Phrase.of(code, limit=limit, count=count), field)


def no_list(error: InputError) -> Refusal:
    """Return the refusal of a text or file whose problems cannot be read."""
    field = "column" if "column" in error.code else "text"
    if error.code in ("list_many", "list_lines", "list_large"):
        return Refusal(413, "too_long", error.message, field, error.hint)
    return Refusal(422, "no_problem", error.message, field, error.hint)


def invalid_field(field: str, kind: str, context: Mapping[str, Any], hint: str | Phrase) -> Refusal:
    """Return the refusal of a field that pydantic does not accept; the kind and the context are those of its error."""
    code, limit = _INVALID.get(kind, ("field_invalid", ""))
    phrase = Phrase.of(code, field=field, **({"limit": context[limit]} if limit else {}))
    if kind == "literal_error":
        choices = tuple(choice.strip("'") for choice in re.split(", | or ", str(context["expected"])))
        phrase = Phrase.of("field_choice", field=field, choices=choices)
    return Refusal(422, "invalid", phrase, field, hint)


def http_error(status: int, method: str) -> Refusal:
    """Return the refusal of a path or method that does not exist."""
    error, code = _HTTP_ERRORS.get(status, ("refused", "not_accepted"))
    return Refusal.phrased(status, error, Phrase.of(code, method=method, path=_SCHEMA))


def no_page() -> Refusal:
    """Return the answer of a server whose installation has no page."""
    return Refusal.phrased(404, "not_found", Phrase.of("no_page", path=_SCHEMA))


def busy(waiting: int) -> Refusal:
    """Return the refusal of a request that finds the queue full."""
    return Refusal.phrased(429, "busy", Phrase.of("busy", waiting=waiting), retry_after=1)


def too_many_of_client(limit: int, client: str) -> Refusal:
    """Return the refusal of a connection or request of a client that has too many."""
    phrase = Phrase.of("client_connections", limit=limit, client=client)
    return Refusal.phrased(429, "too_many_connections", phrase, retry_after=1)


def too_many_connections(limit: int) -> Refusal:
    """Return the refusal of a connection that is one too many for the server."""
    return Refusal.phrased(503, "too_many_connections", Phrase.of("all_connections", limit=limit), retry_after=1)


def late_header(seconds: float) -> Refusal:
    """Return the refusal of a request whose header arrives too slowly."""
    return Refusal.phrased(408, "slow_client", Phrase.of("late_header", seconds=seconds))


def late_body(seconds: float) -> Refusal:
    """Return the refusal of a request whose body arrives too slowly."""
    return Refusal.phrased(408, "slow_client", Phrase.of("late_body", seconds=seconds), "body")


def wrong_type(kind: str) -> Refusal:
    """Return the refusal of a body that is not announced as JSON."""
    values = {"wanted": _JSON, "header": f"content-type: {_JSON}"}
    phrase = Phrase.of("wrong_type", kind=kind[:100], **values) if kind else Phrase.of("no_type", **values)
    return Refusal.phrased(415, "wrong_type", phrase, "body")


def wrong_host(host: str) -> Refusal:
    """Return the refusal of a request for another server."""
    return Refusal.phrased(421, "wrong_host", Phrase.of("wrong_host", host=repr(host[:100]), option="--allowed-host"))


def stopping() -> Refusal:
    """Return the refusal of new requests while the server is shutting down."""
    return Refusal.phrased(503, "stopping", Phrase("stopping"), retry_after=60)


def too_slow(seconds: float) -> Refusal:
    """Return the refusal of a request that was not answered before its deadline."""
    return Refusal.phrased(504, "too_slow", Phrase.of("too_slow", seconds=seconds))


def failed() -> Refusal:
    """Return the answer to a request that met an internal error; the log has the cause."""
    return Refusal.phrased(500, "failed", Phrase.of("failed", header="x-request-id"))


def unauthorized() -> Refusal:
    """Return the refusal of a request without the right API key."""
    return Refusal.phrased(401, "unauthorized", Phrase.of("unauthorized", header="authorization: Bearer KEY"))
