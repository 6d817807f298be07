"""The four problems of the paper's case study (Table 5), as the stored predictions solve them.

    SAU_DATA=... python benchmarks/case_study.py

All four stand in HMWP's first fold, so that no model here has seen them. Each line is the first candidate that
solves, and whether the `reference` protocol calls it right.
"""

from __future__ import annotations

from pathlib import Path

from sau_solver.data import load
from sau_solver.experiments.examples import mapped
from sau_solver.experiments.results import read_predictions, read_result
from sau_solver.expressions import to_text

RESULTS = Path(__file__).parents[1] / "results"
MODELS = ("retrieval-hmwp", "sau-hmwp-without-ssar", "sau-hmwp")
CASES = ("19", "1", "76", "23")  # the paper's order


def main() -> None:
    """Print the equations of each model for each case."""
    problems = {problem.id: problem for problem in load("hmwp")}
    for number, case in enumerate(CASES, 1):
        problem = problems[case]
        print(f"\nCase {number} (id {case}): {problem.text}")
        print(f"  {'gold':<22} {'; '.join(problem.equations)}")
        for model in MODELS:
            view = read_result(RESULTS / model / "fold0-seed0.json").config["text"]
            judged = next(one for one in read_predictions(RESULTS / model / "fold0-seed0.jsonl.gz") if one.id == case)
            chosen = judged.chosen()
            if chosen is None:
                print(f"  {model:<22} nothing")
                continue
            numbers = [slot.value for slot in mapped(problem, view).numbers]
            equations = to_text(chosen.tree.equations(numbers))
            print(f"  {model:<22} {equations:<40} {'right' if 'reference' in chosen.right else 'wrong'}")


if __name__ == "__main__":
    main()
