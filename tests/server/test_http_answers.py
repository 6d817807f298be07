"""The answers of the endpoints, with the shipped models."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

from sau_solver.server import sample_bodies
from tests.server.conftest import SAU

SYSTEM = "鸡兔同笼，上有20个头，下有50条腿，鸡和兔各有多少只？"
PROBLEMS = [sample_bodies.APPLES, sample_bodies.PENS, SYSTEM, "How many apples does he have?", "hello world"]


def post(client: httpx.Client, path: str, body: dict[str, Any]) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def near(one: Any, other: Any) -> bool:
    """Compare, ignoring the last digits of floats, which depend on the other problems of a batch."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, abs_tol=3e-4)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(near(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(near, one, other))
    return bool(one == other)


def test_solving_gives_the_json_of_the_command_line(shipped: httpx.Client, tmp_path: Path) -> None:
    source = tmp_path / "problems.txt"
    source.write_text("\n".join(PROBLEMS), encoding="utf-8")
    done = subprocess.run(
        [*SAU, "solve", "--input", str(source), "--json"], capture_output=True, text=True, check=True, timeout=120
    )
    for text, line in zip(PROBLEMS, done.stdout.splitlines(), strict=True):
        printed = json.loads(line)
        del printed["line"]
        assert near(post(shipped, "/v1/solve", {"text": text}), printed)


def test_solving_equations_gives_the_json_of_the_command_line(shipped: httpx.Client) -> None:
    done = subprocess.run([*SAU, "equation", "x^2=2; y=x+1", "--json"], capture_output=True, text=True, check=True)
    assert post(shipped, "/v1/equation", {"equations": "x^2=2; y=x+1"}) == json.loads(done.stdout)
    assert post(shipped, "/v1/equation", {"equations": ["x^2=2", "y=x+1"]}) == json.loads(done.stdout)


@pytest.mark.parametrize(("equations", "outcome"), [("0=1", "none"), ("x=x", "infinite"), ("9^9^9^9", "too_hard")])
def test_equations_without_a_solution_are_answered(shipped: httpx.Client, equations: str, outcome: str) -> None:
    found = post(shipped, "/v1/equation", {"equations": equations})
    assert (found["outcome"], found["roots"]) == (outcome, [])


@pytest.mark.parametrize(
    "equations", ["x=10^2000*10^2000*10^2000", "x=1/3^2000+1/7^1400+1/11^1100+1/13^1000", "x=9^9999*9^9999"]
)
def test_a_huge_sum_or_product_is_too_hard(shipped: httpx.Client, equations: str) -> None:
    found = post(shipped, "/v1/equation", {"equations": equations})
    assert (found["outcome"], found["roots"]) == ("too_hard", [])
    assert found["reason"]


def test_mathematics_is_solved_like_a_problem(shipped: httpx.Client) -> None:
    found = post(shipped, "/v1/solve", {"text": "2x+3=11", "lang": "zh", "explain": True})
    assert (found["answers"], found["kind"], found["model"]) == (["4"], "equation", "")
    assert (found["confidence"], found["abstained"], found["outcome"]) == (1, False, "solved")
    assert found["display"] == "x = 4"
    assert found["steps"][-1] == "答：x = 4。"
    assert found["tree"]["prefix"]
    assert found["attention"] is None
    none = post(shipped, "/v1/solve", {"text": "x=x+1", "explain": True})
    assert (none["answers"], none["outcome"], none["abstained"]) == ([], "none", False)
    assert none["reason"].startswith("There is no solution")
    factored = post(shipped, "/v1/solve", {"text": "Factor x^2 - 5x + 6.", "explain": True})
    assert (factored["answers"], factored["decimal"]) == (["(x-2)*(x-3)"], [None])


def test_a_batch_answers_in_order_and_one_bad_text_spoils_nothing(shipped: httpx.Client) -> None:
    found = post(shipped, "/v1/solve/batch", {"texts": [sample_bodies.APPLES, "？！", sample_bodies.PENS]})["results"]
    assert [one.get("answers") for one in found] == [["8"], None, ["24"]]
    assert (found[1]["error"], found[1]["field"]) == ("no_problem", "texts.1")


def test_an_explained_solution_has_its_tree_and_where_the_decoder_looked(shipped: httpx.Client) -> None:
    found = post(shipped, "/v1/solve", {"text": sample_bodies.APPLES, "explain": True})
    nodes = found["tree"]["nodes"]
    assert found["tree"]["prefix"] == " ".join(node["symbol"] for node in nodes)
    assert [(node["symbol"], node["kind"], node["number"]) for node in nodes if node["number"] is not None] == [
        ("N0", "number", 0),
        ("N1", "number", 1),
    ]
    assert all(
        child > place and nodes[child]["parent"] == place for place, n in enumerate(nodes) for child in n["children"]
    )
    words, weights = found["attention"]["words"], found["attention"]["weights"]
    assert [found["problem"][word["start"] : word["end"]] for word in words] == [word["text"] for word in words]
    assert len(weights) == len(nodes)
    assert all(len(row) == len(words) and sum(row) == pytest.approx(1, abs=0.01) for row in weights)


def test_an_explained_solution_has_its_mathematics_with_each_number_marked(shipped: httpx.Client) -> None:
    found = post(shipped, "/v1/solve", {"text": sample_bodies.APPLES, "explain": True})
    assert found["template"] == ["x=N0+N1"]
    assert found["latex"] == ["x=3+5"]
    (drawn,) = map(ElementTree.fromstring, found["mathml"])
    marked = [(element.get("data-number"), element.text) for element in drawn.iter() if element.get("data-number")]
    assert marked == [("0", "3"), ("1", "5")]
    assert found["step_kinds"] == ["work", "answer"]


def test_an_unsolved_problem_has_no_explanation(shipped: httpx.Client) -> None:
    found = post(shipped, "/v1/solve", {"text": "How many apples does he have?", "explain": True})
    assert found["abstained"]
    assert (found["tree"], found["attention"], found["mathml"], found["steps"]) == (None, None, [], [])


@pytest.mark.parametrize(
    ("wanted", "message"), [("zh-CN,zh;q=0.9", "题目中没有文字"), ("en", "no words"), ("fr", "no words")]
)
def test_an_error_message_is_in_the_language_that_the_client_accepts(
    shipped: httpx.Client, wanted: str, message: str
) -> None:
    answer = shipped.post("/v1/solve", json={"text": "?!"}, headers={"accept-language": wanted})
    assert answer.status_code == 422
    assert message in answer.json()["message"]


def test_another_number_gives_another_answer_without_the_network(shipped: httpx.Client) -> None:
    first = post(shipped, "/v1/solve", {"text": sample_bodies.PENS, "explain": True})
    body = {"text": sample_bodies.PENS, "lang": "zh", "tree": first["tree"]["prefix"], "numbers": ["1", "8.5", "4"]}
    again = post(shipped, "/v1/template", body)
    assert (first["answers"], again["answers"]) == (["24"], ["34"])
    assert again["problem"] == "一支钢笔8.5元，买4支钢笔要多少元？"
    assert [again["problem"][n["start"] : n["end"]] for n in again["numbers"]] == ["一", "8.5", "4"]
    assert (again["confidence"], again["model"], again["candidates"]) == (None, "", [])
    assert again["latex"] == [first["latex"][0].replace("8", "8.5").replace("3", "4")]


@pytest.mark.parametrize("written", ["34", "34.0", "68/2", "$34", " ３４ ", "thirty-four", "三十四", "3400%"])
def test_another_number_may_be_written_as_in_a_problem(shipped: httpx.Client, written: str) -> None:
    body = {"text": sample_bodies.APPLES, "lang": "en", "tree": "+ N0 N1", "numbers": ["3", written]}
    assert post(shipped, "/v1/template", body)["answers"] == ["37"]


@pytest.mark.parametrize("written", ["abc", "1/0", "3 apples", "1e9", "--3", " ", "9^9^9"])
def test_what_is_not_one_number_is_refused_at_its_place(shipped: httpx.Client, written: str) -> None:
    body = {"text": sample_bodies.APPLES, "lang": "en", "tree": "+ N0 N1", "numbers": ["3", written]}
    answer = shipped.post("/v1/template", json=body)
    assert (answer.status_code, answer.json()["error"], answer.json()["field"]) == (422, "no_number", "numbers.1")


@pytest.mark.parametrize(
    ("tree", "numbers", "outcome"), [("= * x N0 N1", ["0", "5"], "none"), ("= * x N0 N1", ["0", "0"], "infinite")]
)
def test_numbers_without_a_solution_still_show_the_equations(
    shipped: httpx.Client, tree: str, numbers: list[str], outcome: str
) -> None:
    body = {"text": sample_bodies.APPLES, "lang": "en", "tree": tree, "numbers": numbers}
    found = post(shipped, "/v1/template", body)
    assert (found["outcome"], found["answers"], found["abstained"]) == (outcome, [], True)
    assert found["equations"] == [f"x*{numbers[0]}={numbers[1]}"]
    assert len(found["mathml"]) == 1
    assert [node["label"] for node in found["tree"]["nodes"]][-1] == numbers[1]


def test_answers_steps_and_candidates_are_drawn(shipped: httpx.Client) -> None:
    found = post(shipped, "/v1/solve", {"text": sample_bodies.APPLES, "explain": True})
    assert ElementTree.fromstring(found["answers_mathml"][0]).findtext("*") == "8"
    for plain, shown in zip(found["steps"], found["steps_mathml"], strict=True):
        read = "".join(ElementTree.fromstring(f"<p>{shown}</p>").itertext())
        assert read.replace(" ", "") == plain.replace(" ", "")
    best = found["candidates"][0]
    assert [len(best[key]) for key in ("mathml", "latex", "answers_mathml")] == [1, 1, 1]


def test_roots_and_conditions_are_drawn(shipped: httpx.Client) -> None:
    found = post(shipped, "/v1/equation", {"equations": "x^2=9/4; x>0", "explain": True})
    assert "<mfrac><mn>3</mn><mn>2</mn></mfrac>" in found["roots_mathml"][0]["x"]
    assert "".join(ElementTree.fromstring(found["conditions_mathml"][0]).itertext()) == "x>0"


def test_explained_equations_have_a_tree_unless_they_have_functions(shipped: httpx.Client) -> None:
    plain = post(shipped, "/v1/equation", {"equations": "x/2=3", "explain": True, "lang": "zh"})
    assert plain["tree"]["prefix"] == "= / x 2 3"
    assert plain["latex"] == [r"\frac{x}{2}=3"]
    assert plain["step_kinds"][-1] == "check"
    assert post(shipped, "/v1/equation", {"equations": "x=comb(5,2)", "explain": True})["tree"] is None


def test_health_names_the_models_and_the_workers(shipped: httpx.Client) -> None:
    found = shipped.get("/healthz")
    assert found.status_code == 200
    assert found.json()["status"] == "ok"
    assert found.json()["models"] == ["sau-zh", "sau-en"]
    assert found.json()["workers"] == {"solve": 1, "equation": 1}


def test_the_examples_of_the_schema_are_real(shipped: httpx.Client) -> None:
    for request in sample_bodies.SOLVE_REQUESTS:
        post(shipped, "/v1/solve", request)
    found = post(shipped, "/v1/solve", sample_bodies.SOLVE_REQUESTS[0])
    measured = ("confidence", "candidates")  # depend on the weights
    assert {k: v for k, v in found.items() if k not in measured} == {
        k: v for k, v in sample_bodies.SOLUTION.items() if k not in measured
    }
    assert [one["answers"] for one in post(shipped, "/v1/solve/batch", sample_bodies.BATCH_REQUEST)["results"]] == [
        ["8"],
        ["24"],
    ]
    assert post(shipped, "/v1/template", sample_bodies.TEMPLATE_REQUEST)["answers"] == ["9"]
    roots = [post(shipped, "/v1/equation", request)["roots"] for request in sample_bodies.EQUATION_REQUESTS]
    assert roots == [sample_bodies.EQUATION["roots"], [{"x": "15", "y": "5"}]]
