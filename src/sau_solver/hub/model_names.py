"""The name of a model -> its folders: a folder of your own, a shipped model, or a model of the Hugging Face Hub.

A folder holds one checkpoint for both languages, or one checkpoint per language in `zh` and `en`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from sau_solver.errors import InputError
from sau_solver.models.loading import LANGUAGES, model_folder, shipped_folder
from sau_solver.problem import Language

CONFIG = "config.json"
FILES = (CONFIG, "vocabulary.json", "model.safetensors")  # of a checkpoint without training state

MAX_NAME = 96  # characters; also the limit of the Hub
SHOWN_COMMIT = 12  # characters of a commit in the name of a model

_OWNER_AND_NAME = re.compile(r"(?!.*(--|\.\.))[A-Za-z0-9][\w.-]*(?<![.-])/[A-Za-z0-9_][\w.-]*(?<![.-])", re.ASCII)
_REVISION = re.compile(r"(?!.*(\.\.|//|/\.))[A-Za-z0-9][\w./-]{0,199}(?<![./])", re.ASCII)


@dataclass(frozen=True, slots=True)
class HubName:
    """A model of the Hugging Face Hub: owner/name, and the branch, tag or commit that is wanted."""

    name: str
    revision: str | None = None

    def __str__(self) -> str:
        return self.name if self.revision is None else f"{self.name}@{self.revision}"

    @classmethod
    def read(cls, text: str, revision: str | None = None) -> HubName:
        """Read owner/name or owner/name@revision; raise InputError if it is not one."""
        name, mark, written = text.partition("@")
        if mark and revision is not None:
            raise InputError(f"Give the revision once, got {text!r} and revision={revision!r}.")
        wanted = written if mark else revision
        if not is_hub_name(name):
            raise InputError(
                f"A model's name must be owner/name or owner/name@revision with letters, digits, '-', '_' and "
                f"'.', at most {MAX_NAME} characters, got {text[: 2 * MAX_NAME]!r}. Copy it from the Hugging Face Hub."
            )
        if wanted is not None and not _REVISION.fullmatch(wanted):
            raise InputError(
                f"The revision of {name} must be a branch, a tag or a commit, got {wanted[: 2 * MAX_NAME]!r}. "
                "Copy it from the model's page on the Hugging Face Hub."
            )
        return cls(name, wanted)


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A model that a user has named: its name in solutions and reports, and its folder for each language."""

    name: str
    folders: Mapping[Language, Path]
    pinned: str  # always names the same files, even after a branch of the Hub has changed

    def folder(self, language: Language) -> Path:
        """Return the folder for problems of a language; a model for one language is used for all problems."""
        return self.folders.get(language) or next(iter(self.folders.values()))

    @property
    def distinct(self) -> Mapping[Language | None, Path]:
        """Its folders, each once: by language, or under None if there is only one."""
        return by_language(self.folders)


def by_language(folders: Mapping[Language, Path]) -> Mapping[Language | None, Path]:
    """Return each folder once: by language, or under None if there is only one."""
    if len(set(folders.values())) == 1:
        return {None: next(iter(folders.values()))}
    return dict(folders.items())


def is_hub_name(text: str) -> bool:
    """Return whether a text has the form owner/name of the Hub."""
    return len(text) <= MAX_NAME and bool(_OWNER_AND_NAME.fullmatch(text)) and not text.endswith(".git")


def find_model(model: str | Path, revision: str | None = None) -> NamedModel:
    """Return the model of a folder, "zh" or "en" for a shipped one, or a model of the Hub, which is downloaded.

    `revision` is a branch, a tag or a commit of the Hub; owner/name@revision means the same. A folder takes precedence
    over a shipped model or a model of the Hub with the same name.
    """
    folder = Path(model)
    if folder.is_dir():
        if revision is not None:
            raise InputError(f"{folder} is a folder, which has no revisions, got revision={revision!r}. Omit it.")
        found = model_folder(folder)
        return NamedModel(title_of(found.resolve()), folders_in(folder), str(folder))
    text = str(model)
    for language in LANGUAGES:
        if text == language and revision is None:
            return NamedModel(f"sau-{language}", {language: shipped_folder(language)}, language)
    if not is_hub_name(text.partition("@")[0]):
        raise InputError(
            f"The model must be a folder or one of {', '.join(LANGUAGES)}, got {text[: 2 * MAX_NAME]!r}. Give the "
            "folder that `sau train` wrote, or owner/name of a model on the Hugging Face Hub (letters, digits, '-', "
            "'_' and '.'; owner/name@revision for a revision)."
        )
    from sau_solver.hub.downloads import download  # rarely needed

    name = HubName.read(text, revision)
    found = download(name)
    commit = found.name
    pinned = replace(name, revision=commit)
    return NamedModel(f"{name.name}@{commit[:SHOWN_COMMIT]}", folders_in(found), str(pinned))


def folders_in(folder: Path) -> Mapping[Language, Path]:
    """Return the checkpoint folder of each language inside a model folder."""
    one = model_folder(folder)
    if not (one / CONFIG).is_file():
        own = {language: folder / language for language in LANGUAGES if (folder / language / CONFIG).is_file()}
        if own:
            return own
    return dict.fromkeys(LANGUAGES, one)


def title_of(folder: Path) -> str:
    """Return the folder's name, or EXPERIMENT/RUN for runs/EXPERIMENT/RUN/model."""
    return folder.name if folder.name != "model" else "/".join(folder.parts[-3:-1])
