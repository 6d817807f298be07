"""A model of the Hub is downloaded once, only its own files, at one commit, and verified like any checkpoint."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sau_solver as sau
from sau_solver.errors import CheckpointError, InputError, SauError
from tests.hub.conftest import files_of, write_small_model
from tests.hub.hub_stand_in import TOKEN, Hub, Repository

PROBLEM = "Tom has 3 apples and buys 5 more. How many apples does he have?"


@pytest.fixture
def repository(hub: Hub, small_model: Path) -> Repository:
    """The small model, published as ann/small."""
    found = hub.repositories["ann/small"] = Repository()
    found.commit(files_of(small_model))
    return found


def test_a_model_of_the_hub_answers_like_its_folder(hub: Hub, repository: Repository, small_model: Path) -> None:
    here, there = sau.load(small_model), sau.Solver.from_pretrained("ann/small")
    assert there.solve(PROBLEM).as_json() == {**here.solve(PROBLEM).as_json(), "model": there.model("en").name}
    assert there.model("en").name == f"ann/small@{repository.refs['main'][:12]}"


def test_a_second_load_downloads_nothing_again(hub: Hub, repository: Repository) -> None:
    sau.load("ann/small")
    hub.requests.clear()
    sau.load("ann/small")
    assert hub.asked() == ["/api/models/ann/small/revision/main"]  # whether the branch has moved on
    hub.requests.clear()
    sau.load("ann/small", revision=repository.refs["main"])
    assert hub.asked() == []


def test_a_revision_is_a_branch_a_tag_or_a_commit(hub: Hub, repository: Repository, tmp_path: Path) -> None:
    first = repository.refs["main"]
    repository.refs["v1.0"] = first
    second = repository.commit(files_of(write_small_model(tmp_path / "other", seed=1)))
    names = {revision: sau.load("ann/small", revision=revision).model("en").name for revision in (None, "v1.0", first)}
    assert names == {
        None: f"ann/small@{second[:12]}",
        "v1.0": f"ann/small@{first[:12]}",
        first: f"ann/small@{first[:12]}",
    }
    assert sau.load("ann/small@v1.0").model("en").name == names["v1.0"]
    old, new = (sau.load(f"ann/small@{one}").model("en").predictor for one in (first, second))
    assert old.network.state_dict().keys() == new.network.state_dict().keys()  # type: ignore[attr-defined]
    assert any(
        not value.equal(new.network.state_dict()[name])  # type: ignore[attr-defined]
        for name, value in old.network.state_dict().items()  # type: ignore[attr-defined]
    )
    with pytest.raises(InputError, match="ann/small has no revision 'v9'"):
        sau.load("ann/small@v9")


def test_only_the_files_of_a_checkpoint_are_fetched(hub: Hub, repository: Repository, small_model: Path) -> None:
    strange = {
        "pytorch_model.bin": b"pickle", "model.py": b"import os", "README.md": b"#", "../escape.json": b"{}",
        "sub/config.json": b"{}", "state.safetensors": b"x", "zh/config.json": b"{}", "config.json.exe": b"x",
    }  # fmt: skip
    repository.commit({**strange, **files_of(small_model)})
    sau.load("ann/small").solve(PROBLEM)
    fetched = {path.rpartition("/resolve/")[2].partition("/")[2] for path in hub.asked() if "/resolve/" in path}
    # zh/config.json is asked for with the first config.json, and not used beside it
    assert fetched == {"config.json", "zh/config.json", "vocabulary.json", "model.safetensors"}


def test_a_repository_with_one_model_per_language(hub: Hub, small_model: Path, tmp_path: Path) -> None:
    chinese = write_small_model(tmp_path / "zh", seed=1)
    parts = {"zh": files_of(chinese), "en": files_of(small_model)}
    hub.repositories["ann/both"] = Repository()
    hub.repositories["ann/both"].commit(
        {f"{one}/{path}": file for one, own in parts.items() for path, file in own.items()}
    )
    solver = sau.load("ann/both")
    assert solver.model("zh").predictor is not solver.model("en").predictor
    assert solver.solve(PROBLEM).as_json()["answers"] == sau.load(small_model).solve(PROBLEM).as_json()["answers"]


@pytest.mark.parametrize("name", ["model.safetensors", "vocabulary.json", "config.json"])
def test_a_changed_file_is_refused(hub: Hub, repository: Repository, small_model: Path, name: str) -> None:
    files = files_of(small_model)
    content = bytearray(files[name])
    content[len(content) // 2] ^= 1
    repository.commit({**files, name: bytes(content)})
    with pytest.raises(CheckpointError, match=r"is damaged|not a model of SAU-Solver"):
        sau.load("ann/small").solve(PROBLEM)


@pytest.mark.parametrize(
    "config",
    [b'{"model_type": "bert"}', b"[]", b"not json", b'{"schema": "1", "files": {}}', b"[" * 100_000, b'{"schema": 1}'],
)
def test_another_kind_of_model_is_refused_before_its_weights_are_fetched(hub: Hub, config: bytes) -> None:
    hub.repositories["ann/bert"] = Repository()
    hub.repositories["ann/bert"].commit({"config.json": config, "model.safetensors": b"large"})
    with pytest.raises(CheckpointError, match="ann/bert is not a model of SAU-Solver"):
        sau.load("ann/bert")
    assert not any("safetensors" in path for path in hub.asked())


@pytest.mark.parametrize(
    "wrong",
    [
        {"language": "fr"}, {"sources": []}, {"sources": {"a": {}}}, {"test": "fold"}, {"validation": None},
        {"sources": {"a": {"fingerprint": 1}}},
    ],
)  # fmt: skip
def test_a_wrong_description_of_the_data_is_refused(
    hub: Hub, repository: Repository, small_model: Path, wrong: dict[str, object]
) -> None:
    files = files_of(small_model)
    config = json.loads(files["config.json"])
    config["data"] |= wrong
    repository.commit({**files, "config.json": json.dumps(config).encode()})
    with pytest.raises(CheckpointError, match="does not describe training data correctly"):
        sau.load("ann/small")


def test_a_repository_without_the_files_is_refused(hub: Hub, repository: Repository, small_model: Path) -> None:
    files = files_of(small_model)
    repository.commit({"README.md": b"# empty"})
    with pytest.raises(CheckpointError, match=r"ann/small is not a model of SAU-Solver: it has no config\.json"):
        sau.load("ann/small")
    repository.commit({"config.json": files["config.json"], "vocabulary.json": files["vocabulary.json"]})
    with pytest.raises(CheckpointError, match=r"ann/small lacks model\.safetensors"):
        sau.load("ann/small")


def test_a_private_model_needs_the_token(hub: Hub, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.private = True
    with pytest.raises(InputError, match=r"neither a folder here nor a model that you may use.*set HF_TOKEN"):
        sau.load("ann/small")
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    hub.requests.clear()
    assert sau.load("ann/small").solve(PROBLEM).model.startswith("ann/small@")
    tokens = {request.host.partition(":")[0]: request.token for request in hub.requests if "agent-" not in request.path}
    assert tokens == {"127.0.0.1": TOKEN, "localhost": ""}  # the host of the large files does not get it


def test_a_gated_model_says_so(hub: Hub, repository: Repository) -> None:
    repository.gated = True
    with pytest.raises(InputError, match=r"You may not read ann/small yet\. Ask for access on its page"):
        sau.load("ann/small")


def test_a_model_that_does_not_exist_is_named_with_both_meanings(hub: Hub) -> None:
    with pytest.raises(InputError, match="runs/missing is neither a folder here nor a model that you may use"):
        sau.load("runs/missing")


class TestOffline:
    def go_offline(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        for cached in ("utils._http", "utils._runtime"):  # sessions and offline hooks are made once
            monkeypatch.setattr(f"huggingface_hub.{cached}.constants.HF_HUB_OFFLINE", True, raising=False)

    def test_the_cache_is_enough(self, hub: Hub, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        online = sau.load("ann/small").solve(PROBLEM).as_json()
        hub.requests.clear()
        self.go_offline(monkeypatch)
        assert sau.load("ann/small").solve(PROBLEM).as_json() == online
        assert sau.load(f"ann/small@{repository.refs['main']}").solve(PROBLEM).as_json() == online
        assert hub.requests == []

    def test_a_model_that_is_not_in_the_cache_says_so(self, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go_offline(monkeypatch)
        with pytest.raises(InputError, match="neither a folder here nor in the cache of the Hugging Face Hub"):
            sau.load("ann/small")
        assert hub.requests == []

    def test_a_damaged_cache_is_noticed(
        self, hub: Hub, repository: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        solver = sau.load("ann/small")
        self.go_offline(monkeypatch)
        (path,) = Path(hub_cache()).rglob("snapshots/*/vocabulary.json")
        path.write_text(json.dumps({"words": []}))
        for broken in (solver, sau.load("ann/small")):
            with pytest.raises(CheckpointError, match="is damaged"):
                broken.solve(PROBLEM)


def hub_cache() -> str:
    from huggingface_hub import constants

    return constants.HF_HUB_CACHE


def test_a_hub_that_answers_nonsense_gives_a_plain_error(hub: Hub, repository: Repository) -> None:
    hub.routes.clear()
    with pytest.raises(SauError, match="ann/small"):
        sau.load("ann/small")
