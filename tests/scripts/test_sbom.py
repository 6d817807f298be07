"""The SBOM follows the schema of CycloneDX and names every package, weight, encoder and corpus of a release."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from sau_solver.errors import InputError
from sau_solver.models.loading import LANGUAGES, shipped_folder
from scripts import sbom
from scripts.dependencies import read_lock

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def written() -> str:
    return sbom.sbom()


@pytest.fixture(scope="module")
def components(written: str) -> dict[str, dict[str, Any]]:
    return {one["bom-ref"]: one for one in json.loads(written)["components"]}


def test_every_locked_package_is_a_component_with_its_hashes(components: dict[str, dict[str, Any]]) -> None:
    for name, package in read_lock().items():
        published = components[name]["externalReferences"][0]["hashes"]
        assert (components[name]["version"], {one["content"] for one in published}) == (
            package.version,
            set(package.hashes),
        )
        assert components[name]["licenses"]


def test_weights_have_the_hash_of_their_file_and_depend_on_what_they_were_learned_from(
    written: str, components: dict[str, dict[str, Any]]
) -> None:
    depends = {one["ref"]: set(one.get("dependsOn", ())) for one in json.loads(written)["dependencies"]}
    for language in LANGUAGES:
        folder = shipped_folder(language)
        weights = components[f"weights/{language}"]
        digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
        assert weights["hashes"] == [{"alg": "SHA-256", "content": digest}]
        described = json.loads((folder / "config.json").read_bytes())
        sources = {f"corpus/{one}" for one in described["data"]["sources"] if one not in ("curriculum", "augmented")}
        assert depends[f"weights/{language}"] == sources | {f"encoder/{described['model']['options']['encoder']}"}
        assert all(components[one]["licenses"] for one in depends[f"weights/{language}"])
        assert f"weights/{language}" in depends["sau-solver"]


def test_the_same_release_gives_the_same_file(written: str) -> None:
    assert sbom.sbom() == written


def test_a_file_that_does_not_follow_the_schema_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sbom, "_SPDX", {"CC BY 4.0": "CC-BY-99"})
    with pytest.raises(InputError, match="does not follow the schema of CycloneDX"):
        sbom.sbom()
