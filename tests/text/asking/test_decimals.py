"""The number of decimals that a text wants, and answers that are rounded to it."""

from __future__ import annotations

from fractions import Fraction

import pytest

import sau_solver as sau
from sau_solver.problem import Language
from sau_solver.text.asking.decimals import decimals_asked, tells_decimals
from tests.answering.given_equations import chosen


@pytest.mark.parametrize(
    ("text", "decimals"),
    [
        ("每段长多少米？（得数保留一位小数）", 1),
        ("每人付多少元？(结果精确到0.01)", 2),
        ("结果精确到百分位。", 2),
        ("结果四舍五入到个位。", 0),
        ("增长率是多少？（精确到0.1%）", 3),
        ("合格率是多少？（百分号前保留一位小数）", 3),
        ("结果保留整数。", 0),
        ("她保留了3本书。", None),
    ],
)
def test_the_decimals_that_a_text_wants(text: str, decimals: int | None) -> None:
    assert decimals_asked(text) == decimals


@pytest.mark.parametrize(
    ("language", "equations", "text", "answer", "rounding"),
    [
        ("zh", "x=12.5*2.7", "买2.7米花布，每米12.5元，要付多少元？（保留一位小数）", Fraction("33.8"), "nearest"),
        ("zh", "x=12*3", "买3米花布，每米12元，要付多少元？（保留一位小数）", Fraction(36), ""),
        (
            "zh",
            "5*(1+x)^2=10",
            "两年从5万人增加到10万人，年平均增长率是多少？（精确到0.1%）",
            Fraction("0.414"),
            "nearest",
        ),
        (
            "en",
            "x=100/7",
            "7 friends share $100. How much does each get? Round to the nearest cent.",
            Fraction("14.29"),
            "nearest",
        ),
    ],
)
def test_the_answer_is_rounded_as_the_text_says(
    language: Language, equations: str, text: str, answer: Fraction, rounding: str
) -> None:
    (entry,) = chosen(equations, text, language).asked
    assert (entry.answer, entry.rounding) == (answer, rounding)


def test_the_number_that_tells_how_to_round_is_not_reported_as_unused() -> None:
    text = "10米长的绳子平均分成3段，每段长多少米？（结果精确到0.01）"
    start = text.index("0.01")
    assert tells_decimals(text, "zh", start, start + 4)
    assert not tells_decimals(text, "zh", 0, 2)


def test_a_term_without_a_value_is_not_rounded() -> None:
    solution = sau.load("zh").solve("x3（得数保留两位小数")
    assert "x" in str(solution.answers[0])


def test_a_coefficient_that_is_too_long_is_too_hard() -> None:
    assert "thousands of digits" in str(sau.load("zh").solve("10^400z"))
