"""Figures are drawn from what results hold, equal ones as equal files, words as text."""

from __future__ import annotations

import math
import bz2
import sys
from pathlib import Path

import pytest

from sau_solver.errors import InputError
from sau_solver.experiments.records import (
    Curves,
    Epoch,
    Looking,
    read_attention,
    read_curve,
    write_attention,
    write_curve,
)
from sau_solver.experiments.report.figures import (
    Line,
    accuracy_by_size,
    attention_map,
    drawing,
    learning_curves,
    risk_coverage_curves,
    save,
)
from sau_solver.experiments.report.gallery import draw_all
from sau_solver.experiments.report.merging import load_experiments
from sau_solver.experiments.report.reliability import Point
from sau_solver.training.trainer import EpochReport
from tests.experiments.stored_results import judged, store

EPOCHS = [Epoch(k, 2 / k, 1 - 0.5 / k, 0.1, 1e-3) for k in (1, 2, 3)]
LOOK = Looking("7", "decoder", ("鸡", "有", "20", "个"), ("=", "x", "20"), ((0.25,) * 4,) * 3)
ALIGNED = Looking("7", "alignment", ("hens", "have", "20"), ("x=20",), ((0.1, 0.2, 0.7),), (0.5,))


class TestRecords:
    def test_what_a_run_keeps_comes_back(self, tmp_path: Path) -> None:
        run = tmp_path / "fold0-seed0.json"
        assert write_curve(EPOCHS, run).name == "fold0-seed0.curve.jsonl.bz2"
        assert write_attention([LOOK, ALIGNED], run).name == "fold0-seed0.attention.jsonl.bz2"
        assert read_curve(run) == EPOCHS
        assert read_attention(run) == [LOOK, ALIGNED]

    def test_a_trainings_reports_become_the_curves_of_its_runs(self) -> None:
        seen: list[EpochReport] = []
        keep = Curves(seen.append)
        for run, epoch, part in (("a", 0, 0.5), ("a", 1, 0.0), ("b", 1, 0.0), ("a", 2, 0.0)):
            keep(EpochReport(run, epoch, 2, 7, 1.5, 0.25, 0.1, 1e-3, 100.0, 9.0, part))
        assert len(seen) == 4
        assert keep.epochs("a", 2) == [Epoch(1, 1.5, 0.25, 0.1, 1e-3), Epoch(2, 1.5, 0.25, 0.1, 1e-3)]
        assert keep.epochs("b", 2) == [Epoch(1, 1.5, 0.25, 0.1, 1e-3)]
        assert keep.epochs("c", 2) == []

    def test_an_interrupted_training_keeps_what_was_before(self, tmp_path: Path) -> None:
        def report(epoch: int, loss: float) -> EpochReport:
            return EpochReport("a", epoch, 3, 7, loss, 0.25, 0.1, 1e-3, 100.0, 9.0)

        before = Curves(folders={"a": tmp_path / "a"})
        before(report(1, 3.0))
        before(report(2, 2.0))
        again = Curves(folders={"a": tmp_path / "a"})
        again(report(2, 2.5))  # from a checkpoint of the first epoch
        assert [(one.epoch, one.loss) for one in again.epochs("a", 3)] == [(1, 3.0), (2, 2.5)]
        assert [one.epoch for one in again.epochs("a", 1)] == [1]
        third = Curves(folders={"a": tmp_path / "a"})
        third(report(3, 1.0))
        assert [(one.epoch, one.loss) for one in third.epochs("a", 3)] == [(1, 3.0), (2, 2.5), (3, 1.0)]

    def test_a_run_that_kept_nothing_has_nothing(self, tmp_path: Path) -> None:
        assert read_curve(tmp_path / "fold0-seed0.json") == []
        assert read_attention(tmp_path / "fold0-seed0.json") == []

    @pytest.mark.parametrize("line", ["{", "[1]", '{"epoch": 1}'])
    def test_a_line_that_is_no_epoch_is_named(self, tmp_path: Path, line: str) -> None:
        (tmp_path / "fold0-seed0.curve.jsonl.bz2").write_bytes(bz2.compress(f"{line}\n".encode()))
        with pytest.raises(InputError, match=r"curve\.jsonl\.bz2:1: an object with accuracy"):
            read_curve(tmp_path / "fold0-seed0.json")

    def test_weights_have_a_row_a_node_and_a_column_a_word(self) -> None:
        with pytest.raises(InputError, match="1 nodes over 2 words"):
            Looking("7", "decoder", ("a", "b"), ("x",), ((1.0,),))
        with pytest.raises(InputError, match="One distance"):
            Looking("7", "alignment", ("a",), ("x",), ((1.0,),), (1.0, 2.0))


def test_figures_without_matplotlib_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"pip install 'sau-solver\[report\]'"), drawing():
        pass


class TestDrawing:
    @pytest.fixture(autouse=True)
    def _matplotlib(self) -> None:
        pytest.importorskip("matplotlib", reason="matplotlib is not installed (the extra `report`)")

    def test_every_line_has_its_name_and_sizes_their_problems(self, tmp_path: Path) -> None:
        systems = {Line("ours", 0): {"5": 70.0, "9": 40.0}, Line("paper", None): {"5": 60.0}}
        with drawing():
            path = save(accuracy_by_size(systems, {"5": 1_200, "9": 3}, "Toy"), tmp_path / "a.svg")
        text = path.read_text(encoding="utf-8")
        for shown in ("ours", "paper", "1,200", "Toy"):
            assert f">{shown}</text>" in text
        assert ">13+</text>" not in text  # no problems of that size

    def test_curves_of_training_and_of_risk(self, tmp_path: Path) -> None:
        with drawing():
            learning = save(learning_curves({"fold0-seed0": EPOCHS}, "Training"), tmp_path / "l.svg")
            risk = save(
                risk_coverage_curves({Line("ours", 5): [Point(0.5, 0.1, 0.9), Point(1.0, 0.4, 0.2)]}, "Risk"),
                tmp_path / "r.svg",
            )
        assert ">fold0-seed0</text>" in learning.read_text(encoding="utf-8")
        assert "problems answered" in risk.read_text(encoding="utf-8")

    def test_chinese_words_stay_words(self, tmp_path: Path) -> None:
        with drawing():
            text = save(attention_map(LOOK, "attention"), tmp_path / "a.svg").read_text(encoding="utf-8")
        assert all(f">{word}</text>" in text for word in (*LOOK.words, *LOOK.nodes))

    def test_an_alignment_shows_its_distances(self, tmp_path: Path) -> None:
        with drawing():
            text = save(attention_map(ALIGNED, "alignment"), tmp_path / "a.svg").read_text(encoding="utf-8")
        assert ">distance</text>" in text
        assert ">subtree</text>" in text

    def test_the_gallery_draws_what_there_are_results_for_and_the_same_again(
        self, results: Path, tmp_path: Path
    ) -> None:
        run = store(results, "sau-hmwp", {"a": True, "b": False})
        store(results, "retrieval-hmwp", [judged("a", True, log_probability=math.nan)])
        write_curve(EPOCHS, run)
        write_attention([LOOK, ALIGNED], run)
        drawn = draw_all(load_experiments(results, results), tmp_path / "figures")
        assert [path.name for path in drawn] == [
            "size-hmwp.svg",
            "risk-coverage-hmwp.svg",
            "learning-sau-hmwp.svg",
            "decoder-sau-hmwp-fold0-seed0-7.svg",
            "alignment-sau-hmwp-fold0-seed0-7.svg",
        ]
        assert "Retrieval" not in drawn[1].read_text(encoding="utf-8")  # it has no probabilities
        again = draw_all(load_experiments(results, results), tmp_path / "again")
        assert [path.read_bytes() for path in again] == [path.read_bytes() for path in drawn]
