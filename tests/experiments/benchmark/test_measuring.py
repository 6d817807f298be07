"""Models and programs on a small corpus: every figure, what is not tested, and the report."""

from __future__ import annotations

import gzip
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sau_solver.data import available
from sau_solver.data.prepared.mixture_options import MixtureOptions
from sau_solver.errors import InputError
from sau_solver.experiments.benchmark.benchmark_report import read_report, write_report
from sau_solver.experiments.benchmark.learned_data import Mixture, OneCorpus, learned_from, told
from sau_solver.experiments.benchmark.measuring import Benchmark, interval, run_benchmark
from sau_solver.experiments.benchmark.suite import chosen_corpora, parts_of
from sau_solver.experiments.benchmark.tested_systems import OwnModel, Program
from sau_solver.models.loading import Model
from tests.experiments.benchmark.conftest import ADD, HALF, SHARE, TAKE
from tests.predictors import KnowingPredictor

KNOWN = {
    ADD: [("x=3+5", 0.9), ("x=3*5", 0.1)],
    TAKE: [("x=9/(2-2)", 0.6), ("x=9-2", 0.4)],  # the first candidate has no solution
    SHARE: [("x=12/3", 0.5)],
    HALF: [("x=3*2", 0.2)],
}


def own_model() -> OwnModel:
    return OwnModel("knowing", Model(KnowingPredictor(KNOWN)), ("en",), told(["toy"]))


def measured(program: str, tmp_path: Path, timeout: float = 60.0) -> tuple[Benchmark, Program]:
    """Ask a Python program about the corpus."""
    path = tmp_path / "program.py"
    path.write_text(f"import json, sys\n{program}\n", encoding="utf-8")
    system = Program(f"{sys.executable} {path}", "mine", learned=told(["toy"]), timeout=timeout)
    return run_benchmark("mine", [system], ["toy"]), system


def test_only_the_test_split_is_tested_and_a_limit_draws_the_same_problems_each_time(toy: Path) -> None:
    (part,) = parts_of("toy")
    assert [problem.id for problem in part.problems] == ["add", "take", "share", "half"]
    (few,) = parts_of("toy", 2)
    assert (len(few.problems), few.available) == (2, 4)
    assert few == next(parts_of("toy", 2))


def test_every_corpus_is_tested_or_the_reason_is_told(toy: Path) -> None:
    chosen, reasons = chosen_corpora((), ("en",))
    assert set(chosen) == {"toy", "school-en", "families-en"}
    assert reasons["workbook-en"] == "is for training"
    assert reasons["gsm8k"] == "is not on this machine"
    assert "hmwp" not in reasons


def test_a_model_gets_every_figure(toy: Path) -> None:
    found = run_benchmark("knowing", [own_model()], ["toy"])
    (part,) = found.parts
    assert part.metrics["answer"] == part.metrics["annotated"] == 0.5  # 2 of 4 with answers
    assert part.metrics["reference"] == part.metrics["candidates_oracle"] == pytest.approx(2 / 3)  # 3 have equations
    assert part.metrics["first"] == pytest.approx(1 / 3)
    assert part.copies is not None
    assert (part.copies["near"], part.copies["problems"]) == (0.25, 3.0)
    assert part.copies["answer"] == pytest.approx(1 / 3)
    assert {name: (one.problems, one.right) for name, one in part.by_skill.items()} == {
        "addition": (1, 1), "sharing": (2, 0), "subtraction": (1, 1),
    }  # fmt: skip
    assert part.calibration["error"] is not None
    assert part.seconds is not None
    assert found.speed["median_alone"] > 0


def test_a_program_may_reply_in_any_order_and_leave_problems_out(toy: Path, tmp_path: Path) -> None:
    found, system = measured(
        "lines = [json.loads(line) for line in sys.stdin]\n"
        "print('hello')\n"
        "for one in reversed(lines[1:]):\n"
        "    print(json.dumps({'id': one['id'], 'answers': ['7' if 'pens' in one['text'] else '1']}))\n"
        "sys.exit(4)",
        tmp_path,
    )
    (part,) = found.parts
    assert part.metrics["answer"] == 0.25
    assert part.metrics["reference"] is None
    assert part.calibration["answered"] == 0.75
    assert part.calibration["precision"] == pytest.approx(1 / 3)
    assert part.calibration["error"] is None
    notes = " ".join(system.notes)
    assert "1 line is not a JSON object with the id of a problem, such as: hello" in notes
    assert "1 of 4 problems have no reply" in notes
    assert "exit code 4" in notes


@pytest.mark.slow
def test_a_program_that_hangs_is_stopped(toy: Path, tmp_path: Path) -> None:
    program = "import time\nprint(json.dumps({'id': 0, 'equations': ['x=3+5']}), flush=True)\ntime.sleep(60)"
    found, system = measured(program, tmp_path, timeout=1.0)
    assert found.parts[0].metrics["reference"] == pytest.approx(1 / 3)
    assert "stopped after 1 s without a reply" in system.notes[0]


@pytest.mark.parametrize(
    ("command", "complaint"),
    [("no-such-program", "cannot be started"), (f"{sys.executable} -c 'pass'", "gave no reply")],
)
def test_a_program_that_does_not_work_is_explained(toy: Path, command: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        run_benchmark("broken", [Program(command, "broken")], ["toy"])


def test_a_model_is_not_tested_on_what_it_learned_from(toy: Path) -> None:
    model = replace(own_model(), learned=OneCorpus("toy"))
    with pytest.raises(InputError, match="toy/test: the model learned from toy"):
        run_benchmark("knowing", [model], ["toy"])


def test_the_parts_that_a_mixture_held_out_are_tested() -> None:
    learned = Mixture(MixtureOptions("en", ("mawps", "dolphin18k"), ("mawps/fold0",)))
    assert learned.refusal("mawps", "fold0") == ""
    assert "did not hold out fold1" in learned.refusal("mawps", "fold1")
    assert "shares its files" in learned.refusal("dolphin18k-manual", "fold0")
    assert learned.refusal("asdiv", "all") == ""


def test_what_a_checkpoint_records_about_its_data_is_understood() -> None:
    assert learned_from({"corpus": "alg514", "fold": 2, "division": "alg514"}) == OneCorpus("alg514", "alg514", 2)
    assert "not registered" in learned_from({"corpus": "unheard-of"}).note
    made = learned_from(
        {
            "sources": {"mawps": {}, "curriculum": {}}, "test": {"mawps/fold0": 474}, "validation": {}, "near": 0.8,
            "within": "text", "language": "en", "generated": 5,
        }
    )  # fmt: skip
    assert isinstance(made, Mixture)
    assert made.options.sources == ("mawps",)
    assert made.note == "Near copies are looked for in mawps, curriculum."


@pytest.mark.corpus
def test_a_network_of_one_fold_is_tested_on_that_fold() -> None:
    if "alg514" not in available():
        pytest.skip("alg514 is not under SAU_DATA")
    learned = OneCorpus("alg514", "alg514", 2)
    assert learned.own_part("alg514") == "fold2"
    assert learned.refusal("alg514", "fold2") == ""
    assert learned.refusal("alg514", "fold0") == "the model learned from alg514"
    assert sum(1 for _ in learned.problems()) == 412


def test_the_interval_is_wilsons() -> None:
    assert interval(0, 0) is None
    assert interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)


@pytest.mark.slow
def test_the_report_is_complete_and_needs_no_other_file(toy: Path, tmp_path: Path) -> None:
    found = run_benchmark("<knowing>", [own_model()], ["toy"])
    write_report(found, tmp_path / "one", limit=7)
    written, remark = write_report(found, tmp_path / "two", beside=[tmp_path / "one"])
    assert {path.name for path in written} >= {"report.md", "report.html", "report.json", "predictions.jsonl.gz"}
    page = (tmp_path / "two/report.html").read_text(encoding="utf-8")
    assert "&lt;knowing&gt;" in page
    assert "<script" not in page
    assert 'src="http' not in page
    assert remark or page.count("data:image/svg+xml;base64,") == 4
    text = (tmp_path / "two/report.md").read_text(encoding="utf-8")
    assert "| `toy/test` | en | 4 | 50.0 |" in text
    assert "## Systems side by side" in text
    fields = read_report(tmp_path / "two")
    assert fields["limit"] is None
    rows = [
        json.loads(line)
        for line in gzip.decompress((tmp_path / "two/predictions.jsonl.gz").read_bytes()).decode().splitlines()
    ]
    assert sum("answer" in row["right"] for row in rows) / len(rows) == fields["parts"][0]["metrics"]["answer"]
    with pytest.raises(InputError, match="--beside must name a report"):
        read_report(tmp_path / "two/report.md")
