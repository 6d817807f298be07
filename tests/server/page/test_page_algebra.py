"""The browser's exact solver agrees with ours wherever it gives an answer at all."""

from __future__ import annotations

import random

from playwright.sync_api import Page

from sau_solver.equations.parser import parse
from sau_solver.solving import Solved, decimal_of, solve

PROBLEMS = 150
ASK = """async (problems) => {
  const {readEquation} = await import('/page/expression.js');
  const {solve} = await import('/page/algebra.js');
  return problems.map((texts) => {
    const found = solve(texts.map(readEquation));
    if (!found) return null;
    const shown = ([name, value]) => [name, value.text, value.decimal];
    const roots = found.roots.map((root) => Object.entries(root).map(shown));
    return [found.outcome, roots];
  });
}"""


def number(chance: random.Random) -> str:
    return chance.choice([str(chance.randint(1, 40)), f"{chance.randint(1, 99) / 10}", f"({chance.randint(1, 9)}/7)"])


def expression(chance: random.Random, names: str, depth: int) -> str:
    if depth == 0 or chance.random() < 0.25:
        return chance.choice(names) if chance.random() < 0.4 else number(chance)
    left, right = (expression(chance, names, depth - 1) for _ in range(2))
    return f"({left}){chance.choice('++--**/')}({right})"


def equations(chance: random.Random) -> list[str]:
    names = chance.choice(["x", "x", "xy"])
    return [f"{expression(chance, names, 2)}={expression(chance, names, 2)}" for _ in names]


def values(solved: Solved) -> list[list[tuple[str, str]]]:
    return sorted(
        sorted((name, f"{decimal_of(value):.9g}") for name, value in root.items()) for root in solved.solutions
    )


def test_the_browser_solves_as_the_server_does(page: Page) -> None:
    chance = random.Random(20261115)
    problems = [equations(chance) for _ in range(PROBLEMS)]
    answered = 0
    for texts, found in zip(problems, page.evaluate(ASK, problems), strict=True):
        expected = solve(parse("; ".join(texts)))
        if found is None:
            continue
        outcome, roots = found
        assert (outcome, len(roots)) == (str(expected.outcome), len(expected.solutions)), texts
        shown = sorted(sorted((name, f"{decimal:.9g}") for name, _, decimal in root) for root in roots)
        assert shown == values(expected), texts
        answered += 1
    assert answered > PROBLEMS / 2


EXACT: dict[tuple[str, ...], list[list[str]]] = {
    ("x*(50-2*x)=300",): [["10"], ["15"]],
    ("x^2=x+1",): [["(1-sqrt(5))/2"], ["(1+sqrt(5))/2"]],
    ("x=y+4", "x*y=96"): [["-8", "-12"], ["12", "8"]],
    ("(x^2-1)/(x-1)=2",): [],
    ("x=7^50",): [[str(7**50)]],
}


def test_values_are_exact(page: Page) -> None:
    found = page.evaluate(ASK, [list(texts) for texts in EXACT])
    assert [[[text for _, text, _ in root] for root in roots] for _, roots in found] == list(EXACT.values())


def test_what_is_too_much_is_left_to_the_server(page: Page) -> None:
    assert page.evaluate(ASK, [["x=9^9^9"], ["x^3=2"], ["x=2^(1/2)"], ["x*y=4", "x^2+y^2=9"]]) == [None] * 4


TYPED = {
    "12": "12", "0.5": "1/2", "3/4": "3/4", "1 1/2": "3/2", "25%": "1/4", "八折": "4/5", "85折": "17/20", "１２": "12",
    "1,950": "1950", "$40": "40", "-3": "-3", "eight": "null", "1/0": "null", "": "null", "1e9": "null",
}  # fmt: skip


def test_typed_numbers_are_read_exactly(page: Page) -> None:
    read = """async (typed) => {
      const {readTyped} = await import('/page/fraction.js');
      return typed.map((one) => String(readTyped(one)));
    }"""
    assert dict(zip(TYPED, page.evaluate(read, list(TYPED)), strict=True)) == TYPED
