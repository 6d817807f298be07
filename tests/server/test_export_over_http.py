"""POST /v1/export solves problems through the same queue as batches and returns a worksheet as a file."""

from __future__ import annotations

from typing import Any

import pytest

from sau_solver.text.lists.problem_lists import MAX_PROBLEMS
from tests import by_heart
from tests.server.running import Running, running
from tests.sheets.latex_lint import check_latex


def export(server: Running, problems: list[str], form: str, **more: Any) -> Any:
    answer = server.client.post("/v1/export", json={"problems": problems, "format": form, **more})
    assert answer.status_code == 200, answer.text
    return answer


@pytest.mark.parametrize(
    ("form", "kind"),
    [("md", "text/markdown"), ("html", "text/html"), ("csv", "text/csv"), ("tex", "application/x-tex")],
)
def test_a_worksheet_is_a_file_to_save(server: Running, form: str, kind: str) -> None:
    answer = export(server, [by_heart.GARDEN, by_heart.CHICKENS], form)
    assert answer.headers["content-type"].startswith(kind)
    assert answer.headers["content-disposition"] == f'attachment; filename="worksheet.{form}"'
    assert "84 square meters" in answer.text
    assert "鸡兔同笼" in answer.text


def test_a_text_in_another_language_gets_a_remark_and_the_others_are_solved(server: Running) -> None:
    text = export(server, ["Сколько яблок у Маши, если у неё 3 и 4?", by_heart.GARDEN], "md").text
    assert "neither in Chinese nor in English" in text
    assert "Answer: 7" in text


def test_a_text_is_never_html(server: Running) -> None:
    problem = "A <script>alert(1)</script> box holds 5 pens. How many pens are in 3 boxes?"
    text = export(server, [problem], "html").text
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    check_latex(export(server, [problem], "tex").text)


def test_the_language_of_the_sheet_can_be_chosen(server: Running) -> None:
    assert "答案：" in export(server, [by_heart.CHICKENS], "md", answers="separate").text
    assert "Answers" in export(server, [by_heart.GARDEN], "md", answers="separate").text


def test_a_long_list_is_solved_in_parts() -> None:
    problems = [by_heart.pens(n, 3) for n in range(1, 41)]
    with running(batch_size=8, max_batch=8) as server:
        text = export(server, problems, "csv").text
        assert server.metric("sau_batch_size_count", lane="solve") >= 5
    assert text.count("How many pens are in 3 boxes?") >= 40


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"problems": [], "format": "md"}, 422, "problems"),
        ({"problems": ["3?"], "format": "pdf"}, 422, "format"),
        ({"problems": ["3?"]}, 422, "format"),
        ({"problems": ["3?"], "format": "md", "answers": "later"}, 422, "answers"),
        ({"problems": ["3?"] * (MAX_PROBLEMS + 1), "format": "md"}, 413, "problems"),
    ],
)
def test_wrong_requests_are_refused(server: Running, body: dict[str, Any], status: int, field: str) -> None:
    answer = server.client.post("/v1/export", json=body)
    assert (answer.status_code, answer.json()["field"]) == (status, field)
