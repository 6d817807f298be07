"""A configuration file is read strictly, and written back to the same configuration."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.errors import InputError, SauError
from sau_solver.experiments.config import ExperimentConfig, config_text, load_config, parse_config
from sau_solver.models.retrieval import RetrievalOptions

CONFIGS = Path(__file__).parents[2] / "configs"
MINIMAL = '[experiment]\nname = "a"\ncorpus = "hmwp"\nmodel = "retrieval"\n'


@given(
    st.builds(
        ExperimentConfig,
        name=st.sampled_from(["a", "retrieval-hmwp", "b_2"]),
        corpus=st.sampled_from(["hmwp", "alg514"]),
        model=st.just("retrieval"),
        folds=st.lists(st.integers(0, 4), min_size=1).map(tuple),
        seeds=st.lists(st.integers(0, 99), min_size=1).map(tuple),
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


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("retrieval-*.toml")), ids=lambda path: path.stem)
def test_the_configurations_of_this_repository_are_read(path: Path) -> None:
    config = load_config(path)
    assert config.name == path.stem
    assert parse_config(config_text(config)) == config


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
        (MINIMAL.replace("hmwp", "hmpw"), "Did you mean hmwp"),
        (MINIMAL.replace("retrieval", "retrieva"), "Did you mean retrieval"),
        (MINIMAL.replace('name = "a"', 'name = "../a"'), "letters, digits"),
        (MINIMAL.replace('name = "a"\n', ""), "needs name"),
        ('[experiment]\nname = "a"\n', "needs model"),
        ("retrieval = 3\n" + MINIMAL, "must be a table"),
        ("name = 'a'", r"table \[experiment\]"),
        ("name = ", "not TOML"),
    ],
)
def test_what_is_wrong_is_said_with_the_way_out(text: str, message: str) -> None:
    with pytest.raises(SauError, match=message):
        parse_config(text)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml"):
        load_config(tmp_path / "none.toml")
