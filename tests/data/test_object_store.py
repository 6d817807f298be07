"""Files behind s3:// URLs are read, listed and replaced: with a local S3 server, if moto is installed."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from sau_solver.cli.bulk.shards import find_shards, goes_to_folder, make_folders
from sau_solver.cli.bulk.solve_files import Solving, solve_all
from sau_solver.data.remote_files import files_in, is_folder, joined, name_of, open_binary, shown, size_of, upload
from tests.by_heart import pens, solver

LINES = "".join(json.dumps({"id": number, "text": pens(number + 2, 3)}) + "\n" for number in range(5)).encode()


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """The URL of an empty bucket on a server of this process."""
    server = pytest.importorskip("moto.server", reason="moto is not installed: pip install 'moto[server]'")
    store = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    store.start()
    with pytest.MonkeyPatch.context() as patched:
        host, port = store.get_host_and_port()
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patched.setenv(name, "test")
        patched.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        assert httpx.put(f"http://{host}:{port}/school", trust_env=False).status_code == 200
        yield "s3://school"
    store.stop()


@pytest.mark.slow
def test_objects_are_solved_as_files_are(bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sau_solver.solver.load", lambda model: solver())
    upload(io.BytesIO(LINES), f"{bucket}/in/a.jsonl")
    upload(io.BytesIO(gzip.compress(LINES)), f"{bucket}/in/deep/b.jsonl.gz")
    assert files_in(f"{bucket}/in") == ["a.jsonl", "deep/b.jsonl.gz"]
    assert goes_to_folder([f"{bucket}/in"], f"{bucket}/out")
    for target in (f"{bucket}/out", f"{bucket}/out", str(tmp_path)):  # the second run finds all answers
        shards = find_shards([f"{bucket}/in"], target)
        make_folders(shards)
        solve_all(shards, target, Solving(None, None, 5))
    assert files_in(f"{bucket}/out") == ["a.jsonl", "deep/b.jsonl"]
    for name in files_in(f"{bucket}/out"):
        with open_binary(f"{bucket}/out/{name}") as stored:
            assert stored.read() == (tmp_path / name).read_bytes()


@pytest.mark.slow
def test_what_is_not_there_has_no_size(bucket: str) -> None:
    assert size_of(f"{bucket}/none.jsonl") is None
    assert not is_folder(f"{bucket}/none")


def test_names_and_queries_of_urls() -> None:
    url = "s3://key:secret@school/in/?endpoint_override=localhost:9000"
    assert joined(url, "a.csv") == "s3://key:secret@school/in/a.csv?endpoint_override=localhost:9000"
    assert name_of(joined(url, "a.csv")) == "a.csv"
    assert shown(url) == "s3://school/in/?endpoint_override=localhost:9000"
    assert shown("a/b.csv") == "a/b.csv"
