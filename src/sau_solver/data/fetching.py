"""Download the published files of a corpus into the data folder (`sau data fetch`) and verify them.

A file is verified by the SHA-256 or git blob id of the registry. If the registry has neither, the file is pinned by its
commit, and the SHA-256 of the first download is recorded in corpora.lock.json and required from then on.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from sau_solver.data.registry import PUBLIC_BASE, CorpusInfo, Source, data_folder, find_corpus, local_files
from sau_solver.errors import ChecksumError, CorpusError
from sau_solver.files import write_atomically

LOCK_FILE = "corpora.lock.json"
TIMEOUT = 30.0  # seconds without data
MAX_MEMBER_BYTES = 1 << 29

Progress = Callable[[str, int, int], None]
"""Called with the name of the file, the bytes so far, and the total (0 if the server does not tell)."""


def fetch(
    name: str, folder: Path | None = None, base_url: str | None = None, progress: Progress | None = None
) -> tuple[Path, ...]:
    """Download the published files of a corpus and return their paths.

    Existing files are only verified. A corpus that is there in another form, such as one compressed file, is not
    downloaded.
    """
    info = find_corpus(name)
    if not info.sources:
        raise CorpusError(f"{info.title} cannot be downloaded: {info.notes}")
    folder = folder or data_folder()
    present = local_files(info, folder)
    if present and not any(source for _, source in present):
        return tuple(path for path, _ in present)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return tuple(_fetch_file(source, info, folder, base_url or PUBLIC_BASE, progress) for source in info.sources)
    except OSError as error:
        reason = error.strerror or error
        raise CorpusError(
            f"{folder}: cannot be written ({reason}). Set SAU_DATA to a folder that you can write to."
        ) from None


def _fetch_file(source: Source, info: CorpusInfo, folder: Path, base: str, progress: Progress | None) -> Path:
    target = folder / source.file
    recorded = _read_lock(folder).get(source.file)
    if target.is_file():
        _check_in_place(target, source, recorded)
        return target
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder) as staging:
        download = Path(staging) / Path(source.path).name
        _download(source.url(base), download, info, progress)
        if source.sha256:
            _verify(_sha256(download), source.sha256, "SHA-256", source.url(base))
        ready = _unpack(download, source) if source.member else download
        if source.git_blob:
            _verify(_git_blob(ready), source.git_blob, "git blob id", source.url(base))
        actual = _sha256(ready)
        if recorded:
            _verify(actual, recorded, f"SHA-256 (recorded in {LOCK_FILE})", source.url(base))
        target.parent.mkdir(parents=True, exist_ok=True)
        ready.replace(target)
    lock = dict(sorted({**_read_lock(folder), source.file: actual}.items()))
    write_atomically(folder / LOCK_FILE, json.dumps(lock, indent=2) + "\n")
    return target


def _download(url: str, target: Path, info: CorpusInfo, progress: Progress | None) -> None:
    import pooch  # slow to import

    bar = _Bar(target.name, progress) if progress else False
    try:
        pooch.HTTPDownloader(progressbar=bar, timeout=TIMEOUT)(url, str(target), None)
    except OSError as error:  # the exceptions of requests are subclasses
        response = getattr(error, "response", None)
        reason = f"the server answered {response.status_code}" if response is not None else type(error).__name__
        raise CorpusError(
            f"{info.title}: {url} could not be downloaded ({reason}). Check the connection and try again, "
            "or put the file into the SAU_DATA folder yourself."
        ) from error


class _Bar:
    """A progress bar as pooch expects it, which calls a callback."""

    def __init__(self, name: str, progress: Progress) -> None:
        self.name = name
        self.progress = progress
        self.total = 0
        self.done = 0

    def update(self, size: int) -> None:
        self.done = min(self.done + size, self.total) if self.total else self.done + size
        self.progress(self.name, self.done, self.total)

    def reset(self) -> None:
        self.done = 0

    def close(self) -> None:
        """Do nothing; pooch requires this method."""


def _unpack(archive: Path, source: Source) -> Path:
    assert source.member is not None
    ready = archive.with_name("unpacked")
    try:
        with zipfile.ZipFile(archive) as packed, packed.open(source.member) as member:
            content = member.read(MAX_MEMBER_BYTES + 1)
    except (zipfile.BadZipFile, KeyError, EOFError) as error:
        raise CorpusError(f"{source.path} must be a zip archive with {source.member} ({error}).") from None
    if len(content) > MAX_MEMBER_BYTES:
        raise CorpusError(f"{source.path}: {source.member} is larger than {MAX_MEMBER_BYTES >> 20} MiB.")
    ready.write_bytes(content)
    return ready


def _check_in_place(target: Path, source: Source, recorded: str | None) -> None:
    again = f"Delete {target} and fetch it again."
    if source.git_blob:
        _verify(_git_blob(target), source.git_blob, "git blob id", str(target), again)
    elif recorded or (source.sha256 and not source.member):
        _verify(_sha256(target), recorded or str(source.sha256), "SHA-256", str(target), again)


def _verify(actual: str, expected: str, kind: str, what: str, advice: str = "The download was deleted.") -> None:
    if actual != expected:
        raise ChecksumError(f"{what} is not the published file: {kind} must be {expected}, got {actual}. {advice}")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _git_blob(path: Path) -> str:
    """Return the git blob id of a file: the SHA-1 of a header with the size and of the content."""
    digest = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def _read_lock(folder: Path) -> dict[str, str]:
    path = folder / LOCK_FILE
    if not path.is_file():
        return {}
    try:
        lock = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        lock = None
    if not isinstance(lock, dict) or not all(isinstance(value, str) for value in lock.values()):
        raise CorpusError(f"{path} must be a JSON object of checksums. Delete it; the next fetch creates it again.")
    return lock
