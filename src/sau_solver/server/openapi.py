"""What the OpenAPI schema says besides paths and bodies: headers of answers, the API key, and this server's limits."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from sau_solver.server.gate import OPEN
from sau_solver.server.settings import Settings

Object = dict[str, Any]

KEYS: Object = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "The operator's API key, where there is one."},
    "key": {"type": "apiKey", "in": "header", "name": "x-api-key", "description": "The same in a header of its own."},
}
REQUEST_ID: Object = {
    "description": "That of the request, if it brought one, else a new one; the log has it.",
    "required": True,
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
}
RETRY_AFTER: Object = {
    "description": "Seconds until it is worth trying again.",
    "required": True,
    "schema": {"type": "integer", "minimum": 1},
}
_LIMITS = (
    "Limits of this server: {0.max_text:,} characters of a text, {0.max_body:,} bytes of a request, {0.max_batch:,} "
    "problems of a batch, {0.max_waiting:,} requests waiting, {0.request_seconds:g} s until a request is given up."
)


def complete(app: FastAPI, settings: Settings) -> None:
    """Add it to the schema that the app serves; to be called when the app has all its paths."""
    schema = app.openapi()  # made once and kept by the app
    schema["info"]["description"] = _LIMITS.format(settings)
    schema["components"]["securitySchemes"] = KEYS
    for path, methods in schema["paths"].items():
        for operation in methods.values():
            if path not in OPEN:
                operation["security"] = [*([] if settings.api_key else [{}]), *({name: []} for name in KEYS)]
            for status, answer in operation["responses"].items():
                answer["headers"] = {"x-request-id": REQUEST_ID}
                if status in ("429", "503") and path not in OPEN:
                    answer["headers"]["retry-after"] = RETRY_AFTER
