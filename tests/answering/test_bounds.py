"""A bound of the text limits the quantity that its words name, and that quantity chooses between two roots."""

from __future__ import annotations

import pytest

from tests.answering.given_equations import chosen

LAMPS = "(x-20)*(500-10*(x-30))=8000"  # 40 or 60
LAMPS_TOLD = "台灯进价20元，售价30元时卖500个，每涨1元少卖10个。"
CASES: dict[str, tuple[str, str, list[int]]] = {
    "nothing": (LAMPS, f"{LAMPS_TOLD}要获利8000元，售价应定为多少元？", [40, 60]),
    "the price": (LAMPS, f"{LAMPS_TOLD}要获利8000元，且售价不高于55元，售价应定为多少元？", [40]),
    "a range of prices": (LAMPS, f"{LAMPS_TOLD}售价在30至45元范围内，要获利8000元，售价应定为多少元？", [40]),
    "a price within": (LAMPS, f"{LAMPS_TOLD}单价在50元以内，要获利8000元，售价应定为多少元？", [40]),
    "what the goods cost": (LAMPS, f"{LAMPS_TOLD}进货成本不超过5000元，要获利8000元，售价应定为多少元？", [60]),
    "the number in stock": (LAMPS, f"{LAMPS_TOLD}库存不超过300个，要获利8000元，售价应定为多少元？", [60]),
    "the change": (
        "(36-x)*(30+2*x)=1240",
        "帽子每顶盈利36元，每天卖30顶，每降价1元多卖2顶。降价幅度不超过10元，要每天盈利1240元，每顶应降价多少元？",
        [5],
    ),
    "the price for a group": (
        "x*(90-0.5*(x-40))=4800",
        "门票每张90元；超过40人后，每多1人每张便宜0.5元，但票价不得低于60元。一个团队付了4800元，这个团队有多少人？",
        [60],
    ),
    "the profit on one": (
        "(50-x)*(40+2*x)=2250",
        "每箱利润50元，每天卖40箱，每降价1元多卖2箱。每箱的利润不得低于40元，要每天获利2250元，每箱应降价多少元？",
        [5],
    ),
    "a share of the cost": (
        "(x-20)*(110-2*x)=300",
        "每件进价20元，按x元卖出(110-2x)件，物价局规定加价不能超过进价的50%。要获利300元，每件售价应为多少元？",
        [25],
    ),
    "the side along the wall": (
        "x*(44-2*x)=240",
        "用44米长的篱笆一面靠墙围一块240平方米的菜地，墙长22米。垂直于墙的一边是多少米？",
        [12],
    ),
    "the side along the wall is the unknown": (
        "x*(44-x)/2=210",
        "利用一面长20米的墙，用44米长的篱笆围一块210平方米的菜地。平行于墙的一边是多少米？",
        [14],
    ),
    "the letter of the text": (
        "(10-x)*(20+10*x)=320",
        "每个利润10元，卖20个；单价变动x(0<x<4)元，多卖10x个。当x为多少时利润是320元？",
        [2],
    ),
    "the grade": (
        "(4+2*x)*(60-4*x)=528",
        "产品分为6个档次，最低档每件利润6元，每天生产56件；每提高一档利润多2元，少生产4件。"
        "一天的利润是528元，生产的是第几档次的产品？",
        [4],
    ),
    "more than, not as much as": (
        "x*(150-x)+80*(100-x)=9200",
        "两批共买100件，第一批多于30件，每件(150-x)元，其余每件80元，共付9200元，第一批买了多少件？",
        [40],
    ),
}


@pytest.mark.parametrize(("equations", "text", "answers"), CASES.values(), ids=CASES)
def test_a_bound_is_about_what_its_words_name(equations: str, text: str, answers: list[int]) -> None:
    assert list(chosen(equations, text, "zh").answers) == answers


def test_a_fall_is_possible_where_the_text_tells_what_it_does() -> None:
    told = "定价52元时卖180个，定价每增加1元少卖10个；定价每减少1元多卖10个。进价40元，要获利2000元，定价为多少元？"
    rise = "定价52元时卖180个，定价每增加1元少卖10个。进价40元，要获利2000元，定价为多少元？"
    assert list(chosen("(x-40)*(180-10*(x-52))=2000", told, "zh").answers) == [50, 60]
    assert list(chosen("(x-40)*(180-10*(x-52))=2000", rise, "zh").answers) == [60]
