"""Small problems and networks for the tests: every shape that a batch can have, and random ones."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
import torch
from hypothesis import settings
from hypothesis import strategies as st
from torch import Tensor

from sau_solver.equations.symbols import Slot
from sau_solver.equations.uet import Uet
from sau_solver.models.options import Distance, OperatorScore, OperatorSize, RepeatedNumber, SauOptions
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.targets import EncodedProblem, Targets, encode_tree

TARGETS = Targets(("x", "y"), (Fraction(1), Fraction(2), Fraction(1, 2)), equations=True, expressions=True)
WORDS = 12  # word ids of the small networks
NUMBER = 2
FEW = settings(max_examples=max(8, settings().max_examples // 8))  # each example trains or searches

_SCORES: list[tuple[OperatorScore, OperatorSize]] = [
    ("additive", "hidden"),
    ("linear", "hidden"),
    ("linear", "embedding"),
]
_DISTANCES: list[tuple[float, Distance]] = [(0.3, "norm"), (0.3, "squares"), (0.0, "norm")]
_REPEATED: list[RepeatedNumber] = ["first", "mean"]
# Every combination of options in which networks differ.
VARIANTS = [
    SauOptions(
        embedding=4,
        hidden=6,
        dropout=0.0,
        ssar=ssar,
        ssar_distance=distance,
        operator_score=score,
        operator_size=size,
        repeated_number=repeated,
    )
    for (score, size), (ssar, distance), repeated in product(_SCORES, _DISTANCES, _REPEATED)
]


def sweep(kept: int) -> list[Any]:
    """Return all variants as parameters of a test; the quick loop runs every `kept`-th of them."""
    return [
        pytest.param(options, id=variant_name(options), marks=[] if place % kept == 0 else pytest.mark.slow)
        for place, options in enumerate(VARIANTS)
    ]


def variant_name(options: SauOptions) -> str:
    distance = options.ssar_distance if options.ssar else "none"
    return f"{options.operator_score}-{options.operator_size}-{distance}-{options.repeated_number}"


def problem(words: str, tree: str, targets: Targets = TARGETS) -> EncodedProblem:
    """Return a problem from word ids, with numbers written `=VALUE` as in `3 =20 7 =20`, and a tree in prefix order."""
    tokens = words.split()
    places = tuple(place for place, token in enumerate(tokens) if token.startswith("="))
    values = [tokens[place] for place in places]
    return EncodedProblem(
        tuple(NUMBER if token.startswith("=") else int(token) for token in tokens),
        places,
        tuple(values.index(value) for value in values),
        encode_tree(Uet.from_text(tree), targets),
    )


def small_problems() -> dict[str, EncodedProblem]:
    """Return the problems by name; 99 is a rare constant."""
    return {
        "two equations": problem("3 =20 4 5 =50 6", "; = + x y N0 = + * 2 x * 4 y N1"),
        "three equations": problem("7 =3 8 =4 3", "; ; = x N0 = y + x N1 = 1 / N0 2"),
        "one leaf": problem("4 =5", "N0"),
        "one unknown": problem("4 8 9", "x"),
        "arithmetic": problem("=6 3 =7 4 =8", "- * N0 N1 ^ N2 2"),
        "repeated numbers": problem("=20 3 =7 4 =20 5 =20", "= + x N0 * N1 N0"),
        "only repeats": problem("=4 =4", "+ N0 N0"),
        "unused repeats": problem("=4 3 =4 5 =9 3 4 5 6", "= x N2"),
        "no numbers": problem("3 4 5 6 7 8 9 10 11", "= * 2 x 1"),
        "one word": problem("5", "= x 2"),
        "one number": problem("=5", "= x N0"),
        "rare constants": problem("3 =8 4", "= x * 99 - N0 77"),
        "only rare constants below one operator": problem("3 1", "= 99 77"),
        "one rare constant": problem("3 =9 1", "99"),
        "deep to the left": problem("3 4 =1 5", "+ - * / N0 2 1 x y"),
        "deep to the right": problem("3 4 =1 =2 5 6 7", "= x + 1 * 2 - N0 / N1 ^ y 2"),
    }


def network(options: SauOptions, seed: int = 0, scale: float = 1.0, targets: Targets = TARGETS) -> SauNetwork:
    """Return a random network in float64; a larger scale gives more extreme probabilities."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        made = SauNetwork(WORDS, targets, options).double()
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.mul_(scale)
    return made


def gradients(made: SauNetwork, loss: Tensor) -> dict[str, Tensor]:
    """Return the gradients of all parameters, zeros for those that do not matter."""
    names, parameters = zip(*made.named_parameters(), strict=True)
    found = torch.autograd.grad(loss, parameters, allow_unused=True)
    return {
        name: torch.zeros_like(parameter) if gradient is None else gradient
        for name, parameter, gradient in zip(names, parameters, found, strict=True)
    }


def random_tree(draw: random.Random, slots: list[int], depth: int) -> str:
    """Draw an expression that uses only these slots."""
    if not depth or draw.random() < 0.35:
        return draw.choice(["x", "y", "1", "2", "1/2", "99", *2 * [str(Slot(slot)) for slot in slots]])
    left, right = random_tree(draw, slots, depth - 1), random_tree(draw, slots, depth - 1)
    return f"{draw.choice('+-*/^')} {left} {right}"


def random_problem(draw: random.Random, targets: Targets = TARGETS) -> EncodedProblem:
    tokens = [
        f"={draw.randrange(4)}" if draw.random() < 0.35 else str(draw.randrange(3, WORDS))
        for _ in range(draw.randint(1, 9))
    ]
    values = [token for token in tokens if token.startswith("=")]
    slots = sorted({values.index(value) for value in values})
    statements = draw.randrange(4)
    if not statements:
        return problem(" ".join(tokens), random_tree(draw, slots, 4), targets)
    sides = [random_tree(draw, slots, 3) for _ in range(2 * statements)]
    equations = [f"= {left} {right}" for left, right in zip(sides[::2], sides[1::2], strict=True)]
    return problem(" ".join(tokens), " ".join([";"] * (statements - 1) + equations), targets)


random_problems: st.SearchStrategy[list[EncodedProblem]] = st.lists(
    st.integers(0, 10**6).map(lambda seed: random_problem(random.Random(seed))), min_size=1, max_size=5
)


def close(found: Any, expected: Any) -> None:
    """Check that values are equal up to rounding in float64."""
    torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-12, check_dtype=False)
