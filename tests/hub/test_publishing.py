"""Saving a model writes a checkpoint and its card; pushing it makes one commit that loads with the same answers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import sau_solver as sau
from sau_solver.errors import CheckpointError, InputError
from sau_solver.hub import publishing
from sau_solver.hub.model_names import FILES
from sau_solver.models.checkpoint import read_checkpoint, write_checkpoint
from sau_solver.models.loading import Model, shipped_folder
from tests.by_heart import ByHeart
from tests.hub.conftest import files_of, write_small_model
from tests.hub.hub_stand_in import TOKEN, Hub, Repository
from tests.hub.test_downloads import PROBLEM

# huggingface_hub uploads large files in a way that its HTTP library warns about
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    return TOKEN


class TestSaving:
    def test_a_saved_model_has_the_same_files_and_a_card(self, small_model: Path, tmp_path: Path) -> None:
        sau.load(small_model).save_pretrained(tmp_path / "saved")
        saved = files_of(tmp_path / "saved")
        assert saved.pop("README.md").startswith(b"---\nlanguage:")
        assert saved == files_of(small_model)
        assert sau.Solver.from_pretrained(tmp_path / "saved").model("en").name == "saved"

    def test_only_safetensors_json_and_the_card_are_written(self, small_model: Path, tmp_path: Path) -> None:
        checkpoint = read_checkpoint(small_model)
        write_checkpoint(replace(checkpoint, state=checkpoint.weights), tmp_path / "resumable")
        assert (tmp_path / "resumable" / "state.safetensors").is_file()
        sau.load(tmp_path / "resumable").save_pretrained(tmp_path / "saved")
        assert files_of(tmp_path / "saved").keys() == {*FILES, "README.md"}
        assert "state.safetensors" not in json.loads((tmp_path / "saved" / "config.json").read_bytes())["files"]

    def test_two_models_go_to_one_folder_per_language(self, small_model: Path, tmp_path: Path) -> None:
        (tmp_path / "both").mkdir()
        (tmp_path / "both" / "en").symlink_to(small_model)
        write_small_model(tmp_path / "both" / "zh", seed=1)
        both = sau.load(tmp_path / "both")
        both.save_pretrained(tmp_path / "saved")
        assert files_of(tmp_path / "saved").keys() == {
            "README.md",
            *(f"{one}/{file}" for one in ("zh", "en") for file in FILES),
        }
        again = sau.load(tmp_path / "saved")
        for language in ("zh", "en"):
            assert files_of(tmp_path / "saved" / language) == files_of(tmp_path / "both" / language)
        assert again.solve(PROBLEM).as_json()["answers"] == both.solve(PROBLEM).as_json()["answers"]

    def test_a_saved_model_is_replaced_and_another_folder_is_not(self, small_model: Path, tmp_path: Path) -> None:
        for _ in range(2):
            sau.load(small_model).save_pretrained(tmp_path / "saved")
        (tmp_path / "saved" / "thesis.tex").touch()
        with pytest.raises(InputError, match=r"only a saved model can be replaced, but this path holds 'thesis\.tex'"):
            sau.load(small_model).save_pretrained(tmp_path / "saved")
        with pytest.raises(InputError, match="only a saved model can be replaced"):
            sau.load(small_model).save_pretrained(tmp_path / "saved" / "thesis.tex")
        assert (tmp_path / "saved" / "thesis.tex").exists()

    def test_a_solver_without_folders_cannot_be_saved(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="Only models that were loaded from folders can be saved"):
            sau.Solver({"en": lambda: Model(ByHeart())}).save_pretrained(tmp_path / "saved")

    def test_a_damaged_model_is_not_saved(self, small_model: Path, tmp_path: Path) -> None:
        broken = shutil.copytree(small_model, tmp_path / "broken")
        content = bytearray((broken / "model.safetensors").read_bytes())
        content[-1] ^= 1
        (broken / "model.safetensors").write_bytes(content)
        with pytest.raises(CheckpointError, match=r"model\.safetensors: the file is damaged \(its checksum is wrong\)"):
            publishing.save({None: broken}, tmp_path / "saved", "saved")
        assert not (tmp_path / "saved").exists()

    @pytest.mark.slow
    def test_a_shipped_model_is_saved_byte_for_byte(self, tmp_path: Path) -> None:
        sau.load("en").save_pretrained(tmp_path / "saved")
        saved = files_of(tmp_path / "saved")
        assert {name: saved[name] for name in FILES} == files_of(shipped_folder("en"))


class TestPushing:
    def test_a_pushed_model_loads_with_the_same_answers(self, hub: Hub, token: str, small_model: Path) -> None:
        name = sau.load(small_model).push_to_hub("ann/small")
        repository = hub.repositories["ann/small"]
        assert name == f"ann/small@{repository.refs['main']}"
        assert repository.files().keys() == {".gitattributes", "README.md", *FILES}
        assert {file: repository.files()[file] for file in FILES} == files_of(small_model)
        assert sau.load(name).solve(PROBLEM).answers == sau.load(small_model).solve(PROBLEM).answers
        routes = [path for path in hub.asked("POST") if "lfs" not in path]
        assert routes == [
            "/api/repos/create",
            "/api/validate-yaml",
            "/api/models/ann/small/preupload/main",
            "/api/models/ann/small/commit/main",
        ]
        assert len(hub.asked("PUT")) == 1  # the weights went through LFS

    def test_a_second_push_changes_what_is_different_and_keeps_other_files(
        self, hub: Hub, token: str, small_model: Path, tmp_path: Path
    ) -> None:
        first = sau.load(small_model).push_to_hub("ann/small")
        repository = hub.repositories["ann/small"]
        repository.commit({**repository.files(), "notes.txt": b"mine"}, "notes")
        (tmp_path / "both").mkdir()
        (tmp_path / "both" / "en").symlink_to(small_model)
        write_small_model(tmp_path / "both" / "zh", seed=1)
        second = sau.load(tmp_path / "both").push_to_hub("ann/small", message="Two languages")
        per_language = {f"{one}/{file}" for one in ("zh", "en") for file in FILES}
        assert repository.files().keys() == {".gitattributes", "README.md", "notes.txt", *per_language}
        assert repository.messages == ["initial commit", "Publish a model of SAU-Solver", "notes", "Two languages"]
        one, two = sau.load(first), sau.load(second)
        assert one.model("zh") is one.model("en")
        assert two.model("zh") is not two.model("en")

    def test_an_unchanged_model_makes_no_commit(self, hub: Hub, token: str, small_model: Path) -> None:
        pushed = [sau.load(small_model).push_to_hub("ann/small") for _ in range(2)]
        assert pushed[0] == pushed[1]

    def test_a_branch_is_created(self, hub: Hub, token: str, small_model: Path, tmp_path: Path) -> None:
        main = sau.load(small_model).push_to_hub("ann/small")
        other = write_small_model(tmp_path / "other", seed=1)
        for _ in range(2):
            name = sau.load(other).push_to_hub("ann/small", revision="next")
        refs = hub.repositories["ann/small"].refs
        assert (main, name) == (f"ann/small@{refs['main']}", f"ann/small@{refs['next']}")
        assert refs["main"] != refs["next"]

    def test_a_private_push_creates_a_private_repository_only(self, hub: Hub, token: str, small_model: Path) -> None:
        sau.load(small_model).push_to_hub("ann/secret", private=True)
        assert hub.repositories["ann/secret"].private
        hub.repositories["ann/open"] = Repository()
        commit = hub.repositories["ann/open"].commit({})
        with pytest.raises(InputError, match="ann/open exists and is public"):
            sau.load(small_model).push_to_hub("ann/open", private=True)
        assert hub.repositories["ann/open"].refs["main"] == commit

    def test_a_push_without_a_token_is_refused(self, hub: Hub, small_model: Path) -> None:
        with pytest.raises(InputError, match=r"refused access to ann/small\. Set HF_TOKEN to a token that allows it"):
            sau.load(small_model).push_to_hub("ann/small")
        assert hub.repositories == {}

    @pytest.mark.parametrize("name", ["ann", "ann/../bob", "ann/small@main"])
    def test_a_wrong_name_is_refused_before_any_request(self, hub: Hub, small_model: Path, name: str) -> None:
        with pytest.raises(InputError, match="owner/name"):
            sau.load(small_model).push_to_hub(name)
        assert hub.requests == []

    def test_an_upload_that_fails_is_explained(self, hub: Hub, token: str, small_model: Path) -> None:
        hub.routes = [route for route in hub.routes if route[2] != hub.store]
        with pytest.raises(InputError, match="ann/small: the Hugging Face Hub did not answer as expected"):
            sau.load(small_model).push_to_hub("ann/small")
        assert hub.repositories["ann/small"].files().keys() == {".gitattributes"}


WITHOUT_TORCH = """
import sys

sys.modules["torch"] = None
import sau_solver as sau

solver = sau.load(sys.argv[1])
solver.save_pretrained("saved")
name = solver.push_to_hub("ann/mine")
if sys.argv[1] == "en":
    print(*sau.load(name).solve("Tom has 3 apples and buys 5 more. How many apples does he have?").answers)
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["shipped", "needs torch to solve"])
def test_an_installation_without_torch_saves_pushes_and_loads_models(
    hub: Hub, small_model: Path, tmp_path: Path, kind: str
) -> None:
    source, folder, said = ("en", shipped_folder("en"), ["8"]) if kind == "shipped" else (small_model, small_model, [])
    own = {"HF_HOME": str(tmp_path / "home"), "HF_ENDPOINT": hub.address, "HF_TOKEN": TOKEN}
    quiet = {"HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_XET": "1"}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, str(source)],
        cwd=tmp_path, env=os.environ | own | quiet, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == said
    saved, pushed = files_of(tmp_path / "saved"), hub.repositories["ann/mine"].files()
    assert {name: saved[name] for name in FILES} == {name: pushed[name] for name in FILES} == files_of(folder)
    assert saved.keys() == pushed.keys() - {".gitattributes"} == {*FILES, "README.md"}
