"""Files by path or URL: open, list, measure and replace them. URLs such as s3://bucket/folder go through pyarrow.

Credentials and the endpoint of S3 come from the environment (AWS_ACCESS_KEY_ID, AWS_ENDPOINT_URL and so on) or from the
URL: s3://bucket/folder?scheme=http&endpoint_override=localhost:9000.
"""

from __future__ import annotations

import io
import re
import shutil
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, cast

from sau_solver.errors import InputError

_URL = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]+)://(?P<place>[^?]*)(?P<query>\?.*)?")
_BUFFER = 1 << 20  # bytes that one request reads at least


def is_url(name: str) -> bool:
    """Return whether a name is a URL and not a path."""
    return _URL.fullmatch(name) is not None


def shown(name: str) -> str:
    """Return a path or URL as messages show it: without a password."""
    url = _URL.fullmatch(name)
    return f"{url['scheme']}://{url['place'].rpartition('@')[2]}{url['query'] or ''}" if url else name


def joined(folder: str, name: str) -> str:
    """Return the path or URL of a name in a folder; the query of a URL stays at its end."""
    if not (url := _URL.fullmatch(folder)):
        return str(Path(folder) / name)
    return f"{url['scheme']}://{url['place'].rstrip('/')}/{name}{url['query'] or ''}"


def name_of(file: str) -> str:
    """Return the last part of a path or URL."""
    url = _URL.fullmatch(file)
    return (url["place"] if url else file).rstrip("/").rpartition("/")[2]


def open_binary(file: str) -> BinaryIO:
    """Open a file for reading; it can seek."""
    if not is_url(file):
        return Path(file).open("rb")
    system, path = _found(file)
    return cast(BinaryIO, io.BufferedReader(system.open_input_file(path), _BUFFER))


def size_of(file: str) -> int | None:
    """Return the bytes of a file, or None if there is no such file."""
    if not is_url(file):
        path = Path(file)
        return path.stat().st_size if path.is_file() else None
    info = _info(file)
    return int(info.size) if info.is_file else None


def is_folder(name: str) -> bool:
    """Return whether a path or URL is an existing folder."""
    return _info(name).type.name == "Directory" if is_url(name) else Path(name).is_dir()


def files_in(folder: str) -> list[str]:
    """Return the files of a folder and its subfolders, relative to it, in order of their names."""
    if not is_url(folder):
        return sorted(path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file())
    from pyarrow.fs import FileSelector

    system, path = _found(folder)
    base = path.rstrip("/") + "/"
    found = system.get_file_info(FileSelector(base, recursive=True))
    return sorted(info.path.removeprefix(base) for info in found if info.is_file)


def download(file: str, sink: BinaryIO) -> None:
    """Copy a file of a URL into an open local one."""
    with open_binary(file) as source:
        shutil.copyfileobj(source, sink, _BUFFER)


def upload(source: BinaryIO, file: str) -> None:
    """Replace the file of a URL: upload it under another name first, so that a kill leaves no partial file."""
    system, path = _found(file)
    folder, _, name = path.rpartition("/")
    if system.type_name == "local":
        system.create_dir(folder)
    writing = f"{folder}/.{name}.writing"
    with system.open_output_stream(writing) as sink:
        shutil.copyfileobj(source, sink, _BUFFER)
    system.move(writing, path)


def _info(file: str) -> Any:
    system, path = _found(file)
    (info,) = system.get_file_info([path.rstrip("/")])
    return info


def _found(file: str) -> tuple[Any, str]:
    """Return the file system of a URL and the path there."""
    url = _URL.fullmatch(file)
    assert url is not None
    if url["scheme"] == "file":
        return _file_system("file:///"), url["place"]
    first, _, _ = url["place"].partition("/")
    place = url["place"].rpartition("@")[2]  # without credentials
    return _file_system(f"{url['scheme']}://{first}{url['query'] or ''}"), place


@lru_cache(maxsize=8)
def _file_system(url: str) -> Any:
    try:
        import pyarrow
        from pyarrow.fs import FileSystem
    except ImportError:
        raise InputError(
            f"{shown(url)}: URLs need pyarrow, which is not installed. Run in a checkout: pip install '.[scale]'"
        ) from None
    try:
        system, _ = FileSystem.from_uri(url)
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        reason = str(error).strip().splitlines()[0]
        raise InputError(
            f"{shown(url)} cannot be used ({reason}). Give a path, or a URL such as s3://bucket/folder."
        ) from None
    return system
