"""An effect is the mean difference of paired runs, with an error that covers folds and seeds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import fmean, stdev

import pytest

from sau_solver.errors import InputError
from sau_solver.experiments.report.merging import Experiment, load_experiments
from sau_solver.experiments.report.rendering import markdown
from scripts.effects import Effect, effect, effect_table
from tests.experiments.stored_results import store

ROOT = Path(__file__).parents[2]
Grid = dict[tuple[int, int], int]  # fold and seed -> problems that are right
PROBLEMS = 20


def stored(results: Path, name: str, grid: Grid, problems: int = PROBLEMS, corpus: str = "hmwp") -> None:
    for (fold, seed), right in grid.items():
        verdicts = {f"{fold}-{place}": place < right for place in range(problems)}
        store(results, name, verdicts, fold=fold, seed=seed, corpus=corpus)


def both(results: Path, ours: Grid, theirs: Grid) -> tuple[Experiment, Experiment]:
    stored(results, "ours", ours)
    stored(results, "theirs", theirs)
    found = load_experiments(results, results / "configs")
    return found["ours"], found["theirs"]


def compared(results: Path, ours: Grid, theirs: Grid) -> Effect:
    return effect(*both(results, ours, theirs), "reference", draws=4000)


def grid(right: int, folds: int = 5, seeds: int = 3) -> Grid:
    return {(fold, seed): right for fold in range(folds) for seed in range(seeds)}


def test_a_difference_that_is_the_same_in_every_pair_has_no_error(results: Path) -> None:
    found = compared(results, grid(12), grid(9))
    assert (found.pairs, found.ahead, found.behind) == (15, 15, 0)
    assert (found.accuracy, found.control) == pytest.approx((60, 45))
    assert (found.difference, found.low, found.high) == pytest.approx((15, 15, 15))
    assert found.error == pytest.approx(0)
    assert found.size is None
    assert found.beyond_luck


def test_experiments_that_are_equal_have_no_effect(results: Path) -> None:
    found = compared(results, grid(9), grid(9))
    assert (found.difference, found.error, found.ahead, found.behind) == (0, 0, 0, 0)
    assert not found.beyond_luck


def test_runs_are_paired_so_hard_folds_do_not_count_as_noise(results: Path) -> None:
    theirs = {(fold, seed): 2 + 3 * fold for fold in range(5) for seed in range(3)}
    found = compared(results, {place: right + 1 for place, right in theirs.items()}, theirs)
    assert found.difference == pytest.approx(5)
    assert found.error == pytest.approx(0)


def test_the_error_is_that_of_folds_and_of_seeds(results: Path) -> None:
    """With one seed, the error is the deviation of the folds over the root of their number."""
    differences = [3, -1, 2, 0, 4]
    ours = {(fold, 0): 8 + each for fold, each in enumerate(differences)}
    found = compared(results, ours, grid(8, seeds=1))
    points = [100 * each / PROBLEMS for each in differences]
    assert found.difference == pytest.approx(fmean(points))
    assert found.error == pytest.approx(stdev(points) / 5**0.5, rel=0.05)
    assert found.low < found.difference < found.high
    assert found.high - found.low == pytest.approx(2 * 1.96 * found.error, rel=0.15)


@pytest.mark.slow
def test_folds_that_differ_count_more_than_seeds_that_differ(results: Path) -> None:
    by_fold = {(fold, seed): 10 + (2 if fold % 2 else -2) for fold in range(4) for seed in range(4)}
    by_seed = {(fold, seed): 10 + (2 if seed % 2 else -2) for fold in range(4) for seed in range(4)}
    seeds = compared(results / "seeds", by_seed, grid(10, 4, 4))
    folds = compared(results / "folds", by_fold, grid(10, 4, 4))
    assert folds.error == pytest.approx(2 * seeds.error, rel=0.15)
    assert not folds.beyond_luck


def test_larger_folds_weigh_more(results: Path) -> None:
    stored(results, "theirs", {(0, 0): 5})
    stored(results, "theirs", {(1, 0): 30}, problems=60)
    stored(results, "ours", {(0, 0): 10})
    stored(results, "ours", {(1, 0): 30}, problems=60)
    found = load_experiments(results, results / "configs")
    assert effect(found["ours"], found["theirs"], "reference", 100).difference == pytest.approx(100 * 5 / 80)


def test_only_pairs_count(results: Path) -> None:
    ours, theirs = both(results, grid(9, seeds=3), grid(8, seeds=2))
    assert effect(ours, theirs, "reference", 100).pairs == 10


def test_experiments_that_cannot_be_compared_are_refused(results: Path) -> None:
    ours, theirs = both(results, {(0, 0): 3}, {(0, 0): 3, (1, 0): 4})
    with pytest.raises(InputError, match="at least two runs of the same fold and seed in common, got 1"):
        effect(ours, theirs, "reference")
    with pytest.raises(InputError, match="has no metric 'guess'"):
        effect(theirs, theirs, "guess")
    stored(results, "other", grid(3), corpus="alg514")
    other = load_experiments(results, results / "configs", ["other"])["other"]
    with pytest.raises(InputError, match="cannot be compared"):
        effect(other, theirs, "reference")


@pytest.mark.slow
def test_the_table_has_a_row_for_each_experiment(results: Path) -> None:
    stored(results, "none", grid(8))
    stored(results, "one", {place: 9 + place[1] for place in grid(0)})
    stored(results, "two", {place: 8 + (place[0] + place[1]) % 3 - 1 for place in grid(0)})
    table = effect_table(load_experiments(results, results / "configs"), "none", ["one", "two"], "reference")
    _, _, _, _, first, second, *_ = markdown([table]).splitlines()
    assert first.startswith("| `one` | 15 | 40.00 | 50.00 | 10.00 ± ")
    assert first.endswith("| 15 : 0 | yes |")
    assert second.startswith("| `two` | 15 | 40.00 | 40.00 | 0.00 ± ")
    assert second.endswith("| 5 : 5 | no |")


@pytest.mark.slow
def test_the_script_compares_stored_experiments() -> None:
    command = [sys.executable, str(ROOT / "scripts/effects.py"), "sau-hmwp-without-ssar", "sau-hmwp"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "| `sau-hmwp` | 15 | 47.64 | 48.09 | 0.4" in done.stdout
    done = subprocess.run([*command, "sau-alg514"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "cannot be compared" in done.stderr
