"""The registry of corpora: what each is, where its files are, its source and its license.

The package's corpora.toml lists the known corpora. A corpora.toml in the data folder adds your own
(docs/adding-a-corpus.md).
"""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

from sau_solver.errors import CorpusError, UnknownCorpusError, did_you_mean
from sau_solver.problem import Language

PUBLIC_BASE = "https://raw.githubusercontent.com"

Selection = Literal["hmwp-paper", "manual-equations"]

# How your own corpus is divided into folds: contiguous fifths in file order, the `fold` or the `split` of its problems,
# or fifths of a seeded shuffle.
FoldRule = Literal["contiguous", "published-folds", "published-split", "shuffled"]

REGISTER = "corpora.toml"


@dataclass(frozen=True, slots=True)
class Source:
    """One published file, pinned by its commit. `file` is its path in the data folder after the download."""

    repository: str
    commit: str
    path: str
    file: str
    member: str | None = None  # the file inside a zip archive
    sha256: str | None = None  # of the downloaded file
    git_blob: str | None = None  # git blob id of the file in the data folder
    split: str | None = None
    fold: int | None = None

    def url(self, base: str = PUBLIC_BASE) -> str:
        """Return the download address."""
        return f"{base.rstrip('/')}/{self.repository}/{self.commit}/{self.path}"


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    """The description of a corpus."""

    name: str
    title: str
    language: Language
    format: str
    problems: int  # the expected number
    license: str
    citation: str
    notes: str
    files: tuple[str, ...]
    sources: tuple[Source, ...] = ()
    select: Selection | None = None
    packaged: bool = False  # the files are part of the package
    earlier: tuple[str, ...] = ()  # fingerprints of the same files as earlier versions of the package read them
    permissive: bool = False  # its authors state a license that permits any use, also commercial
    noisy: bool = False  # many labels are wrong: mixtures learn only those that can be trusted
    folds: FoldRule | None = None  # only for your own corpora; the folds of known corpora are recorded


def corpora() -> Mapping[str, CorpusInfo]:
    """Return every registered corpus by name: those of the package, then those of the data folder."""
    return MappingProxyType({**_packaged(), **_own(data_folder() / REGISTER)})


@cache
def _packaged() -> Mapping[str, CorpusInfo]:
    tables = tomllib.loads(files("sau_solver.data").joinpath(REGISTER).read_text(encoding="utf-8"))
    return {name: _info(name, table) for name, table in tables.items()}


@cache
def noisy_corpora() -> frozenset[str]:
    """Return the names of the corpora with many wrong labels."""
    return frozenset(name for name, info in _packaged().items() if info.noisy)


def _own(path: Path) -> Mapping[str, CorpusInfo]:
    """Return the corpora of a user's corpora.toml; raise CorpusError if the file is invalid or reuses a known name."""
    if not path.is_file():
        return {}
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CorpusError(f"{path} must be a TOML file with a table for each corpus ({error}).") from None
    return {name: _own_info(name, table, path) for name, table in tables.items()}


def _own_info(name: str, table: object, path: Path) -> CorpusInfo:
    if isinstance(table, dict) and "licence" in table:  # the spelling of earlier versions
        table = {"license" if field == "licence" else field: value for field, value in table.items()}
    known = {
        item.name: item
        for item in dataclasses.fields(CorpusInfo)
        if item.name not in ("name", "sources", "select", "packaged", "earlier", "permissive", "noisy")
    }
    needed = [field for field, item in known.items() if item.default is dataclasses.MISSING]
    if name in _packaged():
        raise CorpusError(f"{path}: [{name}] must not have the name of a known corpus. Choose another name.")
    if not isinstance(table, dict) or not known.keys() >= table.keys() >= set(needed):
        found = ", ".join(table) if isinstance(table, dict) else repr(table)
        raise CorpusError(f"{path}: [{name}] must have {', '.join(needed)} and may have folds, got {found}.")
    if table["language"] not in get_args(Language) or table.get("folds", "shuffled") not in get_args(FoldRule):
        raise CorpusError(
            f"{path}: [{name}] language must be one of {', '.join(get_args(Language))} and folds one of "
            f"{', '.join(get_args(FoldRule))}, got {table['language']!r} and {table.get('folds')!r}."
        )
    if not isinstance(table["files"], list) or not all(isinstance(file, str) for file in table["files"]):
        raise CorpusError(f"{path}: [{name}] files must be a list of paths in {path.parent}, got {table['files']!r}.")
    return _info(name, table)


def _info(name: str, table: dict[str, Any]) -> CorpusInfo:
    fields = dict(table)
    sources = tuple(Source(**source) for source in fields.pop("sources", ()))
    files, earlier = tuple(fields.pop("files")), tuple(fields.pop("earlier", ()))
    return CorpusInfo(name=name, files=files, sources=sources, earlier=earlier, **fields)


def find_corpus(name: str) -> CorpusInfo:
    """Return a corpus by name; raise UnknownCorpusError with the most similar name if there is none."""
    if info := _packaged().get(name) or corpora().get(name):
        return info
    hint = did_you_mean(name.lower(), corpora())
    raise UnknownCorpusError(f"There is no corpus {name!r}.{hint} Known: {', '.join(corpora())}.")


def data_folder() -> Path:
    """Return the folder of the corpora: SAU_DATA, or the user's cache folder if it is not set."""
    if folder := os.environ.get("SAU_DATA"):
        return Path(folder).expanduser()
    import pooch  # slow to import

    return Path(pooch.os_cache("sau-solver"))


def local_files(info: CorpusInfo, folder: Path) -> tuple[tuple[Path, Source | None], ...]:
    """Return the files to read, each with its source if it was downloaded; empty if the corpus is missing."""
    if info.packaged:
        return tuple((Path(str(files("sau_solver.data") / file)), None) for file in info.files)
    if all((folder / file).is_file() for file in info.files):
        return tuple((folder / file, None) for file in info.files)
    if info.sources and all((folder / source.file).is_file() for source in info.sources):
        return tuple((folder / source.file, source) for source in info.sources)
    return ()


def available(folder: Path | None = None) -> tuple[str, ...]:
    """Return the names of the corpora whose files are on this machine."""
    folder = folder or data_folder()
    known = {**_packaged(), **_own(folder / REGISTER)}
    return tuple(name for name, info in known.items() if local_files(info, folder))
