"""A real Ray cluster of three nodes on this machine, whose processes can be killed."""

from __future__ import annotations

import os
import secrets
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.commands import Command

STORE = 80 << 20  # bytes of a node's object store
SECONDS = 300  # that all nodes have to register
STARTS = 5  # attempts to start a node: Ray gives it 30 seconds, and a busy machine can need more


@dataclass
class Nodes:
    """A head and two nodes with one CPU each. The driver belongs to the head, which has no CPU for tasks."""

    cluster: Any
    workers: list[Any] = field(default_factory=list)
    lost: list[Any] = field(default_factory=list)  # without a raylet

    @property
    def address(self) -> str:
        return str(self.cluster.address)

    def fill(self) -> None:
        """Start nodes until there are two beside the head."""
        while self.lost:
            self.cluster.remove_node(self.lost.pop(), allow_graceful=False)
        while len(self.workers) < 2:
            self.workers.append(self.add_node(num_gpus=0))
        self.cluster.wait_for_nodes(timeout=SECONDS)

    def add_node(self, num_gpus: int) -> Any:
        """Start a node with one CPU."""
        resources = {"num_cpus": 1, "num_gpus": num_gpus, "object_store_memory": STORE}
        return repeated(lambda: self.cluster.add_node(**resources, wait=False))

    def lose_node(self) -> None:
        """Kill all processes of one node."""
        self.cluster.remove_node(self.workers.pop(0), allow_graceful=False)

    def lose_raylet(self) -> None:
        """Kill only the process that starts and feeds the workers of a node."""
        node = self.workers.pop(0)
        self.lost.append(node)
        os.kill(self._raylet(node), signal.SIGKILL)

    def lose_worker(self) -> None:
        """Kill a process that does a task."""
        while not (busy := self.busy()):  # between two tasks
            time.sleep(0.001)
        os.kill(busy[0], signal.SIGKILL)

    def busy(self) -> list[int]:
        """Return the processes that do tasks now."""
        children = [pid for node in self.workers for pid in children_of(self._raylet(node))]
        return [pid for pid in children if command_of(pid).startswith("ray::perform")]

    @staticmethod
    def _raylet(node: Any) -> int:
        return int(node.all_processes["raylet"][0].process.pid)


LOSSES: dict[str, Callable[[Nodes], None]] = {
    "worker": Nodes.lose_worker,
    "raylet": Nodes.lose_raylet,
    "node": Nodes.lose_node,
}


def repeated(start: Callable[[], Any]) -> Any:
    """Start something of Ray again while it takes too long."""
    for _ in range(STARTS - 1):
        with suppress_slow_start():
            return start()
    return start()


@contextmanager
def suppress_slow_start() -> Iterator[None]:
    """Ignore that a node did not start in time."""
    try:
        yield
    except Exception as error:
        if "timed out during startup" not in str(error):
            raise


def children_of(process: int) -> list[int]:
    """Return the processes that a process has started and that still run. This is quicker than to look at all."""
    found: list[int] = []
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # it has ended
            found += map(int, thread.read_text().split())
    return found


def command_of(process: int) -> str:
    """Return the command of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


@pytest.fixture(scope="session")
def whole_cluster() -> Iterator[Nodes]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("RAY_USAGE_STATS_ENABLED", "0")
        # A token of its own: the user's may appear in the middle, and without one anybody could use the cluster.
        patched.setenv("RAY_AUTH_MODE", "token")
        patched.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        pytest.importorskip("ray", reason="Ray is not installed: pip install '.[scale]'")  # reads the environment
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 0, "num_gpus": 0, "object_store_memory": STORE, "include_dashboard": False}
        cluster = repeated(lambda: Cluster(initialize_head=True, head_node_args=head))
        try:
            nodes = Nodes(cluster)
            nodes.fill()
            yield nodes
        finally:
            cluster.shutdown()


@pytest.fixture
def nodes(whole_cluster: Nodes) -> Nodes:
    """The cluster with all its nodes, whatever the test before has killed."""
    whole_cluster.fill()
    return whole_cluster


def started(nodes: Nodes, folder: Path, *arguments: str, environment: dict[str, str] | None = None) -> Command:
    """Start `sau ARGUMENTS` with the cluster as its engine."""
    engine = ("--engine", "ray", "--address", nodes.address)
    return Command(*arguments, *engine, folder=folder, environment=os.environ | (environment or {}))
