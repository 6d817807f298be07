"""A stand-in of the Hub for huggingface_hub in this process, and a small model to publish."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sau_solver.models.checkpoint import Checkpoint, write_checkpoint
from tests.hub.hub_stand_in import Hub, hub_server
from tests.models.networks import small_solver

DATA = {
    "language": "en",
    "text": "raw",
    "sources": {"gsm8k": {"learned": 12, "fingerprint": "0"}, "mine": {"learned": 3, "fingerprint": "1"}},
    "near": 0.8,
    "within": "text",
    "test": {"gsm8k/test": 1319, "mine/test": 7},
    "validation": {},
    "measured": {"test": {"gsm8k/test": 0.279, "mine/test": 0.5}},
}


def write_small_model(folder: Path, seed: int = 0) -> Path:
    """Write a random network; networks of different seeds give different answers."""
    solver, _ = small_solver("sau", seed, scale=3.0)
    model, vocabulary = solver.describe()
    weights = {name: tensor.float() for name, tensor in solver.network.state_dict().items()}
    write_checkpoint(Checkpoint({**model, "seed": seed}, DATA, {"epochs": 1}, vocabulary, weights), folder)
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, as a repository has them."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="session")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_model(tmp_path_factory.mktemp("models") / "small")


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A Hub that huggingface_hub uses in this process, with an empty cache and without a token."""
    constants = pytest.importorskip("huggingface_hub.constants", reason="the extra `pretrained` is not installed")
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_OIDC_RESOURCE"):
        monkeypatch.delenv(name, raising=False)
    with hub_server() as running:
        template = running.address + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr(constants, "ENDPOINT", running.address)
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
        monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
        monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)  # the stand-in stores large files through LFS
        monkeypatch.setattr(constants, "HF_HUB_DISABLE_IMPLICIT_TOKEN", False)
        yield running
