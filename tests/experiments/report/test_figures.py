"""Figures are drawn from stored results; equal figures give equal files, and words stay text."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

from sau_solver.errors import InputError
from sau_solver.experiments.figure_data import AttentionMap, Epoch
from sau_solver.experiments.report.figures import (
    Line,
    accuracy_by_size,
    attention_map,
    draw_all,
    drawing,
    learning_curves,
    risk_coverage_curves,
    save,
)
from sau_solver.experiments.report.merging import load_experiments
from sau_solver.experiments.report.reliability import Point
from tests.experiments.stored_results import judged, store

EPOCHS = [Epoch(k, 2 / k, 1 - 0.5 / k, 0.1, 1e-3) for k in (1, 2, 3)]
LOOK = AttentionMap("7", "decoder", ("鸡", "有", "20", "个"), ("=", "x", "20"), ((0.25,) * 4,) * 3)
ALIGNED = AttentionMap("7", "alignment", ("hens", "have", "20"), ("x=20",), ((0.1, 0.2, 0.7),), (0.5,))


def test_figures_without_matplotlib_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"pip install '\.\[report\]'"), drawing():
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

    def test_the_backend_and_the_open_figures_of_the_process_stay_as_they_are(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import matplotlib
        from matplotlib import pyplot

        monkeypatch.setitem(matplotlib.rcParams, "backend", "svg")
        with drawing():
            save(attention_map(LOOK, "attention"), tmp_path / "a.png")
            learning_curves({"fold0-seed0": EPOCHS}, "Training")
        assert matplotlib.get_backend() == "svg"
        assert pyplot.get_fignums() == []

    @pytest.mark.slow
    def test_every_figure_that_the_results_allow_is_drawn_and_the_same_again(
        self, results: Path, tmp_path: Path
    ) -> None:
        store(results, "sau-hmwp", {"a": True, "b": False}, figures=[*EPOCHS, LOOK, ALIGNED])
        store(results, "retrieval-hmwp", [judged("a", True, log_probability=math.nan)])
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
