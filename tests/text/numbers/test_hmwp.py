"""restore_hmwp turns the published texts of HMWP back into natural text."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from sau_solver.text.numbers import map_text, restore_hmwp
from sau_solver.text.numbers.lexicon import words_with_numerals


@pytest.mark.parametrize(
    ("published", "typed"),
    [
        ("1 共 12 人 ， 1 样 多", "一共12人，一样多"),
        ("1 起 出发 ， 1 共有 3 人", "一起出发，一共有3人"),
        ("1 艘 轮船 和 2 种 货物", "1艘轮船和2种货物"),
        ("准备 1 统 购买", "准备统一购买"),
        ("某校 1 初 年级", "某校初一年级"),
        ("1 第 档 电量", "第一档电量"),
        ("第 1 次 与 第 12 次", "第一次与第12次"),
        ("沿 1 同 路线 ， 同 1 产品", "沿同一路线，同一产品"),
        ("降价 的 100 分率", "降价的百分率"),
        ("直角 3 角形", "直角三角形"),
        ("个位 和 10 位数", "个位和10位数"),
        ("0 件 和 0 部件", "零件和零部件"),
        ("“ 1 带 1 路 ”", "“一带一路”"),
        ("1 元 2 次方程", "一元二次方程"),
        ("他 的 1 半", "他的一半"),
        ("面积 的 21 分之 ，", "面积的2分之1，"),
        ("12 分 1 之 ，", "12分之1，"),
        ("A 、 B 2 地", "A、B 2地"),
        ("3 3 个 班", "3 3个班"),
        ("10 分 重视", "十分重视"),
        ("我校 7 年级", "我校七年级"),
        ("x ^ 2 + 3 x", "x^2+3 x"),
    ],
)
def test_words_are_restored_and_counts_stay_digits(published: str, typed: str) -> None:
    assert restore_hmwp(published) == typed


def test_no_word_of_the_lexicon_contains_a_number() -> None:
    readable = [word for word in words_with_numerals() if map_text(word, "zh").numbers]
    assert readable == []


@pytest.mark.corpus
def test_cm17k_raw_and_restored_texts_have_the_same_numbers() -> None:
    folder = os.environ.get("SAU_DATA")
    file = Path(folder or ".") / "cm17k" / "cm17k_valid.jsonl.gz"
    if not folder or not file.exists():
        pytest.skip("cm17k/cm17k_valid.jsonl.gz is not in SAU_DATA")
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    same = 0
    for row in rows:
        raw, restored = map_text(row["text"], "zh"), map_text(restore_hmwp(row["segmented"]), "zh")
        same += [n.value for n in raw.numbers] == [n.value for n in restored.numbers]
    assert same / len(rows) > 0.98
