"""A model is named by its folder, its language, or owner/name[@revision] of the Hub. Nothing else reaches the Hub."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sau_solver as sau
from sau_solver.errors import InputError
from sau_solver.hub.model_names import CONFIG, FILES, HubName, find_model, is_hub_name
from sau_solver.models import checkpoint_files
from sau_solver.models.loading import shipped_folder

ODD = [
    "owner", "owner/", "/name", "a/b/c", "../name", "owner/..", "./owner/name", "own er/name", "owner/na me", "a/n;ls",
    "owner/name\n", "owner/nam\u0435", "owner/--", "a--b/name", "owner/a..b", "-owner/name", "owner/-name", "a/name.",
    "owner/name.git", "owner/" + "n" * 100, "https://huggingface.co/owner/name", "owner\\name", "", "a/b?x=1", "~/name",
]  # fmt: skip


@pytest.mark.parametrize("text", ODD)
def test_a_name_with_odd_characters_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"must be owner/name or owner/name@revision"):
        HubName.read(text)
    with pytest.raises(InputError, match=r"The model must be a folder or one of zh, en, got"):
        sau.load(text if text else "nothing")


@pytest.mark.parametrize(
    "revision", ["", "../main", "a b", "v1\n", "refs/../../x", "-x", "a//b", "x/", "/etc", "a@b", "." * 3]
)
def test_a_revision_with_odd_characters_is_refused(revision: str) -> None:
    with pytest.raises(InputError, match="The revision of owner/name must be a branch, a tag or a commit"):
        HubName.read("owner/name", revision)
    with pytest.raises(InputError, match="The revision of owner/name must be a branch, a tag or a commit"):
        sau.load(f"owner/name@{revision}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ann/sau-en", HubName("ann/sau-en")),
        ("ann/sau_en.v2@v1.0", HubName("ann/sau_en.v2", "v1.0")),
        ("Ann-1/x@refs/pr/1", HubName("Ann-1/x", "refs/pr/1")),
        ("ann/x@" + "0af" * 13 + "1", HubName("ann/x", "0af" * 13 + "1")),
    ],
)
def test_a_name_is_read_and_written(text: str, expected: HubName) -> None:
    assert HubName.read(text) == expected
    assert str(expected) == text


def test_a_revision_is_given_once() -> None:
    with pytest.raises(InputError, match="Give the revision once"):
        HubName.read("ann/x@v1", "v2")
    with pytest.raises(InputError, match="revision='v1' needs a model"):
        sau.load(revision="v1")


@given(st.text(st.sampled_from("ab/.-_@~ \n\\%é"), max_size=12))
def test_whatever_is_accepted_is_accepted_by_the_hub_and_stays_in_its_folder(text: str) -> None:
    validators = pytest.importorskip("huggingface_hub.utils._validators", reason="needs the extra `pretrained`")
    try:
        name = HubName.read(text)
    except InputError:
        return
    validators.validate_repo_id(name.name)
    assert ".." not in Path(str(name)).parts
    assert is_hub_name(name.name)


def test_a_folder_has_no_revision(small_model: Path) -> None:
    with pytest.raises(InputError, match="is a folder, which has no revisions"):
        sau.load(small_model, revision="v1")


def test_a_folder_goes_before_the_hub(small_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "owner").mkdir()
    (tmp_path / "owner" / "name").symlink_to(small_model)
    found = find_model("owner/name")
    assert set(found.folders.values()) == {Path("owner/name")}
    assert found.pinned == "owner/name"


def test_a_folder_has_one_checkpoint_or_one_per_language(tmp_path: Path) -> None:
    for language in ("zh", "en"):
        (tmp_path / "both" / language).mkdir(parents=True)
        (tmp_path / "both" / language / CONFIG).touch()
    both = find_model(tmp_path / "both")
    assert both.folders == {one: tmp_path / "both" / one for one in ("zh", "en")}
    assert both.distinct == both.folders
    (tmp_path / "both" / CONFIG).touch()
    one = find_model(tmp_path / "both")
    assert one.distinct == {None: tmp_path / "both"}
    assert one.folder("zh") == one.folder("en") == tmp_path / "both"


def test_a_shipped_model_is_found_by_its_language() -> None:
    assert find_model("en").distinct == {None: shipped_folder("en")}


def test_the_files_are_those_of_a_checkpoint() -> None:
    assert FILES == (checkpoint_files.CONFIG, checkpoint_files.VOCABULARY, checkpoint_files.WEIGHTS)


def test_without_the_extra_the_way_to_install_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "huggingface_hub", None)
    with pytest.raises(InputError, match=r"owner/name is not a folder.*pip install '.\[pretrained\]'"):
        sau.load("owner/name")
