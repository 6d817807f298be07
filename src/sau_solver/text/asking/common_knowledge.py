"""Numbers of general knowledge that texts leave out: how many legs an animal has, how much a coin is worth."""

from __future__ import annotations

import re
from fractions import Fraction

from sau_solver.problem import Language

_EN_LEGS = {
    2: "duck duckling chicken hen rooster chick goose turkey bird parrot ostrich emu peacock pigeon "
    "swan crane person man woman "
    "farmer human child boy girl bicycle bike motorcycle scooter motorbike sparrow penguin flamingo owl",
    3: "tricycle trike",
    4: "goat rabbit cow pig horse sheep lamb dog cat donkey camel elephant turtle tortoise frog "
    "lizard car wagon truck table "
    "chair bull calf deer fox pony buffalo zebra kitten puppy bunny llama giraffe lion tiger bear "
    "monkey quad cart automobile",
    6: "ant beetle bee insect ladybug butterfly grasshopper cricket fly mosquito",
    8: "spider octopus tick scorpion",
    10: "crab squid",
}
_EN_COINS = {1: "penny", 5: "nickel", 10: "dime", 25: "quarter", 50: "half-dollar"}
_ZH_LEGS = {
    2: ("鸡", "鸭", "鹅", "鸟", "鸵", "鹤", "雀", "自行车", "摩托", "鸽", "雁", "单车", "电动车"),
    3: ("三轮",),
    4: ("兔", "牛", "羊", "猪", "马", "狗", "猫", "龟", "驴", "鹿", "虎", "汽车", "轿车", "骡", "青蛙", "四轮"),
    6: ("蜻蜓", "蚂蚁", "蝉", "螳螂", "蝴蝶", "甲虫", "蜜蜂", "蟋蟀"),
    8: ("蜘蛛", "章鱼", "蟹"),
    10: ("螃蟹", "乌贼"),
}
_ZH_COINS = (
    (("1元", "一元"), 100),
    (("5角", "五角"), 50),
    (("1角", "一角"), 10),
    (("2角", "二角"), 20),
    (("5分", "五分"), 5),
    (("2分", "二分"), 2),
)

_EN_BILLS = {"ones": 1, "fives": 5, "tens": 10, "twenties": 20, "fifties": 50, "hundreds": 100}
_ZH_PLACES = {"单人": 1, "双人": 2, "三人": 3, "四人": 4, "五人": 5, "六人": 6, "八人": 8, "十人": 10}

_EN = {word: Fraction(legs) for legs, words in _EN_LEGS.items() for word in words.split()}


_LEGS = re.compile(r"\b(?:legs?|feet|foot|wheels?|tires?)\b|[腿脚足轮]", re.IGNORECASE)


def known_factors(thing: str, words: frozenset[str], text: str, language: Language) -> frozenset[Fraction]:
    """Return the numbers that general knowledge multiplies the thing by; empty if there are none."""
    found: set[Fraction] = set()
    has_legs = _LEGS.search(text) is not None
    if language == "zh":
        for names, value in _ZH_COINS:
            if any(name in thing for name in names):
                found |= {Fraction(value), Fraction(value, 10), Fraction(value, 100)}
        found |= {Fraction(places) for name, places in _ZH_PLACES.items() if name in thing}
        if has_legs:
            found |= {Fraction(legs) for legs, names in _ZH_LEGS.items() if any(name in thing for name in names)}
        return frozenset(found)
    if has_legs:
        found |= {_EN[word] for word in words if word in _EN}
    if "digit" not in words:
        found |= {Fraction(_EN_BILLS[word]) for word in re.findall(r"[a-z]+", thing.lower()) if word in _EN_BILLS}
    for value, coin in _EN_COINS.items():
        if coin in words:
            found |= {Fraction(value), Fraction(value, 100)}
    return frozenset(found)
