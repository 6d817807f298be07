"""Every experiment of configs/paper runs from its corpus to the report, with a tiny network and two epochs."""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path

import pytest

from sau_solver.data import Corpus, available
from sau_solver.data.prepared.examples import Prepared, TextView, prepare_all
from sau_solver.data.prepared.folds import Duplicates, Fold, Manifest
from sau_solver.equations.normal_form import Level
from sau_solver.equations.uet import without_unknown
from sau_solver.experiments import runs
from sau_solver.experiments.config import ExperimentConfig, load_config
from sau_solver.experiments.crossval import RunOptions, crossval_all
from sau_solver.experiments.material import Material
from sau_solver.experiments.report import cases
from sau_solver.experiments.report.build import collect
from sau_solver.experiments.results import ResultStore
from sau_solver.models.options import NetworkOptions, Seq2SeqOptions
from tests.data.read_corpora import corpus_of

pytestmark = pytest.mark.corpus

CONFIGS = Path(__file__).parents[2] / "configs"
FILES = sorted(CONFIGS.glob("paper/*.toml"))
LOOKED_AT, TAKEN, TESTED = 400, 24, 6  # problems


@cache
def the_first(corpus: str, text: TextView, equations: Level) -> list[Prepared]:
    return prepare_all(corpus_of(corpus).problems[:LOOKED_AT], corpus, text, equations)


def a_few(config: ExperimentConfig) -> Material:
    """Return a few problems of a corpus as one fold, half of them plain arithmetic if there are enough."""
    prepared = sorted(
        the_first(config.corpus, config.text, config.equations),
        key=lambda one: one.learned is None or without_unknown(one.learned) is None,
    )
    taken: list[Prepared] = [*prepared[: TAKEN // 2], *prepared[-TAKEN // 2 :]]
    corpus = Corpus(config.corpus, tuple(one.problem for one in taken), (), ())
    test = tuple(one.problem.id for one in taken[:: TAKEN // TESTED])
    nothing = Duplicates((), ())
    manifest = Manifest(config.manifest, corpus.name, corpus.fingerprint, TAKEN, "", None, (Fold(test),), nothing)
    return Material(corpus, manifest, tuple(taken))


def small(config: ExperimentConfig) -> ExperimentConfig:
    """Return the same experiment with a tiny network."""
    options = config.options
    if isinstance(options, NetworkOptions):
        options = dataclasses.replace(options, embedding=4, hidden=8, minimum_word_count=1, longest_tree=7)
    if isinstance(options, Seq2SeqOptions):
        options = dataclasses.replace(options, longest_sequence=9)
    training = config.training and dataclasses.replace(config.training, epochs=2, batch=8, device="cpu")
    return dataclasses.replace(config, folds=(0,), seeds=config.seeds[:1], beam=2, options=options, training=training)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_experiment_runs_through_to_the_report(path: Path, results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = load_config(path)
    if config.corpus not in available():
        pytest.skip(f"{config.corpus} is not under SAU_DATA")
    material = a_few(config)
    monkeypatch.setattr(runs, "gather", lambda _: material)
    monkeypatch.setattr(cases, "load", corpus_of)
    (summary,) = crossval_all([small(config)], RunOptions(results))
    assert (summary.name, summary.problems) == (path.stem, TESTED)
    assert (summary.expressible is not None) <= (config.model == "gts")
    store = ResultStore(results, path.stem)
    (run,) = store.runs()
    assert len(store.predictions(run)) == TESTED
    assert [one.epoch for one in store.epochs(run)] == ([1, 2] if config.training else [])
    report = collect(results, results)
    (line,) = report.fields()["tables"]["configurations"]["rows"]
    assert line["config"] == path.stem
    for metric in ("reference", "strict", "answer", "annotated"):
        assert line[metric]["ours"] == pytest.approx(100 * summary.metrics[metric].share)


def test_every_system_of_the_paper_has_a_configuration() -> None:
    corpora = ("hmwp", "alg514", "math23k", "dolphin18k-manual")
    names = {f"{model}-{corpus}" for model in ("retrieval", "seq2seq", "stack-decoder", "sau") for corpus in corpora}
    names |= {f"sau-{corpus}-without-ssar" for corpus in corpora} | {f"gts-{corpus}" for corpus in corpora[1:]}
    assert {path.stem for path in FILES} >= names | {"sau-draw1k", "sau-mawps"}
    assert load_config(CONFIGS / "paper/sau-draw1k.toml").folds == (0,)
