"""A configuration file is read strictly, and a file with every setting reads back to the same configuration."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.data.prepared.folds import RULES
from sau_solver.equations.normal_form import Level
from sau_solver.errors import InputError, SauError
from sau_solver.experiments.config import ExperimentConfig, load_config, parse_config
from sau_solver.models.baselines.retrieval import RetrievalOptions
from sau_solver.models.options import NETWORKS, NetworkOptions, SauOptions
from sau_solver.models.predictor import predictor_class
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.targets import Targets
from sau_solver.training.training_options import TrainingOptions
from tests.experiments.config_text import config_text

CONFIGS = Path(__file__).parents[2] / "configs"
MINIMAL = '[experiment]\nname = "a"\ncorpus = "hmwp"\nmodel = "retrieval"\n'
NETWORK = MINIMAL.replace("retrieval", "sau")
LEVELS = get_args(Level)


@given(
    st.builds(
        ExperimentConfig,
        name=st.sampled_from(["a", "retrieval-hmwp", "b_2"]),
        corpus=st.sampled_from(["hmwp", "alg514"]),
        model=st.just("retrieval"),
        folds=st.lists(st.integers(0, 4), min_size=1, unique=True).map(tuple),
        seeds=st.lists(st.integers(0, 99), min_size=1, unique=True).map(tuple),
        beam=st.integers(1, 9),
        options=st.builds(RetrievalOptions),
    )
)
def test_a_configuration_survives_the_round_trip(config: ExperimentConfig) -> None:
    assert parse_config(config_text(config)) == config


def test_what_is_left_out_has_its_default() -> None:
    config = parse_config(MINIMAL)
    assert config == ExperimentConfig("a", "hmwp", "retrieval")
    assert config.manifest == "hmwp"


@given(
    st.builds(
        ExperimentConfig,
        name=st.just("a"),
        corpus=st.just("hmwp"),
        model=st.just("sau"),
        equations=st.sampled_from(LEVELS),
        test=st.sampled_from(["fold", "validation"]),
        options=st.builds(
            SauOptions,
            hidden=st.integers(1, 999),
            dropout=st.floats(0, 0.99),
            ssar=st.floats(0, 10),
            ssar_distance=st.sampled_from(["norm", "squares"]),
        ),
        training=st.builds(
            TrainingOptions,
            epochs=st.integers(1, 999),
            learning_rate=st.floats(1e-9, 10),
            averaging=st.floats(0, 0.9999),
            schedule=st.sampled_from(["halving", "cosine"]),
            device=st.sampled_from(["auto", "cpu", "cuda"]),
        ),
    )
)
def test_a_networks_configuration_does_too(config: ExperimentConfig) -> None:
    assert parse_config(config_text(config)) == config


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*/*.toml")), ids=lambda path: path.stem)
def test_the_configurations_of_this_repository_are_read(path: Path) -> None:
    config = load_config(path)
    assert config.name == path.stem
    assert parse_config(config_text(config)) == config
    assert config.mixture or config.manifest in RULES


NETWORK_FILES = sorted([*CONFIGS.glob("paper/sau-*.toml"), *CONFIGS.glob("shipped/*.toml")])


@pytest.mark.parametrize("path", NETWORK_FILES, ids=lambda path: path.stem)
def test_the_networks_of_this_repository_can_be_built(path: Path) -> None:
    config = load_config(path)
    assert isinstance(config.options, SauOptions)
    assert config.training is not None
    network = SauNetwork(9, Targets(("x", "y"), (Fraction(2),)), config.options)
    assert (network.alignment is None) == path.stem.endswith("-without-ssar")


BASELINES = sorted(
    path for name in ("gts", "stack-decoder", "seq2seq") for path in CONFIGS.glob(f"paper/{name}-*.toml")
)


@pytest.mark.parametrize("path", BASELINES, ids=lambda path: path.stem)
def test_the_baselines_of_this_repository_can_be_built(path: Path) -> None:
    """They use the data of the network that they are compared with."""
    config = load_config(path)
    assert isinstance(config.options, NetworkOptions)
    assert path.stem == f"{config.model}-{config.corpus}"
    network = predictor_class(NETWORKS[config.model]).build(9, Targets(("x", "y"), (Fraction(2),)), config.options)
    assert (network.words, network.options) == (9, config.options)
    compared = load_config(CONFIGS / f"paper/sau-{config.corpus}.toml")
    for name in ("text", "equations", "folds", "division", "test", "beam"):
        assert getattr(config, name) == getattr(compared, name)


def test_there_are_baselines_for_every_corpus_of_the_paper() -> None:
    corpora = {"hmwp", "alg514", "math23k", "dolphin18k-manual"}
    expected = {f"{name}-{corpus}" for name in ("stack-decoder", "seq2seq") for corpus in corpora}
    # GTS can write only two problems of HMWP.
    assert {path.stem for path in BASELINES} == expected | {f"gts-{corpus}" for corpus in corpora if corpus != "hmwp"}


def test_a_network_without_an_alignment_differs_from_the_full_one_in_nothing_else() -> None:
    pairs = [path for path in CONFIGS.glob("paper/sau-*.toml") if path.stem.endswith("-without-ssar")]
    assert len(pairs) >= 4
    for path in pairs:
        without, full = load_config(path), load_config(path.with_name(path.name.replace("-without-ssar", "")))
        assert isinstance(without.options, SauOptions)
        assert isinstance(full.options, SauOptions)
        assert (without.options.ssar, full.options.ssar > 0) == (0, True)
        options = dataclasses.replace(without.options, ssar=full.options.ssar)
        assert dataclasses.replace(without, name=full.name, options=options) == full


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MINIMAL + 'txet = "raw"\n', "Did you mean text"),
        (MINIMAL + "[retreival]\n", "Did you mean retrieval"),
        (MINIMAL + '[retrieval]\nmach = "nearest"\n', "Did you mean match"),
        (MINIMAL + '[retrieval]\nmatch = "best"\n', "nearest, fitting"),
        (MINIMAL + "[retrieval]\nbigrams = 1\n", "must be bool"),
        (MINIMAL + "beam = true\n", "must be int"),
        (MINIMAL + "beam = 0\n", "at least 1"),
        (MINIMAL + "folds = 3\n", "a list of int"),
        (MINIMAL + "folds = []\n", "at least one fold"),
        (MINIMAL + "folds = [0, 1, 0]\n", "folds must be different numbers of at least 0, got 0, 1, 0"),
        (MINIMAL + "seeds = [-1]\n", "seeds must be different numbers"),
        (MINIMAL.replace("hmwp", "hmpw"), "Did you mean hmwp"),
        (MINIMAL.replace("retrieval", "retrieva"), "Did you mean retrieval"),
        (MINIMAL.replace('name = "a"', 'name = "../a"'), "letters, digits"),
        (MINIMAL.replace('name = "a"\n', ""), "has no name"),
        ('[experiment]\nname = "a"\n', "model must be one of"),
        ("retrieval = 3\n" + MINIMAL, "must be a table"),
        ("name = 'a'", r"table \[experiment\]"),
        ("name = ", "Not valid TOML"),
        (NETWORK + "[training]\nepoch = 5\n", "Did you mean epochs"),
        (NETWORK + "[sau]\nhiden = 5\n", "Did you mean hidden"),
        (NETWORK + "[trainig]\n", "Did you mean training"),
        (NETWORK + "[mixtrue]\n", "Did you mean mixture"),
        (NETWORK + "[mixture]\nlanguages = 3\n", "Did you mean language"),
        (NETWORK + '[mixture]\nlanguage = "zh"\n', r"\[mixture\] has no sources"),
        (NETWORK + "[retrieval]\n", "Unknown table: 'retrieval'"),
        (MINIMAL + "[training]\n", "Unknown table: 'training'"),
        (NETWORK + "[training]\nepochs = 5.5\n", r"\[training\] epochs must be int, got 5\.5"),
        (NETWORK + '[sau]\nhidden = "512"\n', r"\[sau\] hidden must be int, got '512'"),
        (NETWORK + "[training]\nepochs = 0\n", "at least 1"),
        (NETWORK + "[training]\nlearning_rate = 0\n", "greater than 0"),
        (NETWORK + "[training]\nlearning_rate = nan\n", "greater than 0"),
        (NETWORK + "[training]\naveraging = 1.0\n", "less than 1"),
        (NETWORK + '[training]\ndevice = "gpu"\n', "auto, cpu, cuda"),
        (NETWORK + '[training]\nschedule = "linear"\n', "halving, cosine"),
        (NETWORK + "[sau]\ndropout = 1\n", "dropout must be at least 0 and less than 1"),
        (NETWORK + "[sau]\nssar = -1\n", "ssar must be 0 or more"),
        (
            NETWORK + '[sau]\noperator_score = "additive"\noperator_size = "embedding"\n',
            'needs operator_size = "hidden"',
        ),
        (NETWORK + 'test = "test"\n', "fold, validation"),
    ],
)
def test_what_is_wrong_is_said_with_the_way_out(text: str, message: str) -> None:
    with pytest.raises(SauError, match=message):
        parse_config(text)


def test_settings_replace_what_a_file_says() -> None:
    text = NETWORK + "[training]\nepochs = 9\n"
    settings = ("training.epochs=5", "sau.ssar=0", "experiment.text=raw", "experiment.seeds=[1, 2]", "sau.hidden = 64")
    config = parse_config(text, settings)
    assert config.training == TrainingOptions(epochs=5)
    assert config.options == SauOptions(hidden=64, ssar=0.0)
    assert (config.text, config.seeds) == ("raw", (1, 2))


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("epochs=5", r"table\.key=value.*got 'epochs=5'"),
        ("training.epochs", r"table\.key=value"),
        ("training.=5", r"table\.key=value"),
        ("training.epochs=", "must be int, got ''"),
        ("training.epochs=five", "must be int, got 'five'"),
        ("training.epcohs=5", "Did you mean epochs"),
        ("traning.epochs=5", "Did you mean training"),
        ("experiment.model=transformer", "Known: retrieval, sau"),
    ],
)
def test_settings_are_read_as_strictly_as_files(setting: str, message: str) -> None:
    with pytest.raises(SauError, match=message):
        parse_config(NETWORK, (setting,))


def test_what_does_not_change_the_outcome_does_not_make_a_run_another() -> None:
    config = parse_config(NETWORK)
    same = parse_config(NETWORK, ("training.device=cpu", "training.checkpoint_seconds=0"))
    other = parse_config(NETWORK, ("training.epochs=5",))
    assert config.run_fields() == same.run_fields()
    assert config.run_fields() != other.run_fields()


def test_a_mixture_is_part_of_what_a_run_is_known_by() -> None:
    shipped = load_config(CONFIGS / "shipped/shipped-zh.toml")
    other = load_config(CONFIGS / "shipped/shipped-zh.toml", ("mixture.checked=false",))
    assert "mixture" not in parse_config(NETWORK).run_fields()
    assert shipped.run_fields()["mixture"]["checked"]
    assert shipped.run_fields() != other.run_fields()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml"):
        load_config(tmp_path / "none.toml")
