"""Trees that compute with the days of a month get those of the month that the text names."""

from __future__ import annotations

import pytest

from sau_solver.answering.month_days import with_days_of_the_month
from sau_solver.equations.uet import Uet
from sau_solver.problem import Language
from sau_solver.text.numbers import map_text


def corrected(text: str, language: Language, tree: str) -> str:
    return str(with_days_of_the_month(map_text(text, language), Uet.from_text(tree)))


@pytest.mark.parametrize(
    ("text", "language", "wrong", "right"),
    [
        ("四月份小明每天写36个大字，一共能写多少个大字？", "zh", 31, 30),
        ("小明9月每天写36个大字，一共写了多少个？", "zh", 31, 30),
        ("十一月份每天卖出58台，全月卖出多少台？", "zh", 31, 30),
        ("某店十二月每天卖出58台，全月卖出多少台？", "zh", 30, 31),
        ("Ann walks 4 miles every day in April. How many miles is that?", "en", 31, 30),
        ("A shop sells 36 pens a day. How many does it sell in the whole month, if it is open for July?", "en", 30, 31),
    ],
)
def test_a_named_month_decides(text: str, language: Language, wrong: int, right: int) -> None:
    assert corrected(text, language, f"= x * {wrong} N0") == f"= x * {right} N0"
    assert corrected(text, language, f"= x * {right} N0") == f"= x * {right} N0"
    assert corrected(text, language, "= x * 12 N0") == "= x * 12 N0"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("小明每天写36个大字，一个月（按31天算）一共写多少个？", "zh"),
        ("从四月到五月，小明每天写36个大字，一共写了多少个？", "zh"),
        ("小明4月5日起每天写36个大字，写到5月5日，一共写了多少个？", "zh"),
        ("小明二月份每天写36个大字，一共写了多少个？", "zh"),
        ("工程队4个月每天修36米，一共修了多少米？", "zh"),
        ("四月份有30天，小明每天写36个大字，一共写了多少个？", "zh"),
        ("Ann may walk 4 miles a day for a month. How many miles is that?", "en"),
        ("In April and May Ann walked 4 miles a day. How many miles is that?", "en"),
        ("On 3 April Ann had 4 pens. How many pens for 12 days?", "en"),
    ],
)
def test_other_texts_do_not(text: str, language: Language) -> None:
    assert corrected(text, language, "= x * 31 N0") == "= x * 31 N0"
