"""The word of a number shows how it is written, and stays one word."""

from __future__ import annotations

import pytest

from sau_solver.text.numbers import FORMS, NUMBER_WORD, form_of, map_text, shown_words


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("一辆汽车2小时行了48千米", ["一", "0", "00"]),
        ("利率是2.25%，本金1200元", ["%", "000"]),
        ("用去百分之二十，又用去1/3和0.5米", ["%", "/", "."]),
        ("Two trains, 25 percent of 1,200 miles", ["two", "%", "000"]),
        ("He eats 3/4 of twenty-five pies and a half", ["/", "00", "/"]),
        ("零下5度", ["0"]),
    ],
)
def test_the_form_is_what_is_written(text: str, forms: list[str]) -> None:
    mapped = map_text(text)
    shown = shown_words(mapped)
    assert [form_of(shown[place]) for place in mapped.positions] == forms


def test_other_words_stay_and_none_is_added() -> None:
    mapped = map_text("小明有12元，NUM 是什么？每本3元，能买几本？")
    shown = shown_words(mapped)
    assert len(shown) == len(mapped.words)
    for place, word in enumerate(shown):
        assert word == mapped.words[place] or place in mapped.positions
        assert (form_of(word) is None) == (place not in mapped.positions)


def test_a_bare_number_has_no_form() -> None:
    assert form_of(NUMBER_WORD) == ""
    assert form_of("NUMBERS") is None
    assert "" not in FORMS
