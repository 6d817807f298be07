"""The OpenAPI schema is complete and correct: the server accepts what it allows and refuses what it forbids."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from sau_solver.server import sample_bodies
from sau_solver.server.app import create_app
from sau_solver.server.metrics import Metrics
from sau_solver.server.settings import Settings
from sau_solver.server.workers.pool import Pool
from tests import by_heart
from tests.server.running import PATIENCE, Running, running

KEY = "open sesame"
RANDOM = 30  # random bodies per operation, valid and invalid, besides examples and boundary values
# A body that the schema allows may still hold no problem or equation: 422.
EXPECTED = """
[checks.positive_data_acceptance]
expected-statuses = [200, 413, 422]
[checks.negative_data_rejection]
expected-statuses = [401, 405, 413, 415, 422]
"""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
SCHEMA = schemathesis.openapi.from_dict(create_app(Pool(Settings(), Metrics())).openapi())
EXAMPLES = [
    *(("/v1/solve", body) for body in sample_bodies.SOLVE_REQUESTS),
    ("/v1/solve/batch", sample_bodies.BATCH_REQUEST),
    ("/v1/problems", sample_bodies.PROBLEMS_REQUEST),
    ("/v1/export", sample_bodies.EXPORT_REQUEST),
    ("/v1/template", sample_bodies.TEMPLATE_REQUEST),
    *(("/v1/equation", body) for body in sample_bodies.EQUATION_REQUESTS),
    *(("/v1/generate", body) for body in sample_bodies.GENERATE_REQUESTS),
    *(("/v1/check", body) for body in sample_bodies.CHECK_REQUESTS),
]
PROBLEMS = st.sampled_from(
    [
        by_heart.CHICKENS,
        by_heart.GARDEN,
        by_heart.DOUBTFUL,
        by_heart.pens(1, 2),
        "Divide 3 by zero pens. How many?",
        "3+5*2",
    ]
)
SOLVABLE: dict[str, tuple[str, st.SearchStrategy[Any]]] = {
    "/v1/solve": ("text", PROBLEMS),
    "/v1/solve/batch": ("texts", st.lists(PROBLEMS | st.just("？！"), min_size=1, max_size=5)),
    "/v1/equation": (
        "equations",
        st.sampled_from(["x+y=20; 2x+4y=50", "x^2=2", "0=1", "x=x", "9^9^9^9", "x=comb(5,2)"]),
    ),
}


def test_schemathesis_finds_nothing_on_any_operation(tmp_path: Path) -> None:
    """Run its engine on the schema of the server, with and without the key; it checks every answer."""
    (tmp_path / "schemathesis.toml").write_text(EXPECTED)
    with running(api_key=KEY) as server:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "schemathesis.cli", "--config-file", "schemathesis.toml"),
                *("run", f"{server.url}/openapi.json", "--header", f"Authorization: Bearer {KEY}"),
                *("--phases", "examples,coverage,fuzzing", "--max-examples", str(RANDOM), "--seed", "1"),
                *("--request-timeout", str(PATIENCE)),
            ],
            cwd=tmp_path, env=os.environ | {"no_proxy": "127.0.0.1", "PYTHONIOENCODING": "utf-8"},
            capture_output=True, text=True, encoding="utf-8", timeout=600, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-5_000:] + done.stderr
        tested = re.search(r"Tested: (\d+)", done.stdout)
        assert tested
        assert int(tested[1]) == len([method for methods in SCHEMA.raw_schema["paths"].values() for method in methods])
        for endpoint, status in (("/v1/solve", "200"), ("/v1/solve", "422"), ("other", "401")):
            assert server.metric("sau_requests_total", endpoint=endpoint, status=status) > 0  # all cases occurred


@pytest.mark.parametrize("path", SOLVABLE)
def test_what_can_be_solved_is_answered_as_the_schema_says(server: Running, path: str) -> None:
    field, values = SOLVABLE[path]

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=SCHEMA[path]["post"].as_strategy(generation_mode=GenerationMode.POSITIVE), value=values)
    def check(case: Any, value: Any) -> None:
        case.body = case.body | {field: value}
        answer = case.call(base_url=server.url, timeout=30)
        assert answer.status_code == 200, answer.text
        case.validate_response(answer, checks=CHECKS)

    check()


@pytest.mark.parametrize(("path", "body"), EXAMPLES)
def test_the_answers_to_the_examples_are_what_the_schema_says(address: str, path: str, body: dict[str, Any]) -> None:
    case = SCHEMA[path]["post"].Case(body=body, media_type="application/json")
    answer = case.call(base_url=address, timeout=30)
    assert answer.status_code == 200
    case.validate_response(answer, checks=CHECKS)


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
        "/v1/problems": ["post"],
        "/v1/export": ["post"],
        "/v1/skills": ["get"],
        "/v1/generate": ["post"],
        "/v1/check": ["post"],
        "/healthz": ["get"],
        "/metrics": ["get"],
    }
    for path, methods in document["paths"].items():
        if "post" not in methods:
            continue
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
    assert len(used) == 17
    assert [name for name in sorted(used) if not schemas[name].get("examples")] == []


def test_the_schema_says_who_needs_a_key_and_what_the_limits_are() -> None:
    def described(**given: Any) -> tuple[str, dict[str, Any]]:
        found = create_app(Pool(Settings(**given), Metrics())).openapi()
        operations = {path: next(iter(methods.values())) for path, methods in found["paths"].items()}
        return found["info"]["description"], {path: one.get("security") for path, one in operations.items()}

    limits, security = described(max_text=123, max_batch=45)
    assert "123 characters" in limits
    assert "45 problems" in limits
    assert security["/v1/solve"] == [{}, {"bearer": []}, {"key": []}]
    _, security = described(api_key=KEY)
    assert security["/v1/solve"] == security["/metrics"] == [{"bearer": []}, {"key": []}]
    assert security["/healthz"] is None
