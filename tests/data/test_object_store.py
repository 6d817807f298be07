"""Files behind s3:// URLs are read, listed and replaced: with a local S3 server, if there is one."""

from __future__ import annotations

import gzip
import io
import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from sau_solver.cli.bulk.shards import find_shards, goes_to_folder, make_folders
from sau_solver.cli.bulk.solve_files import Solving, solve_all
from sau_solver.data.remote_files import files_in, is_folder, joined, name_of, open_binary, shown, size_of, upload
from tests.by_heart import pens, solver
from tests.commands import Command, sau
from tests.object_store import ObjectStore, object_store

LINES = "".join(json.dumps({"id": number, "text": pens(number + 2, 3)}) + "\n" for number in range(5)).encode()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObjectStore]:
    """A running server, which the environment of the tests names."""
    with object_store(tmp_path_factory.mktemp("store")) as running, pytest.MonkeyPatch.context() as patched:
        for name, value in running.environment.items():
            patched.setenv(name, value)
        yield running


@pytest.fixture
def bucket(store: ObjectStore) -> str:
    return store.bucket


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


HALF = """
import os, shutil, signal
def half(source, sink, size):
    sink.write(source.read(40))
    os.kill(os.getpid(), signal.SIGKILL)
shutil.copyfileobj = half
"""


@pytest.mark.slow
def test_an_upload_that_is_killed_is_made_again(bucket: str, tmp_path: Path) -> None:
    upload(io.BytesIO(b'{"text": "2x=6"}\n{"text": "3x=7"}\n'), f"{bucket}/cut/in/a.jsonl")
    arguments = ("solve", "--input", f"{bucket}/cut/in", "--output", f"{bucket}/cut/out")
    with Command(*arguments, folder=tmp_path, before=HALF) as command:
        command.communicate()
    assert command.returncode == -signal.SIGKILL
    assert size_of(f"{bucket}/cut/out/a.jsonl") is None
    done = sau(*arguments, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert files_in(f"{bucket}/cut/out") == ["a.jsonl"]
    assert sau("solve", "--input", f"{bucket}/cut/in", "--output", "local", folder=tmp_path).returncode == 0
    with open_binary(f"{bucket}/cut/out/a.jsonl") as stored:
        assert stored.read() == (tmp_path / "local" / "a.jsonl").read_bytes()


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
