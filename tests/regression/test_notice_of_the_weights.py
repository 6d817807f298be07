"""NOTICE did not name the terms of all data and models that the shipped weights were trained from."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from sau_solver.data.registry import CorpusInfo, corpora
from sau_solver.experiments.config import ExperimentConfig, load_config
from sau_solver.hub.model_card import MADE
from sau_solver.models.loading import LANGUAGES, shipped_folder
from sau_solver.models.options import SauOptions
from sau_solver.problem import Language
from scripts.sbom import ENCODERS

ROOT = Path(__file__).parents[2]
NOTICE = (ROOT / "NOTICE").read_text(encoding="utf-8")
CONFIGS = sorted((ROOT / "configs/shipped").glob("*.toml"))
PERMISSIVE = [path for path in CONFIGS if path.stem.endswith("-permissive")]


def entry(info: CorpusInfo) -> str:
    """Return the lines of NOTICE about a corpus; an asterisk marks those without a license of their authors."""
    return f"- {info.title}{'' if info.permissive else ' *'}: {info.license}\n  {info.citation}\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_corpus_and_encoder_of_the_weights_is_listed_with_its_license(language: Language) -> None:
    config = json.loads((shipped_folder(language) / "config.json").read_bytes())
    encoder = config["model"]["options"]["encoder"]
    assert f"- {encoder} (weights/{language}): {ENCODERS[encoder]};" in NOTICE
    for name in config["data"]["sources"]:
        if name not in MADE:
            assert entry(corpora()[name]) in NOTICE


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_corpus_and_encoder_of_the_configurations_is_listed(path: Path) -> None:
    config = tomllib.loads(path.read_text(encoding="utf-8"))
    assert f"- {config['sau']['encoder']} (" in NOTICE
    for name in config["mixture"]["sources"]:
        assert entry(corpora()[name]) in NOTICE


@pytest.mark.parametrize("path", PERMISSIVE, ids=lambda path: path.stem)
def test_a_permissive_model_learns_from_permissive_corpora_only(path: Path) -> None:
    config = load_config(path)
    mixture, training = config.one_mixture(), config.training
    parts = (*mixture.validation, *mixture.verification)
    assert all(corpora()[name.partition("/")[0]].permissive for name in (*mixture.sources, *parts))
    assert not mixture.labels, "labels come from networks that learned from other corpora"
    assert training
    for folder in filter(None, (*training.teachers, training.start)):
        assert Path(folder).parts[1] in {one.stem for one in PERMISSIVE}, "a teacher must be permissive, too"


def test_a_permissive_model_has_the_network_and_the_test_parts_of_the_shipped_one() -> None:
    for path in PERMISSIVE:
        shipped, own = load_config(path.with_stem(path.stem.removesuffix("-permissive"))), load_config(path)
        assert (own.model, own.text, own.equations) == (shipped.model, shipped.text, shipped.equations)
        assert own.one_mixture().test == shipped.one_mixture().test
        assert _without_encoder(own) == _without_encoder(shipped)


def _without_encoder(config: ExperimentConfig) -> SauOptions:
    """Return the options of a network; the permissive ones have other encoders, which are smaller."""
    assert isinstance(config.options, SauOptions)
    return replace(config.options, encoder="", encoder_layers=0)


def test_permissive_corpora_have_a_license_that_permits_any_use() -> None:
    marked = {name: info.license for name, info in corpora().items() if info.permissive}
    assert set(marked.values()) <= {"Apache-2.0", "CC BY 4.0", "MIT"}
    assert {name for name, info in corpora().items() if info.packaged} <= marked.keys()


def test_the_package_carries_it_and_the_pages_about_the_weights_link_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "NOTICE" in project["license-files"]
    assert "(NOTICE)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "(../NOTICE)" in (ROOT / "docs/shipped-models.md").read_text(encoding="utf-8")
