"""map_text and map_words give consistent words, slots and positions for any text."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sau_solver.problem import Language
from sau_solver.text.numbers import (
    NUMBER_WORD,
    MappedText,
    detect_language,
    find_numbers,
    map_text,
    map_words,
    restore_hmwp,
)

LANGUAGES = st.sampled_from(["zh", "en"])
ALPHABET = "一二两三十百千万亿零半个第点折成分之又共样起米元 0123459.,:/%()（）-％／½，。abxAB^$"
WORDS = [
    "one",
    "two",
    "half",
    "a",
    "and",
    "hundred",
    "twenty",
    "third",
    "thirds",
    "percent",
    "3",
    "1/2",
    "-",
    ",",
    "million",
]
ANYTHING = st.one_of(
    st.text(),
    st.text(st.characters(codec=None)),  # including lone surrogates
    st.text(ALPHABET, max_size=40),
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
)


def check(mapped: MappedText) -> None:
    assert len(mapped.words) == len(mapped.spans)
    assert len(mapped.numbers) == len(mapped.positions)
    assert mapped.words.count(NUMBER_WORD) == len(mapped.numbers)
    assert all(start < end for start, end in mapped.spans)
    assert all(a[1] <= b[0] for a, b in zip(mapped.spans, mapped.spans[1:], strict=False))
    assert all(start >= 0 and end <= len(mapped.text) for start, end in mapped.spans)
    for number, position in zip(mapped.numbers, mapped.positions, strict=True):
        assert mapped.words[position] == NUMBER_WORD
        assert mapped.spans[position] == (number.start, number.end)
        assert mapped.text[number.start : number.end] == number.text
        assert isinstance(number.value, Fraction)


@settings(deadline=None)  # the first example loads the dictionary
@given(ANYTHING, LANGUAGES)
@example("İİ 5 İ", "en")
@example("NUM 5 NUM", "zh")
@example("\ud800二\udfff", "zh")
def test_every_text_maps_consistently(text: str, language: Language) -> None:
    mapped = map_text(text, language)
    check(mapped)
    assert mapped.text == text
    assert list(mapped.numbers) == find_numbers(text, language)
    covered = [place for start, end in mapped.spans for place in range(start, end)]
    assert all(text[place].isspace() for place in set(range(len(text))) - set(covered))


@settings(deadline=None)  # the first example loads the dictionary
@given(ANYTHING, LANGUAGES)
def test_a_number_read_alone_has_the_same_value(text: str, language: Language) -> None:
    for slot in find_numbers(text, language):
        alone = find_numbers(slot.text, language)
        assert [(a.value, a.text) for a in alone] == [(slot.value, slot.text)]


@settings(deadline=None)  # the first example loads the dictionary
@given(st.lists(ANYTHING), LANGUAGES)
def test_every_list_of_words_maps_consistently(words: list[str], language: Language) -> None:
    mapped = map_words(words, language)
    check(mapped)
    assert mapped.text == " ".join(words)


@settings(deadline=None)  # the first example loads the dictionary
@given(ANYTHING)
def test_every_text_restores_and_has_a_language(text: str) -> None:
    assert detect_language(text) in ("zh", "en")
    restored = restore_hmwp(text)
    assert len(restored) <= 2 * len(text)
    check(map_text(restored))


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["一", "1", "(", "1/", "1,000,", "one ", "1 ", "-1", "三分之", "0.", "一点", "a third ", "（１"]
)
def test_a_long_text_of_anything_is_read_in_one_pass(unit: str) -> None:
    text = unit * (250_000 // len(unit))
    for language in ("zh", "en"):
        slots = find_numbers(text, language)
        assert all(slot.text == text[slot.start : slot.end] for slot in slots[:10])


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["1 共 ", "1 ", "周 6 ", "41 分之 ", "同 1 ", "一", "1 第 "])
def test_a_long_published_text_is_restored_in_one_pass(unit: str) -> None:
    restored = restore_hmwp(unit * 15_000)
    assert restored.startswith(restore_hmwp(unit * 3)[:1])
    check(map_text(restored, "zh"))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("鸡兔同笼，上有20个头", "zh"),
        ("A、B两地相距 5 km", "zh"),
        ("Tom has 3 apples", "en"),
        ("Wang Ming (王明) has three apples", "en"),
        ("1+1", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_that_of_most_words(text: str, language: Language) -> None:
    assert detect_language(text) == language
    assert map_text(text).language == language


def test_chinese_text_is_cut_at_numbers_and_segmented_between() -> None:
    mapped = map_text("鸡兔同笼，上有20个头，下有五十条腿?")
    assert mapped.words == ("鸡兔同笼", "，", "上", "有", "NUM", "个头", "，", "下", "有", "NUM", "条腿", "？")
    assert [number.value for number in mapped.numbers] == [20, 50]
    assert mapped.slots_of(Fraction(50)) == (1,)


def test_numeral_and_digit_give_the_same_words() -> None:
    typed, restored = map_text("一共有一艘轮船和两种货物。"), map_text("一共有1艘轮船和2种货物.")
    assert typed.words == restored.words
    assert [n.value for n in typed.numbers] == [n.value for n in restored.numbers]


def test_english_text_is_lower_case_words_and_marks() -> None:
    mapped = map_text("Tom's dad isn't 40 years-old; MP3s cost $3.")
    expected = "tom 's dad isn't NUM years - old ; mp3s cost $ NUM ."
    assert mapped.words == tuple(expected.split())


def test_segmented_text_follows_the_published_protocol() -> None:
    text = "快车 行 60km , 提高 20% ． 用 (1/2) 天 , 又 3(1/4) 天 , 一 个 1 / 2 ?"
    mapped = map_words(text.split(), "zh")
    expected = "快车 行 NUM km 提高 NUM ． 用 NUM 天 又 NUM 天 一 个 NUM / NUM"
    assert mapped.words == tuple(expected.split())
    assert [str(number.value) for number in mapped.numbers] == ["60", "1/5", "1/2", "13/4", "1", "2"]
    assert mapped.text == text


@pytest.mark.parametrize("text", ["鸡兔同笼，上有20个头", "Tom has three apples and 1/2 pie"])
def test_numbers_that_were_found_before_are_used(text: str) -> None:
    mapped = map_text(text)
    numbers = find_numbers(text, mapped.language)
    assert map_text(text, mapped.language, numbers) == mapped
    assert map_text(text, mapped.language, numbers[:1]).numbers == mapped.numbers[:1]


@pytest.mark.parametrize("text", ["12:30出发", "上午8：05到校"])
def test_a_time_of_day_stays_one_word(text: str) -> None:
    mapped = map_text(text, "zh")
    assert mapped.numbers == ()
    assert any(word in ("12:30", "8:05") for word in mapped.words)
