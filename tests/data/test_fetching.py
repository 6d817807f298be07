"""Fetching stores a verified file, or stores nothing and explains why."""

from __future__ import annotations

import hashlib
import json
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from sau_solver.data import corpora, fetch, load
from sau_solver.data.fetching import LOCK_FILE
from sau_solver.errors import ChecksumError, CorpusError, UnknownCorpusError
from tests.data.published_chinese import HMWP, MATH23K
from tests.data.published_english import MAWPS
from tests.data.published_files import BY_CORPUS
from tests.data.web_server import web_server, zipped


def pages(name: str, content: bytes) -> dict[str, bytes]:
    return {source.url(""): content for source in corpora()[name].sources}


def left_behind(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", BY_CORPUS)
def test_a_fetched_corpus_loads(name: str, tmp_path: Path) -> None:
    published = BY_CORPUS[name]
    with web_server(pages(name, published.content)) as (address, _):
        paths = fetch(name, tmp_path, address)
    sources = corpora()[name].sources
    assert paths == tuple(tmp_path / source.file for source in sources)
    assert all(path.read_bytes() == published.content for path in paths)
    corpus = load(name, tmp_path)
    assert corpus.rejected == ()
    # All files contain the same problem; only their split or fold differs.
    assert [replace(problem, id="") for problem in corpus] == [
        replace(published.problem, id="", split=source.split, fold=source.fold) for source in sources
    ]
    assert len({problem.id for problem in corpus}) == len(sources)


def test_a_zipped_file_is_unpacked_and_checked_by_its_git_blob(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = MATH23K.content
    blob = hashlib.sha1(b"blob %d\0%b" % (len(content), content)).hexdigest()
    info = corpora()["math23k"]
    pinned = replace(info, sources=(replace(info.sources[0], git_blob=blob),))
    monkeypatch.setattr("sau_solver.data.fetching.find_corpus", lambda name: pinned)
    with web_server(pages("math23k", zipped("Math_23K.json", content))) as (address, asked):
        fetch("math23k", tmp_path, address)
        fetch("math23k", tmp_path, address)
    assert len(asked) == 1
    assert list(load("math23k", tmp_path)) == [replace(MATH23K.problem, split=None)]
    (tmp_path / "math23k/Math_23K.json").write_bytes(b"{}")
    with pytest.raises(ChecksumError, match=r"Delete .*Math_23K\.json"):
        fetch("math23k", tmp_path)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (zipped("Math_23K.json", b"{}"), ChecksumError),
        (zipped("other.json", b"{}"), CorpusError),
        (b"not a zip", CorpusError),
    ],
    ids=["another content", "another name", "no zip"],
)
def test_a_wrong_file_is_rejected_and_deleted(tmp_path: Path, content: bytes, error: type[CorpusError]) -> None:
    with web_server(pages("math23k", content)) as (address, _), pytest.raises(error):
        fetch("math23k", tmp_path, address)
    assert left_behind(tmp_path) == []


def test_a_pinned_sha256_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = corpora()["mawps"]
    pinned = replace(info, sources=(replace(info.sources[0], sha256="0" * 64),))
    monkeypatch.setattr("sau_solver.data.fetching.find_corpus", lambda name: pinned)
    with (
        web_server(pages("mawps", MAWPS.content)) as (address, _),
        pytest.raises(ChecksumError, match=f"must be {'0' * 64}, got"),
    ):
        fetch("mawps", tmp_path, address)
    assert left_behind(tmp_path) == []


def test_a_second_fetch_downloads_nothing(tmp_path: Path) -> None:
    with web_server(pages("hmwp", HMWP.content)) as (address, asked):
        first = fetch("hmwp", tmp_path, address)
        assert fetch("hmwp", tmp_path, address) == first
        assert fetch("hmwp-all", tmp_path, address) == first  # the same published file
    assert len(asked) == 1


def test_the_first_checksum_is_required_from_then_on(tmp_path: Path) -> None:
    with web_server(pages("hmwp", HMWP.content)) as (address, _):
        (path,) = fetch("hmwp", tmp_path, address)
    lock = json.loads((tmp_path / LOCK_FILE).read_text())
    assert lock == {"hmwp/hmwp.json": hashlib.sha256(HMWP.content).hexdigest()}
    path.write_bytes(b"changed")
    with pytest.raises(ChecksumError, match="Delete"):
        fetch("hmwp", tmp_path)
    path.unlink()
    with web_server(pages("hmwp", b"[]")) as (address, _), pytest.raises(ChecksumError, match="recorded in"):
        fetch("hmwp", tmp_path, address)
    assert left_behind(tmp_path) == [LOCK_FILE]


def test_a_damaged_lock_file_is_named(tmp_path: Path) -> None:
    (tmp_path / LOCK_FILE).write_text("[")
    with pytest.raises(CorpusError, match=LOCK_FILE):
        fetch("hmwp", tmp_path)


def test_a_missing_page_is_an_error_with_its_status(tmp_path: Path) -> None:
    with web_server({}) as (address, _), pytest.raises(CorpusError, match="the server answered 404"):
        fetch("hmwp", tmp_path, address)
    assert left_behind(tmp_path) == []


def test_an_interrupted_download_leaves_nothing(tmp_path: Path) -> None:
    with (
        web_server(pages("hmwp", HMWP.content * 500), cut_short=True) as (address, _),
        pytest.raises(CorpusError, match="could not be downloaded"),
    ):
        fetch("hmwp", tmp_path, address)
    assert left_behind(tmp_path) == []


def test_an_unreachable_server_is_an_error(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(CorpusError, match=r"ConnectionError.*Check the connection"):
        fetch("hmwp", tmp_path, f"http://127.0.0.1:{port}")


def test_progress_is_reported(tmp_path: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    with web_server(pages("hmwp", HMWP.content)) as (address, _):
        fetch("hmwp", tmp_path, address, lambda *call: calls.append(call))
    assert calls[-1] == ("hmwp.json", len(HMWP.content), len(HMWP.content))


def test_a_corpus_without_a_public_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="cannot be downloaded: The release has no texts"):
        fetch("dolphin18k", tmp_path)
    with pytest.raises(UnknownCorpusError):
        fetch("nothing", tmp_path)


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(CorpusError, match="SAU_DATA"):
        fetch("hmwp", tmp_path / "file")
