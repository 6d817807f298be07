"""Questions that are answered with yes or no were given to the network, which guessed a number."""

from __future__ import annotations

import pytest

from sau_solver.text.screening import screen


@pytest.mark.parametrize(
    "text",
    [
        "Tom has 17 apples. Is 17 a lucky number?",
        "Ann needs 10 apples and has 4. Anita gives her 5 more. Does she have enough to make a pie?",
        "A train has 30 cars with 104 tons each. So, can it carry 3000 tons?",
        "老虎爸爸重640千克，老虎儿子重230千克，两只老虎的体重和有1吨吗？",
        "小明带了100元，买一双75元的鞋和一件30元的衣服，够不够？",
    ],
)
def test_a_question_for_yes_or_no_asks_for_no_quantity(text: str) -> None:
    assert screen(text).obstacle == "no_quantity"


@pytest.mark.parametrize(
    "text",
    [
        "Tom has 3 apples and buys 5 more. Can you tell me how many he has?",
        "Is 5 more than 3 times a number equal to 26? Find the number.",
        "每个包子3元，买5个包子，你能算出一共多少元吗？",
        "他支付了15元车费，每千米2.5元，你能算出他乘坐的路程吗？",
        "小明带了100元，买一双75元的鞋，够吗？还剩多少元？",
    ],
)
def test_a_question_that_also_asks_for_a_number_is_solved(text: str) -> None:
    assert screen(text).obstacle == ""
