"""Checkpoints -> a folder with a model card; such a folder -> a repository of the Hugging Face Hub, in one commit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from sau_solver import __version__
from sau_solver.errors import InputError
from sau_solver.files import replacing_folder, user_path
from sau_solver.hub.downloads import PLACES, library, refusal, transport_errors
from sau_solver.hub.model_card import model_card
from sau_solver.hub.model_names import FILES, HubName
from sau_solver.models.checkpoint_files import copy_without_state
from sau_solver.problem import Language

CARD = "README.md"

_OURS = frozenset(place + file for place in PLACES for file in FILES)


def save(folders: Mapping[Language | None, Path], target: Path, title: str, results: Path | None = None) -> None:
    """Copy checkpoints to a folder with a model card, without training state; every file is verified.

    `folders` has one checkpoint under None, or one per language. A folder that was saved before is replaced; any other
    folder with files in it is refused.
    """
    target = target.resolve()
    _check_replaceable(target)
    with user_path(target), replacing_folder(target) as writing:
        described = {}
        for language, folder in folders.items():
            place = writing / (language or "")
            place.mkdir(exist_ok=True)
            described[language] = copy_without_state(folder, place)
        (writing / CARD).write_text(model_card(title, described, results), encoding="utf-8")


def _check_replaceable(target: Path) -> None:
    if not target.exists():
        return
    found = [path for path in target.rglob("*") if not path.is_dir()] if target.is_dir() else [target]
    names = [path.relative_to(target.parent if path == target else target).as_posix() for path in found]
    if strange := [name for name in names if name not in {*_OURS, CARD}]:
        raise InputError(
            f"{target}: only a saved model can be replaced, but this path holds {strange[0]!r}. Give another folder."
        )


@dataclass(frozen=True, slots=True)
class Push:
    """How a model is published; `revision` is a branch, which is created if it does not exist."""

    private: bool = False
    revision: str | None = None
    message: str = "Publish a model of SAU-Solver"


def push(folder: Path, name: str, how: Push) -> str:
    """Upload a saved model in one commit and return owner/name@commit. The repository is created if necessary.

    The token comes from HF_TOKEN or `hf auth login`. Files of an earlier model that the new one lacks are deleted;
    other files stay.
    """
    wanted = HubName.read(name, how.revision)
    if "@" in name:
        raise InputError(f"Publish to owner/name, got {name!r}. Name a branch as revision={wanted.revision!r}.")
    hub = library(wanted.name)
    api = hub.HfApi(library_name="sau-solver", library_version=__version__)
    errors: tuple[type[Exception], ...] = (RuntimeError, *transport_errors())  # a failed upload raises RuntimeError
    try:
        api.create_repo(wanted.name, private=how.private, exist_ok=True)
        if how.revision:
            api.create_branch(wanted.name, branch=how.revision, exist_ok=True)
        info = api.model_info(wanted.name, revision=how.revision)
        if how.private and not info.private:
            raise InputError(
                f"{wanted.name} exists and is public, so it cannot be pushed to as private. "
                "Change its visibility on its page, or give another name."
            )
        new = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
        old = {file.rfilename for file in info.siblings or ()}
        operations = [hub.CommitOperationAdd(place, str(path)) for place, path in new.items()]
        operations += [hub.CommitOperationDelete(place) for place in sorted((old & _OURS) - new.keys())]
        done = api.create_commit(wanted.name, operations, commit_message=how.message, revision=how.revision)
    except errors as error:
        raise refusal(wanted, error) from None
    return str(replace(wanted, revision=done.oid))
