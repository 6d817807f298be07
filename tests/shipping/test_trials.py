"""A trial gets the answer that a user gets: by a model, by rules, or by exact mathematics."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from sau_solver.answering.confidence import UNCALIBRATED, Calibration
from sau_solver.data.prepared.examples import Prepared, prepare
from sau_solver.explaining.known_story_answers import CONFIDENCES
from sau_solver.models.loading import Model
from sau_solver.problem import Language, Problem
from sau_solver.shipping.trials import attempts, figures, try_out
from sau_solver.text.clock import ClockStory
from tests import by_heart

MODEL = Model(by_heart.ByHeart(), name="by heart")
TRAIN = "A train leaves at 9:15 am and arrives at 1:40 pm. How long is the trip, in minutes?"
BUSES = (
    "Two buses leave the station together. One comes every 12 minutes, the other every 18 minutes. "
    "After how many minutes do they leave together again?"
)
RATE = "A tap fills 8 liters an hour. How many liters does it fill in 2 hours 30 minutes?"
STRICT = replace(UNCALIBRATED, threshold=0.99)


def prepared(text: str, answer: int, language: Language = "en") -> Prepared:
    return prepare(Problem("one", text, language, (f"x={answer}",), (Fraction(answer),)), "raw")


@pytest.mark.parametrize(
    ("text", "language", "answer"),
    [
        (TRAIN, "en", 265),
        ("一列火车上午8:20出发，上午11:05到达，路上用了多少分钟？", "zh", 165),
        (BUSES, "en", 36),
        ("Find the greatest common divisor of 24 and 36.", "en", 12),
        ("x*(50-2*x)=300 and x>12", "en", 15),
    ],
)
def test_what_needs_no_model_is_answered_without_one(text: str, language: Language, answer: int) -> None:
    problem = prepared(text, answer, language)
    (attempt,) = attempts(MODEL, [problem])
    trial = attempt.trial()
    assert attempt.ranked is None
    assert (trial.answers, trial.among) == ((str(answer),), True)
    assert {"answer", "annotated", "reference", "strict", "first"} <= trial.right


def test_trials_answer_as_the_solver_does() -> None:
    texts = [TRAIN, BUSES, RATE, by_heart.GARDEN, by_heart.DOUBTFUL, "Nothing is asked of 3 and 4.", "こんにちは"]
    trials = try_out(MODEL, [prepared(text, 1) for text in texts])
    solved = list(by_heart.solver().solve_many(((text, "en") for text in texts), errors="return"))
    answers = [() if isinstance(one, Exception) else tuple(map(str, one.answers)) for one in solved]
    assert [trial.answers for trial in trials] == answers
    confidences = [0.0 if isinstance(one, Exception) else one.confidence for one in solved]
    assert [trial.confidence(MODEL.calibration) for trial in trials] == pytest.approx(confidences, abs=1e-4)


def test_a_compound_quantity_is_one_number() -> None:
    (trial,) = try_out(MODEL, [prepared(RATE, 20)])
    assert (trial.answers, "answer" in trial.right) == (("20",), True)


@pytest.mark.parametrize("calibration", [UNCALIBRATED, STRICT])
def test_answers_without_a_model_have_their_own_confidence(calibration: Calibration) -> None:
    (trial,) = try_out(MODEL, [prepared(TRAIN, 265)])
    assert trial.confidence(calibration) == CONFIDENCES[ClockStory]
    found = figures([trial], calibration)
    assert (found["answer"], found["answered"], found["right_of_answered"]) == (1.0, 1.0, 1.0)


def test_a_wrong_answer_without_a_model_is_wrong() -> None:
    (trial,) = try_out(MODEL, [prepared(TRAIN, 7)])
    assert (trial.answers, trial.right, trial.among) == (("265",), frozenset(), False)


def test_mathematics_without_a_solution_has_no_answer() -> None:
    (trial,) = try_out(MODEL, [prepared("x=x+1", 7)])
    assert (trial.answers, trial.confidence(UNCALIBRATED), trial.is_given(UNCALIBRATED)) == ((), 0.0, False)
