"""Bulk solving on a Ray cluster gives the bytes of a local run, whatever is killed in the middle."""

from __future__ import annotations

import bz2
import gzip
import json
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sau_solver.cli.bulk.shards import find_shards, make_folders
from sau_solver.cli.bulk.solve_files import AnswerWindow, Solving
from sau_solver.cli.bulk.streaming import WINDOW, Answer, Lines, solve_shards
from sau_solver.data.remote_files import files_in, is_folder, joined, open_binary
from sau_solver.engines.ray_engine import RayEngine
from sau_solver.solver import load
from tests.cli.bulk.test_shards import contents, table
from tests.cluster.conftest import LOSSES, Nodes, started
from tests.commands import sau
from tests.object_store import ObjectStore, object_store

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Ray keeps its logs open
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def lines(shard: int, count: int) -> list[str]:
    """Problems that are solved exactly without a model, in both languages, and a bad line."""
    texts = [f"{shard + 2}x+{number}={3 * number + 7}" for number in range(count - 2)]
    return [
        *(json.dumps({"id": number, "text": text}) for number, text in enumerate(texts)),
        "{bad",
        '"计算：25×4－30÷6"',
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An input of ten windows in six shards, with its answers by the local engine in `local`."""
    folder = tmp_path_factory.mktemp("bulk")
    (folder / "in" / "deep").mkdir(parents=True)
    for shard in range(4):
        count = 2 * WINDOW if shard else WINDOW + 9
        text = "".join(line + "\n" for line in lines(shard, count)).encode()
        packed = {1: (".gz", gzip.compress(text)), 2: (".bz2", bz2.compress(text))}.get(shard, ("", text))
        (folder / "in" / f"part-{shard}.jsonl{packed[0]}").write_bytes(packed[1])
    texts: list[str | None] = [f"What is {number} % of 80?" for number in range(40)]
    (folder / "in" / "deep" / "rows.parquet").write_bytes(table([*texts, None, "3x=7"]))
    rows = "".join(f'{number},"x/{number + 2}=5"\n' for number in range(40))
    (folder / "in" / "table.csv").write_text(f"id,problem\n{rows}", encoding="utf-8")
    done = sau("solve", "--input", "in", "--output", "local", folder=folder)
    assert done.returncode == 0, done.stderr
    return folder


def written(output: Path) -> int:
    """Return the number of bytes that are written; files may be renamed meanwhile."""
    total = 0
    for path in output.rglob("*"):
        with suppress(FileNotFoundError):
            total += path.stat().st_size if path.is_file() else 0
    return total


def until_begun(nodes: Nodes, done: Callable[[], int], command: object) -> None:
    """Wait until something is done and tasks run."""
    end = time.monotonic() + 240
    while not (done() and nodes.busy()):
        assert command.poll() is None, "it has ended too early"  # type: ignore[attr-defined]
        assert time.monotonic() < end, "it does not begin"
        time.sleep(0.01)


def test_answers_are_those_of_the_local_engine(nodes: Nodes, folder: Path, tmp_path: Path) -> None:
    with started(nodes, folder, "solve", "--input", "in", "--output", str(tmp_path / "whole")) as command:
        _, messages = command.communicate()
    assert command.returncode == 0, messages
    assert contents(tmp_path / "whole") == contents(folder / "local")
    assert f"Answers: {tmp_path}/whole\n" in messages


@pytest.mark.kills
@pytest.mark.parametrize("lost", LOSSES)
def test_nothing_is_lost_or_doubled_with_a(lost: str, nodes: Nodes, folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    with started(nodes, folder, "solve", "--input", "in", "--output", str(output)) as command:
        until_begun(nodes, lambda: written(output), command)
        LOSSES[lost](nodes)
        at_loss = written(output)
        _, messages = command.communicate()
    assert command.returncode == 0, messages
    assert contents(output) == contents(folder / "local")
    assert at_loss < written(output)


@pytest.mark.kills
def test_a_killed_driver_is_continued_by_the_same_command(nodes: Nodes, folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    arguments = ("solve", "--input", "in", "--output", str(output))
    with started(nodes, folder, *arguments) as command:
        until_begun(nodes, lambda: written(output), command)
        command.kill()
        command.communicate()
    assert command.returncode == -signal.SIGKILL
    assert 0 < written(output) < written(folder / "local")
    with started(nodes, folder, *arguments) as command:
        _, messages = command.communicate()
    assert command.returncode == 0, messages
    assert "files were already started or finished." in messages
    assert contents(output) == contents(folder / "local")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObjectStore]:
    with object_store(tmp_path_factory.mktemp("store")) as running, pytest.MonkeyPatch.context() as patched:
        for name, value in running.environment.items():
            patched.setenv(name, value)
        yield running


@pytest.mark.kills
def test_a_killed_driver_that_writes_objects_is_continued_by_the_same_command(
    nodes: Nodes, folder: Path, store: ObjectStore
) -> None:
    output = f"{store.bucket}/killed"
    arguments = ("solve", "--input", "in", "--output", output)
    with started(nodes, folder, *arguments) as command:
        until_begun(nodes, lambda: len(names(output)), command)
        command.kill()
        command.communicate()
    assert command.returncode == -signal.SIGKILL
    first, whole = objects(output), contents(folder / "local")
    assert first.items() < whole.items()  # an object is whole or not there
    with started(nodes, folder, *arguments) as command:
        _, messages = command.communicate()
    assert command.returncode == 0, messages
    assert "files were already started or finished." in messages
    assert objects(output) == whole


def names(folder: str) -> list[str]:
    """Return the names of the objects of a folder, without those that are still being written."""
    found = files_in(folder) if is_folder(folder) else []
    return [name for name in found if not name.endswith(".writing")]


def objects(folder: str) -> dict[str, bytes]:
    """Return the contents of all objects of a folder by name."""
    found = {}
    for name in names(folder):
        with open_binary(joined(folder, name)) as stored:
            found[name] = stored.read()
    return found


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two shards that need the shipped models, of a window and a half each, with the answers of the local engine."""
    folder = tmp_path_factory.mktemp("stories")
    (folder / "in").mkdir()
    for shard in range(2):
        texts = [
            text.format(number + 2, shard + 3)
            for number in range(WINDOW // 2)
            for text in (
                "Tom has {} apples and buys {} more. How many apples does he have now?",
                "小明有{}个苹果，又买了{}个，现在有多少个？",
                "计算：{}×25＋{}",
            )
        ]
        text = "".join(json.dumps({"text": one}) + "\n" for one in texts)
        (folder / "in" / f"part-{shard}.jsonl").write_text(text, encoding="utf-8")
    done = sau("solve", "--input", "in", "--output", "local", folder=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.kills
def test_the_shipped_models_give_the_same_bytes_in_spite_of_a_lost_worker(
    nodes: Nodes, stories: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    with started(nodes, stories, "solve", "--input", "in", "--output", str(output)) as command:
        until_begun(nodes, lambda: written(output), command)
        nodes.lose_worker()
        _, messages = command.communicate()
    assert command.returncode == 0, messages
    records = [json.loads(line) for raw in contents(output).values() for line in raw.splitlines()]
    assert {record["model"] for record in records} == {load().model("en").name, load().model("zh").name, ""}
    assert contents(output) == contents(stories / "local")


def test_the_driver_holds_two_windows_per_cpu(nodes: Nodes, folder: Path, tmp_path: Path) -> None:
    held = [0, 0]  # windows that are read and not yet answered: now, and at most

    def counted(windows: Iterable[Lines]) -> Iterator[Iterable[Answer]]:
        for answers in engine.in_order(AnswerWindow(Solving(None, None, 5)), read(windows)):
            held[0] -= 1
            yield answers

    def read(windows: Iterable[Lines]) -> Iterator[Lines]:
        for window in windows:
            held[0] += 1
            held[1] = max(held)
            yield window

    shards = find_shards([str(folder / "in")], str(tmp_path / "out"))
    make_folders(shards)
    with RayEngine(nodes.address) as engine:
        assert engine.cpus == 2
        solved = list(solve_shards(shards, counted, lambda *_: None))
    assert sum(one.tally.lines for one in solved) > 4 * WINDOW
    assert held == [0, 4]
    assert contents(tmp_path / "out") == contents(folder / "local")


def test_an_error_of_a_task_is_shown_as_that_of_a_local_run(nodes: Nodes, folder: Path) -> None:
    with started(nodes, folder, "solve", "--input", "in", "--output", "x", "--model", "nowhere") as command:
        _, messages = command.communicate()
    assert command.returncode == 2
    assert "nowhere" in messages
    assert "Traceback" not in messages


def test_a_cluster_that_is_not_there_is_an_error(folder: Path) -> None:
    done = sau("solve", "--input", "in", "--output", "x", "--engine", "ray", "--address", "127.0.0.1:1", folder=folder)
    assert done.returncode == 2
    assert "The Ray cluster at 127.0.0.1:1 cannot be reached" in done.stderr
    assert "Traceback" not in done.stderr
