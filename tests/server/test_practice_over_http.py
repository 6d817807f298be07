"""The practice endpoints: skills, generated problems, worksheets, marks, hints and solutions, and what they refuse."""

from __future__ import annotations

import io
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pytest

from sau_solver.curriculum.families import skills
from sau_solver.curriculum.generation import MAX_SEED, exercise_of
from sau_solver.curriculum.marking import mark
from sau_solver.problem import AskedFor, Problem
from sau_solver.server import sample_bodies
from sau_solver.server.practice import message_of
from tests.server.running import Running, running
from tests.server.test_gate import line_of, log  # noqa: F401
from tests.server.test_server_limits import check as check_refusal
from tests.sheets.latex_lint import check_latex

DOCS = Path(__file__).parents[2] / "docs"
CHINESE = {"accept-language": "zh-CN,zh;q=0.9"}


def generate(server: Running, **body: Any) -> Any:
    answer = server.client.post("/v1/generate", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()["problems"]


def check(server: Running, **body: Any) -> Any:
    answer = server.client.post("/v1/check", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def shown(name: str) -> str:
    return " and ".join(str(one.answer) for one in exercise_of(name).asks)


def with_several_answers() -> str:
    return next(name for k in range(500) if len(exercise_of(name := f"en-system-amounts-1-{k}").asks) == 2)


def test_the_skills_have_grades_names_and_families_and_may_be_cached(server: Running) -> None:
    answer = server.client.get("/v1/skills")
    listed = answer.json()["skills"]
    assert [one["skill"] for one in listed] == list(skills())
    assert all(1 <= one["grade"] <= 9 and one["en"] and one["zh"] for one in listed)
    assert sum(one["families"]["en"] for one in listed) > 300
    assert sum(one["families"]["zh"] for one in listed) > 300
    assert "max-age" in answer.headers["cache-control"]


def test_the_examples_of_the_schema_and_of_the_documentation_are_what_the_server_answers(server: Running) -> None:
    (speed,) = (one for one in server.client.get("/v1/skills").json()["skills"] if one["skill"] == "speed")
    assert {"skills": [speed]} == sample_bodies.SKILLS
    assert json.dumps(speed, ensure_ascii=False) in (DOCS / "server.md").read_text(encoding="utf-8")
    assert {"problems": generate(server, id="en-speed-3-17")} == sample_bodies.GENERATED
    assert check(server, **sample_bodies.CHECK_REQUESTS[0]) == sample_bodies.CHECKED


def test_a_problem_comes_without_its_answer(server: Running) -> None:
    (problem,) = generate(server, skill="speed", seed=3, place=17)
    assert set(problem) == {"id", "text", "language", "skill", "grade", "asked"}
    assert problem["id"] == "en-speed-3-17"
    assert (problem["skill"], problem["grade"], problem["language"]) == ("speed", 4, "en")
    assert [set(one) for one in problem["asked"]] == [{"question", "quantity", "unit"}]
    assert problem["text"] == exercise_of("en-speed-3-17").text


def test_answers_and_steps_come_if_they_are_asked_for(server: Running) -> None:
    (problem,) = generate(server, lang="zh", skill="speed", seed=3, answers=True)
    assert problem["answers"] == [str(one.answer) for one in exercise_of(problem["id"]).asks]
    assert "steps" not in problem
    (problem,) = generate(server, lang="zh", skill="speed", seed=3, steps=True)
    assert problem["display"] in problem["steps"][-1]


def test_a_seed_gives_the_same_problems_and_an_id_the_same_problem(server: Running) -> None:
    first, again = (generate(server, grade=4, seed=9, count=20) for _ in range(2))
    assert first == again
    assert len({one["text"] for one in first}) == 20
    assert {one["grade"] for one in first} == {4}
    assert generate(server, id=first[7]["id"]) == [first[7]]
    assert generate(server, grade=4, seed=9, place=7, count=1) == [first[7]]


def test_without_a_seed_the_problems_are_new_each_time(server: Running) -> None:
    assert len({generate(server, skill="speed")[0]["id"] for _ in range(5)}) == 5


@pytest.mark.parametrize(
    ("form", "kind"),
    [("md", "text/markdown"), ("html", "text/html"), ("csv", "text/csv"), ("tex", "application/x-tex")],
)
def test_a_worksheet_is_a_file_to_save(server: Running, form: str, kind: str) -> None:
    body = {"lang": "zh", "skill": "speed", "seed": 5, "count": 30, "format": form, "answers": "separate"}
    answer = server.client.post("/v1/generate", json=body)
    assert answer.headers["content-type"].startswith(kind)
    assert answer.headers["content-disposition"] == f'attachment; filename="worksheet-5.{form}"'
    assert exercise_of("zh-speed-5-0").text.split("，")[0] in answer.text
    if form == "tex":
        check_latex(answer.text)


def test_a_worksheet_starts_at_its_place_in_the_sequence(server: Running) -> None:
    body = {"skill": "speed", "seed": 5, "count": 2, "format": "md"}
    sheets = [server.client.post("/v1/generate", json=body | {"place": place}).text for place in (0, 7)]
    assert [exercise_of("en-speed-5-7").text in sheet for sheet in sheets] == [False, True]


def test_an_id_counts_more_than_the_other_choices(server: Running) -> None:
    name = "zh-speed-5-7"
    wrong = {"lang": "en", "skill": "flying", "grade": 99, "seed": -1, "place": -1, "count": 1_000}
    (problem,) = generate(server, id=name, **wrong, steps=True)
    assert problem["text"] == exercise_of(name).text
    assert problem["steps"][-1].startswith("答：")
    answer = server.client.post("/v1/generate", json=wrong | {"id": name, "format": "csv", "answers": True})
    assert answer.headers["content-disposition"] == f'attachment; filename="worksheet-{name}.csv"'
    assert exercise_of(name).text in answer.text


def test_a_worksheet_has_its_answers_where_the_teacher_wants_them(server: Running) -> None:
    def sheet(**body: Any) -> str:
        request = {"skill": "speed", "seed": 5, "count": 3, "format": "md"} | body
        return server.client.post("/v1/generate", json=request, headers={"accept-language": "en"}).text

    assert "Answer" not in sheet()
    assert "## Answers" in sheet(answers=True)
    assert "## Answers" not in sheet(answers="inline")
    assert sheet(answers="inline").count("Answer:") >= 3
    assert "## Answers" in sheet(answers="separate", lang="zh")  # the headings are in the reader's language


@pytest.mark.parametrize("name", ["en-speed-3-17", "zh-speed-3-17"])
def test_a_right_answer_is_right(server: Running, name: str) -> None:
    found = check(server, id=name, answer=shown(name))
    assert (found["right"], found["mark"], found["parts"]) == (True, "right", [True])
    assert found["message"] == ("That is right!" if name.startswith("en") else "答对了！")
    assert "solution" not in found


def test_a_wrong_answer_gets_a_kind_message_in_the_language_of_the_reader(server: Running) -> None:
    found = check(server, id="en-speed-3-17", answer="-1")
    assert (found["right"], found["mark"], found["parts"]) == (False, "wrong", [False])
    assert "hint" in found["message"]
    assert "提示" in check(server, id="en-speed-3-17", answer="-1", lang="zh")["message"]
    body = {"id": "en-speed-3-17", "answer": "-1"}
    assert "提示" in server.client.post("/v1/check", json=body, headers=CHINESE).json()["message"]


def test_several_answers_have_a_verdict_each(server: Running) -> None:
    name = with_several_answers()
    first, second = (one.answer for one in exercise_of(name).asks)
    marks = {
        f"{first}, {second}": "right",
        f"{first} and -1": "wrong",
        f"{first}": "count",
        f"{second}; {first}": "order" if first != second else "right",
    }
    found = {typed: check(server, id=name, answer=typed) for typed in marks}
    assert {typed: one["mark"] for typed, one in found.items()} == marks
    assert found[f"{first} and -1"]["parts"] == [True, False]
    assert "1 of 2" in found[f"{first} and -1"]["message"]
    assert "2 numbers" in found[f"{first}"]["message"]
    assert "order" in found[f"{second}; {first}"]["message"]


def test_a_wrong_unit_is_named(server: Running) -> None:
    exercises = (exercise_of(f"en-length-1-{k}") for k in range(50))
    name = next(one.id for one in exercises if one.asks[0].unit in ("meters", "centimeters"))
    found = check(server, id=name, answer=f"{shown(name)} kg")
    assert found["mark"] == "unit"
    assert "meters" in found["message"]


def test_the_unit_of_the_wrong_unit_is_named_not_that_of_another_wrong_part() -> None:
    asks = (AskedFor("x", Fraction(8), "hens"), AskedFor("y", Fraction(5), "meters"))
    problem = Problem("1", "How many?", "en", asks=asks)
    assert "meters" in message_of(problem, mark(problem, "9 hens and 5 kg"), "en")


def test_hints_come_one_at_a_time_and_the_solution_only_when_asked_for(server: Running) -> None:
    name = "en-system-amounts-1-0"
    first = check(server, id=name, reveal="hint")
    assert len(first["steps"]) == len(first["steps_mathml"]) == len(first["step_kinds"]) == 1
    assert first["left"] > 0
    everything = check(server, id=name, reveal="hint", steps=first["left"] + 1)
    assert everything["steps"][0] == first["steps"][0]
    assert everything["left"] == 0
    assert "solution" not in everything
    solution = check(server, id=name, reveal="solution", lang="zh")["solution"]
    assert solution["answers"] == [str(one.answer) for one in exercise_of(name).asks]
    assert solution["steps"][-1].startswith("答：")
    assert solution["steps_mathml"]


@pytest.mark.parametrize(
    ("body", "error", "field", "said", "zh"),
    [
        ({"skill": "sped"}, "no_skill", "skill", "speed", "没有名为"),
        ({"skill": "flying"}, "no_skill", "skill", "/v1/skills", "没有名为"),
        ({"grade": 12}, "invalid", "grade", "between 1 and 9, got 12", "1 到 9"),
        ({"count": 0}, "invalid", "count", "between 1 and 20, got 0", "1 到 20"),
        ({"count": 1_000_000}, "invalid", "count", "got 1,000,000", "1,000,000"),
        ({"count": 101, "format": "html"}, "invalid", "count", "between 1 and 100", "1 到 100"),
        ({"count": 1e300}, "invalid", "count", "got 10^300", "10^300"),
        ({"seed": -1}, "invalid", "seed", f"{MAX_SEED:,}", "seed"),
        ({"seed": MAX_SEED + 1}, "invalid", "seed", "4,294,967,296", "4,294,967,296"),
        ({"place": -1}, "invalid", "place", "got -1", "place"),
        ({"id": "en-flying-1-1"}, "no_exercise", "id", "en-flying-1-1", "编号"),
        ({"id": ""}, "no_exercise", "id", "en-speed-3-17", "编号"),
    ],
)
def test_what_cannot_be_generated_is_refused_in_both_languages(
    server: Running, body: dict[str, Any], error: str, field: str, said: str, zh: str
) -> None:
    english = check_refusal(server.client.post("/v1/generate", json=body), 422, error, field)
    assert said in f"{english['message']} {english['hint']}"
    chinese = check_refusal(server.client.post("/v1/generate", json=body, headers=CHINESE), 422, error, field)
    assert zh in f"{chinese['message']} {chinese['hint']}"


@pytest.mark.parametrize(
    ("body", "error", "field", "zh"),
    [
        ({"id": "en-speed-3-17", "answer": "many"}, "no_number", "answer", "没有数"),
        ({"id": "en-speed-3-17", "answer": ""}, "no_number", "answer", "没有数"),
        ({"id": "nothing", "answer": "3"}, "no_exercise", "id", "编号"),
        ({"id": "en-speed-99999999999-1", "reveal": "hint"}, "no_exercise", "id", "编号"),
        ({"id": "en-speed-3-17"}, "invalid", "answer", "提示"),
        ({"id": "en-speed-3-17", "reveal": "hint", "steps": 0}, "invalid", "steps", "steps"),
    ],
)
def test_what_cannot_be_checked_is_refused_in_both_languages(
    server: Running, body: dict[str, Any], error: str, field: str, zh: str
) -> None:
    check_refusal(server.client.post("/v1/check", json=body), 422, error, field)
    chinese = check_refusal(server.client.post("/v1/check", json=body, headers=CHINESE), 422, error, field)
    assert zh in f"{chinese['message']} {chinese['hint']}"


@pytest.mark.parametrize(
    "body",
    [
        {"lang": "fr"},
        {"count": "5"},
        {"format": "pdf"},
        {"answers": "later"},
        {"answers": 1},
        {"more": 1},
        {"steps": 1},
    ],
)
def test_wrong_types_are_refused(server: Running, body: dict[str, Any]) -> None:
    check_refusal(server.client.post("/v1/generate", json=body), 422, "invalid", *body)


def test_the_limits_key_queue_and_metrics_are_those_of_the_other_endpoints(log: io.StringIO) -> None:  # noqa: F811
    with running(api_key="open sesame", max_generated=3, max_sheet=4) as server:
        key = {"x-api-key": "open sesame"}

        def post(path: str, body: dict[str, Any], **headers: str) -> httpx.Response:
            return server.client.post(path, json=body, headers=headers)

        assert post("/v1/generate", {}).status_code == server.client.get("/v1/skills").status_code == 401
        assert [post("/v1/generate", {"count": n}, **key).status_code for n in (3, 4)] == [200, 422]
        sheets = [post("/v1/generate", {"count": n, "format": "md"}, **key).status_code for n in (4, 5)]
        assert sheets == [200, 422]
        typed = {"id": "en-speed-3-17", "answer": "271828 kilometers"}
        line = line_of(log, post("/v1/check", typed, **key))
        assert (line["path"], line["status"], line["problems"]) == ("/v1/check", 200, 1)
        assert "271828" not in log.getvalue()
        server.until("sau_requests_total", 1, endpoint="/v1/check", status="200")
        server.until("sau_requests_total", 2, endpoint="/v1/generate", status="422")
