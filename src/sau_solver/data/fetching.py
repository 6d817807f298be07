"""Download the published files of a corpus into the data folder (`sau data fetch`) and verify them.

A file is verified by the SHA-256 or git blob id of the registry. If the registry has neither, the file is pinned by its
commit, and the SHA-256 of the first download is recorded in corpora.lock.json and required from then on.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

from sau_solver.data.registry import PUBLIC_BASE, CorpusInfo, Source, data_folder, find_corpus, local_files
from sau_solver.errors import ChecksumError, CorpusError
from sau_solver.files import move_into_place, write_atomically

LOCK_FILE = "corpora.lock.json"
TIMEOUT = 30.0  # seconds without data
STALL_SECONDS = 60.0  # without a full chunk of data: a server may send a byte now and then
DOWNLOAD_SECONDS = 900.0  # of one file
MAX_DOWNLOAD_BYTES = 1 << 28
CHUNK = 1 << 12
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
        move_into_place(ready, target)
    lock = dict(sorted({**_read_lock(folder), source.file: actual}.items()))
    write_atomically(folder / LOCK_FILE, json.dumps(lock, indent=2) + "\n")
    return target


def _download(url: str, target: Path, info: CorpusInfo, progress: Progress | None) -> None:
    """Download a file in a thread, which is given up if it takes too long."""
    download = _Download(url, target, progress)
    download.start()
    start = time.monotonic()
    try:
        while download.is_alive():
            download.join(0.1)
            now = time.monotonic()
            if now - max(start, download.heard) > STALL_SECONDS or now - start > DOWNLOAD_SECONDS:
                raise _not_downloaded(info, url, "the server sends too slowly")
    finally:
        download.given_up = True  # it ends with the next chunk
    if download.failed:
        response = getattr(download.failed, "response", None)
        reason = f"the server answered {response.status_code}" if response is not None else str(download.failed)
        raise _not_downloaded(info, url, reason) from download.failed


def _not_downloaded(info: CorpusInfo, url: str, reason: str) -> CorpusError:
    return CorpusError(
        f"{info.title}: {url} could not be downloaded ({reason}). Check the connection and try again, "
        "or put the file into the SAU_DATA folder yourself."
    )


class _Download(threading.Thread):
    """A download in the background; `failed` has the error if it has one."""

    def __init__(self, url: str, target: Path, progress: Progress | None) -> None:
        super().__init__(daemon=True)
        self.url, self.target, self.progress = url, target, progress
        self.heard = 0.0  # when the last chunk came
        self.given_up = False
        self.failed: OSError | None = None

    def run(self) -> None:
        """Download the file."""
        import requests  # slow to import

        try:
            with requests.get(self.url, stream=True, timeout=TIMEOUT) as response, self.target.open("wb") as file:
                response.raise_for_status()
                total = int(response.headers.get("content-length", 0))
                self._write(file, response.iter_content(CHUNK), total)
        except requests.RequestException as error:  # a subclass of OSError, with a long text
            self.failed = error if error.response is not None else OSError(type(error).__name__)
        except (OSError, ValueError) as error:  # ValueError: content-length is not a number
            self.failed = OSError(str(error))

    def _write(self, file: IO[bytes], chunks: Iterable[bytes], total: int) -> None:
        done = 0
        for chunk in chunks:
            self.heard = time.monotonic()
            done += len(chunk)
            if self.given_up:
                return
            if max(done, total) > MAX_DOWNLOAD_BYTES:
                raise OSError(f"it is larger than {MAX_DOWNLOAD_BYTES >> 20} MiB, so it is not the published file")
            file.write(chunk)
            if self.progress:
                self.progress(self.target.name, done, max(total, done) if total else 0)


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
