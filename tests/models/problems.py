"""Chinese and English word problems for the tests: arithmetic, linear and nonlinear equations."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from sau_solver.equations.parser import parse
from sau_solver.equations.uet import Uet, rename_unknowns
from sau_solver.models.base import Example
from sau_solver.problem import Language, Problem
from sau_solver.text.numbers import map_text

# kind, language, text, equations, answers
_ROWS: list[tuple[str, Language, str, str, str]] = [
    ("arithmetic", "zh", "小明有12个苹果，又买了5个苹果，现在一共有多少个苹果？", "x=12+5", "17"),
    ("arithmetic", "zh", "一本书有240页，小红每天看15页，几天可以看完？", "x=240/15", "16"),
    ("arithmetic", "zh", "商店有8箱牛奶，每箱24瓶，卖出50瓶后还剩多少瓶？", "x=8*24-50", "142"),
    (
        "arithmetic",
        "en",
        "Anna had 30 stickers and gave 7 of them to Ben. How many stickers does she have left?",
        "x=30-7",
        "23",
    ),
    ("arithmetic", "en", "A box holds 6 eggs. How many eggs are in 14 boxes?", "x=14*6", "84"),
    (
        "arithmetic",
        "en",
        "Tickets cost 9 dollars each and a drink costs 4 dollars. What do 3 tickets and a drink cost?",
        "x=9*3+4",
        "31",
    ),
    ("arithmetic", "zh", "甲数是18，乙数是甲数的一半，甲乙两数的和是多少？", "x=18+18/2", "27"),
    ("linear", "zh", "鸡和兔共有35只，一共有94条腿，鸡和兔各有多少只？", "x+y=35; 2*x+4*y=94", "23 12"),
    ("linear", "zh", "甲乙两数的和是50，差是14，求甲乙两数。", "x+y=50; x-y=14", "32 18"),
    (
        "linear",
        "zh",
        "买3支铅笔和2块橡皮用11元，买1支铅笔和4块橡皮用17元，铅笔和橡皮每个多少元？",
        "3*x+2*y=11; 1*x+4*y=17",
        "1 4",
    ),
    ("linear", "zh", "一个数的3倍减去8等于它的2倍加上5，求这个数。", "3*x-8=2*x+5", "13"),
    (
        "linear",
        "en",
        "The sum of two numbers is 40 and one of them is 3 times the other. Find the numbers.",
        "a+b=40; a=3*b",
        "30 10",
    ),
    (
        "linear",
        "en",
        "A school sold 200 tickets for 760 dollars. Adults paid 5 dollars, children paid 2 dollars. How many of each?",
        "a+c=200; 5*a+2*c=760",
        "120 80",
    ),
    ("linear", "en", "Seven less than 4 times a number is 21. What is the number?", "4*n-7=21", "7"),
    (
        "linear",
        "en",
        "Three numbers add up to 36. The second is 4 more than the first, the third is 2 times the first. Find them.",
        "a+b+c=36; b=a+4; c=2*a",
        "8 12 16",
    ),
    ("non-linear", "zh", "一个正方形的面积是49平方米，它的边长是多少米？", "x^2=49", "7"),
    ("non-linear", "zh", "一个长方形的长比宽多3米，面积是40平方米，求长和宽。", "x-y=3; x*y=40", "8 5"),
    (
        "non-linear",
        "zh",
        "商品经过两次降价，每次的百分率相同，从100元降到81元，求每次的百分率。",
        "100*(1-x)^2=81",
        "1/10",
    ),
    (
        "non-linear",
        "en",
        "The product of two consecutive numbers is 72. What is the smaller of the numbers?",
        "x*(x+1)=72",
        "8",
    ),
    (
        "non-linear",
        "en",
        "The sum of two numbers is 11 and the sum of their squares is 65. Find the numbers.",
        "x+y=11; x^2+y^2=65",
        "7 4",
    ),
    (
        "non-linear",
        "en",
        "A car drives 120 miles. At 20 miles an hour more it would take 1 hour less. How fast does it drive?",
        "120/x-120/(x+20)=1",
        "40",
    ),
]


def examples() -> list[Example]:
    """Return all problems as training examples."""
    return list(_examples())


@cache
def _examples() -> tuple[Example, ...]:
    made = []
    for number, (kind, language, text, equations, answers) in enumerate(_ROWS):
        mapped = map_text(text, language)
        values = [slot.value for slot in mapped.numbers]
        tree = Uet.from_equations(rename_unknowns(parse(equations)), values)
        told = tuple(part.strip() for part in equations.split(";"))
        answer = tuple(map(Fraction, answers.split()))
        made.append(Example(Problem(f"{kind}-{number}", text, language, told, answer, kind=kind), mapped, tree))
    return tuple(made)
