"""Runs that can use a GPU ask Ray for one, and those of one shape train as one; the GPU here is only declared."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from sau_solver.engines.engine import Task
from sau_solver.engines.ray_engine import RayEngine
from sau_solver.experiments.config import load_config
from sau_solver.experiments.crossval import Progress, RunOptions, crossval_all
from tests.cli.test_crossval_command import CONFIG, CORPUS, LINES, NETWORK
from tests.cluster.conftest import SECONDS, Nodes

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Ray keeps its logs open
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),  # of Ray, about its next version
]

GPUS = "CUDA_VISIBLE_DEVICES"  # Ray sets it to the numbers of a task's GPUs


@pytest.fixture
def with_gpu(nodes: Nodes) -> Iterator[Nodes]:
    """The cluster with a further node that has one CPU and says that it has a GPU."""
    node = nodes.add_node(num_gpus=1)
    nodes.cluster.wait_for_nodes(timeout=SECONDS)
    yield nodes
    nodes.cluster.remove_node(node, allow_graceful=False)


def test_a_task_that_asks_for_a_gpu_gets_it(with_gpu: Nodes) -> None:
    with RayEngine(with_gpu.address) as engine:
        assert (engine.cpus, engine.gpus, engine.cpus_per_gpu) == (3, 1, 1)
        tasks = [Task(GPUS, gpus=1), Task(GPUS), Task(GPUS, gpus=1)]
        found = dict(engine.as_completed(os.getenv, tasks))
    assert (found[0], found[2]) == ("0", "0")
    assert not found[1]


def test_networks_of_one_shape_train_as_one_where_the_gpu_is(
    with_gpu: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "corpora.toml").write_text(CORPUS, encoding="utf-8")
    (tmp_path / "toy.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LINES), encoding="utf-8")
    network = NETWORK.replace('device = "cpu"', 'device = "auto"')
    for name, own in (("net", network), ("plain", NETWORK)):
        text = CONFIG.replace("NAME", name).replace("MODEL", "sau").replace("[3, 4]", "[3]") + own
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("SAU_DATA", str(tmp_path))
    asked: list[tuple[int, float, float]] = []
    real = RayEngine.as_completed

    def watched(self: RayEngine, function: Callable[[Any], Any], tasks: Sequence[Task[Any]]) -> Iterator[Any]:
        asked.extend((len(task.item.runs), task.cpus, task.gpus) for task in tasks)
        return real(self, function, tasks)

    monkeypatch.setattr(RayEngine, "as_completed", watched)
    configs = [load_config(tmp_path / f"{name}.toml") for name in ("net", "plain")]
    options = RunOptions(tmp_path / "results", jobs=2, engine="ray", address=with_gpu.address)
    done: list[Progress] = []
    summaries = crossval_all(configs, options, done.append)
    assert asked == [(2, 1, 1), (1, 1, 0), (1, 1, 0)]  # runs, CPUs and GPUs of each task
    assert sorted(one.run for one in done) == [
        "net/fold0-seed3", "net/fold1-seed3", "plain/fold0-seed3", "plain/fold1-seed3"
    ]  # fmt: skip
    assert [one.runs for one in summaries] == [2, 2]
