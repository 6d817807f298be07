"""Completes the OpenAPI schema of the app: response headers, API keys, and the limits of this server."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from sau_solver.server.gate import OPEN
from sau_solver.server.settings import Settings

Object = dict[str, Any]

KEYS: Object = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "The API key, if the operator has set one."},
    "key": {"type": "apiKey", "in": "header", "name": "x-api-key", "description": "The API key in its own header."},
}
REQUEST_ID: Object = {
    "description": "The x-request-id of the request if it is valid, otherwise a new one. The log names it, too.",
    "required": True,
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
}
RETRY_AFTER: Object = {
    "description": "Seconds to wait before the next attempt.",
    "required": True,
    "schema": {"type": "integer", "minimum": 1},
}
_LIMITS = (
    "Limits of this server: {0.max_text:,} characters per text, {0.max_body:,} bytes per request, {0.max_batch:,} "
    "problems per batch, {0.max_waiting:,} waiting requests, {0.request_seconds:g} s per request."
)


def complete(app: FastAPI, settings: Settings) -> None:
    """Add headers, keys and limits to the schema that the app serves. Call it after all paths are added."""
    schema = app.openapi()  # FastAPI builds it once and serves this object
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
