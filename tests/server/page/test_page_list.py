"""Several problems: read from a text or a file, solved one after the other, printed and exported."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, Route, expect

from scripts.browsing import PHONE, ask
from tests.server.page.conftest import Visit
from tests.server.page.test_page_accessibility import violations

TRAIN = "A train travels 240 miles in 4 hours. What is its average speed?"
NUMBER = "Five more than three times a number is 26. Find the number."
CHINESE = "一个数的3倍加上5等于26，求这个数。"
FOREIGN = "Ciao, come stai? Я хочу спать 3 часа."
LIST = f"1. {TRAIN}\n2. {FOREIGN}\n3. {NUMBER}\n4. {CHINESE}"
SETTLED = "#items .item:is(.solved, .failed)"


@pytest.fixture
def sheet(page: Page) -> Page:
    page.click('[data-view="list"]')
    return page


def solve(page: Page, text: str = LIST, count: int = 4) -> Page:
    page.fill("#list-text", text)
    page.click("#list-solve")
    expect(page.locator(SETTLED)).to_have_count(count)
    return page


def choose(page: Page, name: str, content: str | bytes) -> None:
    data = content.encode() if isinstance(content, str) else content
    page.set_input_files("#list-file", FilePayload(name=name, mimeType="text/plain", buffer=data))


def test_a_numbered_list_is_solved_with_errors_in_place(sheet: Page) -> None:
    solve(sheet)
    expect(sheet.locator("#items .item-text")).to_have_text([TRAIN, FOREIGN, NUMBER, CHINESE])
    expect(sheet.locator("#items .item-answer")).to_have_count(3)
    expect(sheet.locator("#items .item").nth(1)).to_contain_text("This text cannot be solved.")
    expect(sheet.locator("#sheet-title")).to_contain_text("1 cannot be solved")
    assert sheet.evaluate("document.getElementById('progress').value") == 4
    assert violations(sheet) == []


def test_steps_of_a_problem_unfold_and_it_can_be_opened_alone(sheet: Page) -> None:
    solve(sheet)
    first = sheet.locator("#items .item").first
    expect(first.locator(".steps")).to_be_hidden()
    first.locator(".item-more button").click()
    expect(first.locator(".step").first).to_be_visible()
    expect(first.locator(".item-more button")).to_have_attribute("aria-expanded", "true")
    first.locator(".open-item").click()
    expect(sheet.locator("#reading")).to_contain_text("A train travels")
    sheet.go_back()
    expect(first.locator(".step").first).to_be_visible()  # the list is still there


def test_a_list_can_be_stopped_and_continued(sheet: Page) -> None:
    held: list[Route] = []
    sheet.route("**/v1/solve", lambda route: held.append(route))
    sheet.fill("#list-text", LIST)
    sheet.click("#list-solve")
    expect(sheet.locator("#items .solving")).to_have_count(1)
    expect(sheet.locator("#run")).to_have_text("Stop")
    sheet.click("#run")
    expect(sheet.locator("#items .waiting")).to_have_count(4)
    expect(sheet.locator("#run")).to_have_text("Solve 4 problems")
    sheet.unroute("**/v1/solve")
    sheet.click("#run")
    expect(sheet.locator(SETTLED)).to_have_count(4)
    expect(sheet.locator("#run")).to_have_text("Solve again")


def test_a_list_waits_for_a_server_that_is_away(sheet: Page) -> None:
    sheet.fill("#list-text", LIST)
    sheet.route("**/v1/solve", lambda route: route.abort())
    sheet.click("#list-solve")
    expect(sheet.locator("#sheet-error [role=alert]")).to_contain_text("is not responding")
    expect(sheet.locator("#items .waiting")).to_have_count(4)
    sheet.unroute("**/v1/solve")
    sheet.click("#sheet-error .retry")
    expect(sheet.locator(SETTLED)).to_have_count(4)
    expect(sheet.locator("#sheet-error")).to_be_empty()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("class.txt", f"{TRAIN}\n{NUMBER}\n"),
        ("class.csv", f'id,problem\n1,"{TRAIN}"\n2,"{NUMBER}"\n'),
        ("class.jsonl", f'{{"text": "{TRAIN}"}}\n{{"text": "{NUMBER}"}}\n'),
    ],
)
def test_a_file_is_read_and_solved(sheet: Page, name: str, content: str) -> None:
    choose(sheet, name, content)
    expect(sheet.locator("#items .item-text")).to_have_text([TRAIN, NUMBER])
    expect(sheet.locator("#sheet-title")).to_contain_text(name)
    expect(sheet.locator("#items .waiting")).to_have_count(2)  # nothing is solved before the reader has seen it
    sheet.click("#run")
    expect(sheet.locator(SETTLED)).to_have_count(2)


def test_the_column_of_a_table_can_be_chosen(sheet: Page) -> None:
    choose(sheet, "class.csv", f'problem,harder\n"{TRAIN}","{NUMBER}"\n')
    expect(sheet.locator("#items .item-text")).to_have_text([TRAIN])
    expect(sheet.locator("#column")).to_have_value("problem")
    sheet.select_option("#column", "harder")
    expect(sheet.locator("#items .item-text")).to_have_text([NUMBER])
    assert violations(sheet) == []


def test_a_chinese_spreadsheet_is_read_in_its_own_encoding(sheet: Page) -> None:
    choose(sheet, "练习.csv", f"题号,题目\n1,{CHINESE}\n".encode("gb18030"))
    expect(sheet.locator("#items .item-text")).to_have_text([CHINESE])


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.csv", "", "is empty"),
        ("header.csv", "id,problem\n", "no problems below its name"),
        ("picture.txt", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "not a text file"),
        ("many.txt", "What is 1 + 1?\n" * 1_001, "1,001 problems; at most 1,000"),
    ],
    ids=["empty", "header", "binary", "1001"],
)
def test_a_file_that_cannot_be_read_is_explained(sheet: Page, name: str, content: str | bytes, words: str) -> None:
    sheet.fill("#list-text", LIST)
    choose(sheet, name, content)
    expect(sheet.locator("#list-error [role=alert]")).to_contain_text(words)
    expect(sheet.locator("#sheet")).to_be_hidden()
    assert sheet.input_value("#list-text") == LIST  # nothing is lost


def test_a_file_of_50_megabytes_is_not_even_read(sheet: Page, asked: list[str], tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    large.write_bytes(b"What is 1 + 1?\n" * 3_500_000)
    sheet.set_input_files("#list-file", large)
    expect(sheet.locator("#list-error [role=alert]")).to_contain_text("it has 53 MB")
    assert asked == []


def test_complaints_about_files_are_chinese_on_the_chinese_page(open_page: Visit) -> None:
    page = open_page(locale="zh-CN", fragment="#list")
    files: list[tuple[str, str | bytes]] = [("a.csv", ""), ("a.txt", b"\x00\x01"), ("a.txt", b"1" * 2_000_000)]
    for name, content in files:
        choose(page, name, content)
        said = page.locator("#list-error [role=alert]").inner_text()
        assert re.findall(r"[a-z]{3,}", said) == []


def test_an_empty_list_is_an_error_next_to_the_text(sheet: Page, asked: list[str]) -> None:
    sheet.click("#list-solve")
    expect(sheet.locator("#list-error [role=alert]")).to_contain_text("There are no problems yet.")
    expect(sheet.locator("#list-text")).to_be_focused()
    assert asked == []


def test_a_thousand_problems_are_listed(sheet: Page) -> None:
    sheet.route("**/v1/solve", lambda route: None)
    choose(sheet, "many.txt", "".join(f"What is {k} + 1?\n" for k in range(1_000)))
    expect(sheet.locator("#items .item")).to_have_count(1_000)
    sheet.click("#run")
    expect(sheet.locator("#items .solving")).to_have_count(1)
    sheet.click("#run")
    expect(sheet.locator("#items .waiting")).to_have_count(1_000)


def test_a_list_in_the_box_for_one_problem_is_offered_as_a_list(page: Page) -> None:
    ask(page, LIST)
    expect(page.locator("#text-error")).to_contain_text("These look like 4 problems.")
    assert violations(page) == []
    page.click("#as-list")
    expect(page.locator("#view-list")).to_be_visible()
    expect(page.locator(SETTLED)).to_have_count(4)
    assert page.input_value("#list-text") == LIST


def test_hidden_answers_of_a_list_are_shown_one_by_one(sheet: Page) -> None:
    sheet.locator("#list-form").wait_for()
    sheet.evaluate("localStorage.setItem('sau.hints', 'true')")
    sheet.reload()
    solve(sheet)
    expect(sheet.locator("#items .item-answer:visible")).to_have_count(0)
    sheet.locator("#items .show-answer").first.click()
    expect(sheet.locator("#items .item-answer:visible")).to_have_count(1)


def test_axe_finds_nothing_on_a_list_on_a_phone(open_page: Visit) -> None:
    page = open_page(size=PHONE, fragment="#list")
    solve(page)
    page.locator("#items .item-more button").first.click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_a_problem_of_a_list_that_the_solver_is_not_sure_about_is_a_guess(sheet: Page, theater: dict[str, Any]) -> None:
    unsure = theater | {"abstained": True, "confidence": 0.2}
    sheet.route("**/v1/solve", lambda route: route.fulfill(json=unsure))
    solve(sheet, f"1. {TRAIN}\n2. {NUMBER}", 2)
    expect(sheet.locator("#sheet-title")).to_contain_text("2 not sure")
    expect(sheet.locator("#items .item-answer:visible")).to_have_count(0)
    sheet.locator("#items .item-more button").first.click()
    expect(sheet.locator("#items .item-answer:visible")).to_contain_text("Best guess")


@pytest.mark.parametrize(("place", "problems"), [("list", [TRAIN, FOREIGN, NUMBER, CHINESE]), ("one", [NUMBER])])
@pytest.mark.parametrize("form", ["md", "html", "csv", "tex"])
def test_problems_are_saved_as_a_file(page: Page, place: str, problems: list[str], form: str) -> None:
    if place == "one":
        ask(page, NUMBER)
        offered = "#export"
    else:
        page.click('[data-view="list"]')
        solve(page)
        page.select_option("#answers-place", "separate")
        offered = "#export-list"
    with page.expect_request("**/v1/export") as asking, page.expect_download() as saving:
        page.click(f"{offered} [data-format={form}]")
    sent = json.loads(asking.value.post_data or "")
    assert (sent["problems"], sent["format"]) == (problems, form)
    assert sent["answers"] == ("inline" if place == "one" else "separate")
    assert saving.value.suggested_filename == f"problems.{form}"
    assert "26" in saving.value.path().read_text("utf-8")
    expect(page.locator(offered)).to_contain_text("Saved.")


def test_an_export_that_fails_is_explained_and_can_be_retried(solved: Page) -> None:
    solved.route("**/v1/export", lambda route: route.fulfill(status=429, json={"error": "busy", "message": "…"}))
    solved.click("#export [data-format=md]")
    expect(solved.locator("#export [role=alert]")).to_contain_text("too busy")
    solved.unroute("**/v1/export")
    with solved.expect_download():
        solved.click("#export .retry")
    expect(solved.locator("#export [role=alert]")).to_have_count(0)
