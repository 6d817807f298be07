"""The OpenAPI schema is complete and true: what it allows is answered as it says, and what it forbids is refused."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from sau_solver.server import examples
from sau_solver.server.app import create_app
from sau_solver.server.metrics import Metrics
from sau_solver.server.pool import Pool
from sau_solver.server.settings import Settings
from tests.server.running import Running

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]


SCHEMA = schemathesis.openapi.from_dict(create_app(Pool(Settings(), Metrics())).openapi())
OPERATIONS = [(path, method) for path, methods in SCHEMA.raw_schema["paths"].items() for method in methods]
POSTS = [path for path, method in OPERATIONS if method == "post"]
EXAMPLES = [
    *(("/v1/solve", body) for body in examples.SOLVE_REQUESTS),
    ("/v1/solve/batch", examples.BATCH_REQUEST),
    ("/v1/template", examples.TEMPLATE_REQUEST),
    *(("/v1/equation", body) for body in examples.EQUATION_REQUESTS),
]
FEW = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


def check_generated(server: Running, path: str, method: str, mode: GenerationMode) -> None:
    @FEW
    @given(case=SCHEMA[path][method].as_strategy(generation_mode=mode))
    def check(case: Any) -> None:
        answer = case.call(base_url=server.url, timeout=30)
        case.validate_response(answer, checks=CHECKS)

    check()


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_what_the_schema_allows_is_answered_as_it_says(server: Running, path: str, method: str) -> None:
    check_generated(server, path, method, GenerationMode.POSITIVE)


@pytest.mark.parametrize(("path", "body"), EXAMPLES)
def test_the_answers_to_the_examples_are_what_the_schema_says(server: Running, path: str, body: dict[str, Any]) -> None:
    case = SCHEMA[path]["post"].Case(body=body, media_type="application/json")
    answer = case.call(base_url=server.url, timeout=30)
    assert answer.status_code == 200
    case.validate_response(answer, checks=CHECKS[:-1])


@pytest.mark.parametrize("path", POSTS)
def test_what_the_schema_forbids_is_refused(server: Running, path: str) -> None:
    check_generated(server, path, "post", GenerationMode.NEGATIVE)


@pytest.fixture(scope="module")
def document(server: Running) -> dict[str, Any]:
    found: dict[str, Any] = server.client.get("/openapi.json").json()
    return found


def test_the_schema_lists_every_endpoint_and_error(document: dict[str, Any]) -> None:
    assert {path: list(methods) for path, methods in document["paths"].items()} == {
        "/v1/solve": ["post"],
        "/v1/solve/batch": ["post"],
        "/v1/template": ["post"],
        "/v1/equation": ["post"],
        "/healthz": ["get"],
        "/metrics": ["get"],
    }
    for path in ("/v1/solve", "/v1/solve/batch", "/v1/template", "/v1/equation"):
        answers = document["paths"][path]["post"]["responses"]
        assert set(answers) == {"200", "401", "413", "415", "422", "429", "500", "503", "504"}
        for code in set(answers) - {"200"}:
            assert answers[code]["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Error"}


def test_every_body_has_an_example(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    used = {
        part["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for methods in document["paths"].values()
        for operation in methods.values()
        for part in (operation.get("requestBody"), *operation["responses"].values())
        if part and "application/json" in part["content"]
    }
    assert len(used) == 9
    assert [name for name in sorted(used) if not schemas[name].get("examples")] == []
