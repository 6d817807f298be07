"""NOTICE names the terms of everything that the shipped weights rest on (D14)."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from sau_solver.data.registry import corpora
from sau_solver.hub.model_card import MADE
from sau_solver.models.loading import LANGUAGES, shipped_folder
from sau_solver.problem import Language

ROOT = Path(__file__).parents[2]
NOTICE = (ROOT / "NOTICE").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_corpus_and_encoder_of_the_weights_is_listed_with_its_license(language: Language) -> None:
    config = json.loads((shipped_folder(language) / "config.json").read_bytes())
    assert f"- {config['model']['options']['encoder']} (weights/{language}): " in NOTICE
    known = corpora()
    for name in config["data"]["sources"]:
        if name not in MADE:
            assert f"- {known[name].title}: {known[name].licence}\n  {known[name].citation}\n" in NOTICE


def test_the_package_carries_it_and_the_pages_about_the_weights_link_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "NOTICE" in project["license-files"]
    assert "(NOTICE)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "(../NOTICE)" in (ROOT / "docs/shipped-models.md").read_text(encoding="utf-8")
