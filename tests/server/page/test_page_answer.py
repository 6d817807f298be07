"""The answer: mathematics, steps, check, confidence, abstention, candidates."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from sau_solver.equations.notation import mathml
from sau_solver.equations.parser import parse
from scripts.browsing import ask
from tests.server.page.conftest import Visit, show


def test_equations_are_mathml(solved: Page) -> None:
    shown = solved.locator("#equations math")
    expect(shown).to_have_count(2)
    namespace = shown.first.evaluate("(one) => one.namespaceURI")
    assert namespace == "http://www.w3.org/1998/Math/MathML"
    assert shown.nth(1).evaluate("(one) => one.textContent.replaceAll('\\u2062', '')") == "8x+5y=1950"


def test_fractions_and_powers_are_drawn(page: Page, theater: dict[str, Any]) -> None:
    equations = parse("x=(26-5)/3; 500*(x+1)^2=720; y=sqrt(5)")
    show(page, theater | {"mathml": [mathml(equation) for equation in equations]})
    drawn = page.locator("#equations")
    assert drawn.locator("mfrac > mn").text_content() == "3"
    assert drawn.locator("msup > mn").text_content() == "2"
    assert drawn.locator("msqrt > mn").text_content() == "5"


HOSTILE = (
    '<math xmlns="http://www.w3.org/1998/Math/MathML" onclick="window.hit=1"><mtext href="javascript:window.hit=1">5'
    '<script xmlns="http://www.w3.org/1999/xhtml">window.hit=1</script>'
    '<img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="window.hit=1"/></mtext></math>'
)


def test_markup_other_than_mathml_is_shown_as_text(page: Page, theater: dict[str, Any]) -> None:
    show(page, theater | {"mathml": [HOSTILE, "a < b <math>"]})
    assert page.locator("#equations").text_content() == "5window.hit=1a < b "
    assert page.evaluate("window.hit") is None
    assert page.locator("#result script, #result img, #equations [onclick], #equations [href]").count() == 0


def test_steps_unfold_one_by_one(solved: Page, theater: dict[str, Any]) -> None:
    steps = solved.locator("#steps .step:not(.later)")
    total = sum(kind != "check" for kind in theater["step_kinds"])
    expect(steps).to_have_count(1)
    for shown in range(2, total + 1):
        solved.click("#next-step")
        expect(steps).to_have_count(shown)
    expect(solved.locator("#next-step")).to_be_hidden()
    expect(steps.last).to_be_focused()
    expect(steps.last).to_contain_text("Answer: adult tickets: 150, child tickets: 150.")


def test_all_steps_open_at_once(solved: Page, theater: dict[str, Any]) -> None:
    solved.click("#all-steps")
    total = sum(kind != "check" for kind in theater["step_kinds"])
    expect(solved.locator("#steps .step:not(.later)")).to_have_count(total)


def test_the_check_is_shown(solved: Page) -> None:
    lines = solved.locator("#check li")
    expect(lines).to_have_count(2)
    expect(lines.nth(1)).to_contain_text("1950")


def test_confidence_is_a_sentence_with_the_calibrated_figure(solved: Page, theater: dict[str, Any]) -> None:
    figure = round(100 * theater["confidence"])
    expect(solved.locator("#confidence")).to_have_text(
        f"{figure} % About {figure} of 100 answers with this confidence are correct."
    )


def test_the_page_never_claims_100_percent(page: Page, theater: dict[str, Any]) -> None:
    show(page, theater | {"confidence": 0.9953})
    expect(page.locator("#confidence")).to_have_text(
        "> 99 % More than 99 of 100 answers with this confidence are correct."
    )
    expect(page.locator("#status")).to_contain_text("More than 99 of 100")


def test_an_uncertain_answer_is_shown_only_after_a_click(page: Page, theater: dict[str, Any]) -> None:
    show(page, theater | {"abstained": True, "confidence": 0.26, "reason": "The best guess is more likely wrong."})
    expect(page.locator("#answer")).to_contain_text("I am not sure about this one.")
    expect(page.locator("#answer")).to_contain_text("the chance that it is correct is about 26 %")
    for hidden in ("#guess", "#equations", "#tree", "#steps", "#check"):
        expect(page.locator(hidden)).to_be_hidden()
    page.click("#show-guess")
    expect(page.locator("#guess .value")).to_have_text(["150", "150"])
    for shown in ("#equations", "#tree", "#steps"):
        expect(page.locator(shown)).to_be_visible()
    expect(page.locator("#steps-title")).to_have_text("Steps of the guess")
    expect(page.locator("#check")).to_be_hidden()  # a check that passes would say nothing about a guess
    expect(page.locator("#show-guess")).to_have_attribute("aria-expanded", "true")
    page.click("#show-guess")
    expect(page.locator("#guess")).to_be_hidden()


def test_a_text_without_an_answer_shows_the_reason(page: Page) -> None:
    ask(page, "What color is the sky?")
    expect(page.locator("#answer")).to_contain_text("I could not find an answer.")
    expect(page.locator("#answer")).to_contain_text("has no number")
    expect(page.locator("#show-guess")).to_have_count(0)
    expect(page.locator("#tree-card")).to_be_hidden()


def test_other_candidates_are_folded_and_can_be_solved(solved: Page, theater: dict[str, Any]) -> None:
    others = [one for one in theater["candidates"] if one["equations"] != theater["equations"]]
    expect(solved.locator("#candidates")).to_be_hidden()
    solved.click("#candidates-title")
    rows = solved.locator("#candidates li")
    expect(rows).to_have_count(len(others))
    expect(rows.first).to_contain_text("Probability")
    rows.first.locator("button").click()
    assert solved.input_value("#equation-text") == "\n".join(others[0]["equations"])
    expect(solved.locator("#equation-result .outcome")).to_be_visible()


def test_a_recorded_solution_has_the_fields_of_the_server(page: Page, theater: dict[str, Any]) -> None:
    asking = {"text": theater["problem"], "explain": True}
    found = page.request.post("/v1/solve", data=asking).json()
    assert found.keys() == theater.keys()
    for part in ("tree", "attention"):
        assert found[part].keys() == theater[part].keys()
    assert found["candidates"][0].keys() == theater["candidates"][0].keys()
    assert found["tree"]["nodes"][0].keys() == theater["tree"]["nodes"][0].keys()


def test_each_thing_asked_for_has_its_name(solved: Page) -> None:
    expect(solved.locator("#big-answer .quantity")).to_have_text(["adult tickets: ", "child tickets: "])
    expect(solved.locator("#big-answer .value")).to_have_text(["150", "150"])  # not "adult tickets: 150 tickets"


def test_a_question_that_was_skipped_is_marked(page: Page, theater: dict[str, Any]) -> None:
    first, second = theater["asked"]
    skipped = second | {"answer": None, "display": ""}
    show(page, theater | {"asked": [first, skipped], "asked_mathml": ["150 tickets", ""]})
    expect(page.locator("#big-answer .skipped")).to_have_text("How many child tickets were sold?: not answered")


def test_one_unknown_of_several_is_answered_with_its_name(page: Page, theater: dict[str, Any]) -> None:
    one = {"question": "How many goats?", "quantity": "goats", "unknown": "y", "answer": "13", "unit": "goats"}
    show(page, theater | {"asked": [one], "asked_mathml": ["13 goats"], "display": "goats: 13"})
    expect(page.locator("#big-answer")).to_have_text("goats: 13")
    expect(page.locator("#history .past-answer")).to_have_text("goats: 13")


def test_card_and_last_step_agree_on_a_per_cent(open_page: Visit) -> None:
    page = open_page(locale="zh-CN")
    ask(page, "某种药品原价为每盒60元，经过连续两次降价后，售价为每盒48.6元，求平均每次降价的百分率．")
    expect(page.locator("#big-answer")).to_have_text("10%")
    page.click("#all-steps")
    expect(page.locator("#steps .step").last).to_contain_text("10%")


def test_the_steps_come_in_the_language_of_the_page(open_page: Visit) -> None:
    page = open_page()
    ask(page, "一个数的3倍加上5等于26，求这个数。")
    page.click("#all-steps")
    expect(page.locator("#steps .step").last).to_contain_text("Answer: 7")
    page.click("#language-zh")
    expect(page.locator("#steps .step").last).to_contain_text("答：7")
    page.locator("#reading input").first.fill("2")
    expect(page.locator("#steps .step").last).to_contain_text("答：")
    page.click("#language-en")
    expect(page.locator("#steps .step").last).to_contain_text("Answer:")
