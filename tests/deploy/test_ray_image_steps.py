"""An image with the extra `cluster` runs the job of deploy/kuberay as KubeRay runs it, without Kubernetes.

A head and a worker start in namespaces of their own, with a read-only root file system, an empty /tmp and their own
network. The probes and the command are those of the manifest. It takes minutes: `make image-test`.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest

from scripts.dependencies import license_of, normal_name, read_constraints, stated_license
from tests.deploy.dockerfiles import ROOT
from tests.deploy.image_steps import can_isolate, described_packages, installed_image, megabytes, report
from tests.deploy.image_steps import variables_of_image as variables
from tests.deploy.test_manifests import CLUSTER, EXTRAS, JOB, TEMPLATES

pytestmark = [
    pytest.mark.image,
    pytest.mark.slow,
    pytest.mark.xdist_group("ray-image"),
    pytest.mark.skipif("SAU_IMAGE" not in os.environ, reason="installs for minutes; run make image-test"),
]

MOST_MEGABYTES = 1050  # the base image has about 150 more
SECONDS = 300
AGENT_PORT = 52365  # on which KubeRay makes the agent of each node listen
ADDRESS = "http://127.0.0.1:8265"

# Gives the namespaces a loopback device, read-only file systems and an empty /tmp, then runs nodes and the job.
SCRIPT = r"""
python -c "
import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack('16sh14x', b'lo', 0x49))  # SIOCSIFFLAGS: up and running
" || exit 90
while read -r _ place _ flags _; do
    case $place in /proc*|/sys*|/dev*) ;; *) mount -o remount,bind,ro "$place" || exit 91 ;; esac
done < /proc/self/mounts
mount -t tmpfs tmpfs /tmp || exit 92
mount -t tmpfs -o size=1g tmpfs /dev/shm || exit 93
touch "$PLACE/written" 2>/dev/null && exit 94
mkdir -p /tmp/data/problems
cp "$PROBLEMS" /tmp/data/problems
cd /
wait_for() { for _ in $(seq 90); do "$@" 2>/dev/null && return; sleep 1; done; "$@"; }
head_is_healthy() { eval "$HEAD_PROBE"; }
worker_is_healthy() { eval "$WORKER_PROBE"; }
ray start --head --block --dashboard-host=0.0.0.0 $HEAD >/tmp/head.log 2>&1 &
wait_for head_is_healthy || { cat /tmp/head.log; exit 95; }
ray start --address=127.0.0.1:6379 --block $WORKER >/tmp/worker.log 2>&1 &
wait_for worker_is_healthy || { cat /tmp/worker.log; exit 96; }
ray job submit --address "$ADDRESS" --submission-id sau-test --no-wait -- $ENTRYPOINT || exit 97
ray job logs --address "$ADDRESS" --follow sau-test
ray job status --address "$ADDRESS" sau-test
echo "--- answers"
cat /tmp/data/answers/problems.jsonl
"""


@pytest.fixture(scope="module")
def installed() -> Iterator[Path]:
    """The folder that is /opt/sau in an image with the extras that the manifest names."""
    with installed_image(EXTRAS) as place:
        yield place


def probe(number: int, port: int) -> str:
    """Return the probe of the head (0) or the worker (1) as a line of shell, with another port for its agent."""
    words = TEMPLATES[number]["spec"]["containers"][0]["readinessProbe"]["exec"]["command"]
    return shlex.join(words).replace(str(AGENT_PORT), str(port))


def options(params: dict[str, str], port: int, cpus: str) -> str:
    """Return the options of `ray start` that KubeRay makes of rayStartParams and of the limits of a container."""
    given = {"num-cpus": cpus, "dashboard-agent-listen-port": str(port), "metrics-export-port": str(port + 1000)}
    return " ".join(f"--{name}={value}" for name, value in (given | params).items())


def test_the_environment_is_small_enough(installed: Path) -> None:
    size = megabytes(installed)
    report(f"{EXTRAS:10} {size:6.0f} MB")
    assert size < MOST_MEGABYTES


def test_packages_have_the_pinned_versions_and_the_licenses_of_the_page(installed: Path) -> None:
    pinned = read_constraints()
    for fields in described_packages(installed):
        described = Message()
        for name, value in fields:
            described[name] = value
        package = normal_name(described["Name"])
        if package == "sau-solver":
            continue
        assert pinned[package].version == described["Version"]
        stated = stated_license(described)  # type: ignore[arg-type]
        assert stated in (None, license_of(pinned[package])), package


@pytest.mark.skipif(not can_isolate("-rmnpf"), reason="this user may not make namespaces")
def test_nodes_pass_their_probes_and_solve_the_submitted_job(installed: Path) -> None:
    worker = CLUSTER["workerGroupSpecs"][0]
    cpus = worker["template"]["spec"]["containers"][0]["resources"]["limits"]["cpu"]
    settings = {
        "PLACE": str(installed),
        "PROBLEMS": str(ROOT / "examples/problems.jsonl"),
        "ADDRESS": ADDRESS,
        "HEAD": options(CLUSTER["headGroupSpec"]["rayStartParams"], AGENT_PORT, "1"),
        "WORKER": options(worker["rayStartParams"], AGENT_PORT + 1, cpus),
        "HEAD_PROBE": probe(0, AGENT_PORT),
        "WORKER_PROBE": probe(1, AGENT_PORT + 1),
        "ENTRYPOINT": JOB["spec"]["entrypoint"].replace("/data/", "/tmp/data/"),
    }
    path = f"{variables(installed)['PATH']}:/usr/sbin:/sbin"
    own = {one["name"]: one["value"] for one in TEMPLATES[0]["spec"]["containers"][0]["env"]}
    done = subprocess.run(
        ["unshare", "-rmnpf", "--mount-proc", "bash", "-c", SCRIPT],
        env=variables(installed) | own | settings | {"PATH": path}, capture_output=True, text=True, timeout=SECONDS,
        check=False,
    )  # fmt: skip
    said, _, answers = done.stdout.partition("--- answers\n")
    assert done.returncode == 0, f"{done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    assert "'sau-test' succeeded" in said, said
    problems = (ROOT / "examples/problems.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(answers.splitlines()) == len(problems)
    assert f"{len(problems)} lines: {len(problems)} solved" in said
