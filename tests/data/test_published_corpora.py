"""The published corpora in SAU_DATA have the expected number of problems, and all can be read."""

from __future__ import annotations

import gzip
import json

import pytest

from sau_solver.data import Corpus, available, corpora, data_folder
from tests.data.read_corpora import corpus_of

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

COUNTS = {
    "math23k": 23_162,
    "hmwp": 5_470,
    "hmwp-all": 5_491,
    "alg514": 514,
    "draw1k": 1_000,
    "dolphin1878": 1_878,
    "dolphin_l": 831,
    "dolphin18k": 4_666,
    "dolphin18k-manual": 1_788,
    "dolphin18k-reconstructed": 670,
    "mawps": 2_373,
    "mawps-single": 1_987,
    "asdiv-a": 1_218,
    "asdiv": 2_305,
    "cm17k-valid": 1_703,
    "ape210k-valid": 5_000,
    "mathqa-valid": 3_540,
    "gsm8k": 8_792,
    "gsm8k-zh": 7_363,
    "contest-zh": 10_084,
    "mathqa-train": 16_661,
    "svamp": 1_000,
}


def load_or_skip(name: str) -> Corpus:
    if name not in available():
        pytest.skip(f"{corpora()[name].title} is not in SAU_DATA ({data_folder()})")
    return corpus_of(name)


@pytest.mark.parametrize("name", [name for name, info in corpora().items() if not info.packaged])
def test_every_problem_is_read(name: str) -> None:
    corpus = load_or_skip(name)
    assert corpus.rejected == ()
    assert len(corpus) == COUNTS[name] == corpora()[name].problems
    assert len({problem.id for problem in corpus}) == len(corpus)
    assert {problem.language for problem in corpus} == {corpora()[name].language}


@pytest.mark.parametrize(
    ("name", "unread"),
    [
        *((name, 0) for name in ("math23k", "hmwp", "alg514", "draw1k", "dolphin_l", "mawps", "mawps-single")),
        *((name, 0) for name in ("asdiv-a", "cm17k-valid", "ape210k-valid", "mathqa-valid", "gsm8k")),
        *((name, 0) for name in ("gsm8k-zh", "contest-zh", "mathqa-train")),
        *(("hmwp-all", 20), ("dolphin1878", 23), ("dolphin18k", 22), ("asdiv", 122)),
    ],
)
def test_only_answers_that_are_not_numbers_are_missing(name: str, unread: int) -> None:
    assert sum(not problem.answers for problem in load_or_skip(name)) == unread


def test_hmwp_is_the_selection_of_the_paper() -> None:
    path = data_folder() / "hmwp/hmwp.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"the JSON lines of HMWP, which mark the paper's selection, are not in SAU_DATA ({path})")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    assert [problem.id for problem in corpus_of("hmwp")] == [str(row["idx"]) for row in rows if row["paper_filter"]]


def test_the_repeated_id_of_draw1k_gets_a_suffix() -> None:
    ids = {problem.id for problem in load_or_skip("draw1k")}
    assert {"153934", "153934#2"} <= ids


@pytest.mark.parametrize(("name", "least"), [("gsm8k", 0.88), ("gsm8k-zh", 0.86)])
def test_most_gsm8k_solutions_join(name: str, least: float) -> None:
    corpus = load_or_skip(name)
    assert sum(bool(problem.equations) for problem in corpus) > least * len(corpus)


def test_gsm8k_in_chinese_has_nothing_of_the_test_part() -> None:
    tested = {problem.id for problem in load_or_skip("gsm8k") if problem.split == "test"}
    translated = load_or_skip("gsm8k-zh")
    assert not tested & {problem.id for problem in translated}
    assert {problem.split for problem in translated} == {"train"}


def test_the_contest_has_answers_only_and_a_test_part() -> None:
    corpus = load_or_skip("contest-zh")
    assert not any(problem.equations for problem in corpus)
    assert (len(corpus.part("train")), len(corpus.part("test"))) == (9_084, 1_000)
