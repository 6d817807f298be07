"""Attention maps name every node and subtree, and show an example for each run and language."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from sau_solver.answering.candidates import Candidate
from sau_solver.data.prepared.examples import Prepared
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError
from sau_solver.experiments.attention_examples import (
    attention_in_example,
    attention_maps,
    attention_of_model,
    subtree_text,
)
from sau_solver.experiments.judging import Judged
from sau_solver.models.options import GtsOptions, NetworkOptions, SauOptions
from sau_solver.models.sau.attention_maps import attention_of
from sau_solver.models.sau.sau_predictor import SauPredictor
from sau_solver.problem import Problem
from sau_solver.text.numbers import map_text
from sau_solver.training.learning import TrainingTask, learn
from sau_solver.training.training_options import TrainingOptions
from tests.models.networks import small_solver
from tests.models.problems import examples

CHICKENS = "; = + x y N0 = + * 2 x * 4 y N1"
TEXT = map_text("Hens and cows have 20 heads and 50 legs. How many hens are there?")
NUMBERS = [Fraction(20), Fraction(50)]
RIGHT = frozenset({"reference", "strict", "answer"})


def judged(tree: str, right: bool = True, id_: str = "7") -> Judged:
    verdict = RIGHT if right else frozenset[str]()
    return Judged(id_, "", "", (Candidate(Uet.from_text(tree), -1.0, outcome="solved", right=verdict),))


@pytest.fixture
def solver() -> SauPredictor:
    made, _ = small_solver("sau")
    assert isinstance(made, SauPredictor)
    return made


def trained(folder: Path, options: NetworkOptions, data: dict[str, object]) -> Path:
    learn([TrainingTask("tiny", examples(), options, 0, folder, data)], TrainingOptions(epochs=1))
    return folder / "model"


@pytest.mark.parametrize(
    ("place", "text"),
    [(0, "x+y=20; 2*x+4*y=50"), (1, "x+y=20"), (2, "x+y"), (5, "20"), (7, "2*x+4*y"), (8, "2*x"), (10, "x")],
)
def test_a_subtree_is_named_by_its_equations_or_its_expression(place: int, text: str) -> None:
    assert subtree_text(Uet.from_text(CHICKENS), place, NUMBERS) == text


def test_nodes_are_set_in_by_depth_and_slots_are_numbers_of_the_text(solver: SauPredictor) -> None:
    decoder, alignment, similarity = attention_maps(solver, TEXT, judged(CHICKENS))
    assert decoder.nodes[:8] == (";", "· =", "· · +", "· · · x", "· · · y", "· · 20", "· =", "· · +")
    assert decoder.nodes[-1] == "· · 50"
    assert decoder.words[:4] == ("Hens", "and", "cows", "have")
    assert "20" in decoder.words
    assert alignment.nodes == similarity.nodes
    assert alignment.nodes[1:4] == ("x+y=20", "x+y", "2*x+4*y=50")
    assert alignment.distances == similarity.distances
    expected = attention_of(solver, TEXT, Uet.from_text(CHICKENS))
    for row, weights in zip(decoder.weights, expected, strict=True):
        assert row == pytest.approx(weights, abs=1e-4)


def test_models_without_such_attention_and_trees_that_do_not_fit_show_nothing(solver: SauPredictor) -> None:
    other, _ = small_solver("gts")
    assert attention_maps(other, TEXT, judged("+ N0 N1")) == []
    assert attention_maps(solver, TEXT, judged("= x N9")) == []
    assert attention_maps(solver, TEXT, Judged("7", "", "", ())) == []


def test_a_run_shows_its_shortest_right_problem_with_a_tree_worth_it(solver: SauPredictor) -> None:
    texts = {"long": TEXT, "short": map_text("Hens have 20 heads and 50 legs."), "wrong": map_text("20 and 50")}
    texts["leaf"] = map_text("20, 50?")
    tested = [Prepared(Problem(id_, text.text, "en", (), ()), text, None, None, None) for id_, text in texts.items()]
    verdicts = [
        judged("= x + N0 N1", id_="long"),
        judged("= x + N0 N1", id_="short"),
        judged("= x + N0 N1", right=False, id_="wrong"),
        judged("= x N0", id_="leaf"),
    ]
    assert {look.id for look in attention_in_example(solver, tested, verdicts)} == {"short"}
    assert attention_in_example(solver, tested[2:], verdicts[2:]) == []


@pytest.mark.slow
def test_a_model_folder_is_looked_into_with_an_example_of_its_language_or_a_problem_of_ones_own(tmp_path: Path) -> None:
    # Short trees: a network that has learned little writes long ones, which take the symbolic solver a long time.
    options = SauOptions(embedding=6, hidden=8, minimum_word_count=1, longest_tree=7)
    chinese = trained(tmp_path / "zh", options, {"language": "zh"})
    assert "鸡" in "".join(attention_of_model(chinese)[0].words)
    english = trained(tmp_path / "en", replace(options, ssar=0.0), {"corpus": "alg514", "fold": 0})
    (look,) = attention_of_model(english, "A box holds 6 eggs. How many eggs are in 4 boxes?")
    assert (look.kind, look.words[:3]) == ("decoder", ("A", "box", "holds"))


@pytest.mark.slow
def test_a_folder_of_another_model_is_explained(tmp_path: Path) -> None:
    folder = trained(tmp_path, GtsOptions(embedding=6, hidden=8, minimum_word_count=1), {"language": "en"})
    with pytest.raises(InputError, match=r"\(gts\) has no attention to draw"):
        attention_of_model(folder)
