"""The practice view: a problem of a skill, typed answers, hints, the solution, the score, links and worksheets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sau_solver.curriculum.generation import exercise_of
from scripts.browsing import PHONE
from tests.server.page.conftest import Visit
from tests.server.page.test_page_accessibility import violations

SPEED = "en-speed-3-17"
MANY_HINTS = "en-linear-story-1-0"


def several() -> str:
    return next(name for k in range(500) if len(exercise_of(name := f"en-system-amounts-1-{k}").asks) == 2)


def practice(page: Page, name: str = SPEED) -> Page:
    page.goto(f"/#practice={name}")
    expect(page.locator("#exercise-text")).to_have_text(exercise_of(name).text)
    return page


def answer(page: Page, typed: str) -> None:
    page.fill("#typed", typed)
    with page.expect_response("**/v1/check"):
        page.press("#typed", "Enter")


def right_answer(name: str) -> str:
    return ", ".join(str(one.answer) for one in exercise_of(name).asks)


def score(page: Page) -> str:
    return page.inner_text("#score-text")


def test_the_view_opens_with_a_problem_and_its_address_opens_the_same_one(page: Page) -> None:
    page.click('[data-view="practice"]')
    expect(page.locator("#exercise-text")).not_to_be_empty()
    expect(page).to_have_url(re.compile(r"#practice=en-[a-z-]+-\d+-0$"))
    address, text = page.url, page.inner_text("#exercise-text")
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("#exercise-text")).to_have_text(text)
    assert page.get_attribute("#exercise-link", "href") == f"#{address.partition('#')[2]}"


def test_a_right_answer_is_praised_and_counted_once(page: Page) -> None:
    practice(page)
    answer(page, right_answer(SPEED))
    expect(page.locator("#verdict.right")).to_have_text("That is right!")
    assert score(page) == "1 of 1 right, 1 in a row"
    answer(page, right_answer(SPEED))
    assert score(page) == "1 of 1 right, 1 in a row"
    page.click("#next-exercise")
    expect(page.locator("#exercise-text")).not_to_have_text(exercise_of(SPEED).text)
    expect(page.locator("#verdict")).to_be_empty()
    expect(page.locator("#typed")).to_be_focused()


def test_a_wrong_answer_ends_the_row_and_can_be_corrected(page: Page) -> None:
    practice(page)
    answer(page, right_answer(SPEED))
    practice(page, MANY_HINTS)
    answer(page, "-1")
    expect(page.locator("#verdict")).to_contain_text("Not right yet")
    assert score(page) == "1 of 2 right, 0 in a row"
    answer(page, right_answer(MANY_HINTS))
    expect(page.locator("#verdict.right")).to_be_visible()
    assert score(page) == "2 of 2 right, 0 in a row"


@pytest.mark.parametrize(("typed", "said"), [("many", "no number"), ("", "no number"), ("3 kg", "unit")])
def test_slips_get_a_kind_message_and_do_not_count(page: Page, typed: str, said: str) -> None:
    practice(page)
    answer(page, typed)
    expect(page.locator("#verdict")).to_contain_text(said)
    expect(page.locator("#score")).to_be_hidden()
    expect(page.locator("#typed")).to_be_focused()


def test_several_answers_are_typed_in_the_order_of_the_question(page: Page) -> None:
    name = several()
    practice(page, name)
    first, second = (one.answer for one in exercise_of(name).asks)
    expect(page.locator("#typed-help")).to_contain_text("2 answers in this order")
    answer(page, f"{first}")
    expect(page.locator("#verdict")).to_contain_text("asks for 2 numbers")
    answer(page, f"{second}, {first}")
    expect(page.locator("#verdict")).to_contain_text("another order")
    answer(page, f"{first} and {second}")
    expect(page.locator("#verdict.right")).to_be_visible()


def test_hints_come_one_at_a_time_and_the_answer_only_when_asked_for(page: Page) -> None:
    practice(page, MANY_HINTS)
    steps = page.locator("#exercise-steps li")
    page.click("#exercise-hint")
    expect(steps).to_have_count(1)
    expect(page.locator("#status")).not_to_be_empty()
    count = 1
    while page.locator("#exercise-hint").is_visible():
        page.click("#exercise-hint")
        count += 1
        expect(steps).to_have_count(count)
    expect(steps.last).to_contain_text("?")
    expect(steps.last).to_be_focused()
    expect(page.locator("#exercise-answer")).to_be_empty()
    page.click("#exercise-solve")
    expect(page.locator("#exercise-answer .big")).to_contain_text(right_answer(MANY_HINTS))
    expect(page.locator("#exercise-answer")).to_be_focused()
    expect(page.locator("#exercise-solve")).to_be_hidden()
    assert score(page) == "0 of 1 right, 0 in a row"
    answer(page, right_answer(MANY_HINTS))
    assert score(page) == "0 of 1 right, 0 in a row"  # it was shown


def test_the_score_is_kept_in_the_browser_until_it_is_reset(page: Page) -> None:
    practice(page)
    answer(page, right_answer(SPEED))
    page.reload()
    expect(page.locator("#score-text")).to_have_text("1 of 1 right, 1 in a row")
    page.click("#forget-score")
    expect(page.locator("#score")).to_be_hidden()
    assert page.evaluate("localStorage.getItem('sau.score')") is None


@pytest.mark.parametrize("stored", ['"nonsense"', "{", '{"right": "many"}', "null", '{"seen": 3}'])
def test_a_broken_score_starts_anew(page: Page, stored: str) -> None:
    page.evaluate("(text) => localStorage.setItem('sau.score', text)", stored)
    practice(page).reload()
    answer(page, right_answer(SPEED))
    expect(page.locator("#score-text")).to_have_text("1 of 1 right, 1 in a row")


def test_skill_grade_and_language_are_chosen_and_kept(page: Page) -> None:
    practice(page)
    expect(page.locator("#practice-skill")).to_have_value("")  # the exercise is one of all skills
    page.select_option("#practice-grade", "7")
    groups = page.locator("#practice-skill optgroup")
    expect(groups).to_have_count(1)
    page.select_option("#practice-skill", "number-puzzle")
    page.select_option("#practice-lang", "zh")
    page.click("#new-exercise")
    expect(page).to_have_url(re.compile("#practice=zh-number-puzzle-"))
    expect(page.locator("#exercise-text")).to_have_attribute("lang", "zh-CN")
    page.reload()
    expect(page.locator("#practice-skill")).to_have_value("number-puzzle")
    page.select_option("#practice-grade", "")
    expect(groups).to_have_count(9)


def test_a_link_to_another_skill_chooses_that_skill(page: Page) -> None:
    practice(page)
    page.select_option("#practice-skill", "ages")
    practice(page, MANY_HINTS)
    expect(page.locator("#practice-skill")).to_have_value("linear-story")


def test_back_returns_to_the_problem_before(page: Page) -> None:
    practice(page)
    page.click("#new-exercise")
    expect(page.locator("#exercise-text")).not_to_have_text(exercise_of(SPEED).text)
    page.go_back()
    expect(page.locator("#exercise-text")).to_have_text(exercise_of(SPEED).text)
    page.click('[data-view="help"]')
    page.click('[data-view="practice"]')
    expect(page).to_have_url(re.compile(SPEED))


def test_a_link_to_nothing_says_so_and_a_new_problem_helps(page: Page) -> None:
    page.goto("/#practice=en-flying-1-2")
    expect(page.locator("#practice-error")).to_contain_text("There is no exercise “en-flying-1-2”.")
    page.click("#new-exercise")
    expect(page.locator("#exercise-text")).not_to_be_empty()
    expect(page.locator("#practice-error")).to_be_empty()


def test_without_the_server_nothing_is_lost_and_it_can_be_tried_again(page: Page) -> None:
    practice(page)
    page.route("**/v1/check", lambda route: route.abort())
    page.fill("#typed", right_answer(SPEED))
    page.press("#typed", "Enter")
    expect(page.locator("#practice-error [data-error=stopped]")).to_be_visible()
    page.unroute("**/v1/check")
    page.click("#practice-error .retry")
    expect(page.locator("#verdict.right")).to_be_visible()


def test_hints_follow_the_language_of_the_page(page: Page) -> None:
    practice(page, MANY_HINTS)
    page.click("#exercise-hint")
    expect(page.locator("#exercise-steps li")).to_have_count(1)
    english = page.inner_text("#exercise-steps")
    page.click("#language-zh")
    expect(page.locator("#exercise-steps")).not_to_have_text(english)
    expect(page.locator("#exercise-skill")).to_contain_text("年级")
    expect(page.locator("#exercise-text")).to_have_text(exercise_of(MANY_HINTS).text)
    answer(page, "-1")
    expect(page.locator("#verdict")).to_contain_text("还不对")


def test_the_problems_are_in_the_language_of_the_page(open_page: Visit) -> None:
    page = open_page(locale="zh-CN", fragment="#practice")
    expect(page).to_have_url(re.compile("#practice=zh-"))
    expect(page.locator("#exercise-text")).to_have_attribute("lang", "zh-CN")


@pytest.mark.parametrize("answers", ["separate", "none"])
def test_a_worksheet_opens_ready_to_print(page: Page, answers: str) -> None:
    practice(page)
    page.select_option("#practice-skill", "speed")
    page.fill("#worksheet-count", "7")
    page.select_option("#worksheet-answers", answers)
    with page.expect_popup() as opened:
        page.click("#worksheet-form [data-format=html]")
    sheet = opened.value
    expect(sheet.locator("ol.problems > li")).to_have_count(7)
    expect(sheet.locator("ol.answers > li")).to_have_count(7 if answers == "separate" else 0)
    assert sheet.evaluate("getComputedStyle(document.querySelector('.name')).display") == "flex"  # its style is allowed
    for paper in ("A4", "Letter"):
        pages = len(re.findall(rb"/Type\s*/Page\b", sheet.pdf(format=paper)))
        assert 2 <= pages <= 5
    sheet.close()


@pytest.mark.parametrize("form", ["md", "tex"])
def test_a_worksheet_is_saved(page: Page, form: str) -> None:
    practice(page)
    with page.expect_download() as saved:
        page.click(f"#worksheet-form [data-format={form}]")
    assert re.fullmatch(rf"Worksheet-\d+\.{form}", saved.value.suggested_filename)
    assert Path(saved.value.path()).read_text("utf-8").count("Answer:") == 10


def test_a_worksheet_with_too_many_problems_is_refused(page: Page) -> None:
    practice(page)
    page.fill("#worksheet-count", "1000000")
    page.click("#worksheet-form [data-format=md]")
    expect(page.locator("#worksheet-error")).to_contain_text("count must be between 1 and 100, got 1,000,000.")


def test_a_typed_answer_is_never_part_of_an_address(page: Page) -> None:
    practice(page)
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    answer(page, "271828")
    assert urls
    assert not any("271828" in url for url in [*urls, page.url])


def test_everything_is_done_with_the_keyboard(page: Page) -> None:
    practice(page)
    page.click("h1#practice-title")
    reached = []
    for _ in range(25):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.textContent"))
    wanted = ["practice-lang", "practice-grade", "practice-skill", "new-exercise", "typed", "Check", "exercise-hint"]
    order = [reached.index(name) for name in [*wanted, "exercise-solve", "worksheet-count", "worksheet-answers"]]
    assert order == sorted(order)


@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
def test_axe_finds_nothing_on_the_practice_view(open_page: Visit, locale: str) -> None:
    page = practice(open_page(locale=locale), MANY_HINTS)
    assert violations(page) == []
    answer(page, "-1")
    page.click("#exercise-hint")
    expect(page.locator("#exercise-steps li")).to_have_count(1)
    assert violations(page) == []
    page.click("#exercise-solve")
    expect(page.locator("#exercise-answer .big")).to_be_visible()
    answer(page, right_answer(MANY_HINTS))
    expect(page.locator("#verdict.right")).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize("size", [PHONE, (320, 640)])
def test_the_view_fits_a_phone(open_page: Visit, size: tuple[int, int]) -> None:
    page = practice(open_page(size=size), several())
    page.click("#exercise-solve")
    expect(page.locator("#exercise-answer .big")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert violations(page) == []
