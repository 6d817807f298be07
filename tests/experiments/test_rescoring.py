"""Stored predictions can be scored again: the verdicts follow from the trees, the corpus and the present rules."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from sau_solver.data import Corpus, available
from sau_solver.errors import CorpusError
from sau_solver.experiments import rescoring
from sau_solver.experiments.rescoring import Changes, judged_again, prepared_for, rescore
from sau_solver.experiments.results import ResultStore
from sau_solver.problem import Problem
from tests.experiments.stored_results import judged, store

ROOT = Path(__file__).parents[2]
BOYS = Problem(
    "boys", "A class has 466 students. There are 212 more girls than boys. How many boys are in the class?", "en",
    ("212+boys=girls", "girls+boys=466"), (Fraction(127), Fraction(339)), asked=(Fraction(127),),
)  # fmt: skip
CORPUS = Corpus("school", (BOYS,), (), ())


@pytest.fixture
def stored(results: Path, monkeypatch: pytest.MonkeyPatch) -> ResultStore:
    """A run of the schema before `annotated`, with the right equations and a wrong verdict."""
    monkeypatch.setattr(rescoring, "load", lambda _: CORPUS)
    prediction = judged("boys", frozenset[str](), tree="; = + N1 x y = + x y N0")
    path = store(results, "net", [prediction], corpus="school", fingerprint=CORPUS.fingerprint)
    path.write_text(path.read_text(encoding="utf-8").replace('"schema": 4', '"schema": 3'), encoding="utf-8")
    return ResultStore(results, "net")


def test_scoring_again_renews_verdicts_and_figures_and_keeps_the_rest(stored: ResultStore) -> None:
    before = json.loads(stored.path.read_text(encoding="utf-8"))["runs"][0]
    changes = rescore(stored)
    assert changes.problems == 1
    assert changes.gained["answer"] == changes.gained["annotated"] == 1
    assert changes.outcomes == sum(changes.lost.values()) == 0
    (run,) = stored.runs()
    assert run.metrics["answer"] == run.metrics["annotated"] == 1
    (one,) = stored.predictions(run)
    assert (str(one.candidates[0].tree), one.candidates[0].log_probability) == ("; = + N1 x y = + x y N0", -0.5)
    after = json.loads(stored.path.read_text(encoding="utf-8"))["runs"][0]
    figures = {"metrics", "by_type", "by_size", "predictions_sha256"}
    assert {key for key in before if before[key] != after[key]} <= figures


def test_a_changed_corpus_is_refused(stored: ResultStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rescoring, "load", lambda _: Corpus("school", (), (), ()))
    with pytest.raises(CorpusError, match="sau data fetch school"):
        rescore(stored)


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("name", ["sau-alg514", "sau-draw1k", "retrieval-alg514"])
def test_the_stored_verdicts_follow_from_the_stored_trees(name: str) -> None:
    """`answer` and `annotated` follow the rules that choose answers; a better rule may change a few of them."""
    files = ResultStore(ROOT / "results", name)
    first = files.runs()[0]
    if first.corpus not in available():
        pytest.skip(f"{first.corpus} is not under SAU_DATA")
    changes = Changes()
    for old, new in judged_again(files.predictions(first), prepared_for(first, name)):
        changes.add(old, new)
    changed = changes.gained + changes.lost
    assert not any(changed[metric] for metric in ("reference", "strict", "equation", "candidates_oracle"))
    assert max(changed["answer"], changed["annotated"]) <= 0.03 * changes.problems
