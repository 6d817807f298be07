"""`sau report` and `sau errors` on small stored results, and on bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sau_solver.answering.candidates import Candidate
from sau_solver.data import load
from sau_solver.data.prepared.examples import prepare_all
from sau_solver.equations.uet import Uet
from sau_solver.errors import CheckpointError
from sau_solver.experiments.judging import Judged, judge_problem
from sau_solver.models.loading import shipped_folder
from sau_solver.models.options import SauOptions
from sau_solver.problem import Language
from sau_solver.training.learning import TrainingTask, learn
from sau_solver.training.training_options import TrainingOptions
from tests import commands
from tests.experiments.stored_results import store
from tests.models.problems import examples

pytestmark = pytest.mark.slow

LINES = [
    {
        "id": "boxes",
        "text": "Ann has 12 pears and buys 3 boxes of 4. How many?",
        "equation": "x=12+3*4",
        "answer": 24,
    },
    {"id": "plums", "text": "Bob eats 3 plums a day. How many in two weeks?", "equation": "x=3*14", "answer": 42},
]
TABLE = """
[toy]
title = "Toy"
language = "en"
format = "sau"
problems = 2
license = "none"
citation = "none"
notes = "none"
files = ["toy.jsonl"]
"""


def sau(*arguments: str, data: Path) -> subprocess.CompletedProcess[str]:
    return commands.sau(*arguments, environment=os.environ | {"SAU_DATA": str(data)})


@pytest.fixture
def results(tmp_path: Path) -> Path:
    store(tmp_path / "results", "sau-hmwp", {"1": True, "2": False})
    store(tmp_path / "results", "sau-hmwp-without-ssar", {"1": False, "2": False})
    return tmp_path / "results"


def is_shipped(language: Language) -> bool:
    try:
        return shipped_folder(language).is_dir()
    except CheckpointError:
        return False


def options(results: Path) -> list[str]:
    return ["--results", str(results), "--configs", str(results / "configs")]


class TestReport:
    def test_a_pipe_gets_markdown(self, results: Path, tmp_path: Path) -> None:
        done = sau("report", *options(results), data=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "| SAU-Solver | 50.00 (44.83; +5.17) [1 of 5 runs] | missing (57.39) |" in done.stdout
        assert "## Missing runs" in done.stdout

    def test_json_is_one_object_with_the_merged_tables(self, results: Path, tmp_path: Path) -> None:
        (line,) = sau("report", "--json", *options(results), data=tmp_path).stdout.splitlines()
        found = json.loads(line)
        assert {"corpora", "accuracy-reference", "types", "sizes", "cases", "significance-answer"} <= found[
            "tables"
        ].keys()
        assert any(one["experiment"] == "sau-math23k" for one in found["missing"])

    def test_a_folder_gets_every_form(self, results: Path, tmp_path: Path) -> None:
        out = tmp_path / "out"
        done = sau("report", "--output", str(out), "--no-figures", *options(results), data=tmp_path)
        assert done.returncode == 0, done.stderr
        assert sorted(path.name for path in out.iterdir()) == ["report.json", "report.md", "report.tex"]
        assert done.stdout == ""

    @pytest.mark.parametrize(
        ("more", "code", "told"),
        [
            ([], 0, "Figures are left out: matplotlib is not installed. Run in a checkout: pip install '.[report]'"),
            (["--problem", "How many are 3 and 4?"], 2, "Figures need matplotlib"),
        ],
    )
    def test_without_matplotlib_the_tables_are_written(
        self, results: Path, tmp_path: Path, more: list[str], code: int, told: str
    ) -> None:
        out = tmp_path / "out"
        without = "import sys; sys.modules['matplotlib'] = None; from sau_solver.cli import main; main()"
        arguments = ("report", "--output", str(out), *more, *options(results))
        done = subprocess.run(
            [sys.executable, "-c", without, *arguments], capture_output=True, text=True, check=False,
            env=os.environ | {"SAU_DATA": str(tmp_path)},
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        assert told in done.stderr
        assert sorted(path.name for path in out.iterdir()) == ["report.json", "report.md", "report.tex"]

    def test_what_cannot_be_written_is_explained(self, results: Path, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        out = ("--output", str(tmp_path / "file" / "out"), "--no-figures")
        done = sau("report", *out, *options(results), data=tmp_path)
        assert done.returncode == 2
        assert "out: cannot be written (Not a directory)" in done.stderr
        assert "Traceback" not in done.stderr

    def test_figures_are_drawn_into_it(self, results: Path, tmp_path: Path) -> None:
        pytest.importorskip("matplotlib", reason="matplotlib is not installed (the extra `report`)")
        done = sau("report", "--output", str(tmp_path / "out"), *options(results), data=tmp_path)
        assert done.returncode == 0, done.stderr
        drawn = sorted(path.name for path in (tmp_path / "out" / "figures").iterdir())
        shipped = [f"decoder-shipped-{language}.svg" for language in ("en", "zh") if is_shipped(language)]
        assert drawn == [*shipped, "risk-coverage-hmwp.svg", "size-hmwp.svg"]

    def test_the_attention_and_the_alignment_of_a_trained_model_are_drawn(self, results: Path, tmp_path: Path) -> None:
        pytest.importorskip("matplotlib", reason="matplotlib is not installed (the extra `report`)")
        options_ = SauOptions(embedding=6, hidden=8, minimum_word_count=1, longest_tree=7)
        model = tmp_path / "runs" / "tiny" / "fold0-seed0"
        tiny = TrainingTask("tiny", examples(), options_, 0, model, {"corpus": "alg514", "fold": 0})
        learn([tiny], TrainingOptions(epochs=1))
        more = ("--model", str(model), "--problem", "Ann has 3 pens and buys 4 pens. How many pens does Ann have?")
        done = sau("report", "--output", str(tmp_path / "out"), *more, *options(results), data=tmp_path)
        assert done.returncode == 0, done.stderr
        drawn = sorted(path.name for path in (tmp_path / "out" / "figures").iterdir())
        kinds = ("alignment", "decoder", "similarity")
        looks = [f"{kind}-tiny-fold0-seed0.svg" for kind in kinds]
        assert drawn == sorted([*looks, "risk-coverage-hmwp.svg", "size-hmwp.svg"])
        assert ">buys</text>" in (tmp_path / "out/figures/decoder-tiny-fold0-seed0.svg").read_text(encoding="utf-8")

    @pytest.mark.parametrize(
        "more", [["--model", "runs/x"], ["--problem", "How many?", "--output", "o", "--no-figures"]]
    )
    def test_a_model_without_figures_is_explained(self, results: Path, tmp_path: Path, more: list[str]) -> None:
        done = sau("report", *more, *options(results), data=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "--model and --problem need figures" in done.stderr

    def test_a_readme_is_updated(self, results: Path, tmp_path: Path) -> None:
        page = tmp_path / "page.md"
        page.write_text("<!-- sau report: configurations -->\n<!-- end -->\n", encoding="utf-8")
        assert sau("report", "--docs", str(page), *options(results), data=tmp_path).returncode == 0
        assert "| `sau-hmwp` | `sau crossval configs/sau-hmwp.toml` |" in page.read_text(encoding="utf-8")

    def test_results_of_different_data_are_refused(self, results: Path, tmp_path: Path) -> None:
        store(results, "sau-hmwp", {"3": True}, fold=1, fingerprint="b" * 64)
        done = sau("report", *options(results), data=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "sau-hmwp: the runs must have the same configuration and data" in done.stderr

    def test_no_results_are_explained(self, tmp_path: Path) -> None:
        done = sau("report", *options(tmp_path / "none"), data=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "Run an experiment first" in done.stderr


class TestErrors:
    @pytest.fixture
    def stored(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """Two wrong predictions on the test's own corpus."""
        monkeypatch.setenv("SAU_DATA", str(tmp_path))
        (tmp_path / "corpora.toml").write_text(TABLE, encoding="utf-8")
        (tmp_path / "toy.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LINES), encoding="utf-8")
        corpus = load("toy")
        trees = ("= x - N0 * N1 N2", "= x * N0 2")
        judged: list[Judged] = [
            judge_problem(one, [Candidate(Uet.from_text(tree), -1.0)])
            for one, tree in zip(prepare_all(corpus, "toy", "raw"), trees, strict=True)
        ]
        return store(tmp_path / "results", "toy", judged, corpus="toy", fingerprint=corpus.fingerprint)

    def test_causes_are_counted_and_shown(self, stored: Path, tmp_path: Path) -> None:
        done = sau("errors", str(stored), data=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "toy: 2 of 2 predictions are wrong by answer." in done.stdout
        assert "predicted  x=12-3*4" in done.stdout
        assert "annotated  24" in done.stdout

    def test_json_names_every_problem(self, stored: Path, tmp_path: Path) -> None:
        found = json.loads(
            sau("errors", str(stored), "--run", "fold0-seed0", "--json", "--examples", "0", data=tmp_path).stdout
        )
        assert (found["problems"], found["wrong"], found["runs"]) == (2, 2, ["fold0-seed0"])
        assert found["causes"]["wrong operator"]["ids"] == ["boxes"]
        assert found["causes"]["missing constant"] == {"predictions": 1, "ids": ["plums"], "examples": []}

    def test_a_changed_corpus_is_refused(self, stored: Path, tmp_path: Path) -> None:
        (tmp_path / "toy.jsonl").write_text(json.dumps(LINES[0]) + "\n", encoding="utf-8")
        done = sau("errors", str(stored), data=tmp_path)
        assert done.returncode == 2
        assert "toy was run on toy with fingerprint" in done.stderr

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (["errors", "none.json"], "none.json is not a result file"),
            (["errors", "."], "is not a result file"),
            (["errors", "none.json", "--protocol", "lenient"], "--protocol must be one of reference, strict, answer"),
        ],
    )
    def test_a_wrong_result_path_is_explained(self, arguments: list[str], complaint: str, tmp_path: Path) -> None:
        done = sau(*arguments, data=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert complaint in done.stderr
