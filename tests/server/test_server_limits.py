"""Each limit answers with its documented error, field and hint, never with a stack trace."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from sau_solver.errors import InputError
from sau_solver.server import refusals
from sau_solver.server.listening import address_of
from sau_solver.server.settings import Settings
from sau_solver.server.workers.process import Answer
from tests import by_heart
from tests.server.running import Running, pids_of, running
from tests.server.scripted_worker import SECRET

DEEP = "+ " * 250 + "N0 " * 251
JSON = {"content-type": "application/json"}


def check(answer: httpx.Response, status: int, error: str, field: str = "") -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    body: dict[str, Any] = answer.json()
    assert set(body) == {"error", "message", "field", "hint"}
    assert (body["error"], body["field"]) == (error, field)
    assert body["message"]
    assert body["hint"]
    assert "Traceback" not in answer.text
    return body


def test_a_text_may_have_4000_characters(server: Running) -> None:
    longest = by_heart.pens(5, 3).ljust(4_000)
    assert server.solve(longest).json()["answers"] == ["15"]
    check(server.solve(longest + " "), 413, "too_long", "text")
    check(server.client.post("/v1/solve/batch", json={"texts": ["a", "b" * 4_001]}), 413, "too_long", "texts.1")
    check(server.client.post("/v1/equation", json={"equations": "x" * 4_001}), 413, "too_long", "equations")


def test_the_limit_of_a_text_can_be_raised_and_lowered() -> None:
    def statuses(limit: int) -> list[int]:
        with running(max_text=limit, max_body=100_000) as server:
            texts = (by_heart.pens(5, 3).ljust(limit), by_heart.pens(5, 3).ljust(limit + 1))
            single = [server.solve(text).status_code for text in texts]
            batch = [server.client.post("/v1/solve/batch", json={"texts": [text]}).status_code for text in texts]
            again = [
                server.client.post("/v1/template", json={"text": text, "tree": "N0", "numbers": ["1", "2"]}).status_code
                for text in texts
            ]
            return single + batch + again

    assert statuses(9_000) == statuses(100) == [200, 413] * 3


def test_a_body_above_64_kilobytes_is_refused_with_or_without_a_content_length(server: Running) -> None:
    body = b'{"text": "' + b"a" * 65_536 + b'"}'
    check(server.client.post("/v1/solve", content=body, headers=JSON), 413, "too_long", "body")
    parts = (body[k : k + 9_000] for k in range(0, len(body), 9_000))  # chunked: there is no content-length
    check(server.client.post("/v1/solve", content=parts, headers=JSON), 413, "too_long", "body")
    assert server.client.post("/v1/solve", content=body[:60_000], headers=JSON).json()["error"] == "invalid"


def test_a_batch_may_have_256_problems(server: Running) -> None:
    texts = [by_heart.pens(held, 3) for held in range(2, 258)]
    found = server.client.post("/v1/solve/batch", json={"texts": texts}).json()["results"]
    assert [one["answers"] for one in found] == [[str(3 * held)] for held in range(2, 258)]
    check(server.client.post("/v1/solve/batch", json={"texts": [*texts, "?"]}), 413, "too_long", "texts")


def test_a_request_past_its_deadline_is_answered_and_leaves_no_worker_behind() -> None:
    with running(request_seconds=1.5) as server:
        check(server.solve("sleep 60"), 504, "too_slow")
        server.until("sau_workers_replaced_total", 1, lane="solve")
        server.until("sau_workers_ready", 1, lane="solve")
        assert server.solve(by_heart.GARDEN).json()["answers"] == ["7"]


def test_a_body_that_never_ends_is_not_waited_for() -> None:
    with running(request_seconds=0.3) as server:
        url = httpx.URL(server.url)
        with socket.create_connection((url.host, url.port or 80), timeout=30) as connection:
            kind = "content-type: application/json\r\ncontent-length: 99"
            connection.sendall(f"POST /v1/solve HTTP/1.1\r\nhost: localhost\r\n{kind}\r\n\r\n{{".encode())
            answer = b"".join(iter(lambda: connection.recv(4_096), b"")).decode()
        assert answer.startswith("HTTP/1.1 504 ")
        assert '"error": "too_slow"' in answer


def test_the_deadline_counts_from_the_request_and_not_from_the_end_of_its_body(monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly() -> Iterator[bytes]:
        yield b'{"text": '
        time.sleep(1.0)
        yield json.dumps(by_heart.GARDEN).encode() + b"}"

    spent: list[float] = []
    with running() as server:
        submit = server.pool.solving.submit

        async def watched(contents: Sequence[dict[str, Any]], seconds: float, over: float = 0.0) -> list[Answer]:
            spent.append(over)
            return await submit(contents, seconds, over)

        monkeypatch.setattr(server.pool.solving, "submit", watched)
        assert server.client.post("/v1/solve", content=slowly(), headers=JSON).json()["answers"] == ["7"]
        assert spent[0] >= 0.2  # of the second, however late the server started its clock


def test_an_equation_past_the_deadline_leaves_nothing_behind_and_the_next_worker_answers() -> None:
    with running(request_seconds=2.0, equation_seconds=60) as server:
        (worker,) = pids_of(server.pool.exact)
        check(server.client.post("/v1/equation", json={"equations": "sin(x)^5+x^7=exp(x)*3"}), 504, "too_slow")
        server.until("sau_workers_replaced_total", 1, lane="equation")
        server.until("sau_workers_ready", 1, lane="equation")
        assert server.client.post("/v1/equation", json={"equations": "x+1=3"}).json()["roots"] == [{"x": "2"}]
        assert worker not in running_groups()


def running_groups() -> set[int]:
    """Return the process groups of all processes; empty on systems without /proc."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, group = stat.read_text().rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):  # the process has just ended
            continue
        if state != "Z":
            found.add(int(group))
    return found


def test_a_full_queue_refuses_requests_and_says_when_to_retry(tmp_path: Path) -> None:
    with running(max_waiting=2, batch_size=1) as server:
        working = server.blocked(tmp_path / "gate")
        waiting = [server.later(by_heart.GARDEN) for _ in range(2)]
        server.until("sau_requests_waiting", 2, lane="solve")
        refused = server.solve(by_heart.GARDEN)
        check(refused, 429, "busy")
        assert refused.headers["retry-after"] == "1"
        (tmp_path / "gate").touch()
        assert [one.result().status_code for one in (working, *waiting)] == [200, 200, 200]
        assert server.solve(by_heart.GARDEN).status_code == 200


def test_a_batch_request_waits_as_one_request() -> None:
    with running(max_waiting=1) as server:
        found = server.client.post("/v1/solve/batch", json={"texts": [by_heart.GARDEN] * 100})
        assert len(found.json()["results"]) == 100


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "text"),
        ({"text": 3}, "text"),
        ({"text": "a", "lang": "fr"}, "lang"),
        ({"text": "a", "beam": 0}, "beam"),
        ({"text": "a", "beam": 51}, "beam"),
        ({"text": "a", "beam": "5"}, "beam"),
        ({"text": "a", "beam": 2.5}, "beam"),
        ({"text": "a", "beam": True}, "beam"),
        ({"text": "a", "explain": "yes"}, "explain"),
        ({"text": "a", "bema": 5}, "bema"),
    ],
)
def test_a_wrong_field_is_named(server: Running, body: dict[str, Any], field: str) -> None:
    check(server.client.post("/v1/solve", json=body), 422, "invalid", field)


@pytest.mark.parametrize(
    ("path", "body", "error", "field"),
    [
        ("/v1/solve", {"text": ""}, "no_problem", "text"),
        ("/v1/solve", {"text": "Combien de pommes y a-t-il ? ça ?"}, "no_problem", "text"),
        ("/v1/solve", {"text": "3\x00 apples"}, "no_problem", "text"),
        ("/v1/solve/batch", {"texts": []}, "invalid", "texts"),
        ("/v1/solve/batch", {"texts": ["a", 3]}, "invalid", "texts.1"),
        ("/v1/equation", {"equations": "3+*4"}, "no_equation", "equations"),
        ("/v1/equation", {"equations": "x>3"}, "no_equation", "equations"),
        ("/v1/equation", {"equations": "x=" + "7" * 3_000}, "no_equation", "equations"),
        ("/v1/equation", {"equations": 7}, "invalid", "equations"),
        ("/v1/template", {"text": by_heart.GARDEN, "tree": "+ N0", "numbers": ["1", "2"]}, "invalid", "tree"),
        ("/v1/template", {"text": by_heart.GARDEN, "tree": "+ N0 N7", "numbers": ["1", "2"]}, "invalid", "tree"),
        ("/v1/template", {"text": by_heart.GARDEN, "tree": "N0", "numbers": ["1"]}, "invalid", "numbers"),
        ("/v1/template", {"text": by_heart.GARDEN, "tree": "N0", "numbers": ["1", "1/0"]}, "no_number", "numbers.1"),
        ("/v1/template", {"text": "", "tree": "N0", "numbers": []}, "no_problem", "text"),
        ("/v1/template", {"text": by_heart.GARDEN, "tree": DEEP, "numbers": ["1", "2"]}, "invalid", "tree"),
        ("/v1/template", {"text": by_heart.GARDEN, "tree": "+ " * 650 + "1 " * 651, "numbers": []}, "invalid", "tree"),
    ],
)
def test_what_cannot_be_solved_is_refused_with_its_field(
    server: Running, path: str, body: dict[str, Any], error: str, field: str
) -> None:
    check(server.client.post(path, json=body), 422, error, field)


@pytest.mark.parametrize(
    ("path", "body", "message", "hint"),
    [
        ("/v1/solve", {"text": "Bonjour, combien font 3 pommes ?"}, "neither in Chinese nor in", "Translate"),
        ("/v1/solve", {"text": "题" * 4_001}, "题目有 4,001 个字符，最多允许 4,000 个。", "请一次只输入一道题。"),
        ("/v1/solve", {"text": "", "lang": "zh"}, "题目为空。", "请输入题目"),
        ("/v1/equation", {"equations": "3+*4", "lang": "zh"}, "第 3 个字符", "请输入方程"),
        ("/v1/equation", {"equations": "x" * 4_001, "lang": "zh"}, "方程有 4,001 个字符", "请缩短方程"),
        ("/v1/template", {"text": by_heart.CHICKENS, "tree": "N0", "numbers": ["1"]}, "题中有 2 个数", "每个数"),
        ("/v1/template", {"text": by_heart.CHICKENS, "tree": "N0", "numbers": ["?", "1"]}, "“?”不是数", "请写成"),
    ],
)
def test_messages_and_hints_are_in_the_language_of_the_text(
    server: Running, path: str, body: dict[str, Any], message: str, hint: str
) -> None:
    found = server.client.post(path, json=body).json()
    assert message in found["message"]
    assert hint in found["hint"]
    assert (body.get("lang") == "zh" or "题" in str(body) or "鸡" in str(body)) != found["message"].isascii()


CHINESE = {"accept-language": "zh-CN,zh;q=0.9"}


@pytest.mark.parametrize(
    ("method", "path", "body", "message"),
    [
        ("GET", "/v2/solve", None, "没有这个路径。"),
        ("GET", "/v1/solve", None, "这个路径不接受 GET 请求。"),
        ("POST", "/v1/solve", {}, "缺少字段 text。"),
        ("POST", "/v1/solve", {"text": 3}, "text 必须是字符串。"),
        ("POST", "/v1/solve", {"text": "a", "beam": 99}, "beam 不能大于 50。"),
        ("POST", "/v1/solve", {"text": "a", "lang": "fr"}, "lang 只能取以下值之一：auto，zh，en。"),
        ("POST", "/v1/solve", {"text": "a", "size": 1}, "没有字段 size。"),
        ("POST", "/v1/solve", [], "请求正文必须是 JSON 对象。"),
        ("POST", "/v1/solve/batch", {"texts": []}, "texts 的长度不能小于 1。"),
        ("POST", "/v1/solve/batch", {"texts": ["a"] * 300}, "这一批有 300 道题，最多允许 256 道。"),
        ("POST", "/v1/template", {"text": by_heart.GARDEN, "tree": "+", "numbers": []}, "无法读取表达式树"),
        ("POST", "/v1/template", {"text": by_heart.GARDEN, "tree": DEEP, "numbers": []}, "表达式树有 251 层"),
        ("POST", "/v1/solve", {"text": "raise"}, "服务器处理请求时出错。"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_client_that_wants_chinese_reads_only_chinese(
    server: Running, method: str, path: str, body: Any, message: str
) -> None:
    found = server.client.request(method, path, json=body, headers=CHINESE).json()
    assert found["message"].startswith(message)
    assert re.search("[\u4e00-\u9fff]", found["hint"])


def test_every_refusal_has_its_sentences_in_both_languages() -> None:
    made = [
        refusals.too_long(9, 10, "text"), refusals.too_large(9, 10), refusals.too_many(9, 10),
        refusals.too_many(9, 10, "problems"), refusals.busy(3), refusals.too_many_of_client(3, "::1"),
        refusals.too_many_connections(3), refusals.late_header(5), refusals.late_body(5),
        refusals.wrong_type("text/csv"), refusals.wrong_type(""),
        refusals.wrong_host("evil.example"), refusals.stopping(), refusals.too_slow(5),
        refusals.failed(), refusals.unauthorized(), refusals.http_error(418, "GET"), refusals.no_page(),
    ]  # fmt: skip
    for refusal in made:
        english, chinese = (json.loads(refusal.body(language)) for language in ("en", "zh"))
        assert (english["message"] + english["hint"]).isascii()
        assert chinese["message"].endswith("。")
        assert chinese["hint"].endswith("。")


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b"[" * 30_000, b'{"text": NaN}'],
    ids=lambda body: repr(body[:8]),
)
def test_a_body_that_is_not_a_json_object_is_refused(server: Running, body: bytes) -> None:
    found = check(
        server.client.post("/v1/solve", content=body, headers=JSON),
        422,
        "invalid",
        "body" if b"NaN" not in body else "text",
    )
    assert "JSON" in found["message"] or "string" in found["message"]


def test_half_a_surrogate_pair_is_refused(server: Running) -> None:
    body = rb'{"text": "\ud800 has 3 apples. How many apples?"}'
    check(server.client.post("/v1/solve", content=body, headers=JSON), 422, "no_problem", "text")


def test_a_body_of_another_type_is_refused(server: Running) -> None:
    answer = server.client.post("/v1/solve", content=b'{"text": "a"}', headers={"content-type": "text/plain"})
    check(answer, 415, "wrong_type", "body")


def test_unknown_paths_and_methods_are_refused_as_json(server: Running) -> None:
    check(server.client.get("/v2/solve"), 404, "not_found")
    check(server.client.get("/page/../settings.py"), 404, "not_found")
    check(server.client.get("/page/%2e%2e/settings.py"), 404, "not_found")
    refused = server.client.get("/v1/solve")
    check(refused, 405, "wrong_method")
    assert refused.headers["allow"] == "POST"


def test_an_internal_error_is_reported_without_details(server: Running) -> None:
    answer = server.solve("raise")
    check(answer, 500, "failed")
    assert SECRET not in answer.text


def test_the_error_and_page_files_in_the_documentation_are_real() -> None:
    guide = (Path(__file__).parents[2] / "docs/server.md").read_text(encoding="utf-8")
    refusal = refusals.too_long(4_000, 5_210, "text")
    assert str(refusal.message) in guide
    assert f'"hint": "{refusal.hint}"' in guide
    named = re.findall(r"`page/([a-z.]+)`", guide)
    assert named
    assert all((Settings().page / name).is_file() for name in named)


@pytest.mark.parametrize(("host", "address"), [("127.0.0.1", "http://127.0.0.1:8000"), ("::1", "http://[::1]:8000")])
def test_the_address_in_the_log_can_be_opened(host: str, address: str) -> None:
    assert address_of(host, 8000) == address


@pytest.mark.parametrize(
    "wrong",
    [
        {"workers": 0},
        {"max_text": 20_001},
        {"max_body": 10},
        {"request_seconds": 0},
        {"batch_wait": -1},
        {"stop_seconds": 1},
        {"bulk_size": 0},
        {"max_connections": 0},
        {"header_seconds": 0},
    ],
    ids=str,
)
def test_invalid_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="must be"):
        Settings(**wrong)
