"""A preference is fitted to choices, and measured on other choices."""

from __future__ import annotations

import random

import pytest

from sau_solver.answering.features import PREFERENCE_FEATURES
from sau_solver.errors import InputError
from sau_solver.shipping.fit_preference import PARTS, Choice, cross_fitted, fit


def choices(count: int, seed: int = 0) -> list[Choice]:
    """Return problems with three groups, of which one is right; the network's probability finds it half of the time."""
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        right = rng.randrange(3)
        liked = right if rng.random() < 0.5 else rng.randrange(3)
        signs = tuple(
            dict.fromkeys(PREFERENCE_FEATURES, 0.0)
            | {"log_probability": -1.0 - 2.0 * (k != liked) - rng.random()}
            | {"leaves_out": float(k != right and rng.random() < 0.8)}
            for k in range(3)
        )
        made.append(Choice(signs, tuple(k == right for k in range(3))))
    return made


def share_right(preferences: list[object], tested: list[Choice]) -> float:
    right = 0
    for preference, choice in zip(preferences, tested, strict=True):
        scores = [preference.score(signs) for signs in choice.features]  # type: ignore[attr-defined]
        right += choice.right[scores.index(max(scores))]
    return right / len(tested)


def test_signs_that_tell_are_weighed() -> None:
    found = fit(choices(300)).weights
    assert found["log_probability"] > 0.2
    assert found["leaves_out"] < -1
    assert set(found) == {"log_probability", "leaves_out"}  # the others are constant


def test_it_chooses_better_than_the_network_on_new_problems() -> None:
    preference, new = fit(choices(300)), choices(300, seed=1)
    alone = sum(c.right[max(range(3), key=lambda k: c.features[k]["log_probability"])] for c in new) / len(new)
    assert share_right([preference] * len(new), new) > alone + 0.1


def test_the_same_choices_give_the_same_preference() -> None:
    assert fit(choices(120)) == fit(choices(120))


def test_nobody_is_measured_by_a_preference_that_knew_him() -> None:
    given = choices(120)
    without = cross_fitted(given)
    part = 3
    assert without[part] == fit([one for place, one in enumerate(given) if place % PARTS != part])
    assert without[part] != fit(given)


def test_too_few_choices_are_refused() -> None:
    silent = [Choice(one.features, (False, False, False)) for one in choices(100)]
    with pytest.raises(InputError, match="got 40"):
        fit([*choices(40), *silent])
