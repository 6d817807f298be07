"""A local S3 server in a process of its own: moto, which scripts/test_servers.sh installs."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[1]
START_SECONDS = 120


@dataclass(frozen=True)
class ObjectStore:
    """A running server with the empty bucket `school`."""

    address: str  # HOST:PORT
    bucket: str = "s3://school"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that a command needs to use it."""
        keys = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
        return keys | {"AWS_ENDPOINT_URL": f"http://{self.address}", "AWS_EC2_METADATA_DISABLED": "true"}


@contextmanager
def object_store(folder: Path) -> Iterator[ObjectStore]:
    """Run a server whose log is in a folder; skip the test if there is none."""
    given = os.environ.get("SAU_OBJECT_STORE")
    program = shutil.which(given or str(ROOT / ".cache/object-store/bin/moto_server"))
    if program is None:
        pytest.skip("there is no S3 server: sh scripts/test_servers.sh object-store")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with (folder / "object-store.log").open("wb") as log:
        # Its own environment has its own packages: ours must not be found.
        own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        server = subprocess.Popen([program, "-H", "127.0.0.1", "-p", str(port)], stdout=log, stderr=log, env=own)
        try:
            make_bucket(f"http://127.0.0.1:{port}/school", server)
            yield ObjectStore(f"127.0.0.1:{port}")
        finally:
            server.kill()
            server.wait()


def make_bucket(url: str, server: subprocess.Popen[bytes]) -> None:
    """Make a bucket as soon as the server answers."""
    end = time.monotonic() + START_SECONDS
    while True:
        assert server.poll() is None, "the S3 server has ended"
        assert time.monotonic() < end, "the S3 server does not start"
        try:
            assert httpx.put(url, trust_env=False).status_code == 200
            return
        except httpx.TransportError:
            time.sleep(0.1)
