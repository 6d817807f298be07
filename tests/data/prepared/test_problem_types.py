"""Problems are assigned to the columns and rows of the paper's Tables 3 and 4."""

from __future__ import annotations

from collections import Counter

import pytest

from sau_solver.data import available
from sau_solver.data.labels import statements_of
from sau_solver.data.prepared.examples import prepare
from sau_solver.data.prepared.folds import load_manifest
from sau_solver.data.prepared.problem_types import published_type, tree_size
from sau_solver.problem import Problem
from tests.data.read_corpora import corpus_of


@pytest.mark.parametrize(
    ("equations", "type_"),
    [
        ("2*x+3=7", "linear-one"),
        ("x/3+x/4=7", "linear-one"),
        ("x*(x+1)=x*x+5", "linear-one"),  # the squares cancel
        ("100*(1+x)^2=121", "non-linear-one"),
        ("60/x-60/(x+5)=1", "non-linear-one"),
        ("60/x=4", "linear-one"),
        ("x^0.5=4", "non-linear-one"),
        ("x+y=3; x-y=1", "linear-two"),
        ("x*y=3; x-y=1", "linear-two"),
    ],
)
def test_types_depend_on_the_degree_after_clearing_denominators(equations: str, type_: str) -> None:
    problem = Problem("p", "", "en", tuple(equations.split(";")))
    assert published_type(problem, statements_of(problem)) == type_


@pytest.mark.parametrize(
    ("symbols", "row"), [(1, "3-"), (3, "3-"), (5, "5"), (7, "7"), (11, "11"), (13, "13+"), (45, "13+")]
)
def test_tree_sizes_fall_into_the_rows_of_table_4(symbols: int, row: str) -> None:
    assert tree_size(symbols) == row


@pytest.mark.corpus
@pytest.mark.slow
def test_hmwp_has_the_types_of_table_3() -> None:
    if "hmwp" not in available():
        pytest.skip("HMWP is not in SAU_DATA")
    prepared = [prepare(problem, "published") for problem in corpus_of("hmwp")]
    counts = Counter(published_type(one.problem, one.statements) for one in prepared)
    assert counts == {"linear-one": 1944, "linear-two": 1614, "non-linear-one": 1912}


@pytest.mark.corpus
@pytest.mark.slow
def test_the_first_fold_of_hmwp_has_the_sizes_of_table_4() -> None:
    if "hmwp" not in available():
        pytest.skip("HMWP is not in SAU_DATA")
    corpus = corpus_of("hmwp")
    fold = load_manifest("hmwp", corpus).folds[0].test
    trees = [prepare(problem, "published").tree for problem in corpus if problem.id in fold]
    assert Counter(tree_size(len(tree)) for tree in trees if tree) == {"5": 4, "7": 57, "9": 228, "11": 213, "13+": 592}
