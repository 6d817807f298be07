"""How far can the confidence be trusted? Fitted and measured on the stored predictions of the paper's model.

    SAU_DATA=... python benchmarks/calibration.py [--results results] [--draw risk-coverage.svg]

Fitted on folds 1 to 4 and measured on fold 0, then on every fold after fitting on the other four. `network` is the
probability that the network itself gives to the answer. ECE: expected calibration error in points, over 15 bins of
equally many problems and over 10 of equal width; `floor` is what the latter would be on average if all confidences were
exact. `half` is the accuracy on the surest half; `given` and `right` are the share of problems that are answered at the
threshold and the share of those answers that is right. All in per cent but the Brier score.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the other benchmark

from sau_solver.experiments.report.curves import draw_risk_coverage

from benchmarks.ranking import FOLDS, PREDICTIONS, REPORTED, is_right, predictions
from sau_solver.answering.confidence import UNCALIBRATED, Calibration
from sau_solver.answering.ranking import Ranked, rank
from sau_solver.experiments.report.reliability import Point, reliability, risk_coverage
from sau_solver.problem import Problem
from sau_solver.shipping.calibrate import fit

HEAD = ("problems", "accuracy", "ECE 15", "ECE 10", "floor", "Brier", "half", "given", "right")


@dataclass(frozen=True, slots=True)
class Case:
    """A problem as calibration sees it; no evidence where it has no answer."""

    evidence: Mapping[str, float]
    right: bool

    def confidence(self, calibration: Calibration) -> float:
        """Zero where there is no answer."""
        return calibration.confidence(self.evidence) if self.evidence else 0.0


def main() -> None:
    """Print a line for each corpus and way of fitting, and draw the curves if asked."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--results", type=Path, default=Path("results"))
    arguments.add_argument("--draw", type=Path, help="an SVG file for the risk-coverage curves of all folds")
    options = arguments.parse_args()
    curves: dict[str, list[Point]] = {}
    print(f"{'':36}" + "".join(f"{name:>9}" for name in HEAD))
    for experiment, corpus, view in PREDICTIONS:
        folds: dict[int, list[Case]] = {fold: [] for fold in FOLDS}
        for fold, problem, text, candidates in predictions(options.results / experiment, corpus, view):
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
        curves[experiment] = risk_coverage(confidences, [case.right for case in every])
    if options.draw:
        options.draw.write_text(draw_risk_coverage(curves), encoding="utf-8")


def case_of(problem: Problem, ranked: Ranked) -> Case:
    """The best answer, judged."""
    return (
        Case(ranked.confidence_features(), is_right(ranked.groups[0].answers, problem))
        if ranked.groups
        else Case({}, False)
    )


def calibrate(cases: Sequence[Case]) -> Calibration:
    """Fitted on the problems that have an answer."""
    answered = [case for case in cases if case.evidence]
    return fit([case.evidence for case in answered], [case.right for case in answered])


def show(name: str, confidences: Sequence[float], cases: Sequence[Case], threshold: float = 0.5) -> None:
    """One line of the table."""
    found = reliability(confidences, [case.right for case in cases])
    given = [case.right for one, case in zip(confidences, cases, strict=True) if one >= threshold]
    shares = (found.accuracy, found.error_by_mass, found.error_by_width, found.floor)
    print(
        f"{name:36}{found.problems:9,}" + "".join(f"{100 * one:9.2f}" for one in shares) + f"{found.brier:9.4f}"
        f"{100 * found.half:9.2f}{100 * len(given) / len(cases):9.2f}{100 * sum(given) / max(1, len(given)):9.2f}"
    )


if __name__ == "__main__":
    main()
