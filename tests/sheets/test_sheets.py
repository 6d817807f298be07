"""Worksheets in every format show the problems and answers as they are, whatever the texts contain."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from sau_solver.sheets.html_sheet import html_sheet
from sau_solver.sheets.latex_sheet import latex_sheet
from sau_solver.sheets.markdown_sheet import markdown_sheet
from sau_solver.sheets.sheet import Answers, Sheet, SheetItem, item_of, make_sheet
from sau_solver.sheets.sheet_formats import SHEET_FORMATS, sheet_format, table_sheet
from sau_solver.text.lists.problem_lists import read_problems
from tests import by_heart
from tests.sheets.latex_lint import LatexError, check_latex

HOSTILE = (
    "<script>alert('x')</script> & </p></li> costs 5% of $7_{x}^2 #3 ~ \\input{/etc/passwd} \\\\ ``q'' \"r\" **b** _i_ "
    "[l](javascript:alert(1)) ![i](x) | `c` &lt; <b onclick=x> ?` !` -- {"
)
LINES = "# heading\n- list\n1. one\n=cmd|' /C calc'!A0\n> quote\n    code\n---\n\\end{document}\n```\nfence"


def solved(text: str) -> SheetItem:
    solution = by_heart.solver().solve(text)
    return item_of(solution.as_json() | {"step_kinds": [step.kind for step in solution.steps]})


def hostile(text: str) -> SheetItem:
    return SheetItem(text, text, (text,), ("x",), (text,), 0.9, language="en")


CHICKENS, GARDEN, DOUBTFUL = map(solved, (by_heart.CHICKENS, by_heart.GARDEN, by_heart.DOUBTFUL))
REFUSED = item_of({"error": "no_problem", "message": "The problem has no words.", "hint": "Describe it."}, "?!")
ITEMS = (CHICKENS, GARDEN, DOUBTFUL, REFUSED)


class Page(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.paragraphs: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag in ("p", "li"):
            self.paragraphs.append("")

    def handle_data(self, data: str) -> None:
        if self.paragraphs:
            self.paragraphs[-1] += data


class TestContent:
    @pytest.mark.parametrize("form", SHEET_FORMATS)
    @pytest.mark.parametrize("answers", ["inline", "separate", "none"])
    def test_answers_stand_where_they_were_asked_for(self, form: str, answers: Answers) -> None:
        text = SHEET_FORMATS[form].write(make_sheet((GARDEN, DOUBTFUL), answers))  # type: ignore[index]
        problems, _, rest = text.rpartition("How many pens are in 3 boxes?")
        assert ("21" in text) == (answers != "none")
        if form == "csv":
            assert ("x(x + 5) = 84" in text) == (answers != "none")
        else:
            assert ("Answer: 7" in problems, "Answer: 7" in rest) == (answers == "inline", answers == "separate")

    @pytest.mark.parametrize("form", SHEET_FORMATS)
    def test_a_guess_is_marked_and_a_bad_text_keeps_its_place(self, form: str) -> None:
        text = SHEET_FORMATS[form].write(make_sheet(ITEMS, language="en"))  # type: ignore[index]
        assert "Best guess, not verified: 21" in text
        assert "No answer. The problem has no words. Describe it." in text
        assert "21 pens." not in text  # no worked steps that end in a guess

    def test_headings_are_in_the_language_of_most_problems_or_as_asked(self) -> None:
        assert "答案：" in markdown_sheet(make_sheet([CHICKENS]))
        assert "Answer: " in markdown_sheet(make_sheet([CHICKENS, GARDEN]))
        assert "Answer: " in markdown_sheet(make_sheet([CHICKENS], language="en"))

    def test_own_numbers_are_kept_if_they_are_in_order(self) -> None:
        def numbers(*own: int | None) -> list[int]:
            items = [SheetItem("a", number=number) for number in own]
            return [number for number, _ in make_sheet(items).numbered]

        assert numbers(3, 4, 7) == [3, 4, 7]
        assert numbers(1, 2, 1) == numbers(3, None, 4) == [1, 2, 3]

    def test_the_answer_is_written_once(self) -> None:
        assert markdown_sheet(make_sheet([GARDEN])).count("Answer: 7") == 1

    def test_equations_are_typeset(self) -> None:
        assert "<math" in html_sheet(make_sheet([GARDEN]))
        assert r"$\displaystyle x\left(x+5\right)=84$" in latex_sheet(make_sheet([GARDEN])).replace(r" \cdot ", "")
        assert "$2x+4y=50$" in markdown_sheet(make_sheet([CHICKENS]))

    def test_a_sheet_without_answers_can_be_read_again(self) -> None:
        sheet = markdown_sheet(make_sheet([CHICKENS, GARDEN], "none"))
        assert [one.text for one in read_problems(sheet).problems] == [by_heart.CHICKENS, by_heart.GARDEN]

    @pytest.mark.parametrize(("name", "form"), [("a.md", "md"), ("A.HTML", "html"), ("a.jsonl", None), ("csv", None)])
    def test_the_name_of_the_output_tells_the_format(self, name: str, form: str | None) -> None:
        assert sheet_format(name) == form


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=80) | st.sampled_from([HOSTILE, LINES])


def sheets(text: str) -> Sheet:
    return make_sheet([hostile(text), GARDEN], "separate", "en")


def shown(text: str) -> str:
    """Return a text as a sheet shows it: without control characters, and with single spaces."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


class TestHostileTexts:
    @given(TEXTS)
    def test_html_has_no_tag_or_attribute_of_a_text(self, text: str) -> None:
        plain, page = Page(html_sheet(sheets("x"))), Page(html_sheet(sheets(text)))
        assert set(page.tags) <= set(plain.tags) | {"p", "math", "mrow", "mi", "mn", "mo", "mfrac", "msup", "msqrt"}
        assert page.attributes <= plain.attributes | {"display", "xmlns"}
        assert shown(page.paragraphs[1]) == shown(text)

    @given(TEXTS)
    def test_latex_passes_the_lint(self, text: str) -> None:
        check_latex(latex_sheet(sheets(text)))

    @given(TEXTS)
    def test_markdown_shows_the_text_and_nothing_else(self, text: str) -> None:
        rendered = MarkdownIt("commonmark").render(markdown_sheet(make_sheet([SheetItem(text)], "none", "en")))
        page = Page(rendered)
        assert set(page.tags) <= {"h1", "ol", "li", "br", "p"}
        assert shown(" ".join(page.paragraphs)) == (shown(text) or "…")

    @given(TEXTS)
    def test_a_spreadsheet_runs_nothing(self, text: str) -> None:
        table = table_sheet(make_sheet([hostile(text)], "inline", "en"))
        _, row = csv.reader(io.StringIO(table, newline=""))
        plain = "".join(char if char.isprintable() else " " for char in text)
        assert row[1].replace("\n", " ") in (plain, f"'{plain}")
        assert not any(re.match(r"[=+\-@]", cell) and not re.fullmatch(r"[+-]?\d+(\.\d+)?", cell) for cell in row)


class TestTheLint:
    @pytest.mark.parametrize(
        "bad",
        ["{", "}", "$x", "50% off", "a_b", "a^b", "a & b", "#1", r"\input{x}", r"\begin{itemize}", r"\end{enumerate}",
         r"\frac12", "$\n\nx$", r"$\left(x$", r"{$}$", "\\"],
    )  # fmt: skip
    def test_it_finds_what_latex_stumbles_over(self, bad: str) -> None:
        with pytest.raises(LatexError):
            check_latex(f"% Compile\n{bad}")

    def test_sheets_of_both_languages_pass(self) -> None:
        for answers in ("inline", "separate", "none"):
            document = latex_sheet(make_sheet(ITEMS, answers))
            check_latex(document)
            assert "ctexart" in document
        english = latex_sheet(make_sheet([GARDEN, DOUBTFUL]))
        check_latex(english)
        assert english.isascii()
        assert r"\documentclass[11pt,a4paper]{article}" in english
