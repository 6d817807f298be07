"""Every command that takes a model takes owner/name[@revision] of the Hub, and works offline after a first download."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import pytest

from tests.commands import sau
from tests.hub.conftest import files_of, write_small_model
from tests.hub.hub_stand_in import TOKEN, Hub, Repository, hub_server

pytestmark = pytest.mark.slow

PROBLEM = "Tom has 3 apples and buys 5 more. How many apples does he have?"
LOCAL = {"HF_HUB_OFFLINE": "1"}


@dataclass(frozen=True)
class World:
    """A Hub with a private model, a folder to work in, and the same model in a folder."""

    hub: Hub
    folder: Path
    environment: dict[str, str]

    @property
    def commit(self) -> str:
        return self.hub.repositories["ann/small"].refs["main"]

    def sau(self, *arguments: str, **more: str) -> tuple[int, str]:
        """Run a command; return its exit code and output. The token is in no stream."""
        done = sau(*arguments, folder=self.folder, environment=self.environment | more)
        assert TOKEN not in done.stdout + done.stderr
        return done.returncode, done.stdout if done.returncode in (0, 3) else done.stderr


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    pytest.importorskip("huggingface_hub", reason="the extra `pretrained` is not installed")
    write_small_model(tmp_path / "here")
    rows = [{"text": f"Tom has {k} apples and buys 5 more. How many?", "answers": [k + 5]} for k in (3, 4)]
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with hub_server() as hub:
        hub.repositories["ann/small"] = Repository(private=True)
        hub.repositories["ann/small"].commit(files_of(tmp_path / "here"))
        home = {"HF_HOME": str(tmp_path / "cache"), "HF_ENDPOINT": hub.address, "HF_TOKEN": TOKEN}
        yield World(hub, tmp_path, os.environ | home | {"HF_HUB_DISABLE_TELEMETRY": "1"})


def test_solve_needs_the_hub_once(world: World) -> None:
    code, folder = world.sau("solve", PROBLEM, "--json", "--model", "here")
    expected = json.loads(folder) | {"model": f"ann/small@{world.commit[:12]}"}
    for more in ({}, LOCAL, {"HF_ENDPOINT": "http://127.0.0.1:9"}):
        solved, out = world.sau("solve", PROBLEM, "--json", "--model", "ann/small", **more)
        assert solved == code, out
        assert json.loads(out) == expected
    asked = len(world.hub.requests)
    assert world.sau("solve", PROBLEM, "--json", "--model", f"ann/small@{world.commit}")[1] == out
    assert len(world.hub.requests) == asked  # a commit that is in the cache needs no request


def test_a_file_is_solved_and_continued_with_one_commit(world: World) -> None:
    code, _ = world.sau("solve", "--input", "mine.jsonl", "--output", "a.jsonl", "--model", "ann/small")
    assert code == 0
    records = [json.loads(line) for line in (world.folder / "a.jsonl").read_text().splitlines()]
    assert {record["model"] for record in records} == {f"ann/small@{world.commit[:12]}"}
    world.hub.repositories["ann/small"].commit(files_of(write_small_model(world.folder / "other", 1)))
    with (world.folder / "mine.jsonl").open("a") as file:
        file.write(json.dumps({"text": PROBLEM}) + "\n")
    code, said = world.sau("solve", "--input", "mine.jsonl", "--output", "a.jsonl", "--model", "ann/small")
    assert code == 2
    assert f"the model is now ann/small@{world.commit[:12]}" in said


def test_the_other_commands_take_the_same_names(world: World) -> None:
    code, out = world.sau("evaluate", "ann/small", "--data", "mine.jsonl", "--json")
    assert code == 0, out
    folder = json.loads(world.sau("evaluate", "here", "--data", "mine.jsonl", "--json")[1])
    assert json.loads(out) == folder | {"model": f"ann/small@{world.commit[:12]}"}
    name = f"ann/small@{world.commit}"
    few = ("--data", "school-en/validation", "--limit", "2", "--no-near-copies")
    code, out = world.sau("benchmark", name, *few, "--json", **LOCAL)
    assert code == 0, out
    assert json.loads(out)["name"] == f"ann/small@{world.commit[:12]}"
    label = ("data", "label", "mine.jsonl", "--output", "labels.jsonl", "--model", name)
    code, out = world.sau(*label, "--share", "0", "--probability", "0", **LOCAL)
    assert code == 0, out
    assert " of 2 problems" in out


@pytest.mark.parametrize(
    "command",
    [
        ("solve", PROBLEM, "--model"),
        ("serve", "--port", "0", "--model"),
        ("benchmark",),
        ("data", "label", "mine.jsonl", "--output", "x.jsonl", "--model"),
        ("evaluate", "--data", "mine.jsonl"),
        ("report", "--output", "r", "--problem", PROBLEM, "--model"),
    ],
)
def test_a_wrong_name_is_explained_by_every_command(world: World, command: tuple[str, ...]) -> None:
    code, said = world.sau(*command, "ann/missing")
    assert (code, "neither a folder here nor a model that you may use" in said) == (2, True), said
    code, said = world.sau(*command, "ann/mis;sing")
    assert (code, "Traceback" in said) == (2, False), said
    code, said = world.sau(*command, "ann/small@v9")
    assert (code, "ann/small has no revision 'v9'" in said) == (2, True), said


def test_the_server_pins_a_branch_to_a_commit_and_logs_no_token(world: World) -> None:
    program = [sys.executable, "-c", "from sau_solver.cli import main; main()"]
    served = subprocess.Popen(
        [*program, "serve", "--port", "0", "--workers", "1", "--model", "ann/small"],
        cwd=world.folder, env=world.environment, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    assert served.stderr is not None
    line = served.stderr.readline()
    try:
        ready = json.loads(line)
        assert ready["models"] == [f"ann/small@{world.commit[:12]}"]
        replied = httpx.post(f"{ready['address']}/v1/solve", json={"text": PROBLEM}, timeout=60, trust_env=False)
        assert replied.json()["model"] == f"ann/small@{world.commit[:12]}"
    finally:
        served.terminate()
        rest = served.stderr.read()
        served.wait(timeout=60)
        served.stderr.close()
    assert TOKEN not in line + rest
    branches = [path for path in world.hub.asked() if path.endswith("/revision/main")]
    assert len(branches) == 1  # the worker asks for the commit, and that is in the cache


def test_offline_without_a_download_is_explained(world: World) -> None:
    empty = replace(world, environment=world.environment | LOCAL)
    code, said = empty.sau("solve", PROBLEM, "--model", "ann/small")
    assert (code, "nor in the cache of the Hugging Face Hub" in said) == (2, True), said
    assert world.hub.requests == []
