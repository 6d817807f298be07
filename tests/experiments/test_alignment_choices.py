"""The configurations that compare objectives of the alignment differ in nothing else and train as one network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sau_solver.experiments import crossval
from sau_solver.experiments.config import ExperimentConfig, load_config
from sau_solver.experiments.runs import Run
from sau_solver.models.options import OBJECTIVES, SauOptions

CHOICES = Path(__file__).parents[2] / "configs" / "choices"
PLANS = {"g?-alg-*.toml": ("alg514", 5), "h?-hmwp-*.toml": ("hmwp", 3)}


@pytest.mark.parametrize("files", PLANS)
def test_the_arms_of_a_comparison_differ_only_in_the_alignment(files: str) -> None:
    arms = [load_config(path) for path in sorted(CHOICES.glob(files))]
    corpus, seeds = PLANS[files]
    control = arms[0]
    assert (control.corpus, control.test, control.folds) == (corpus, "validation", (0, 1, 2, 3, 4))
    assert control.seeds == tuple(range(seeds))
    for arm in arms:
        assert replace(arm, name=control.name, options=control.options) == control
        assert replace(options_of(arm), ssar=0.0, alignment="paper", idle_head=False) == options_of(control)
    assert not options_of(control).aligns
    assert {options_of(arm).alignment for arm in arms} == set(OBJECTIVES)
    assert control.training is not None
    assert (control.training.decay_alignment, control.training.shared_dropout) == (False, True)


@pytest.mark.parametrize("files", PLANS)
def test_all_arms_of_a_seed_train_as_one(files: str) -> None:
    arms = [load_config(path, ["experiment.seeds=[0]"]) for path in sorted(CHOICES.glob(files))]
    runs = [Run(arm, fold, seed, resumable=False) for arm in arms for seed in arm.seeds for fold in arm.folds]
    (group,) = crossval._groups(runs, 35)
    assert len(group) == len(arms) * 5 == 35


def options_of(config: ExperimentConfig) -> SauOptions:
    assert isinstance(config.options, SauOptions)
    return config.options
