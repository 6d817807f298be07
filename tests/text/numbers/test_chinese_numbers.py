"""find_numbers reads the numbers of Chinese texts."""

from __future__ import annotations

from fractions import Fraction

import cn2an
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sau_solver.text.numbers import find_numbers


def read(text: str) -> list[tuple[str, str]]:
    return [(slot.text, str(slot.value)) for slot in find_numbers(text, "zh")]


def pairs(found: str) -> list[tuple[str, str]]:
    """Return the numbers of a text as "surface=value surface=value"."""
    return [(left, right) for left, _, right in (item.partition("=") for item in found.split())]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("长120千米，宽50.5米", "120=120 50.5=101/2"),
        ("48,000元", "48,000=48000"),
        ("3,4,5以及1,2", "3=3 4=4 5=5 1=1 2=2"),
        ("１２．５和％", "１２．５=25/2"),
        ("定价3．68元和４．32元", "3．68=92/25 ４．32=108/25"),
        ("人数比是6:5:4．3个组共有135人", "6=6 5=5 4=4 3=3 135=135"),
        ("它占4/5．2根共长12．", "4/5=4/5 2=2 12=12"),
        ("２５％，（１／２）", "２５％=1/4 （１／２）=1/2"),
        ("25%，5‰", "25%=1/4 5‰=1/200"),
        ("占(1/2)，另有3/4", "(1/2)=1/2 3/4=3/4"),
        ("3(1/4)，3又1/4，3½，½", "3(1/4)=13/4 3又1/4=13/4 3½=7/2 ½=1/2"),
        ("5/0", "5=5 0=0"),
        ("2010年5月", "2010=2010 5=5"),
        ("￥30，$4.50，3kg，20m，方程2x+3=7", "30=30 4.50=9/2 3=3 20=20 2=2 3=3 7=7"),
        ("气温是-5度；10-5；2010-2011；2010年-2011年", "-5=-5 10=10 5=5 2010=2010 2011=2011 2010=2010 2011=2011"),
        ("甲所在的高度是﹣50米", "﹣50=-50"),
        ("速度比是5:12，又如3:2:4", "5=5 12=12 3=3 2=2 4=4"),
    ],
)
def test_digits(text: str, found: str) -> None:
    assert read(text) == pairs(found)


def test_thousands_may_be_grouped_by_a_space() -> None:
    assert read("捐款30 000元") == [("30 000", "30000")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("一千二百三十四万五千", "一千二百三十四万五千=12345000"),
        ("二〇一〇年", "二〇一〇=2010"),
        (
            "一百五，三千二，一万二，一千零五，一百零五",
            "一百五=150 三千二=3200 一万二=12000 一千零五=1005 一百零五=105",
        ),
        ("廿五，两百，两万零五十", "廿五=25 两百=200 两万零五十=20050"),
        ("壹佰贰拾，叁仟", "壹佰贰拾=120 叁仟=3000"),
        ("三万亿，三十五万八千亿", "三万亿=3000000000000 三十五万八千亿=35800000000000"),
        ("十个，十二个，零分", "十=10 十二=12 零=0"),
        ("七八年级", "七=7 八=8"),
        ("三十二十", "三十=30 二十=20"),
        ("三百两银子", "三百=300"),
        ("两种，一艘轮船", "两=2 一=1"),
        ("百位、十位和个位", "百=100 十=10"),
    ],
)
def test_numerals(text: str, found: str) -> None:
    assert read(text) == pairs(found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("三分之二，三又四分之一，5分之2", "三分之二=2/3 三又四分之一=13/4 5分之2=2/5"),
        ("百分之二十五，百分之十二点五，千分之三", "百分之二十五=1/4 百分之十二点五=1/8 千分之三=3/1000"),
        ("七折，八五折，8.5折，65折，0.8折", "七折=7/10 八五折=17/20 8.5折=17/20 65折=13/20 0.8折=4/5"),
        ("增产两成，再增三成。", "两成=1/5 三成=3/10"),
        ("增产三成五，节约一成半，提价二成五后", "三成五=7/20 一成半=3/20 二成五=1/4"),
        ("其中三成是女生，七成新", "三成=3/10 七成=7/10"),
        ("二成长，分成三成四组", "二=2 三=3 四=4"),
        ("打对折；把纸对折三次", "对折=1/2 三=3"),
        ("三点五米", "三点五=7/2"),
        ("一半，半小时，半天", "一半=1/2 半=1/2 半=1/2"),
        ("两个半小时，1个半", "两个半=5/2 1个半=3/2"),
        ("双倍，双份；一双鞋，双方", "双=2 双=2 一=1"),
    ],
)
def test_parts_and_rates(text: str, found: str) -> None:
    assert read(text) == pairs(found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1.5万，3亿，2千万，3百。", "1.5万=15000 3亿=300000000 2千万=20000000 3百=300"),
        ("五万，一亿二千万元", "五万=50000 一亿二千万=120000000"),
        ("盈利1.5万元，销售10万件，五万人", "1.5=3/2 10=10 五=5"),
        ("2千万元", "2千=2000"),
        ("两千米，3千克，5千瓦时", "两=2 3=3 5=5"),
    ],
)
def test_wan_before_a_unit_belongs_to_the_unit(text: str, found: str) -> None:
    assert read(text) == pairs(found)


@pytest.mark.parametrize(
    "text",
    [
        "一共，一起，一样，统一，一些，一定，一直，万一，四川，三角形，十字路口，零件，百货，千米，万元，百分率",
        "十分高兴，千万不要，同一天，另一边，进一步，算一算",
        "第一天，第十二届，初一，星期三，周一上午",
        "G20峰会，H1N1，A4纸，T22次，4S店，3D，m3，cm^2",
        "半径，上半年，半圆，多半",
        "12:30出发，上午8：00",
        "几十，几百，多少万元",
        "这列队伍一共有多少人，陆续到站，陆陆续续，着陆，大陆，收拾，退伍，陆老师，伍叔叔",
        "二胡，五子棋，八宝粥，五星级，四舍五入",
    ],
)
def test_words_and_names_contain_no_number(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize("number", [4, 5, 6, 10])
def test_a_formal_numeral_alone_is_a_number(number: int) -> None:
    assert read(cn2an.an2cn(number, "up")) == [(cn2an.an2cn(number, "up"), str(number))]


def test_numerals_of_contracts_are_numbers_where_they_count_money() -> None:
    assert read("收到伍元，付出陆拾元和拾万元，余肆佰元整") == pairs("伍=5 陆拾=60 拾=10 肆佰=400")


def test_the_half_in_radius_is_not_a_number() -> None:
    assert read("有一半径为3米的圆") == [("一", "1"), ("3", "3")]


def test_ordinals_are_numbers_when_written_with_digits() -> None:
    assert read("第一天和第3天") == [("3", "3")]


def test_ten_in_ten_minutes_is_a_number() -> None:
    assert read("十分钟，得六十分") == [("十", "10"), ("六十", "60")]


def test_a_run_of_more_than_60_digits_stays_text() -> None:
    assert read("1" * 60) == [("1" * 60, "1" * 60)]
    assert read("1" * 61 + "，7") == [("7", "7")]
    assert read("一二" * 40) == []


@settings(deadline=None)
@given(st.integers(0, 10**15))
def test_numerals_written_by_cn2an_are_read_back(number: int) -> None:
    written = cn2an.an2cn(number)
    assert [(slot.text, slot.value) for slot in find_numbers(written, "zh")] == [(written, Fraction(number))]


@settings(deadline=None)
@given(st.integers(0, 10**15))
def test_formal_numerals_written_by_cn2an_are_read_back(number: int) -> None:
    written = cn2an.an2cn(number, "up")
    assert [(slot.text, slot.value) for slot in find_numbers(written, "zh")] == [(written, Fraction(number))]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("按1:40的比例画图", [1, 40]),
        ("按1：20缩小", [1, 20]),
        ("火车1:20开出", []),
        ("剩下一百三十本", [130]),
        ("下一个人有3本", [3]),
    ],
)
def test_scales_are_numbers_and_what_remains_is_counted_whole(text: str, values: list[int]) -> None:
    assert [number.value for number in find_numbers(text, "zh")] == values
