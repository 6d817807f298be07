"""A seed -> sentences in the style of public generators of mathematics, with answers computed by fractions or SymPy."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from sympy import Symbol, expand, sympify

LETTERS = "abcdfghjklmnpqrstuvwxyz"  # without e, i and o, which SymPy could take for constants

CALCULATE = (
    "Calculate {}.", "What is {}?", "Evaluate {}.", "Work out {}.", "{}", "What is the value of {}?", "计算：{}", "{}=",
    "求{}的值", "Compute {}", "计算 {} 。", "{} = ?",
)  # fmt: skip
SOLVE = (
    "Solve {e} for {x}.", "Find the value of {x} in the equation: {e}", "Solve for {x}: {e}", "{e}", "解方程：{e}",
    "What is {x} if {e}?", "若{e}，求{x}", "Suppose {e}. What is {x}?", "Suppose {e}. Calculate {x}.",
)  # fmt: skip
SYSTEM = (
    "Solve {a}, {b} for {x}.", "Suppose {a}, {b}. What is {x}?", "解方程组：{a}，{b}，求{x}", "已知{a}，{b}，求{x}的值",
    "If {a} and {b}, find {x}.", "Let {a}, {b}. Solve for {x}.",
)  # fmt: skip
FUNCTION = (
    "Let {f}({v}) = {b}. What is {f}({k})?", "Let {f}({v}) = {b}. Calculate {f}({k}).",
    "Let {z} be {f}({k}) for {f}({v}) = {b}. What is {z}?", "设{f}({v})={b}，求{f}({k})",
)  # fmt: skip
WHOLE: tuple[tuple[str, str, Callable[[int, int], int]], ...] = (
    ("gcd", "Calculate the greatest common divisor of {} and {}.", math.gcd),
    ("gcd", "What is the highest common factor of {} and {}?", math.gcd),
    ("gcd", "求{}和{}的最大公因数", math.gcd),
    ("lcm", "Calculate the least common multiple of {} and {}.", math.lcm),
    ("lcm", "{}和{}的最小公倍数是多少？", math.lcm),
    ("lcm", "What is the common denominator of 1/{} and 1/{}?", math.lcm),
    ("remainder", "Calculate the remainder when {} is divided by {}.", lambda one, other: one % other),
    ("remainder", "{}除以{}的余数是多少？", lambda one, other: one % other),
)
EXPAND, FACTOR = ("Expand {}.", "Simplify {}.", "化简：{}", "展开{}"), ("Factor {}.", "因式分解：{}")


def sentences(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield so many sentences, each with its kind and its answers."""
    chance = random.Random(seed)
    makers = (_calculation, _calculation, _equation, _system, _function, _whole, _polynomial)
    for number in range(count):
        kind, text, answer = makers[number % len(makers)](chance)
        yield {"id": f"generated-{seed}-{number}", "kind": kind, "text": text, "answers": [answer]}


def _calculation(chance: random.Random) -> tuple[str, str, str]:
    while True:
        text = _expression(chance, chance.choice((1, 2, 2, 3)))
        value = sympify(text, rational=True)
        if value.is_finite:
            return "expression", chance.choice(CALCULATE).format(text), str(value)


def _expression(chance: random.Random, depth: int) -> str:
    if not depth:
        forms = (str(chance.randint(-99, 99)), f"{chance.randint(-999, 999) / 100:.2f}", f"{chance.randint(1, 99)}/7")
        text = chance.choice((forms[0], *forms))
        return f"({text})" if text.startswith("-") and chance.random() < 0.5 else text
    left, right = _expression(chance, depth - 1), _expression(chance, chance.choice((0, depth - 1)))
    text = f"{left}{chance.choice(('+', '-', '*', '/', ' + ', ' - ', ' * ', ' / '))}{right}"
    return f"({text})" if chance.random() < 0.6 else text


def _sum(*terms: tuple[int, str]) -> str:
    """Return 3*x - 4*y + 2 for its coefficients and letters."""
    shown = "".join(f" {'-' if size < 0 else '+'} {abs(size)}{'*' if name else ''}{name}" for size, name in terms)
    return shown.removeprefix(" + ").replace(" - ", "-", 1) if shown.startswith(" - ") else shown.removeprefix(" + ")


def _equation(chance: random.Random) -> tuple[str, str, str]:
    name = chance.choice(LETTERS)
    slope, own = chance.randint(21, 60), chance.randint(-20, 20)
    constant, other = chance.randint(-99, 99), chance.randint(-99, 99)
    sides = [_sum((slope, name), (constant, "")), _sum((own, name), (other, ""))]
    chance.shuffle(sides)
    text = chance.choice(SOLVE).format(e=" = ".join(sides), x=name)
    return "equation", text, str(Fraction(other - constant, slope - own))


def _system(chance: random.Random) -> tuple[str, str, str]:
    first, second = chance.sample(LETTERS, 2)
    one, other = chance.randint(-15, 15), chance.randint(-15, 15)
    a, b, c, d = chance.choice(((2, 3, 5, -4), (-3, 7, 4, 1), (6, -5, -1, 2), (4, 3, 3, -7)))
    equations = (
        f"{_sum((a, first), (b, second))} = {a * one + b * other}",
        f"0 = {_sum((c, first), (d, second), (-c * one - d * other, ''))}",
    )
    text = chance.choice(SYSTEM).format(a=equations[0], b=equations[1], x=first)
    return "system", text, str(one)


def _function(chance: random.Random) -> tuple[str, str, str]:
    function, name, result = chance.sample(LETTERS, 3)
    a, b, c, place = (chance.randint(-12, 12) for _ in range(4))
    body = f"{a}*{name}**2 + {b}*{name} - {c}"
    text = chance.choice(FUNCTION).format(f=function, v=name, b=body, k=place, z=result)
    return "function", text, str(a * place**2 + b * place - c)


def _whole(chance: random.Random) -> tuple[str, str, str]:
    kind, wording, compute = chance.choice(WHOLE)
    one, other = chance.randint(2, 5_000), chance.randint(2, 500)
    return kind, wording.format(one, other), str(compute(one, other))


def _polynomial(chance: random.Random) -> tuple[str, str, str]:
    name = chance.choice(LETTERS)
    a, b, c, d = (chance.choice((-5, -3, -2, -1, 1, 2, 3, 4)) for _ in range(4))
    product = f"({a}*{name} + {b})*({c}*{name} - {d})"
    whole = expand(sympify(product, locals={name: Symbol(name)}))
    if chance.random() < 0.5:
        return "simplify", chance.choice(EXPAND).format(product), str(whole)
    return "simplify", chance.choice(FACTOR).format(whole), str(whole)
