"""A trained network gets a verifier from problems that only the verifier learns from."""

from __future__ import annotations

from pathlib import Path

import pytest

from sau_solver.data.prepared.mixtures import gather_mixture
from sau_solver.experiments.config import ExperimentConfig, parse_config
from sau_solver.experiments.runs import Run
from sau_solver.experiments.training_runs import train
from sau_solver.models.checkpoint import load_predictor, read_checkpoint, write_checkpoint
from sau_solver.models.sau.sau_predictor import SauPredictor
from sau_solver.shipping.fit_verifier import choices_of, fit_verifier, verification_problems
from sau_solver.text.numbers import map_text
from sau_solver.training.verifying import VerifierTraining
from tests.data.prepared.small_mixture import write
from tests.shipping.test_ship import CONFIG, rows

pytestmark = pytest.mark.slow


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ExperimentConfig:
    write(tmp_path / "data", {"gsm8k": rows()})
    monkeypatch.setenv("SAU_DATA", str(tmp_path / "data"))
    changed = CONFIG.replace('validation = ["gsm8k/slice3"]', 'verification = ["gsm8k/slice3"]')
    # Short trees: a network that has learned little writes long ones, which take the symbolic solver a long time.
    return parse_config(changed.replace("epochs = 20", "epochs = 4"), ["sau.longest_tree=9"])


def test_a_network_gets_a_verifier_from_problems_it_did_not_learn(config: ExperimentConfig, tmp_path: Path) -> None:
    learned = {one.problem.id for one in gather_mixture(config.one_mixture(), config.text, config.equations).train}
    problems = verification_problems(config, 20)
    assert learned.isdisjoint(problem.id for problem in problems)
    run = Run(config, None, 0, tmp_path / "runs")
    train(run)
    before = read_checkpoint(run.model)
    assert fit_verifier(config, run.model, VerifierTraining(epochs=2), generated=20) == len(problems)
    after = read_checkpoint(run.model)
    assert {name for name in after.weights if name not in before.weights} == {
        name for name in after.weights if name.startswith("verifier.")
    }
    solver = load_predictor(run.model)
    assert isinstance(solver, SauPredictor)
    one, two = (choices_of(solver, problems[:20], jobs) for jobs in (1, 2))
    assert one == two  # in one process or in two
    assert any(any(choice.right) and not all(choice.right) for choice in one)
    write_checkpoint(after.quantized(127), tmp_path / "small")
    text = solver.predict([map_text(problems[0].text, "en")], 5)[0]
    small = load_predictor(tmp_path / "small").predict([map_text(problems[0].text, "en")], 5)[0]
    assert {str(candidate.tree) for candidate in small} & {str(candidate.tree) for candidate in text}
    assert any(candidate.verified for candidate in small)
