"""Several problems in one text or file are found, and nothing of them is lost."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.errors import InputError
from sau_solver.problem import Language
from sau_solver.text.lists.problem_lists import MAX_PROBLEMS, GivenFormat, format_of, read_problems

APPLES = "Tom has 3 apples and buys 5 more. How many apples does he have?"
RICE = "A sack holds 3.5 kg of rice. How much do 4 sacks hold?"
PENS = "一支钢笔8元，买3支钢笔要多少元？"
PEARS = "小红有12个梨，吃了5个，还剩几个？"


def texts(content: str | bytes, form: GivenFormat = "auto", column: str = "") -> list[str]:
    return [problem.text for problem in read_problems(content, form, column).problems]


def refusal(content: str | bytes, form: GivenFormat = "auto", column: str = "") -> str:
    with pytest.raises(InputError) as refused:
        read_problems(content, form, column)
    return str(refused.value)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("1. ", "2. "), ("1) ", "2) "), ("1．", "2．"), ("1、", "2、"), ("1）", "2）"), ("（1）", "（2）"),
        ("(1) ", "(2) "), ("一、", "二、"), ("①", "②"), ("第1题：", "第2题："), ("Problem 1: ", "Problem 2: "),
        ("**1.** ", "**2.** "), ("1. ", "2) "), ("7. ", "8. "), ("1.", "3."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("pair", [(APPLES, RICE), (PENS, PEARS)])
def test_every_way_to_number_a_list_is_read(first: str, second: str, pair: tuple[str, str]) -> None:
    found = read_problems(f"{first}{pair[0]}\n{second}{pair[1]}\n")
    assert ([one.text for one in found.problems], found.format) == (list(pair), "list")


def test_the_own_numbers_of_a_list_are_kept() -> None:
    found = read_problems(f"十一、{PENS}\n十二、{PEARS}\n")
    assert [(one.label, one.number) for one in found.problems] == [(11, 1), (12, 2)]


def test_a_list_whose_line_breaks_were_lost_is_split() -> None:
    assert texts(f"1. {APPLES} 2. {RICE} 3. {APPLES}") == [APPLES, RICE, APPLES]


def test_the_questions_of_a_problem_stay_in_it() -> None:
    asked = "小明有20元，买了3支笔，每支2元。\n（1）一共花了多少元？\n（2）还剩多少元？"
    assert texts(asked) == [asked]
    assert texts(f"1. {asked}\n2. {PENS}") == [asked, PENS]
    assert texts(f"1. Tom has 20 dollars.\n  (a) How many pens?\n  (b) How many cents?\n2. {RICE}")[1] == RICE


def test_a_decimal_at_the_beginning_of_a_line_is_no_item() -> None:
    assert texts("1. Ann buys\n3.5 kg of rice and\n2.25 kg of beans. How much is that?") == [
        "Ann buys 3.5 kg of rice and 2.25 kg of beans. How much is that?"
    ]
    assert texts("3.5 kg of rice cost 7 dollars. How much is 1 kg?") == [
        "3.5 kg of rice cost 7 dollars. How much is 1 kg?"
    ]


def test_headings_and_lines_to_write_on_are_left_out() -> None:
    sheet = f"# Worksheet 3\n\n一、应用题\n1. {PENS}\n答：________\n\n2. {PEARS}\n\n二、计算\n1. 3+5\n2. 4+4\n"
    assert texts(sheet) == [PENS, PEARS, "3+5", "4+4"]
    assert texts(f"Worksheet 3\n\n1. {APPLES}\nAnswer: ____\n\nPart B\n\n1. {RICE}") == [APPLES, RICE]


def test_wrapped_lines_are_joined() -> None:
    assert texts("1. Tom has 3 apples\n   and buys 5 more.\n\n2. 小明有3个\n苹果，又买5个，一共多少个？") == [
        "Tom has 3 apples and buys 5 more.",
        "小明有3个苹果，又买5个，一共多少个？",
    ]


def test_plain_text_has_a_problem_per_line_or_block() -> None:
    assert texts(f"{APPLES}\n{RICE}\n{PENS}") == [APPLES, RICE, PENS]
    assert texts("Tom has 3 apples.\nHow many?\n\nAnn has 5.\nHow many?") == [
        "Tom has 3 apples. How many?",
        "Ann has 5. How many?",
    ]
    assert texts("Tom has 3 apples.\nHe buys 5 more.\nHow many does he have?") == [
        "Tom has 3 apples. He buys 5 more. How many does he have?"
    ]
    assert texts("Tom has 3 apples.\nHe buys 5 more.", "txt") == ["Tom has 3 apples.", "He buys 5 more."]
    assert texts("3+5*2\n2x+3=11\nx^2=9; x>0") == ["3+5*2", "2x+3=11", "x^2=9; x>0"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("header", ["problem", "Text", "题目", "Question"])
def test_the_column_of_a_table_is_found_by_its_name(delimiter: str, header: str) -> None:
    rows = [["id", header, "answer"], ["a", f'"{APPLES}"', "8"], ["b", f'"{PENS}"', "24"]]
    found = read_problems("\n".join(delimiter.join(row) for row in rows))
    assert ([one.text for one in found.problems], found.column) == ([APPLES, PENS], header)
    assert [one.id for one in found.problems] == ["a", "b"]
    assert [one.number for one in found.problems] == [2, 3]


def test_a_table_without_a_usual_header_gives_its_longest_texts() -> None:
    table = f'Nr,Aufgabe,Ergebnis\n1,"{APPLES}",8\n2,"{RICE}",14\n'
    found = read_problems(table, "csv")
    assert ([one.text for one in found.problems], found.column) == ([APPLES, RICE], "Aufgabe")
    assert [one.label for one in found.problems] == [1, 2]
    assert texts(f'1,"{APPLES}",8\n2,"{RICE}",14\n', "csv") == [APPLES, RICE]


def test_a_column_can_be_named_or_numbered() -> None:
    table = f'question,translation\n"{APPLES}","{PENS}"\n'
    assert texts(table) == [APPLES]
    assert texts(table, column="Translation") == texts(table, column="2") == [PENS]


def test_commas_without_quotes_lose_nothing() -> None:
    listed = "problem\nTom has 3 apples, 2 pears, and 5 plums. How many fruits?\nAnn has 4. How many?"
    assert texts(listed, "csv")[0] == "Tom has 3 apples, 2 pears, and 5 plums. How many fruits?"
    assert (
        texts(f"id,problem\n1,Tom has 3 apples, and 5 plums. How many?\n2,{RICE}")[0]
        == "Tom has 3 apples, and 5 plums. How many?"
    )
    (row,) = read_problems("problem,answer\nTom has 3, and 5. How many?,8\n").problems
    assert "quotes" in row.error


def test_json_lines_and_json_lists_are_read() -> None:
    lines = "\n".join([json.dumps({"text": APPLES}), "{broken", json.dumps({"problem": PENS})])
    found = read_problems(lines)
    assert found.format == "jsonl"
    assert [(one.text, bool(one.error)) for one in found.problems] == [(APPLES, False), ("", True), (PENS, False)]
    assert texts(json.dumps([APPLES, {"question": RICE}])) == [APPLES, RICE]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_usual_encodings_are_read(encoding: str) -> None:
    assert texts(f"1. {PENS}\r\n2. {PEARS}\r\n".encode(encoding)) == [PENS, PEARS]


@pytest.mark.parametrize(
    ("content", "form", "column", "said"),
    [
        ("", "csv", "", "The list is empty"),
        ("\n \n", "auto", "", "The list is empty"),
        ("problem\n", "csv", "", "has no problems below its name"),
        ("a,b\n1,2\n3,4", "csv", "", "No column has problems. The columns are: a, b."),
        ("a,b\n1,2", "csv", "text", "no column “text”. The columns are: a, b."),
        (b"PK\x03\x04 spreadsheet", "csv", "", "not a text file"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "auto", "", "not a text file"),
        ("a\x00b", "auto", "", "not a text file"),
        ("caf\u00e9 costs \u00a35. How much?".encode("cp1252"), "auto", "", "neither UTF-8 nor GB18030"),
        ("\ufffd\ufffd\ufffd 3?", "auto", "", "neither UTF-8 nor GB18030"),
        ("\n".join(f"{n}. 3+{n}" for n in range(1, MAX_PROBLEMS + 2)), "auto", "", "1,001 problems; at most 1,000"),
        ("\n" * 30_000 + "x", "auto", "", "30,000 lines; at most 20,000"),
        (f'problem\n"{"x" * 200_000}', "csv", "", "Line 2 cannot be read as CSV"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_clearly(content: str | bytes, form: GivenFormat, column: str, said: str) -> None:
    assert said in refusal(content, form, column)


def test_a_thousand_problems_are_read() -> None:
    assert len(texts("\n".join(f"{n}. 3+{n}" for n in range(1, MAX_PROBLEMS + 1)))) == MAX_PROBLEMS


@pytest.mark.parametrize(("language", "said"), [("zh", "没有题目"), ("en", "The list is empty")])
def test_errors_are_in_the_language_of_the_reader(language: Language, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_problems("", messages=language)


@given(st.lists(st.tuples(st.integers(1, 99), st.fractions(0, 9, max_denominator=4)), min_size=1, max_size=30))
def test_a_numbered_list_of_any_length_comes_back(values: list[tuple[int, Fraction]]) -> None:
    problems = [f"Ann has {count} boxes of {float(weight):g} kg. How heavy are they?" for count, weight in values]
    assert texts("\n".join(f"{n}. {text}" for n, text in enumerate(problems, start=1))) == problems


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read_problems(text)
    except InputError:
        return
    assert found.problems
    assert all(one.text or one.error for one in found.problems)


@pytest.mark.parametrize(("name", "form"), [("a.CSV", "csv"), ("a.jsonl", "jsonl"), ("a.txt", "txt"), ("a", "auto")])
def test_the_name_of_a_file_tells_its_format(name: str, form: str) -> None:
    assert format_of(name) == form


def test_a_table_names_its_columns_and_numbers_those_without_a_name() -> None:
    found = read_problems("problem,,grade,grade\nWhat is 1 + 1?,a,5,6\n", "csv")
    assert (found.column, found.columns) == ("problem", ("problem", "2", "3", "4"))
    without_header = read_problems("5,What is 1 + 1?\n6,What is 2 + 2?\n", "csv")
    assert (without_header.column, without_header.columns) == ("2", ("1", "2"))
