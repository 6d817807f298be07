"""From text to Solution, with a predictor that knows its problems."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sau_solver as sau
from sau_solver.answering.candidates import Candidate
from sau_solver.answering.confidence import Calibration
from sau_solver.equations.uet import Uet
from sau_solver.errors import CheckpointError, InputError
from sau_solver.models.base import BEAM
from sau_solver.models.loading import Model
from sau_solver.problem import Language
from sau_solver.solution import Solution
from sau_solver.solver import Solver
from sau_solver.text.numbers import MappedText
from tests.predictors import KnowingPredictor
from tests.strategies import times

CHICKENS = "鸡兔同笼，上有20个头，下有50条腿，鸡有多少只？"
APPLES = "Tom has 3 apples and buys 5 more. How many apples does he have?"
KNOWN = {
    CHICKENS: [("x+y=20;2*x+4*y=50", 0.6), ("x=50-20", 0.2), ("x=20-50", 0.1)],
    APPLES: [("x=3+5", 0.9), ("x=5-3", 0.05)],
}


class Rig:
    """A solver over two predictors that count what they do, and the languages whose model was loaded."""

    def __init__(self, threshold: float = 0.5) -> None:
        self.loaded: list[Language] = []
        self.predictors = {language: KnowingPredictor(KNOWN, [("x=3+5", 0.2)]) for language in ("zh", "en")}
        self.threshold = threshold
        self.solver = Solver({"zh": lambda: self.load("zh"), "en": lambda: self.load("en")})

    def load(self, language: Language) -> Model:
        self.loaded.append(language)
        return Model(
            self.predictors[language], Calibration({"log_odds": 1.0}, 0.0, self.threshold), f"knowing-{language}"
        )


@pytest.fixture
def rig() -> Rig:
    return Rig()


def test_a_problem_becomes_a_solution(rig: Rig) -> None:
    solution = rig.solver.solve(CHICKENS)
    assert solution.problem == CHICKENS
    assert [str(equation) for equation in solution.equations] == ["x+y=20", "2*x+4*y=50"]
    assert solution.answers == (Fraction(15),)
    assert solution.roots == ({"x": Fraction(15), "y": Fraction(5)},)
    assert solution.confidence == pytest.approx(0.6)
    assert not solution.abstained
    assert solution.reason == ""
    assert solution.steps
    assert [one.outcome for one in solution.candidates] == ["solved", "solved", "solved"]
    assert solution.model == "knowing-zh"


def test_a_solution_is_json_that_can_be_read_again(rig: Rig) -> None:
    fields = json.loads(json.dumps(rig.solver.solve(APPLES).as_json()))
    assert fields["answers"] == ["8"]
    assert fields["candidates"][1]["answers"] == ["2"]
    assert fields["confidence"] == pytest.approx(0.9)


def test_only_the_model_of_the_language_is_loaded_and_only_once(rig: Rig) -> None:
    assert rig.loaded == []
    rig.solver.solve(CHICKENS)
    rig.solver.solve(CHICKENS)
    assert rig.loaded == ["zh"]
    rig.solver.solve(APPLES)
    assert rig.loaded == ["zh", "en"]


def test_an_unlikely_answer_is_a_guess_that_says_so(rig: Rig) -> None:
    solution = rig.solver.solve("Ann has 3 pens and 5 pencils. How many pens are red?")
    assert solution.abstained
    assert solution.reason == "The best guess is more likely wrong than right (confidence 0.20)."
    assert solution.answers == (Fraction(8),)


def test_a_stricter_threshold_says_what_it_asks_for() -> None:
    solution = Rig(threshold=0.8).solver.solve(CHICKENS)
    assert solution.reason == "最可能的猜测不够可靠（置信度 0.60，至少需要 0.80）。"


@pytest.mark.parametrize(
    ("proposals", "reason"),
    [([("x=x+3", 0.5)], "None of the model's equations"), ([], "The model proposes no equations")],
)
def test_without_a_solution_the_solver_abstains_without_a_guess(
    proposals: list[tuple[str, float]], reason: str
) -> None:
    predictor = KnowingPredictor({APPLES: proposals})
    solution = Solver({"en": lambda: Model(predictor)}).solve(APPLES)
    assert solution.abstained
    assert solution.reason.startswith(reason)
    assert (solution.answers, solution.equations, solution.tree, solution.confidence) == ((), (), None, 0.0)
    assert len(solution.candidates) == len(proposals)


@pytest.mark.parametrize("text", ["鸡有多少只？", "为什么1加1等于2？"])
def test_no_model_is_needed_to_abstain_from_what_has_no_number_or_asks_for_no_quantity(rig: Rig, text: str) -> None:
    solution = rig.solver.solve(text)
    assert solution.abstained
    assert solution.reason
    assert solution.problem == text
    assert rig.loaded == []


def test_a_text_without_a_question_gets_no_guess(rig: Rig) -> None:
    solution = rig.solver.solve("There are 3 cows and 5 pigs.")
    assert solution.abstained
    assert solution.reason.startswith("The text has no question")
    assert solution.answers == ()


@pytest.mark.parametrize("text", ["", "😀", "x" * 10_000, "\x00", b"\xff"])
def test_bad_input_is_an_input_error(rig: Rig, text: str | bytes) -> None:
    with pytest.raises(InputError):
        rig.solver.solve(text)
    assert rig.loaded == []


def test_many_problems_come_in_order_whatever_their_language(rig: Rig) -> None:
    texts = [CHICKENS, APPLES, APPLES, CHICKENS, "鸡有多少只？", APPLES] * 5
    solutions = list(rig.solver.solve_many(texts, batch_size=4))
    assert [one.problem for one in solutions] == texts
    assert [len(one.answers) for one in solutions[:6]] == [1, 1, 1, 1, 0, 1]
    assert max(rig.predictors["zh"].batches + rig.predictors["en"].batches) <= 4


def test_no_bar_is_shown_where_there_is_no_terminal(rig: Rig, capfd: pytest.CaptureFixture[str]) -> None:
    assert len(list(rig.solver.solve_many([APPLES] * 3))) == 3
    assert capfd.readouterr() == ("", "")


def test_a_stream_is_read_a_batch_at_a_time(rig: Rig) -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield APPLES

    solutions = rig.solver.solve_many(endless(), batch_size=8)
    assert taken == 0
    for _ in range(9):
        next(solutions)
    assert taken == 16


def test_a_bad_text_raises_or_is_returned(rig: Rig) -> None:
    texts = [APPLES, "", CHICKENS]
    results = list(rig.solver.solve_many(texts, errors="return"))
    assert [type(one) for one in results] == [Solution, InputError, Solution]
    many = rig.solver.solve_many(texts)
    assert next(many).problem == APPLES
    with pytest.raises(InputError, match="is empty"):
        next(many)


def test_a_text_may_bring_its_language(rig: Rig) -> None:
    (solution,) = rig.solver.solve_many([(APPLES, "zh")])
    assert solution.text.language == "zh"
    assert rig.loaded == ["zh"]


def test_the_reader_chooses_the_language_of_steps_and_reason_but_not_of_the_problem(rig: Rig) -> None:
    solution = rig.solver.solve(CHICKENS, reader="en")
    assert (solution.text.language, solution.read_in, solution.model) == ("zh", "en", "knowing-zh")
    assert "From (1): x = 20 − y." in [str(step) for step in solution.steps]
    assert any("“鸡”" in str(step) for step in solution.steps)  # words of the problem are quoted
    assert "「" not in "".join(map(str, solution.steps))
    (other,) = rig.solver.solve_many([(APPLES, None, "zh")], reader="en")
    assert other.text.language == "en"
    assert "3 + 5 = 8" in " ".join(map(str, other.steps))
    assert str(other.steps[-1]).startswith("答：")
    assert rig.solver.solve("How many are there?", reader="zh").reason.startswith("题目中没有")


def test_a_guess_says_first_that_it_is_one_and_has_no_check() -> None:
    steps = Rig(threshold=0.7).solver.solve(CHICKENS).steps
    assert steps[0].kind == "guess"
    assert "check" not in {step.kind for step in steps}
    assert str(steps[-1]).startswith("猜测：")


def test_a_solver_of_one_language_refuses_the_other() -> None:
    solver = Solver({"zh": lambda: Model(KnowingPredictor(KNOWN))})
    with pytest.raises(InputError, match="题目只能是中文，而这道题是英文。请"):
        solver.solve(APPLES, reader="zh")
    with pytest.raises(InputError, match="must be in Chinese, got English"):
        solver.solve(APPLES)
    results = list(solver.solve_many([APPLES, CHICKENS, "Why 3?"], errors="return"))
    assert [type(one) for one in results] == [InputError, Solution, Solution]


@pytest.mark.parametrize("beam", [0, -1, 1000])
def test_a_beam_without_sense_is_refused(rig: Rig, beam: int) -> None:
    with pytest.raises(InputError, match="beam"):
        rig.solver.solve(APPLES, beam=beam)
    with pytest.raises(InputError, match="beam"):
        rig.solver.solve_many([APPLES], beam=beam, errors="return")


def test_the_beam_reaches_the_model(rig: Rig) -> None:
    assert len(rig.solver.solve(CHICKENS, beam=2).candidates) == 2


def test_a_batch_of_nothing_is_refused(rig: Rig) -> None:
    with pytest.raises(InputError, match="at least 1"):
        rig.solver.solve_many([APPLES], batch_size=0, errors="return")


def test_the_public_names_are_those_of_the_documentation() -> None:
    assert set(sau.__all__) == {"Solution", "Solver", "__version__", "load"}
    assert sau.Solver is Solver
    with pytest.raises(AttributeError, match="no attribute 'resolver'"):
        _ = sau.resolver


def test_missing_weights_are_said_when_they_are_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sau_solver.models.loading.files", lambda package: tmp_path)
    with pytest.raises(CheckpointError, match="weights of the English model"):
        sau.load().solve(APPLES)
    assert sau.load("zh").solve("鸡有多少只？").abstained


def test_a_folder_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="'nowhere'"):
        sau.load("nowhere")


class CarelessPredictor:
    """Proposes the same trees whatever the text; some of their slots have no number."""

    name = "careless"
    trees = ("+ N0 N1", "* N0 N1", "/ N0 N1", "- N1 N0", "^ N0 N1", "= ^ x 2 N0", "; = + x y N0 = x y", "= ^ N1 x N0")

    def predict(self, texts: Sequence[MappedText], beam: int = BEAM) -> list[list[Candidate]]:
        return [[Candidate(Uet.from_text(tree), -1.0 - k) for k, tree in enumerate(self.trees)] for _ in texts]


NUMBERS = st.sampled_from(
    ["0", "3", "-7", "2.5", "1/3", "50%", "9" * 30, "0.000000001", "1" * 1500, "五分之三", "1,000,000"]
)


@given(
    st.sampled_from(["有{}个苹果和{}个梨，一共有多少个？", "There are {} cows and {} pigs. How many are there?"]),
    NUMBERS,
    NUMBERS,
)
@times(40)
def test_whatever_the_numbers_and_the_trees_there_is_a_solution_to_show(text: str, one: str, other: str) -> None:
    model = Model(CarelessPredictor())
    solver = Solver({"zh": lambda: model, "en": lambda: model})
    solution = solver.solve(text.format(one, other), beam=8)
    fields = json.loads(json.dumps(solution.as_json()))
    assert 0 <= fields["confidence"] <= 1
    assert fields["abstained"] == bool(fields["reason"])
    assert len(fields["answers"]) == len(fields["decimal"])
