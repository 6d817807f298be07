"""Bulk solving on a Ray cluster gives the bytes of a local run, whatever is killed in the middle."""

from __future__ import annotations

import bz2
import gzip
import json
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from sau_solver.cli.bulk.shards import find_shards, make_folders
from sau_solver.cli.bulk.solve_files import AnswerWindow, Solving
from sau_solver.cli.bulk.streaming import WINDOW, Answer, Lines, solve_shards
from sau_solver.engines.ray_engine import RayEngine
from sau_solver.solver import load
from tests import by_heart
from tests.cli.bulk.test_shards import contents, table
from tests.cluster.conftest import LOSSES, Nodes, started
from tests.commands import sau

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
    """Return the number of bytes that are written."""
    return sum(path.stat().st_size for path in output.rglob("*") if path.is_file())


def until_begun(nodes: Nodes, output: Path, command: object) -> None:
    """Wait until answers are written and tasks run."""
    end = time.monotonic() + 240
    while not (written(output) and nodes.busy()):
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
        until_begun(nodes, output, command)
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
        until_begun(nodes, output, command)
        command.kill()
        command.communicate()
    assert command.returncode == -signal.SIGKILL
    assert 0 < written(output) < written(folder / "local")
    with started(nodes, folder, *arguments) as command:
        _, messages = command.communicate()
    assert command.returncode == 0, messages
    assert "files were already started or finished." in messages
    assert contents(output) == contents(folder / "local")


def test_the_shipped_models_give_the_same_bytes(nodes: Nodes, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    texts = [
        by_heart.GARDEN,
        "Tom has 3 apples and buys 5 more. How many apples does he have now?",
        "小明有3个苹果，又买了5个，现在有多少个？",
    ]
    for shard in range(2):
        text = "".join(json.dumps({"text": one}) + "\n" for one in texts[shard:])
        (tmp_path / "in" / f"part-{shard}.jsonl").write_text(text, encoding="utf-8")
    assert sau("solve", "--input", "in", "--output", "local", folder=tmp_path).returncode == 0
    with started(nodes, tmp_path, "solve", "--input", "in", "--output", "out") as command:
        _, messages = command.communicate()
    assert command.returncode == 0, messages
    records = [json.loads(line) for raw in contents(tmp_path / "out").values() for line in raw.splitlines()]
    assert {record["model"] for record in records} == {load().model("en").name, load().model("zh").name}
    assert contents(tmp_path / "out") == contents(tmp_path / "local")


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
