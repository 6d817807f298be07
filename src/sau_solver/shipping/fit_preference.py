"""Features of candidate groups, and which groups are right -> the weights of a model's preference.

This is a conditional logit: the softmax over the scores of a problem's groups should give the right groups a large
share. A ridge penalty applies to all weights except that of the network's own probability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from sau_solver.answering.features import PREFERENCE_FEATURES
from sau_solver.answering.preference import Preference
from sau_solver.errors import InputError

RIDGE = 1.0  # on weights of features of unit deviation
STEPS = 200
PARTS = 10  # of cross-fitting
FEWEST = 50  # problems for a fit


@dataclass(frozen=True, slots=True)
class Choice:
    """The groups of one problem: the features of each, and whether its answers are right."""

    features: tuple[Mapping[str, float], ...]
    right: tuple[bool, ...]


def fit(choices: Sequence[Choice]) -> Preference:
    """Fit a preference; only problems with both right and wrong groups matter."""
    telling = [choice for choice in choices if any(choice.right) and not all(choice.right)]
    if len(telling) < FEWEST:
        raise InputError(
            f"A preference needs at least {FEWEST} problems with right and wrong candidates, got {len(telling)}. "
            "Use more validation problems."
        )
    most = max(len(choice.right) for choice in telling)
    table = torch.zeros(
        len(telling), most, len(PREFERENCE_FEATURES), dtype=torch.float64
    )  # (problems, groups, features)
    right = torch.zeros(len(telling), most, dtype=torch.bool)
    real = torch.zeros_like(right)
    for row, choice in enumerate(telling):
        size = len(choice.right)
        table[row, :size] = torch.tensor(
            [[features[name] for name in PREFERENCE_FEATURES] for features in choice.features]
        )
        right[row, :size], real[row, :size] = torch.tensor(choice.right), True
    deviation = table[real].std(0)
    known = deviation > 0
    scaled = torch.where(known, table / deviation.clamp(min=1e-12), 0)
    weights = (_fitted(scaled, right, real) / deviation.clamp(min=1e-12)).tolist()
    named = zip(PREFERENCE_FEATURES, weights, known.tolist(), strict=True)
    return Preference({name: round(weight, 6) for name, weight, is_known in named if is_known})


def cross_fitted(choices: Sequence[Choice]) -> list[Preference]:
    """Return for each problem a preference that was fitted on other problems, to measure it fairly."""
    made = [fit([one for place, one in enumerate(choices) if place % PARTS != part]) for part in range(PARTS)]
    return [made[place % PARTS] for place in range(len(choices))]


def _fitted(scaled: Tensor, right: Tensor, real: Tensor) -> Tensor:
    weights = torch.zeros(scaled.shape[-1], dtype=torch.float64, requires_grad=True)
    held_back = torch.tensor([name != "log_probability" for name in PREFERENCE_FEATURES], dtype=torch.float64)
    optimizer = torch.optim.LBFGS([weights], max_iter=STEPS, line_search_fn="strong_wolfe", tolerance_change=1e-10)

    def loss() -> Tensor:
        optimizer.zero_grad()
        scores = scaled @ weights
        of_right = scores.masked_fill(~right, -torch.inf).logsumexp(1)
        of_all = scores.masked_fill(~real, -torch.inf).logsumexp(1)
        found = (of_all - of_right).sum() + RIDGE * (held_back * weights.square()).sum()
        found.backward()  # type: ignore[no-untyped-call]
        return found

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    return weights.detach()
