"""POST /v1/problems splits texts into problems and says what is wrong with those that have none."""

from __future__ import annotations

from typing import Any

import pytest

from sau_solver.server import sample_bodies
from tests.server.running import Running, running


def test_a_numbered_list_is_split(server: Running) -> None:
    found = server.client.post("/v1/problems", json=sample_bodies.PROBLEMS_REQUEST)
    assert (found.status_code, found.json()) == (200, sample_bodies.PROBLEMS)


def test_a_table_names_its_column_and_marks_rows_without_a_problem(server: Running) -> None:
    body = {"text": "id,题目\n1,3个梨，又买2个，几个？\n2,\n", "format": "csv"}
    found = server.client.post("/v1/problems", json=body).json()
    assert found["column"] == "题目"
    assert found["problems"] == [{"text": "3个梨，又买2个，几个？"}, {"text": "", "error": "这一行没有题目。"}]


@pytest.mark.parametrize(
    ("body", "status", "error", "field"),
    [
        ({"text": ""}, 422, "no_problem", "text"),
        ({"text": "a,b\n1,2", "format": "csv"}, 422, "no_problem", "column"),
        ({"text": "a,b\n1,2", "column": "c"}, 422, "no_problem", "column"),
        ({"text": "PK\x03\x04\x00"}, 422, "no_problem", "text"),
        ({"text": "x", "format": "pdf"}, 422, "invalid", "format"),
        ({}, 422, "invalid", "text"),
        ({"text": "\n".join(f"{n}) 3+{n}" for n in range(1_500))}, 413, "too_long", "text"),
    ],
)
def test_a_text_without_readable_problems_is_refused(
    server: Running, body: dict[str, Any], status: int, error: str, field: str
) -> None:
    found = server.client.post("/v1/problems", json=body)
    assert (found.status_code, found.json()["error"], found.json()["field"]) == (status, error, field)
    assert found.json()["message"].endswith((".", "。"))
    assert found.json()["hint"]


def test_the_message_is_in_the_language_of_the_client(server: Running) -> None:
    found = server.client.post("/v1/problems", json={"text": " "}, headers={"accept-language": "zh-CN"})
    assert "没有题目" in found.json()["message"]


def test_a_list_may_be_larger_than_other_requests_but_not_fifty_megabytes() -> None:
    with running(max_body=300, max_upload=10_000) as server:
        listed = {"text": "\n".join(f"{n}. {sample_bodies.APPLES}" for n in range(1, 50))}
        assert len(server.client.post("/v1/problems", json=listed).json()["problems"]) == 49
        refused = server.client.post("/v1/problems", content=b'{"text": "' + b"x" * 50_000_000 + b'"}')
        assert (refused.status_code, refused.json()["error"]) == (413, "too_long")
        assert server.solve("x" * 400).status_code == 413
