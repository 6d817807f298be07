"""The registered corpora: what each is, where it lies, its source, its licence.

Those that the package knows are in its corpora.toml; a file of the same form and name in the data folder adds others
(docs/adding-a-corpus.md).
"""

from __future__ import annotations

import dataclasses
import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

from sau_solver.errors import CorpusError, UnknownCorpusError
from sau_solver.problem import Language

PUBLIC_BASE = "https://raw.githubusercontent.com"

Selection = Literal["hmwp-paper", "manual-equations"]

# How a corpus that the package does not know is divided: contiguous fifths in file order; the `fold` or the `split` of
# its problems; fifths of a seeded shuffle.
FoldRule = Literal["contiguous", "published-folds", "published-split", "shuffled"]

REGISTER = "corpora.toml"


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
    folds: FoldRule | None = None  # of a user's own corpus; those of the package have recorded folds


def corpora() -> Mapping[str, CorpusInfo]:
    """Every registered corpus by name: the package's in the order of its file, then those of the data folder."""
    return MappingProxyType({**_packaged(), **_own(data_folder() / REGISTER)})


@cache
def _packaged() -> Mapping[str, CorpusInfo]:
    tables = tomllib.loads(files("sau_solver.data").joinpath(REGISTER).read_text(encoding="utf-8"))
    return {name: _info(name, table) for name, table in tables.items()}


def _own(path: Path) -> Mapping[str, CorpusInfo]:
    """What a user registered; CorpusError where the file is not of that form or takes a name of the package."""
    if not path.is_file():
        return {}
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CorpusError(f"{path}: a TOML file with a table for each corpus was expected ({error}).") from None
    return {name: _own_info(name, table, path) for name, table in tables.items()}


def _own_info(name: str, table: object, path: Path) -> CorpusInfo:
    known = {
        item.name: item for item in dataclasses.fields(CorpusInfo) if item.name not in ("name", "sources", "select")
    }
    needed = [field for field, item in known.items() if item.default is dataclasses.MISSING]
    if name in _packaged():
        raise CorpusError(f"{path}: [{name}] is a corpus of this package already; choose another name.")
    if not isinstance(table, dict) or not known.keys() >= table.keys() >= set(needed):
        came = ", ".join(table) if isinstance(table, dict) else repr(table)
        raise CorpusError(f"{path}: [{name}] needs {', '.join(needed)}, and may have folds; {came} came.")
    if table["language"] not in get_args(Language) or table.get("folds", "shuffled") not in get_args(FoldRule):
        raise CorpusError(
            f"{path}: [{name}] language is one of {', '.join(get_args(Language))}, folds one of "
            f"{', '.join(get_args(FoldRule))}; {table['language']!r} and {table.get('folds')!r} came."
        )
    if not isinstance(table["files"], list) or not all(isinstance(file, str) for file in table["files"]):
        raise CorpusError(f"{path}: [{name}] files is a list of paths under {path.parent}; {table['files']!r} came.")
    return _info(name, table)


def _info(name: str, table: dict[str, Any]) -> CorpusInfo:
    fields = dict(table)
    sources = tuple(Source(**source) for source in fields.pop("sources", ()))
    return CorpusInfo(name=name, files=tuple(fields.pop("files")), sources=sources, **fields)


def find_corpus(name: str) -> CorpusInfo:
    """A corpus by name; UnknownCorpusError names the nearest."""
    if info := _packaged().get(name) or corpora().get(name):
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
    known = {**_packaged(), **_own(folder / REGISTER)}
    return tuple(name for name, info in known.items() if local_files(info, folder))
