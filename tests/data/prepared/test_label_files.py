"""Labels are written and read unchanged, and only problems without equations get them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from sau_solver.data.prepared.answer_labels import Label
from sau_solver.data.prepared.answer_trees import answer_trees
from sau_solver.data.prepared.label_files import Labels
from sau_solver.data.prepared.mixtures import prepared
from sau_solver.errors import InputError
from sau_solver.problem import Problem
from sau_solver.text.numbers import map_text

LABELS = Labels.of({"a": [Label("1", ("x=3*4",), -0.25), Label("2", ("x+y=3", "x-y=1"))], "b": [Label("1", ("x=5",))]})


@pytest.mark.parametrize("name", ["labels.jsonl", "labels.jsonl.gz"])
def test_a_file_is_read_back_unchanged(tmp_path: Path, name: str) -> None:
    LABELS.write(tmp_path / "new" / name)
    assert (tmp_path / "new" / name).read_bytes().startswith(b"{" if name.endswith("l") else b"\x1f\x8b")
    assert Labels.read([tmp_path / "new" / name]) == LABELS
    assert Labels.read([]) == Labels({})


def test_a_later_file_replaces_labels(tmp_path: Path) -> None:
    LABELS.write(tmp_path / "one.jsonl")
    Labels.of({"a": [Label("1", ("x=4*3",))]}).write(tmp_path / "two.jsonl")
    both = Labels.read([tmp_path / "one.jsonl", tmp_path / "two.jsonl"])
    assert both.found["a", "1"].equations == ("x=4*3",)
    assert len(both.found) == 3


def test_only_problems_of_the_corpus_without_equations_get_a_label() -> None:
    open_, labeled = (
        Problem("1", "3 and 4", "en", answers=(Fraction(12),)),
        Problem("1", "3", "en", ("x=3",), (Fraction(3),)),
    )
    tested = Problem("2", "3 and 1", "en", answers=(Fraction(2),), split="test")
    assert [one.equations for one in LABELS.applied("a", [open_, labeled, tested])] == [("x=3*4",), ("x=3",), ()]
    assert LABELS.applied("c", [open_]) == [open_]


def test_a_checkpoint_tells_labels_apart() -> None:
    other = LABELS.joined(Labels.of({"a": [Label("1", ("x=4*3",))]}))
    assert LABELS.described()["labels"]["problems"] == 3
    assert LABELS.described() != other.described()
    assert Labels({}).described() == {}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"corpus": "a", "id": "1"}', "equations must be a list of texts, got None"),
        ('{"corpus": "a", "equations": ["x=1"]}', "must have a field id"),
        ('{"id": "1", "equations": ["x=1"]}', "must have a field corpus"),
        ("nothing", "not JSON"),
    ],
)
def test_a_damaged_file_is_explained(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "labels.jsonl").write_text(line + "\n")
    with pytest.raises(InputError, match=rf"labels.jsonl.*{message}.*sau data label"):
        Labels.read([tmp_path / "labels.jsonl"])


def test_a_missing_file_is_explained(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no such file of labels\. Write it with sau data label"):
        Labels.read([tmp_path / "labels.jsonl"])


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("一批货物有120吨，第一天运走25%，第二天运走1/3，还剩多少吨？", "50"),
        ("Of 80 pupils 35 % walk and 1/4 take the bus. How many walk or take it?", "48"),
        ("3个人4小时做60个，平均每人每小时做多少个？", "5"),
    ],
)
def test_a_label_is_learned_as_the_tree_that_was_found(text: str, answer: str) -> None:
    """Equations are written to the file and read back by way of the mixture's common form."""
    problem = Problem("1", text, "zh" if ord(text[0]) > 255 else "en", answers=(Fraction(answer),))
    numbers = [number.value for number in map_text(text, problem.language).numbers]
    found = answer_trees(numbers, Fraction(answer))
    assert len(found) > 1
    for one in found:
        label = Label("1", tuple(map(str, one.tree.equations(numbers))))
        (learned,) = prepared(Labels.of({"c": [label]}).applied("c", [problem]), "raw", "ordered")
        assert learned.learned == one.tree
