"""The commands of docs/scaling.md that need a cluster, an object store or nginx do what the page says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from sau_solver.data.remote_files import open_binary
from tests.cli.bulk.test_shards import contents
from tests.cli.test_crossval_command import CONFIG, CORPUS, LINES, NETWORK, RUNS
from tests.cluster.conftest import Nodes
from tests.cluster.test_replicas import free_ports
from tests.commands import sau, write_program
from tests.docs.pages import ROOT, blocks
from tests.object_store import object_store

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Ray keeps its logs open
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

PAGE = ROOT / "docs/scaling.md"
SECONDS = 240


def commands(reason: str) -> list[str]:
    """Return the commands of the block that the page marks as not run for a reason."""
    (block,) = (block for block in blocks(PAGE) if block.reason == reason)
    return [command for command, _ in block.commands()]


class User:
    """Someone who has followed the page up to the first block that needs more than this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "problems" / "deep").mkdir(parents=True)
        text = "".join(json.dumps({"text": f"{number + 2}x=7"}) + "\n" for number in range(5))
        (folder / "problems" / "part-1.jsonl").write_text(text, encoding="utf-8")
        (folder / "problems" / "deep" / "part-2.csv").write_text("problem\n3+4\n5x=9\n", encoding="utf-8")
        programs = folder / ".bin"
        programs.mkdir()
        write_program(programs / "sau")
        self.environment = {"PATH": f"{programs}:{os.environ['PATH']}:/usr/sbin"}  # beside that of the tests
        done = sau("solve", "--input", "problems", "--output", "expected", folder=folder)
        assert done.returncode == 0, done.stderr

    def run(self, command: str) -> None:
        done = subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, check=False, timeout=SECONDS,
            cwd=self.folder, env=os.environ | self.environment,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stderr}"

    def start(self, command: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["bash", "-c", f"exec {command}"],
            cwd=self.folder,
            env=os.environ | self.environment,
            stderr=subprocess.DEVNULL,
        )

    def answers(self, name: str) -> dict[str, bytes]:
        return contents(self.folder / name)


@pytest.fixture
def user(tmp_path: Path) -> User:
    return User(tmp_path)


def test_the_commands_for_a_ray_cluster(user: User, nodes: Nodes) -> None:
    pip, ray_start, solve, crossval = commands("needs a cluster")
    assert pip.startswith("pip install")
    assert ray_start == "ray start --head"  # the fixture has started a cluster
    (user.folder / "data").mkdir()
    (user.folder / "data" / "corpora.toml").write_text(CORPUS, encoding="utf-8")
    text = "".join(json.dumps(line) + "\n" for line in LINES)
    (user.folder / "data" / "toy.jsonl").write_text(text, encoding="utf-8")
    config = CONFIG.replace("NAME", "net").replace("MODEL", "sau") + NETWORK
    (user.folder / "net.toml").write_text(config, encoding="utf-8")
    user.environment |= {"RAY_ADDRESS": nodes.address, "SAU_DATA": str(user.folder / "data")}  # `auto` finds it
    user.run(solve)
    assert user.answers("answers") == user.answers("expected")
    user.run(crossval.replace("configs/paper/sau-alg514.toml", "net.toml"))
    stored = json.loads((user.folder / "results" / "net.json").read_text(encoding="utf-8"))
    assert len(stored["runs"]) == len(RUNS)


@pytest.mark.parametrize("engine", ["local", "ray"])
def test_the_commands_for_an_object_store(
    user: User, engine: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    pip, whole, local = commands("needs an object store")
    assert pip.startswith("pip install")
    with object_store(user.folder) as store:
        for name, value in store.environment.items():
            monkeypatch.setenv(name, value)
        more = ""
        if engine == "ray":
            more = f" --engine ray --address {request.getfixturevalue('nodes').address}"
        for name, raw in user.answers("problems").items():  # not answers: the inputs
            url = f"http://{store.address}/school/problems/{name}"
            assert httpx.put(url, content=raw, trust_env=False).status_code == 200
        user.run(whole.replace("--jobs 8", "--jobs 2") + more)
        for name, raw in user.answers("expected").items():
            url = f"{store.bucket}/answers/{name}?scheme=http&endpoint_override={store.address}"
            with open_binary(url) as stored:
                assert stored.read() == raw
        monkeypatch.delenv("AWS_ENDPOINT_URL")  # the second URL names it
        user.run(local.replace("localhost:9000", store.address) + more)
        assert user.answers("answers") == user.answers("expected")


def test_the_commands_for_servers_behind_nginx(user: User) -> None:
    if shutil.which("nginx", path=user.environment["PATH"]) is None:
        pytest.skip("nginx is not installed: sh scripts/test_servers.sh nginx")
    ports = dict(zip(("8000", "8001", "8002"), map(str, free_ports(3)), strict=True))
    (config,) = (block.content for block in blocks(PAGE) if block.file == "nginx.conf")
    config = re.sub(r"(?<=127\.0\.0\.1:)\d+", lambda documented: ports[documented[0]], config)
    (user.folder / "nginx.conf").write_text(config, encoding="utf-8")
    *serve, nginx = commands("runs until you stop it")
    started = [
        user.start(re.sub(r"(?<=--port )\d+", lambda documented: ports[documented[0]], one) + " --workers 1")
        for one in serve
    ]
    own = f"-e {user.folder}/log -g 'daemon off; pid {user.folder}/pid; error_log {user.folder}/log;'"
    started.append(user.start(f"{nginx} {own}"))
    try:
        assert len(started) == 3
        address = f"http://127.0.0.1:{ports['8000']}"
        wait_for(address, started)
        answer = httpx.post(f"{address}/v1/equation", json={"equations": "2x=7"}, timeout=60, trust_env=False)
        assert answer.json()["roots"] == [{"x": "7/2"}]
    finally:
        for one in started:
            one.terminate()
        for one in started:
            one.wait()


def wait_for(address: str, started: list[subprocess.Popen[bytes]]) -> None:
    end = time.monotonic() + SECONDS
    while True:
        assert all(one.poll() is None for one in started), "a server has ended"
        assert time.monotonic() < end, "the servers do not start"
        try:
            if httpx.get(f"{address}/healthz", timeout=60, trust_env=False).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
