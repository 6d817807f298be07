"""Every baseline can memorize the example problems that it can express."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sau_solver.data.prepared.examples import first_slots
from sau_solver.equations.uet import Uet, without_unknown
from sau_solver.models.base import Example
from sau_solver.models.options import NETWORKS
from sau_solver.training.learning import learn
from sau_solver.training.training_options import TrainingOptions
from tests.models.problems import examples
from tests.training.tasks import task

TRAINING = TrainingOptions(epochs=40, batch=6, learning_rate=1e-2, weight_decay=0.0, schedule="cosine", device="cpu")
# Two problems begin with `The sum of two numbers is …` and only one needs the 2: a window of 3 words is too small.
CASES: dict[str, tuple[list[Example], TrainingOptions, dict[str, Any]]] = {
    "gts": (examples(), replace(TRAINING, epochs=120, batch=4, learning_rate=3e-3), {"hidden": 96}),
    "stack-decoder": (examples()[::2], TRAINING, {"hidden": 64}),
    "seq2seq": (examples()[::2], TRAINING, {"hidden": 64, "window": 5}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_every_problem_that_can_be_expressed_can_be_learned(name: str) -> None:
    learned, training, more = CASES[name]
    options = NETWORKS[name](embedding=32, dropout=0.0, minimum_word_count=1, minimum_constant_count=1, **more)
    (solver,) = learn([task(options=options, learned=learned)], training)
    wanted = [(one, form) for one in learned if (form := options.expressed(one.tree))]
    assert len(wanted) == (7 if name == "gts" else len(learned))
    predicted = solver.predict([example.text for example, _ in wanted])
    for (example, form), candidates in zip(wanted, predicted, strict=True):
        numbers = tuple(number.value for number in example.text.numbers)
        assert first_slots(candidates[0].tree, numbers) == first_slots(form, numbers), example.problem.text


@pytest.mark.parametrize(
    ("tree", "form"),
    [
        ("= x + N0 1", "+ N0 1"),
        ("- N0 N1", "- N0 N1"),
        ("= x N0", "N0"),
        ("= x + x 1", None),
        ("= + x 1 N0", None),
        ("= N0 x", None),
        ("; = x N0 = y N1", None),
        ("x", None),
    ],
)
def test_gts_expresses_plain_arithmetic(tree: str, form: str | None) -> None:
    found = without_unknown(Uet.from_text(tree))
    assert found == (None if form is None else Uet.from_text(form))


def test_gts_writes_no_unknown_and_no_equation() -> None:
    options = NETWORKS["gts"](embedding=4, hidden=6, minimum_word_count=1, minimum_constant_count=1)
    (solver,) = learn([task(options=options)], replace(TRAINING, epochs=1))
    assert solver.network.targets.unknowns == ()
    found = solver.predict([example.text for example in examples()])  # including problems that it cannot express
    assert all(candidates and all(without_unknown(one.tree) == one.tree for one in candidates) for candidates in found)
