"""The report compares our figures with the paper's in Markdown, LaTeX and JSON; a missing figure is not zero."""

from __future__ import annotations

import json
import statistics
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sau_solver.answering.protocols import PROTOCOLS
from sau_solver.data.prepared.problem_types import PROBLEM_TYPES, SIZES
from sau_solver.data.statistics import PAPER
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError
from sau_solver.experiments.judging import Judged
from sau_solver.experiments.report import paper
from sau_solver.experiments.report.breakdowns import corpus_table, read_statistics
from sau_solver.experiments.report.build import Report, collect
from sau_solver.experiments.report.cases import filled, with_slots
from sau_solver.experiments.report.far_problems import FILE, FoldCopies, read_near_copies
from sau_solver.experiments.report.rendering import json_fields, latex, markdown, shown
from sau_solver.experiments.report.table import Chance, Code, Compared, Table
from tests.experiments.report.stored_report import of_this_repository
from tests.experiments.stored_results import FINGERPRINT, judged, store

ROOT = Path(__file__).parents[3]
EXPRESSED, EVERYTHING = "GTS, problems it can express", "GTS, all problems"


@pytest.fixture(autouse=True)
def _no_corpora(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SAU_DATA", str(tmp_path / "no-corpora"))


def rows(report: Report, name: str) -> dict[str, dict[str, Any]]:
    table = report.fields()["tables"][name]
    first = table["columns"][0]
    return {row[first]: row for row in table["rows"]}


class TestCells:
    def test_ours_stands_with_deviation_the_papers_figure_and_the_difference(self) -> None:
        assert shown(Compared(47.664, 44.83, 1.8)) == "47.66 ± 1.80 (44.83; +2.83)"
        assert shown(Compared(9.56, 11.41)) == "9.56 (11.41; −1.85)"
        assert shown(Compared(12.0)) == "12.00"

    def test_the_difference_is_that_of_the_figures_shown(self) -> None:
        assert Compared(47.666, 44.83).difference == 2.84

    def test_a_missing_figure_is_not_zero(self) -> None:
        assert shown(Compared(None, 23.2)) == "missing (23.20)"
        assert shown(Compared(None)) == "missing"
        assert shown(None) == "–"
        assert json_fields(Table("t", "T", ("a",), ((Compared(None, 23.2),),)))["rows"] == [
            {"a": {"ours": None, "paper": 23.2}}
        ]

    def test_small_chances_are_not_zero(self) -> None:
        assert shown(Chance(0.00003)) == "<0.0001"
        assert shown(Chance(0.0365)) == "0.0365"


def test_a_table_in_markdown_and_latex() -> None:
    table = Table("toy", "Toy", ("a_b", "100 %"), ((Code("x^2"), Compared(1.0, 2.0)), ("5 & 6", None)), ("A note.",))
    assert markdown([table]) == (
        "## Toy\n\n| a_b | 100 % |\n|---|---:|\n| `x^2` | 1.00 (2.00; −1.00) |\n| 5 & 6 | – |\n\nA note.\n"
    )
    typeset = latex([table])
    assert r"\begin{tabular}{lr}" in typeset
    assert r"a\_b & 100 \% \\" in typeset
    assert r"\texttt{x\textasciicircum{}2} & 1.00 (2.00; $-$1.00) \\" in typeset
    assert r"5 \& 6 & -- \\" in typeset
    assert r"\caption{Toy. A note.}" in typeset


def fold(first: int, right: int) -> list[Judged]:
    """Return ten problems of every type and two sizes, the first `right` of them right."""
    return [judged(str(first + k), k < right, size="5" if k < 4 else "9", kind=PROBLEM_TYPES[k % 3]) for k in range(10)]


@pytest.fixture
def report(results: Path) -> Report:
    for number in range(5):
        store(results, "sau-hmwp", fold(10 * number, 6), fold=number, device="NVIDIA H200")
        store(results, "sau-hmwp-without-ssar", fold(10 * number, 4), fold=number)
    store(results, "sau-alg514", fold(0, 5), fold=3, corpus="alg514")
    return collect(results, results / "configs")


def test_table_2_has_every_system_and_corpus(report: Report) -> None:
    table = rows(report, "accuracy-first")
    shown = {name: [name] for name in paper.ACCURACY} | {paper.GTS: [EXPRESSED, EVERYTHING]}
    assert list(table) == [row for names in shown.values() for row in names]
    assert table[paper.SAU]["HMWP"] == {"ours": 60.0, "paper": 44.83, "difference": 15.17, "deviation": 0.0}
    assert table[paper.SEQ2SEQ]["HMWP"] == {"ours": None, "paper": 23.2}
    assert table[EXPRESSED]["HMWP"] is None  # GTS has no experiment on HMWP
    assert table[paper.SAU]["ALG514"]["remark"] == "[1 of 5 runs]"
    assert "deviation" not in table[paper.SAU]["ALG514"]
    assert "paper" not in rows(report, "accuracy-reference")[paper.SAU]["HMWP"]


class TestASystemThatCannotExpressEveryProblem:
    def stored(self, results: Path, seed: int = 0) -> None:
        """Of the ten problems of a fold, seven can be written; four of these are right, and none of the others."""
        for number in range(5):
            problems = [replace(one, expressible=k < 7) for k, one in enumerate(fold(10 * number, 4 + seed))]
            store(results, "gts-math23k", problems, fold=number, seed=seed, corpus="math23k")

    def test_its_figure_is_over_those_that_it_can_and_beside_it_over_all(self, results: Path) -> None:
        self.stored(results)
        table = rows(collect(results, results), "accuracy-first")
        assert table[EXPRESSED]["Math23K"]["ours"] == pytest.approx(100 * 4 / 7)
        assert table[EXPRESSED]["Math23K"]["remark"] == "[of 35 problems]"
        assert table[EVERYTHING]["Math23K"]["ours"] == pytest.approx(40)
        assert {table[name]["Math23K"]["paper"] for name in (EXPRESSED, EVERYTHING)} == {73.9}
        line = rows(collect(results, results), "configurations")["gts-math23k"]
        assert line["reference"]["ours"] == pytest.approx(40)
        assert line["remark"] == "can express 35 problems, first 57.14"

    def test_seeds_are_averaged_and_give_the_deviation(self, results: Path) -> None:
        self.stored(results)
        self.stored(results, seed=1)
        cell = rows(collect(results, results), "accuracy-first")[EXPRESSED]["Math23K"]
        assert cell["ours"] == pytest.approx(100 * 4.5 / 7)
        assert cell["deviation"] == pytest.approx(100 / 7 / 2**0.5)
        assert cell["remark"] == "[of 35 problems]"

    def test_one_that_can_express_none_of_them_has_a_figure_over_all_alone(self, results: Path) -> None:
        store(results, "gts-math23k", [replace(one, expressible=False) for one in fold(0, 2)], corpus="math23k")
        table = rows(collect(results, results), "accuracy-first")
        assert table[EXPRESSED]["Math23K"] is None
        assert table[EVERYTHING]["Math23K"]["ours"] == pytest.approx(20)

    def test_where_it_can_express_all_both_are_the_same(self, results: Path) -> None:
        store(results, "gts-math23k", fold(0, 5), corpus="math23k")
        table = rows(collect(results, results), "accuracy-first")
        assert table[EXPRESSED]["Math23K"] == table[EVERYTHING]["Math23K"]


def test_table_3_counts_and_shares_by_type(report: Report) -> None:
    table = rows(report, "types")
    assert table["SAU-Solver: right"]["linear (One-VAR)"] == {"ours": 10.0, "paper": 593, "difference": -583.0}
    assert table["SAU-Solver: percent"]["linear (One-VAR)"]["ours"] == pytest.approx(50)  # 2 of 4, in five folds
    assert table["SAU-Solver: percent"]["all"]["ours"] == pytest.approx(60)
    assert table["Seq2Seq-attn w/ SNI: right"]["all"] == {"ours": None, "paper": 1_267}
    assert table["problems"]["all"] == {"ours": None, "paper": 5_470}  # no statistics are stored


def test_table_4_compares_the_first_fold_and_shows_all(report: Report) -> None:
    row = rows(report, "sizes")["9"]
    assert row["HMWP right"] == {"ours": 2.0, "paper": 159, "difference": -157.0}
    assert row["HMWP wrong"]["ours"] == 4.0
    assert row["HMWP percent"]["ours"] == pytest.approx(100 / 3)
    assert row["HMWP percent, all folds"]["ours"] == pytest.approx(100 / 3)
    assert rows(report, "sizes")["3-"]["HMWP percent"] is None


def test_systems_are_tested_on_the_folds_and_seeds_that_both_have(results: Path) -> None:
    for number, right in enumerate((6, 5, 7)):
        store(results, "sau-hmwp", fold(10 * number, right), fold=number)
        store(results, "sau-hmwp", fold(10 * number, right + 2), fold=number, seed=1)
        store(results, "sau-hmwp-without-ssar", fold(10 * number, 4), fold=number)
    store(results, "sau-hmwp", fold(30, 9), fold=3)  # has no pair
    (row,) = collect(results, results).fields()["tables"]["significance-answer"]["rows"]
    ahead = row["SAU-Solver is ahead by"]
    assert (row["corpus"], row["system"], row["pairs of runs"]["ours"]) == ("HMWP", paper.WITHOUT_SSAR, 3)
    assert ahead["ours"] == pytest.approx(30)  # its seeds are averaged
    assert ahead["deviation"] == pytest.approx(statistics.stdev([30, 20, 40]) * (1 / 3 + 1 / 4) ** 0.5)
    assert row["p Holm"] == row["p"]


def test_problems_with_near_copies_are_left_out_beside_the_accuracy_of_all(results: Path) -> None:
    store(results, "sau-hmwp", fold(0, 6))
    near = FoldCopies("hmwp", FINGERPRINT, (frozenset({"0", "1", "9"}),))
    (results / FILE).write_text(near.line(), encoding="utf-8")
    assert read_near_copies(results) == {"hmwp": near}
    report = collect(results, results)
    table = rows(report, "accuracy-first")[paper.SAU]
    assert (table["HMWP"]["ours"], table["HMWP, < .6"]["ours"]) == (pytest.approx(60), pytest.approx(100 * 4 / 7))
    assert rows(report, "configurations")["sau-hmwp"]["first, < .6"]["ours"] == pytest.approx(100 * 4 / 7)
    (results / FILE).write_text(replace(near, fingerprint="other").line(), encoding="utf-8")
    assert "HMWP, < .6" not in rows(collect(results, results), "accuracy-first")[paper.SAU]


def test_the_effect_of_ssar_is_that_of_paired_runs(results: Path) -> None:
    for seed, gains in enumerate([(3, 1), (2, 0)]):
        for number, gain in enumerate(gains):
            store(results, "sau-hmwp", fold(10 * number, 4 + gain), fold=number, seed=seed)
            store(results, "sau-hmwp-without-ssar", fold(10 * number, 4), fold=number, seed=seed)
    store(results, "sau-hmwp", fold(20, 9), fold=2)  # has no pair
    row = rows(collect(results, results), "alignment-reference")["HMWP"]
    assert row["pairs of runs"]["ours"] == 4
    assert (row["with SSAR"]["ours"], row["without"]["ours"]) == (pytest.approx(55), pytest.approx(40))
    assert row["difference"]["ours"] == pytest.approx(15)
    assert row["difference"]["deviation"] == pytest.approx(statistics.stdev([30, 10, 20, 0]) / 2)
    assert row["p"] == 4 / 16  # 3+1+2+0, its opposite, and both with the 0 flipped


def test_missing_runs_are_named(report: Report) -> None:
    missing = {one.experiment: one.runs for one in report.missing}
    assert missing["sau-alg514"] == ("fold0-seed0", "fold1-seed0", "fold2-seed0", "fold4-seed0")
    assert missing["seq2seq-hmwp"] == ()
    assert "sau-hmwp" not in missing
    assert "- seq2seq-hmwp: every run (no configuration)" in report.markdown()


def test_a_line_says_how_it_came_about(report: Report) -> None:
    line = rows(report, "configurations")["sau-hmwp"]
    assert line["command"] == "sau crossval configs/sau-hmwp.toml"
    assert line["seeds x folds"] == "1 x 5"
    assert line["minutes on the GPU"]["ours"] == 5.0
    assert line["epochs"]["ours"] == 3
    assert rows(report, "configurations")["sau-alg514"]["remark"] == "1 of 5 runs"


def test_the_files_of_a_report_say_the_same(report: Report, tmp_path: Path) -> None:
    markdown_file, latex_file, json_file = report.write(tmp_path / "out")
    assert json.loads(json_file.read_text(encoding="utf-8")) == report.fields()
    for number in ("60.00 ± 0.00 (44.83; +15.17)", "missing (23.20)"):
        assert number in markdown_file.read_text(encoding="utf-8")
    assert r"60.00 $\pm$ 0.00 (44.83; +15.17)" in latex_file.read_text(encoding="utf-8")


def test_a_readmes_table_is_renewed_between_its_marks(report: Report) -> None:
    page = "before\n<!-- sau report: configurations -->\nold\n<!-- end -->\nafter\n"
    renewed = report.put_into(page)
    assert renewed.startswith("before\n<!-- sau report: configurations -->\n| config |")
    assert renewed.endswith("|\n<!-- end -->\nafter\n")
    assert "\nold\n" not in renewed
    assert report.put_into(renewed) == renewed
    two = report.put_into(f"<!-- sau report: accuracy-answer -->\n<!-- end -->\n{page}")
    assert two.startswith("<!-- sau report: accuracy-answer -->\n| system |")
    assert two.endswith(renewed)
    with pytest.raises(InputError, match="where the table should be"):
        report.put_into("no marks")
    with pytest.raises(InputError, match="a mark for the table accuracies"):
        report.put_into("<!-- sau report: accuracies -->\n<!-- end -->")


class TestCases:
    def test_each_system_has_its_equation_beside_the_papers(self, results: Path) -> None:
        tree = "= + * 2 x * 4 - N0 x N1"
        store(results, "sau-hmwp", [judged("19", True, tree=tree), judged("1", False, tree="= x N4")])
        table = collect(results, results).fields()["tables"]["cases"]["rows"]
        chickens = next(row for row in table if row["case"].startswith("1:") and row["system"] == paper.SAU)
        assert (chickens["equation"], chickens["verdict"]) == ("2*x+4*(n0-x)=n1", "right")
        assert (chickens["the paper's equation"], chickens["its verdict"]) == ("2.0*x+4.0*(n0-x)=n1", "right")
        ship = next(row for row in table if row["case"].startswith("2:") and row["system"] == paper.SAU)
        assert (ship["equation"], ship["verdict"], ship["its verdict"]) == ("x=n4", "wrong", "right")
        books = next(row for row in table if row["case"].startswith("3:") and row["system"] == paper.SAU)
        assert books["equation"] == "missing"

    def test_a_tree_with_a_slot_too_many_keeps_its_slots(self) -> None:
        tree = Uet.from_text("= x + N0 N7")
        assert with_slots(tree) == filled(tree, []) == "x=n0+n7"


class TestThePapersFigures:
    def test_right_and_accuracy_of_table_3_fit_together(self) -> None:
        problems = {kind: PAPER[f"hmwp {kind}"][0] for kind in PROBLEM_TYPES} | {"all": PAPER["hmwp"][0]}
        for system, counts in paper.CORRECT_BY_TYPE.items():
            for kind, right in counts.items():
                printed = paper.ACCURACY_BY_TYPE[system][kind]
                assert 100 * right / problems[kind] == pytest.approx(printed, abs=0.04)
            assert sum(counts[kind] for kind in PROBLEM_TYPES) == counts["all"]

    def test_table_4_has_one_fold_of_each_corpus(self) -> None:
        assert {corpus: sum(map(sum, sizes.values())) for corpus, sizes in paper.BY_SIZE.items()} == {
            "math23k": 4_631,
            "hmwp": 1_094,
        }
        assert all(tuple(sizes) == SIZES for sizes in paper.BY_SIZE.values())

    def test_every_system_has_figures(self) -> None:
        assert [system.name for system in paper.SYSTEMS] == list(paper.ACCURACY)


def test_statistics_that_are_none_are_explained(results: Path) -> None:
    results.mkdir()
    assert read_statistics(results) == {}
    (results / "corpus-statistics.jsonl").write_text('{"name": "hmwp"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="sau data stats --json"):
        read_statistics(results)


@pytest.mark.xdist_group("report")
class TestThisRepository:
    """The results that are stored in this repository."""

    @pytest.mark.slow
    def test_printed_accuracies_follow_from_the_stored_predictions(self) -> None:
        whole = of_this_repository()
        printed = rows(whole, "configurations")
        assert {"sau-hmwp", "retrieval-hmwp", "sau-alg514"} <= printed.keys()
        for name in ("sau-hmwp", "sau-alg514", "retrieval-alg514"):
            own = whole.experiments[name]
            problems = [one for run in own.runs for one in own.judged(run)]
            for protocol in PROTOCOLS:
                share = sum(one.right(protocol) for one in problems) / len(problems)
                assert printed[name][protocol]["ours"] == pytest.approx(100 * share)

    @pytest.mark.slow
    def test_types_and_sizes_add_up_to_all(self) -> None:
        whole = of_this_repository()
        types = rows(whole, "types")["SAU-Solver: right"]
        assert sum(types[title]["ours"] for title in paper.TYPES.values()) == pytest.approx(types["all"]["ours"])
        sizes = rows(whole, "sizes").values()
        assert sum(row["HMWP right"]["ours"] + row["HMWP wrong"]["ours"] for row in sizes) == pytest.approx(1_094)

    def test_table_1_has_the_papers_corpora(self) -> None:
        table = json_fields(corpus_table(read_statistics(ROOT / "results")))
        named = {row["corpus"]: row for row in table["rows"]}
        assert named["hmwp"]["problems"] == {"ours": 5_470, "paper": 5_470, "difference": 0}
        assert named["hmwp"]["avg EL"]["difference"] == 0
