"""Measure how well confidences are calibrated, on the stored predictions of the paper's model.

    SAU_DATA=... python benchmarks/calibration.py [--results results] [--draw risk-coverage.svg]

The calibration is fitted on folds 1 to 4 and measured on fold 0; then each fold is measured after a fit on the other
four. `network` rows use the network's own probability as the confidence. All columns are in percent, except Brier:

- ECE 15, ECE 10: expected calibration error over 15 bins of equal mass and over 10 bins of equal width.
- floor: the mean ECE 10 if all confidences were exact.
- half: the accuracy on the half of the problems with the highest confidence.
- given, right: the share of problems answered at the threshold, and the accuracy of these answers.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # makes `benchmarks` importable

from benchmarks.ranking_rules import FOLDS, PREDICTIONS, REPORTED, is_right, predictions
from sau_solver.answering.confidence import UNCALIBRATED, Calibration
from sau_solver.answering.ranking import Ranked, rank
from sau_solver.experiments.report.figures import Line, drawing, risk_coverage_curves, save
from sau_solver.experiments.report.reliability import Point, reliability, risk_coverage
from sau_solver.experiments.results import ResultStore
from sau_solver.problem import Problem
from sau_solver.shipping.fit_confidence import fit

HEAD = ("problems", "accuracy", "ECE 15", "ECE 10", "floor", "Brier", "half", "given", "right")


@dataclass(frozen=True, slots=True)
class Case:
    """A problem as calibration sees it; `evidence` is empty if the problem has no answer."""

    evidence: Mapping[str, float]
    right: bool

    def confidence(self, calibration: Calibration) -> float:
        """Return the confidence, 0 if there is no answer."""
        return calibration.confidence(self.evidence) if self.evidence else 0.0


def main() -> None:
    """Print a line for each corpus and fit, and draw the curves on request."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--results", type=Path, default=Path("results"))
    arguments.add_argument(
        "--draw", type=Path, help="write the risk-coverage curves of all folds to a file (.svg, .png or .pdf)"
    )
    options = arguments.parse_args()
    curves: dict[Line, list[Point]] = {}
    print(f"{'':36}" + "".join(f"{name:>9}" for name in HEAD))
    for experiment, corpus, view in PREDICTIONS:
        folds: dict[int, list[Case]] = {fold: [] for fold in FOLDS}
        for fold, problem, text, candidates in predictions(ResultStore(options.results, experiment), corpus, view):
            folds[fold].append(case_of(problem, rank(text, candidates)))
        fitted = {
            fold: calibrate([case for other in FOLDS if other != fold for case in folds[other]]) for fold in FOLDS
        }
        every = [case for fold in FOLDS for case in folds[fold]]
        confidences = [case.confidence(fitted[fold]) for fold in FOLDS for case in folds[fold]]
        reported = folds[REPORTED]
        show(f"{experiment} network, fold 0", [case.confidence(UNCALIBRATED) for case in reported], reported)
        show(f"{experiment} fold 0", [case.confidence(fitted[REPORTED]) for case in reported], reported)
        show(f"{experiment} all folds", confidences, every)
        weights = ", ".join(f"{name} {weight:.2f}" for name, weight in fitted[REPORTED].weights.items())
        print(f"  {weights}, bias {fitted[REPORTED].bias:.2f}\n")
        curves[Line(experiment, len(curves))] = risk_coverage(confidences, [case.right for case in every])
    if options.draw:
        with drawing():
            save(risk_coverage_curves(curves, "Risk and coverage"), options.draw)


def case_of(problem: Problem, ranked: Ranked) -> Case:
    """Return the evidence for the best answer and whether it is right."""
    return (
        Case(ranked.confidence_features(), is_right(ranked.groups[0].answers, problem))
        if ranked.groups
        else Case({}, False)
    )


def calibrate(cases: Sequence[Case]) -> Calibration:
    """Fit a calibration on the problems that have an answer."""
    answered = [case for case in cases if case.evidence]
    return fit([case.evidence for case in answered], [case.right for case in answered])


def show(name: str, confidences: Sequence[float], cases: Sequence[Case], threshold: float = 0.5) -> None:
    """Print one line of the table."""
    found = reliability(confidences, [case.right for case in cases])
    given = [case.right for one, case in zip(confidences, cases, strict=True) if one >= threshold]
    shares = (found.accuracy, found.error_by_mass, found.error_by_width, found.floor)
    print(
        f"{name:36}{found.problems:9,}" + "".join(f"{100 * one:9.2f}" for one in shares) + f"{found.brier:9.4f}"
        f"{100 * found.half:9.2f}{100 * len(given) / len(cases):9.2f}{100 * sum(given) / max(1, len(given)):9.2f}"
    )


if __name__ == "__main__":
    main()
