"""Learning curves are collected from a training's reports, and attention maps have the shape of their problem."""

from __future__ import annotations

from pathlib import Path

import pytest

from sau_solver.errors import InputError
from sau_solver.experiments.figure_data import AttentionMap, Epoch, LearningCurves
from sau_solver.training.trainer import EpochReport


def report(epoch: int, loss: float = 1.5, run: str = "a", part: float = 0.0) -> EpochReport:
    return EpochReport(run, epoch, 3, 7, loss, 0.25, 0.1, 1e-3, 100.0, 9.0, part)


def test_the_reports_of_a_training_become_the_curves_of_its_runs() -> None:
    seen: list[EpochReport] = []
    curves = LearningCurves(seen.append)
    for told in (report(0, part=0.5), report(1), report(1, run="b"), report(2)):
        curves(told)
    assert len(seen) == 4
    assert curves.epochs("a", 2) == [Epoch(1, 1.5, 0.25, 0.1, 1e-3), Epoch(2, 1.5, 0.25, 0.1, 1e-3)]
    assert curves.epochs("b", 2) == [Epoch(1, 1.5, 0.25, 0.1, 1e-3)]
    assert curves.epochs("c", 2) == []


def test_a_resumed_training_keeps_the_epochs_before_the_interruption(tmp_path: Path) -> None:
    def curves_of(*reports: EpochReport) -> LearningCurves:
        curves = LearningCurves(folders={"a": tmp_path / "a"})
        for told in reports:
            curves(told)
        return curves

    curves_of(report(1, 3.0), report(2, 2.0))
    again = curves_of(report(2, 2.5))  # resumed from a checkpoint of the first epoch
    assert [(one.epoch, one.loss) for one in again.epochs("a", 3)] == [(1, 3.0), (2, 2.5)]
    assert [one.epoch for one in again.epochs("a", 1)] == [1]
    third = curves_of(report(3, 1.0))
    assert [(one.epoch, one.loss) for one in third.epochs("a", 3)] == [(1, 3.0), (2, 2.5), (3, 1.0)]


@pytest.mark.parametrize("line", ["{", "[1]", '{"epoch": 1}'])
def test_a_damaged_curve_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "curve.jsonl").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"curve\.jsonl must have one epoch per line"):
        LearningCurves(folders={"a": tmp_path})


def test_weights_have_one_row_per_node_and_one_column_per_word() -> None:
    with pytest.raises(InputError, match="1 nodes over 2 words"):
        AttentionMap("7", "decoder", ("a", "b"), ("x",), ((1.0,),))
    with pytest.raises(InputError, match="one value for each of 1 nodes, got 2"):
        AttentionMap("7", "alignment", ("a",), ("x",), ((1.0,),), (1.0, 2.0))
