"""The story of an answer quotes the words of each number, names unknowns if that is certain, and explains each root."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.answering.candidates import Candidate
from sau_solver.answering.roots import choose
from sau_solver.equations.expressions import number_text
from sau_solver.equations.symbols import Symbol, read_symbol
from sau_solver.equations.uet import Uet
from sau_solver.explaining.calculation import MAX_OPERATIONS
from sau_solver.explaining.naming import name_unknowns
from sau_solver.explaining.number_words import number_words
from sau_solver.explaining.story import tell
from sau_solver.phrases import say
from sau_solver.problem import Language
from sau_solver.solving import solve
from sau_solver.text.numbers import map_text
from sau_solver.text.questions import questions_of
from sau_solver.text.wording import cues_of


@dataclass
class Told:
    """A story with its steps as text."""

    steps: tuple[str, ...]
    unit: str


def story(text: str, tree: str) -> Told:
    mapped = map_text(text)
    uet = Uet.from_text(tree)
    equations = uet.equations([number.value for number in mapped.numbers])
    solved = solve(equations)
    chosen = choose(solved, equations, cues_of(text, mapped.language))
    told = tell(mapped, Candidate(uet, 0.0, equations=equations, solved=solved, chosen=chosen))
    return Told(tuple(map(str, told.steps)), told.unit)


def test_a_chinese_problem_is_told_in_chinese_from_its_numbers_to_its_answer() -> None:
    told = story("鸡兔同笼，上有20个头，下有50条腿，鸡有多少只？", "= + * 2 x * 4 - N0 x N1")
    assert told.steps == (
        "题中没有给出、属于常识的数：2，4。",
        "设鸡有 x 只。",
        "解方程 2x + 4(20 − x) = 50，求 x。",
        "去括号：2x + 80 − 4x = 50。",
        "合并同类项：−2x + 80 = 50。",
        "两边同加 2x：50 + 2x = 80。",
        "两边同减 50：2x = 30。",
        "两边同除以 2：x = 15。",
        "检验：2 × 15 + 4 × (20 − 15) = 50。",
        "答：15 只。",
    )
    assert told.unit == "只"


def test_plain_arithmetic_is_worked_out_innermost_first() -> None:
    told = story(
        "Tom has twenty-five apples and 3 baskets. He eats one fifth of the apples. How many apples are left?",
        "- N0 * N0 N2",
    )
    assert told.steps == (
        "Numbers in the text: “twenty-five apples” gives 25, “He eats one fifth” gives 1/5.",
        "Not needed: the 3 in “3 baskets”.",
        "“twenty-five apples”: 25 × 1/5 = 5 apples",
        "“twenty-five apples”: 25 − 5 = 20 apples",
        "Answer: 20 apples.",
    )


@pytest.mark.parametrize(
    ("text", "tree", "sentence"),
    [
        ("鸡兔同笼，上有20个头，下有50条腿，鸡和兔各有多少只？", "; = + x y N0 = + * 2 x * 4 y N1",
         "设鸡为 x 只，兔为 y 只。"),
        ("鸡兔同笼，上有20个头，下有50条腿，兔有多少只？", "; = + x y N0 = + * 2 x * 4 y N1",
         "设鸡为 x 只，兔为 y 只。"),
        ("A farm has chickens and goats, 30 heads and 86 legs. How many goats are there?",
         "; = + x y N0 = + * 2 x * 4 y N1", "Let x be the number of chickens and y the number of goats."),
        ("The perimeter of a field is 26 m and it is 3 m longer than wide. Find the length and the width.",
         "; = * 2 + x y N0 = x + y N1", "Let x be the length (m) and y be the width (m)."),
        ("Two numbers add up to 71 and differ by 17. Find the smaller number.", "; = + x y N1 = - x y N2",
         "Let y be the smaller number; the other unknown is x."),
    ],
)  # fmt: skip
def test_every_unknown_is_defined_with_the_quantity_it_stands_for(text: str, tree: str, sentence: str) -> None:
    assert sentence in story(text, tree).steps


@pytest.mark.parametrize(
    ("text", "tree", "sentence"),
    [
        ("Two shelves hold 84 books. The top shelf has 2 times as many as the bottom shelf. How many more books are "
         "on the top shelf than on the bottom shelf?", "; = + x y N1 = x * N2 y", "So x − y = 56 − 28 = 28."),
        ("A bus seats 48 students. At least how many buses are needed for 218 students?", "/ N1 N0",
         "A part counts as a whole here, so round up: 5."),
    ],
)  # fmt: skip
def test_the_step_from_the_unknowns_to_what_is_asked_is_shown(text: str, tree: str, sentence: str) -> None:
    assert sentence in story(text, tree).steps


@pytest.mark.parametrize(
    ("text", "tree", "sentence"),
    [
        # negative
        ("一个正方形的面积是49平方米，求它的边长。", "= ^ x 2 N1", "舍去 x = −7：这里的量不能是负数。"),
        # impossible
        ("某商品原价200元，两次降价后为162元，求平均每次降价的百分率。", "= * N0 ^ - 1 x 2 N2",
         "舍去 x = 1.9：否则减去的比原有的还多。"),
        # unwanted
        ("A garden has an area of 24 and the sides add up to 10. What is its length?", "= * x - N1 x N0",
         "Drop x = 4: the text asks for the other solution."),
        # bounded
        ("用20米的篱笆靠墙围成面积为48平方米的矩形，墙长10米，求矩形垂直于墙的一边。", "= * x - N0 * 2 x N1",
         "舍去 x = 4：超出了题中的限制。"),
        # fractional
        ("How many buses are needed?", "= + * 2 * x x 2 * 5 x",
         "Drop x = 1/2: the number of things must be whole."),
        # trivial
        ("How far is it?", "= * x x * 3 x", "Drop x = 0: zero makes no sense here."),
    ],
)  # fmt: skip
def test_a_dropped_root_is_named_with_the_reason(text: str, tree: str, sentence: str) -> None:
    assert sentence in story(text, tree).steps


def test_both_roots_are_given_where_the_text_does_not_choose() -> None:
    assert (
        story(
            "Think of two numbers whose sum is 7 and product is 12. What is one of the numbers?", "= * x - N1 x N2"
        ).steps[-1]
        == "Answer: 3 or 4."
    )


@pytest.mark.parametrize(
    ("text", "tree", "answer", "unit"),
    [
        ("计划用水500吨，实际用水400吨，节约用水百分之几？", "/ - N0 N1 N0", "答：20%。", "%"),
        ("There are 24 marbles and 5 are green. What percent of the marbles are green?", "/ N1 N0",
         "Answer: 5/24 (≈ 20.83%).", "%"),
        ("There are 25 marbles and 5 are green. What percent of the marbles are green?", "* / N1 N0 100",
         "Answer: 20%.", "%"),
        ("There are 100 marbles and 5 are green. What percent of the marbles are green?", "/ N1 N0",
         "Answer: 5%.", "%"),
        ("A tank holds 75 liters and 50 are added. What percent is that?", "- N0 N1", "Answer: 25%.", "%"),
    ],
)  # fmt: skip
def test_shares_are_given_in_per_cent_whatever_the_scale_of_the_equations(
    text: str, tree: str, answer: str, unit: str
) -> None:
    told = story(text, tree)
    assert (told.steps[-1], told.unit) == (answer, unit)


def test_a_division_has_one_line() -> None:
    told = story("Share 5 pies among 24 people. How many pies does each person get?", "/ N0 N1")
    assert told.steps == (
        "“5 pies”, “24 people”: 5 ÷ 24 = 5/24",
        "Answer: 5/24 (≈ 0.208333) pies.",
    )


def test_a_power_that_is_not_rational_is_left_to_the_solver() -> None:
    assert "Solution: x = √2 ≈ 1.41421." in story("A square has an area of 2. What is its side?", "^ N0 1/2").steps


def test_a_long_calculation_is_cut_short() -> None:
    text = "Add " + " and ".join(str(n) for n in range(2, 32)) + ". What is the sum?"
    told = story(text, " ".join(["+"] * 29 + [f"N{index}" for index in range(30)]))
    assert sum(" = " in step for step in told.steps) == MAX_OPERATIONS - 1
    assert "The remaining operations give 495" in told.steps


WORDED = [
    ("A shop has 3 boxes with 12 pencils each and sold 8 pencils. How many pencils are left?", "- * N0 N1 N2",
     ["“3 boxes”, “12 pencils each”: 3 × 12 = 36 pencils", "“8 pencils”: 36 − 8 = 28 pencils"]),
    ("学校买了3盒铅笔，每盒12支，用去了8支，还剩多少支？", "- * N0 N1 N2",
     ["“3盒铅笔”，“每盒12支”：3 × 12 = 36（支）", "“8支”：36 − 8 = 28（支）"]),
    ("A car drives 60 miles per hour for 3 hours. How far does it go?", "* N0 N1",
     ["“60 miles per hour”, “3 hours”: 60 × 3 = 180 miles"]),
    ("A shirt costs $80 and is 25% off. How much is the discount?", "* N0 N1",
     ["“$80”, “25% off”: 80 × 25% = 20 dollars"]),
    ("A tank is 2/3 full. 1/4 of the tank is used. What part is left?", "- N0 N1",
     ["“2/3 full”, “1/4”: 2/3 − 1/4 = 5/12"]),
    ("做一个抽屉，每个长16分米、宽12分米、高2分米，容积是多少立方分米？", "* * N1 N2 N3",
     ["“每个长16分米”，“12分米”：16 × 12 = 192（平方分米）", "“2分米”：192 × 2 = 384（立方分米）"]),
    ("A poster is 90 centimeters wide and 60 centimeters high. What is its area?", "* N0 N1",
     ["“90 centimeters”, “60 centimeters”: 90 × 60 = 5400 square centimeters"]),
    ("A board is 3 meters long and 20 centimeters wide. What is its area?", "* N0 N1",
     ["“3 meters”, “20 centimeters”: 3 × 20 = 60"]),
    ("妹妹的魔方每条棱都是5厘米，一条棱长5厘米，体积是多少？", "* * N0 N0 N0", ["5 × 5 = 25", "25 × 5 = 125"]),
    ("奶奶每天织18厘米，一个星期织多少厘米？", "* N0 7",
     ["题中没有给出、属于常识的数：7。", "“每天织18厘米”：18 × 7 = 126（厘米）"]),
    ("绳子长3米，合多少厘米？", "* N0 100", ["“3米”：3 × 100 = 300"]),
    ("在比例尺1:500的图上，操场长8厘米，实际长多少厘米？", "* N2 N1", ["“8厘米”，“500”：8 × 500 = 4000"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tree", "lines"), WORDED)
def test_each_operation_has_the_words_of_its_numbers_and_no_check(text: str, tree: str, lines: list[str]) -> None:
    assert list(story(text, tree).steps[:-1]) == lines


def test_of_many_needless_numbers_only_the_first_are_named() -> None:
    text = "What is 2 plus 3? " + " ".join(f"Bus {n}." for n in range(100, 120))
    (unused,) = [step for step in story(text, "+ N0 N1").steps if step.startswith("Not needed")]
    assert unused.endswith("14 more numbers.")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("He paid $3.50 for it.", ["$3.50"]),
        ("She drove 60 miles per hour for 3 hours.", ["60 miles per hour", "3 hours"]),
        ("The sum is 56.", ["sum is 56"]),
        ("长30千米，有5辆车，甲数是25。", ["30千米", "5辆车", "甲数是25"]),
        ("占三分之一，打八折。", ["占三分之一", "打八折"]),
    ],
)  # fmt: skip
def test_a_number_is_quoted_with_what_it_counts(text: str, words: list[str]) -> None:
    mapped = map_text(text)
    assert [number_words(mapped, number) for number in mapped.numbers] == words


@pytest.mark.parametrize(
    ("text", "unknowns", "sentence"),
    [
        ("黑兔有多少只？", "x", "设黑兔有 x 只。"),
        ("那么这件衣服的进价是多少元？", "x", "设这件衣服的进价是 x 元。"),
        ("当售价为多少元/个时，利润为9600元？", "x", "设售价为 x 元/个。"),
        ("参加的学生人数是多少时，两种方案一样？", "x", "设参加的学生人数为 x。"),
        ("求长方形的宽。", "x", "设长方形的宽为 x。"),
        ("上衣的价格=多少元？", "x", "设上衣的价格是 x 元。"),
        ("商店运进8箱，剩下的面积=．", "x", "设剩下的面积为 x。"),
        ("接好后的绳子有多长？", "x", "设所求的量为 x：“接好后的绳子有多长？”"),
        ("成本降低了百分之几？", "x", "设所求的量为 x：“成本降低了百分之几？”"),
        ("若设6班得x分，求x的值。", "x", ""),
        ("甲、乙两队各需几天？", "x", ""),
        ("鸡有多少只？", "xy", ""),
        ("(1)鸡有多少只？(2)兔有多少只？", "x", ""),
        ("鸡有多少只？兔有多少只？", "xy", "设所求的量为 x 和 y：“鸡有多少只？”“兔有多少只？”"),
        ("老师、家长与学生各有多少人？", "xy", ""),
        ("顾客购买标价多少元的商品时，两种方案一样？", "x", "设顾客购买标价 x 元的商品。"),
        ("（1）可以编几个“中国结”？", "x", "设所求的量为 x：“可以编几个‘中国结’？”"),
        ("3*5=．", "x", ""),
        ("How many legos does Ellen have now?", "x",
         "Let x be the number of legos: “How many legos does Ellen have now?”"),
        ("How many more legos does she need?", "x",
         "Let x be the quantity to find: “How many more legos does she need?”"),
        ("If it rains, how long did she run ?", "x", "Let x be the quantity to find: “How long did she run?”"),
        ("After how many weeks will they meet ?", "x",
         "Let x be the number of weeks: “After how many weeks will they meet?”"),
        ("Find the original rate in gallons per minute .", "x", "Let x be the original rate in gallons per minute."),
        ("What is the speed of the boat?", "x", "Let x be the speed of the boat."),
        ("Find the numbers.", "x", ""),
        ("Find the numbers.", "xy", "Let x and y be the quantities to find: “Find the numbers.”"),
        ("Find X, the width.", "x", ""),
        ("How many goats are there? How many hens are there?", "x", ""),
        ("How many wins and how many ties did they have?", "xy",
         "Let x and y be the quantities to find: “How many wins?” “How many ties did they have?”"),
        ("How many 2 bedroom units are there?", "xy", ""),
        ("He has 3 apples.", "x", ""),
    ],
)  # fmt: skip
def test_an_unknown_is_named_only_where_the_question_says_what_it_is(text: str, unknowns: str, sentence: str) -> None:
    language: Language = "zh" if re.search(r"[\u4e00-\u9fff=]", text) else "en"
    step = name_unknowns(questions_of(text, language).found, tuple(unknowns), language)
    assert str(step or "") == sentence
    assert step is None or step.kind == "unknowns"


def test_a_discount_in_tenths_is_named_only_where_the_answer_is_one() -> None:
    questions = questions_of("应按几折出售？", "zh").found
    assert str(name_unknowns(questions, ("x",), "zh")) == "设应按 x 折出售。"
    assert str(name_unknowns(questions, ("x",), "zh", plain=True)) == "设所求的量为 x：“应按几折出售？”"


TEXTS = {
    "en": "Ann has 12 apples, half a pie, $7.25 and 1/3 of 40 nuts in 25% of 6 bags. How many apples are left?",
    "zh": "小明有12个苹果，三分之一个饼，7.25元和25%的40颗糖，装了6袋。还剩多少个苹果？",
}
LEAVES = ["N0", "N1", "N2", "N3", "N4", "x", "2", "100"]


def trees(leaf: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    return st.tuples(st.sampled_from("+-*/"), leaf, leaf).map(lambda part: [part[0], *part[1], *part[2]])


side = st.recursive(st.sampled_from(LEAVES).map(lambda name: [name]), trees, max_leaves=6)
symbols = st.tuples(side, side).map(lambda sides: ["=", *sides[0], *sides[1]])


@given(st.sampled_from(["en", "zh"]), st.one_of(side, symbols))
def test_every_number_that_a_tree_uses_is_in_the_steps_and_every_sentence_is_filled(
    language: Language, names: list[str]
) -> None:
    if "x" in names and "=" not in names:
        names = ["=", "x", *names]
    read: tuple[Symbol, ...] = tuple(map(read_symbol, names))
    told = story(TEXTS[language], str(Uet(read)))
    mapped = map_text(TEXTS[language])
    for index in Uet(read).slots():
        number = mapped.numbers[index]
        shown = {number.text, number_text(number.value), str(number.value)}
        assert any(one in step for step in told.steps for one in shown)
    assert not any(re.search(r"[{}]|\bN\d|\bNone\b", step) for step in told.steps)


def test_both_languages_can_tell_every_reason_for_dropping_a_root() -> None:
    for reason in ("negative", "impossible", "trivial", "bounded", "fractional", "unwanted"):
        assert "x=3" in say("en", f"drop_{reason}", solution="x=3")
        assert "x=3" in say("zh", f"drop_{reason}", solution="x=3")


def test_numbers_are_written_as_people_write_them() -> None:
    assert [number_text(Fraction(v)) for v in ("12", "-1/4", "1/3", "-2/3")] == ["12", "-0.25", "1/3", "-2/3"]


def test_unknowns_that_are_defined_in_turn_are_arithmetic() -> None:
    text = "A train travels 240 miles in 4 hours. How many miles does it travel in 7 hours?"
    assert story(text, "; = x / N0 N1 = y * N2 x").steps[:-1] == (
        "“240 miles”, “4 hours”: 240 ÷ 4 = 60",
        "“7 hours”: 7 × 60 = 420",
    )
