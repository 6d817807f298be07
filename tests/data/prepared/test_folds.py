"""Folds are recorded, cover the corpus, and reject other data."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from sau_solver.data import Corpus, available, data_folder
from sau_solver.data.prepared.folds import (
    RULES,
    Fold,
    divide,
    find_duplicates,
    from_fields,
    load_manifest,
    make_manifest,
    recorded,
    to_text,
)
from sau_solver.errors import CorpusError, InputError
from sau_solver.problem import Problem
from tests.data.read_corpora import corpus_of


def small(name: str, count: int = 23) -> Corpus:
    made = tuple(
        Problem(str(100 + k), f"text {k}", "en", (f"x={k}",), fold=k % 5, split=("train", "dev", "test")[k % 3])
        for k in range(count)
    )
    return Corpus(name, made, (), ())


@pytest.mark.parametrize("name", RULES)
def test_every_rule_tests_no_problem_twice_and_writes_what_it_reads(name: str) -> None:
    corpus = small(RULES[name].corpus)
    manifest = make_manifest(corpus, name)
    tested = [id_ for fold in manifest.folds for id_ in fold.test]
    assert len(tested) == len(set(tested))
    if len(manifest.folds) == 5:
        assert sorted(tested) == sorted(problem.id for problem in corpus)
    assert from_fields(json.loads(to_text(manifest)), corpus.problems) == manifest


def test_contiguous_fifths_leave_the_remainder_to_the_last() -> None:
    manifest = make_manifest(small("hmwp"))
    assert [len(fold.test) for fold in manifest.folds] == [4, 4, 4, 4, 7]
    assert manifest.folds[0].test == ("100", "101", "102", "103")


def test_the_seeded_shuffle_does_not_depend_on_the_order_of_the_file() -> None:
    corpus = small("dolphin18k-manual")
    turned = replace(corpus, problems=corpus.problems[::-1])
    assert make_manifest(corpus).folds == make_manifest(turned).folds
    assert make_manifest(corpus).folds[0].test != tuple(problem.id for problem in corpus.problems[:4])


def test_a_public_split_keeps_its_validation_part_out_of_training() -> None:
    corpus = small("draw1k", 6)
    division = divide(make_manifest(corpus), 0, corpus.problems, lambda problem: problem.id)
    assert [problem.split for problem in division.train] == ["train", "train"]
    assert [problem.split for problem in division.validation] == ["dev", "dev"]
    assert [problem.split for problem in division.test] == ["test", "test"]


def test_duplicates_are_reported_only_across_folds() -> None:
    problems = [
        Problem("a", "Ann has 3  cats", "en", ("x=3",)),
        Problem("b", "Ann has 3 cats ", "en", ("x= 3",)),
        Problem("c", "Bob has 4 cats", "en", ("x=4",)),
        Problem("d", "Bob has 4 cats", "en", ("x=4",)),
        Problem("e", "一只 猫", "zh", ("x=1",)),
        Problem("f", "一 只猫", "zh", ("x=1+0",)),
    ]
    duplicates = find_duplicates(problems, (Fold(("a", "c", "d", "e")), Fold(("b", "f"))))
    assert duplicates.same_equations == (("a", "b"),)
    assert duplicates.other_equations == (("e", "f"),)
    assert duplicates.problems == 4


def test_data_without_the_published_folds_are_rejected() -> None:
    without = replace(small("mawps"), problems=tuple(replace(p, fold=None) for p in small("mawps")))
    with pytest.raises(CorpusError, match="must have problems in all published folds"):
        make_manifest(without)


def test_data_that_differ_from_the_recorded_are_rejected() -> None:
    with pytest.raises(CorpusError, match=r"with fingerprint .*sau data fetch hmwp"):
        load_manifest("hmwp", small("hmwp"))


def test_a_wrong_name_or_fold_lists_the_right_ones() -> None:
    with pytest.raises(InputError, match="Did you mean hmwp"):
        recorded("hmpw")
    with pytest.raises(InputError, match="need the corpus hmwp, got alg514"):
        load_manifest("hmwp", small("alg514"))
    corpus = small("hmwp")
    with pytest.raises(InputError, match="fold must be between 0 and 4 for hmwp, got 5"):
        divide(make_manifest(corpus), 5, corpus.problems, lambda problem: problem.id)


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_the_recorded_folds_equal_the_computed_ones(name: str) -> None:
    if RULES[name].corpus not in available():
        pytest.skip(f"{RULES[name].corpus} is not in SAU_DATA ({data_folder()})")
    corpus = corpus_of(RULES[name].corpus)
    assert recorded(name) == to_text(make_manifest(corpus, name))
    assert load_manifest(name, corpus) == make_manifest(corpus, name)
