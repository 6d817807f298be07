"""The registered corpora (corpora.toml): what each is, where it lies, its source, its licence."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from sau_solver.errors import UnknownCorpusError
from sau_solver.problem import Language

PUBLIC_BASE = "https://raw.githubusercontent.com"

Selection = Literal["hmwp-paper", "manual-equations"]


@dataclass(frozen=True, slots=True)
class Source:
    """One published file, pinned by its commit; `file` is its place under the data folder after fetching."""

    repository: str
    commit: str
    path: str
    file: str
    member: str | None = None  # the file inside a zip archive
    sha256: str | None = None  # of what is downloaded
    git_blob: str | None = None  # git's id of the file as it lies under the data folder
    split: str | None = None
    fold: int | None = None

    def url(self, base: str = PUBLIC_BASE) -> str:
        """Where to download it."""
        return f"{base.rstrip('/')}/{self.repository}/{self.commit}/{self.path}"


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    """What is known of a corpus without reading it."""

    name: str
    title: str
    language: Language
    format: str
    problems: int  # how many there should be
    licence: str
    citation: str
    notes: str
    files: tuple[str, ...]
    sources: tuple[Source, ...] = ()
    select: Selection | None = None


@cache
def corpora() -> Mapping[str, CorpusInfo]:
    """Every registered corpus by name, in the order of corpora.toml."""
    tables = tomllib.loads(files("sau_solver.data").joinpath("corpora.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: _info(name, table) for name, table in tables.items()})


def _info(name: str, table: dict[str, Any]) -> CorpusInfo:
    sources = tuple(Source(**source) for source in table.pop("sources", ()))
    return CorpusInfo(name=name, files=tuple(table.pop("files")), sources=sources, **table)


def find_corpus(name: str) -> CorpusInfo:
    """A corpus by name; UnknownCorpusError names the nearest."""
    if info := corpora().get(name):
        return info
    near = difflib.get_close_matches(name.lower(), corpora(), n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise UnknownCorpusError(f"no corpus is called {name!r}.{hint} Known: {', '.join(corpora())}")


def data_folder() -> Path:
    """Where corpora lie: SAU_DATA, else the user's cache folder."""
    if folder := os.environ.get("SAU_DATA"):
        return Path(folder).expanduser()
    import pooch  # here: it is slow to import and needed only now

    return Path(pooch.os_cache("sau-solver"))


def local_files(info: CorpusInfo, folder: Path) -> tuple[tuple[Path, Source | None], ...]:
    """The files to read, each with its source if it is a published one; empty where the corpus is absent."""
    if all((folder / file).is_file() for file in info.files):
        return tuple((folder / file, None) for file in info.files)
    if info.sources and all((folder / source.file).is_file() for source in info.sources):
        return tuple((folder / source.file, source) for source in info.sources)
    return ()


def available(folder: Path | None = None) -> tuple[str, ...]:
    """The names of the corpora whose files are on this machine."""
    folder = folder or data_folder()
    return tuple(name for name, info in corpora().items() if local_files(info, folder))
