"""The tables on the operator's page follow from results/benchmarks.txt and from the manifests of deploy/."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from tests.docs.pages import ROOT

PAGE = ROOT / "docs/operating.md"
MEASURED = (ROOT / "results/benchmarks.txt").read_text(encoding="utf-8")


def figures(script: str, pattern: str) -> tuple[str, ...]:
    """Return the groups of a line that a benchmark has printed."""
    printed = MEASURED.partition(f"$ python benchmarks/{script}.py\n")[2].partition("\n$ ")[0]
    found = re.search(pattern, printed)
    assert found, f"{script} has not printed {pattern}"
    return found.groups()


def table() -> str:
    """Return the table as the page must have it."""
    cores, per_second, clients = figures(
        "serving_load", r"(\d+) cores(?:.|\n)*server +([\d.]+) problems/s, (\d+) clients"
    )
    median, slowest = figures("serving_load", r"latency +(\d+) ms median, (\d+) ms p99")
    (alone,) = figures("serving_load", r"(\d+) ms median of them, one at a time")
    start, most = figures("serving_load", r"(\d+) MB before the first.*; (\d+) MB at most")
    solved, statuses = figures("serving_load", r"overload .*: ([\d.]+) solved/s, statuses (\{.*\})")
    (late,) = figures("serving_load", r"(\d+) ms p99 of those that were solved")
    (recovery,) = figures("serving_load", r"first answer after ([\d.]+) s")
    loading = [figures("solve_speed", rf"{language}  loading +([\d.]+) seconds")[0] for language in ("zh", "en")]
    batches = [figures("solve_speed", rf"{language}  in batches +([\d.]+) problems/s")[0] for language in ("zh", "en")]
    refused = re.findall(r"429: (\d+)", statuses)[0]
    rows = {
        "problems per second": f"{per_second}, {float(per_second) / int(cores):.1f} per core",
        f"latency with {clients} clients, median and 99th percentile": f"{median} ms, {slowest} ms",
        "latency of one request at a time, median": f"{alone} ms",
        "memory before the first request, and maximum": f"{start} MB, {most} MB",
        "maximum per worker": f"{int(most) / int(cores):.0f} MB",
        "four times the load for 10 s": f"{solved} solved per second, 99 % of them within {late} ms; {refused} refused",
        "first answer after that": f"after {recovery} s",
        "loading a model (Chinese, English)": " s, ".join(loading) + " s",
        "files of problems, problems per second (Chinese, English)": ", ".join(batches),
    }
    lines = ["| | measured |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())]
    return "".join(f"{line}\n" for line in lines)


def manifest(name: str) -> dict[str, Any]:
    """Return the specification of a manifest."""
    spec: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / name).read_text(encoding="utf-8"))["spec"]
    return spec


def autoscaling() -> str:
    """Return the table of the autoscaling settings as the page must have it."""
    server, cluster = manifest("kubernetes/autoscaler.yaml"), manifest("kuberay/bulk-solve.yaml")["rayClusterSpec"]
    (pod,) = manifest("kubernetes/deployment.yaml")["template"]["spec"]["containers"]
    (metric,), behavior = server["metrics"], server["behavior"]
    ((up,), down) = behavior["scaleUp"]["policies"], behavior["scaleDown"]
    assert (metric["resource"]["name"], up["type"], down.keys()) == ("cpu", "Pods", {"stabilizationWindowSeconds"})
    (workers,), options = cluster["workerGroupSpecs"], cluster["autoscalerOptions"]
    (worker,) = workers["template"]["spec"]["containers"]
    assert cluster["enableInTreeAutoscaling"]
    assert options.keys() == {"idleTimeoutSeconds"}  # nothing limits how fast workers are added
    assert cluster["headGroupSpec"]["rayStartParams"]["num-cpus"] == "0"  # only workers solve
    cores = [one["resources"]["requests"]["cpu"] for one in (pod, worker)]
    rows = {
        "pods, minimum": (server["minReplicas"], workers["minReplicas"]),
        "pods, maximum": (server["maxReplicas"], workers["maxReplicas"]),
        "pods at the start": (server["minReplicas"], workers["replicas"]),
        "requested cores per pod": tuple(cores),
        "target": (f"{metric['resource']['target']['averageUtilization']} % of the requested CPU", "a CPU per task"),
        "scaling up": (f"at most {up['value']} pods per {up['periodSeconds']} s", "no limit set"),
        "before scaling up": (f"{behavior['scaleUp']['stabilizationWindowSeconds']} s", "no wait set"),
        "before scaling down": (
            f"{down['stabilizationWindowSeconds']} s of less load",
            f"{options['idleTimeoutSeconds']} s without a task",
        ),
    }
    lines = ["| | servers (`autoscaler.yaml`) | workers of Ray (`bulk-solve.yaml`) |", "|---|---|---|"]
    lines += [f"| {name} | {of_server} | {of_workers} |" for name, (of_server, of_workers) in rows.items()]
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize(("name", "expected"), [("capacity", table), ("autoscaling", autoscaling)])
def test_a_table_has_the_figures_of_its_source(name: str, expected: Callable[[], str]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    renewed = re.sub(rf"(?<=<!-- {name} -->\n)[^<]*(?=<!-- end -->)", expected(), text, count=1)
    if os.environ.get("SAU_RENEW_DOCS"):
        PAGE.write_text(renewed, encoding="utf-8")
    assert text == renewed, "run SAU_RENEW_DOCS=1 pytest tests/docs to renew it"
    assert f"<!-- {name} -->\n|" in text


def test_the_target_of_the_autoscaler_is_the_one_that_capacity_is_planned_with() -> None:
    (metric,) = manifest("kubernetes/autoscaler.yaml")["metrics"]
    share = metric["resource"]["target"]["averageUtilization"]
    text = PAGE.read_text(encoding="utf-8")
    assert f"the autoscaler of deploy/kubernetes aims at {share} % use" in text
    assert f" / {share / 100}, 1)" in text


def test_the_sizes_of_the_images_are_those_that_were_measured() -> None:
    measured = (ROOT / "results/image.txt").read_text(encoding="utf-8")
    serve, cluster = (re.findall(rf"^{extra} +(\d+) MB$", measured, re.MULTILINE)[0] for extra in ("serve", "cluster"))
    text = PAGE.read_text(encoding="utf-8")
    assert f"{serve} MB in the image of the server and {cluster} MB in the [image for KubeRay]" in text


def test_the_examples_calculate_with_the_measured_figure() -> None:
    cores, per_second = figures("serving_load", r"(\d+) cores(?:.|\n)*server +([\d.]+) problems/s")
    (in_batches,) = figures("solve_speed", r"zh  in batches +([\d.]+) problems/s")
    (block,) = re.findall(r"```python\n((?:.|\n)*?)```", PAGE.read_text(encoding="utf-8"))
    assert f"({per_second} / {cores})" in block
    assert f" / {in_batches} / " in block
