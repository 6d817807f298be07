"""Where a corpus annotates every unknown, the labels say which value its question asks for."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from sau_solver.answering.protocols import is_accepted, is_annotated
from sau_solver.data import available
from sau_solver.data.asked_labels import LABELED, reader_labels
from sau_solver.problem import Problem
from sau_solver.solving import close
from scripts.reader_labels import asked_values
from tests.data.read_corpora import corpus_of

ROOT = Path(__file__).parents[2]
BOYS = Problem(
    "7",
    "A class is made up of 466 students. There are 212 more girls than boys. How many boys are in the class?",
    "en",
    ("212+boys=girls", "girls+boys=466"),
    (Fraction(127), Fraction(339)),
)


def test_the_value_asked_for_is_derived_from_question_and_equations() -> None:
    assert asked_values(BOYS) == (Fraction(127),)


@pytest.mark.parametrize("question", ["How many boys and girls are there?", "How many of each are there?"])
def test_a_question_that_asks_for_every_unknown_gets_no_label(question: str) -> None:
    text = BOYS.text.replace("How many boys are in the class?", question)
    assert asked_values(Problem("7", text, "en", BOYS.equations, BOYS.answers)) == ()


def test_a_reader_accepts_what_is_asked_and_a_corpus_what_it_annotates() -> None:
    labeled = Problem("7", BOYS.text, "en", BOYS.equations, BOYS.answers, asked=(Fraction(127),))
    both, one = (Fraction(127), Fraction(339)), (Fraction(127),)
    assert (is_accepted(labeled, one), is_accepted(labeled, both)) == (True, False)
    assert (is_annotated(labeled, one), is_annotated(labeled, both)) == (False, True)
    assert is_accepted(BOYS, both)


@pytest.mark.parametrize("corpus", LABELED)
def test_the_labels_of_every_corpus_can_be_read(corpus: str) -> None:
    assert all(len(values) == 1 for values in reader_labels(corpus).values())


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["alg514", "draw1k", "dolphin18k"])
def test_a_loaded_corpus_has_its_labels_and_they_are_annotated_values(name: str) -> None:
    if name not in available():
        pytest.skip(f"{name} is not under SAU_DATA")
    labeled = [one for one in corpus_of(name).problems if one.asked]
    assert {one.id: one.asked for one in labeled} == reader_labels(name)
    among = [any(close(one.asked[0], answer) for answer in one.answers) for one in labeled]
    assert sum(among) >= 0.98 * len(among)  # a few ask for a sum or difference of the annotated values


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["alg514", "draw1k", "dolphin18k"])
def test_labels_can_be_derived_again_unless_they_were_corrected_by_eye(name: str) -> None:
    if name not in available():
        pytest.skip(f"{name} is not under SAU_DATA")
    by_eye = json.loads((ROOT / "scripts/reader_labels_by_eye.json").read_text(encoding="utf-8"))["read"]
    labeled = [one for one in corpus_of(name).problems if one.asked]
    assert all(one.asked == (Fraction(by_eye[one.id]),) for one in labeled if one.id in by_eye)
    derived = [asked_values(one) == one.asked for one in labeled if one.id not in by_eye]
    assert sum(derived) >= 0.99 * len(derived)
