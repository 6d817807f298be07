"""Every sentence for users exists in Chinese and English and is filled with the same values."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from sau_solver.phrases import PHRASES, hint_for, say

SHARED = {"calculation", "found_text"}  # signs alone, the same in both languages


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("code", PHRASES)
def test_both_languages_use_the_same_values(code: str) -> None:
    english, chinese = PHRASES[code]
    assert fields(english) == fields(chinese)


@pytest.mark.parametrize("code", PHRASES)
def test_no_sentence_mixes_the_languages(code: str) -> None:
    english, chinese = PHRASES[code]
    assert not re.search(r"[\u4e00-\u9fff]", english)
    words = re.sub(r"\{[^}]*\}|sau equation.*|--tree FILE.svg|UTF-8|GB18030|CSV|JSON|API", "", chinese)
    assert not re.search(r"[A-Za-z]{2,}", words)


def test_values_are_never_taken_for_fields() -> None:
    assert say("en", "not_a_number", text="{x}") == "“{x}” is not a number."


def test_a_code_without_advice_has_an_empty_hint() -> None:
    assert hint_for("en", "no_number") == ""
    assert hint_for("zh", "empty") == "请输入题目，并加上引号。"
