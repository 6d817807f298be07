"""Chinese questions that list things, ask twice, or ask for the x of x%: every thing is answered, and answered once."""

from __future__ import annotations

import pytest

from tests.answering.given_equations import asked, chosen

PETS = "x+y=20; 4*x+2*y=56"
PETS_TOLD = "院子里有兔和鸡共20只，一共有56条腿。"


@pytest.mark.parametrize(
    ("equations", "text", "unknowns"),
    [
        (PETS, f"{PETS_TOLD}兔和鸡有多少只？", ["x", "y"]),
        (PETS, f"{PETS_TOLD}院子里有多少兔和鸡？", ["x", "y"]),
        (PETS, f"{PETS_TOLD}设兔有x只，鸡有y只，求x，y的值。", ["x", "y"]),
        (PETS, f"{PETS_TOLD}兔、鸡各有多少只？设兔有x只，鸡有y只，求x和y的值。", ["x", "y"]),
        (PETS, f"{PETS_TOLD}兔有多少只？", ["x"]),
        ("3*x+2*y=19; 5*x+4*y=35", "3支笔和2把尺子19元，5支笔和4把尺子35元，笔和尺子的单价是多少？", ["x", "y"]),
        ("x+y=30; 8*x+5*y=198", "大房间住8人，小房间住5人，30间住满198人。大小房间各有多少间？", ["x", "y"]),
        ("x+y=10; x=2*y+1", "两数之和是10，一个数比另一个数的2倍大1，求这两数。", ["x", "y"]),
        (
            "2*x+3*y=31; 5*x+6*y=70",
            "2辆大车和3辆小车运31吨，5辆大车和6辆小车运70吨。1辆大车1次运多少吨，1辆小车1次运多少吨？",
            ["x", "y"],
        ),
        (
            "x+2*y=14; x+4*y=18",
            "出租车超过3千米后另收费。走5千米付14元，走7千米付18元。起步价是多少元？超过3千米后每千米收费多少元？",
            ["x", "y"],
        ),
        (
            "80*x+60*x=560-140; 80*y+60*y=560+140",
            "两车相距560千米，相向而行，时速80千米和60千米，几小时后相距140千米？",
            ["x", "y"],
        ),
        ("0.8*x=120; 1.2*y=120", "两件衣服都卖120元，一件亏20%，一件赚20%，两件进价一共多少元？", ["x+y"]),
    ],
)
def test_everything_is_answered_once(equations: str, text: str, unknowns: list[str]) -> None:
    assert [one.unknown for one in asked(equations, text, "zh")] == unknowns


@pytest.mark.parametrize(
    "text",
    [
        "每两队之间比赛两场，共比赛90场，共有多少个队参加比赛？",
        "组里每人给其他人各送一张贺卡，共送了90张，这个小组共有多少人？",
    ],
)
def test_a_number_of_people_in_all_is_no_sum_of_factors(text: str) -> None:
    assert list(chosen("x*(x-1)=90", text, "zh").answers) == [10]


def test_the_sum_of_two_numbers_is_a_sum_of_factors() -> None:
    assert list(chosen("x*(x+1)=90", "两个连续正整数的积是90，这两个数的和是多少？", "zh").answers) == [19]


def test_the_number_before_the_percent_sign_is_asked_for() -> None:
    told = "一件衣服原价300元，连续两次降价x%后卖192元"
    assert list(chosen("300*(1-x)^2=192", f"{told}，x的值是多少？", "zh").answers) == [20]
    assert list(chosen("300*(1-x/100)^2=192", f"{told}，x的值是多少？", "zh").answers) == [20]


def test_the_smaller_of_two_numbers_is_one_number() -> None:
    text = "两个连续正奇数的积是35，这两个数中较小的一个数是多少？"
    assert list(chosen("x*(x+2)=35", text, "zh").answers) == [5]


@pytest.mark.parametrize(
    ("equations", "text", "answer"),
    [
        ("x=(210-135)/(135/3)", "全程210千米，3小时行了135千米，剩下的路程还要行几小时？", "5/3"),
        ("x=200*1.5/120", "动车每小时行200千米，要1.5小时；改乘每小时行120千米的列车，需要多少时间？", "5/2"),
        ("5*x+y=3; x+5*y=2", "5个大桶和1个小桶盛3斛，1个大桶和5个小桶盛2斛，1个大桶可以盛多少斛？", "13/24"),
        ("x=(26+8)/(31-30)", "每排坐30人，有8人没有座位；每排坐31人，空26个座位，共有多少排座位？", "34"),
    ],
)
def test_a_measure_is_not_rounded(equations: str, text: str, answer: str) -> None:
    (entry,) = asked(equations, text, "zh")
    assert (str(entry.answer), entry.rounding) == (answer, "")


def test_common_numbers_of_products() -> None:
    text = "A=2×3×5，B=3×5×7，A和B的最大公因数是多少？"
    assert list(chosen("x=3*5", text, "zh").answers) == [15]
    assert list(chosen("x=72-6", "18和24的最小公倍数与最大公因数的差是多少？", "zh").answers) == [66]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("为了尽快减少库存，每件降价多少元时，每天盈利1200元？", 20),
        ("单价下降x元，每天盈利1200元，并且卖出的衬衫更多，当x为多少时？", 20),
        ("每件应降价多少元，才能每天盈利1200元且销售量较大？", 20),
        ("每件应降价多少元，才能每天盈利1200元且尽可能减少成本？", 10),
    ],
)
def test_what_the_seller_wants_chooses_the_root(text: str, answer: int) -> None:
    told = "衬衫每件盈利40元，每天卖20件，每降价1元多卖2件。"
    assert list(chosen("(40-x)*(20+2*x)=1200", told + text, "zh").answers) == [answer]


@pytest.mark.parametrize(
    ("equations", "text", "answers"),
    [
        ("x+x+x+2+4=54", "三个连续偶数的和是54，这三个数分别是多少？", [16, 18, 20]),
        ("x-2+x+x+2=54", "三个连续偶数的和是54，这三个数分别是多少？", [16, 18, 20]),
        ("3*x=54", "三个连续偶数的和是54，最大的数是多少？", [20]),
        ("x+x+x+1+2=24", "三个连续自然数的和是24，最小的数是多少？", [7]),
        ("3*x+3=24", "三个连续自然数的和是24，这三个数各是多少？", [7, 8, 9]),
    ],
)
def test_consecutive_numbers_are_listed_however_they_are_added(equations: str, text: str, answers: list[int]) -> None:
    assert list(chosen(equations, text, "zh").answers) == answers
