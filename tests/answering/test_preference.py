"""The preference weighs what the network's probability does not show."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sau_solver.answering.features import PREFERENCE_FEATURES
from sau_solver.answering.preference import PLAUSIBLE_FIRST, Preference
from sau_solver.answering.ranking import Ranked, rank
from sau_solver.errors import CheckpointError
from sau_solver.text.numbers import map_text
from tests.predictors import proposed

OIL = "一桶油，吃了75千克后，正好剩下这桶油的2/5，这桶油原来有多少千克？"


def ranked(text: str, *proposals: tuple[str, float]) -> Ranked:
    mapped = map_text(text)
    return rank(mapped, proposed(mapped, proposals))


def features(text: str, equations: str) -> dict[str, float]:
    (group,) = ranked(text, (equations, 0.5)).groups
    return {name: value for name, value in group.features.items() if value}


def test_every_group_has_every_feature() -> None:
    (group,) = ranked(OIL, ("x=75/(1-2/5)", 0.5)).groups
    assert tuple(group.features) == PREFERENCE_FEATURES


@pytest.mark.parametrize(
    ("text", "equations", "told"),
    [
        (OIL, "x=75+75", {"unused": 1, "leaves_out": 1, "reused": 1}),
        (OIL, "x=75+2/5-75", {"undone": 1, "reused": 1, "not_whole": 1, "from_text": 1}),
        (OIL, "x=75/7", {"endless": 1, "constants": 1, "unused": 1}),
        (OIL, "x=2/5/75", {"tiny": 1}),
        ("一个班有20名男生，15名女生，男生比女生多几人？", "x=20-15-1", {"used_one": 1}),
        ("小明有20元，买了3本书，每本多少元？", "x=20/3", {"endless_of_whole": 1, "endless": 1}),
        ("Two numbers add up to 20 and differ by 4. Find them.", "x+y=20;x-y=4", {"unknowns": 2, "answers": 2}),
    ],
)
def test_features_show_what_is_odd(text: str, equations: str, told: dict[str, float]) -> None:
    found = features(text, equations)
    assert {name: found.get(name) for name in told} == told


@pytest.mark.parametrize("equations", ["x=75-75", "x=75/75", "x=75*2/75", "x=75/2*2", "x=75-2+2", "x=2+75-75"])
def test_what_is_taken_back_is_undone(equations: str) -> None:
    assert features(OIL, equations)["undone"] == 1


@pytest.mark.parametrize("equations", ["x=75-2", "x=75/(1-2/5)", "x=(75-2)*2", "x=2-75+2*75"])
def test_what_goes_on_is_not(equations: str) -> None:
    assert "undone" not in features(OIL, equations)


def test_a_preference_can_put_the_less_probable_answer_first() -> None:
    found = ranked(OIL, ("x=75/2*5/75", 0.9), ("x=75/(1-2/5)", 0.1))
    assert found.groups[0].answers == (Fraction(5, 2),)
    other = found.ordered(Preference({"log_probability": 1.0, "undone": -3.0, "reused": -3.0}))
    assert other.groups[0].answers == (Fraction(125),)
    assert other.groups[0].score > other.groups[1].score
    assert other.candidates == found.candidates
    assert other.ordered(PLAUSIBLE_FIRST) == found


def test_huge_answers_have_signs_too() -> None:
    assert features("2的300次方是多少？", "x=2^300")["digits"] == 30


@pytest.mark.parametrize(
    ("text", "equations", "bound"),
    [
        ("2的2000次方是多少？", "x=2^2000", 308.25),
        (f"What is 1{'0' * 30} times 2?", "x=1/10^307", -323.3),
        ("What is 3 times 2?", "x=2*10^60", 59.82),
    ],
)
def test_the_ratio_of_an_answer_to_the_text_is_finite(text: str, equations: str, bound: float) -> None:
    assert features(text, equations)["log_ratio"] == pytest.approx(bound, abs=0.02)


def test_a_preference_survives_a_checkpoint() -> None:
    given = Preference({"log_probability": 0.5, "unused": -1.25})
    assert Preference.from_json(given.as_json()) == given


@pytest.mark.parametrize(
    ("kept", "said"), [({"beauty": 1.0}, "beauty"), ({"unused": "much"}, "must map feature names to numbers")]
)
def test_an_invalid_preference_is_refused(kept: dict[str, object], said: str) -> None:
    with pytest.raises(CheckpointError, match=said):
        Preference.from_json(kept)
