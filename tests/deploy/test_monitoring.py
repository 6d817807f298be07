"""Alerts and dashboard use only metrics and labels that the server exports, and the operator's page has every alert."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from sau_solver.server.metrics import Metrics
from tests.deploy.dockerfiles import FILE, ROOT
from tests.docs.pages import blocks

FOLDER = FILE.parent / "monitoring"
RULES = [
    rule
    for group in yaml.safe_load((FOLDER / "prometheus-rules.yaml").read_text(encoding="utf-8"))["groups"]
    for rule in group["rules"]
]
DASHBOARD: dict[str, Any] = json.loads((FOLDER / "grafana-dashboard.json").read_text(encoding="utf-8"))
PROMTOOL = shutil.which("promtool") or shutil.which(ROOT / ".cache/promtool/promtool")
OF_PROMETHEUS = {"job", "instance"}  # labels that Prometheus adds to each metric
SCRAPED = [
    block.content
    for block in blocks(ROOT / "docs/operating.md")
    if block.language == "yaml" and "scrape_configs:" in block.content
]
METRIC = re.compile(r"\b((?:sau|process|python)_\w+)(?:\{([^}]*)\})?")


def exported() -> dict[str, set[str]]:
    """Return the names of the metrics of a server that has answered a request, each with its labels."""
    metrics = Metrics()
    metrics.watch("solve", lambda: 0, lambda: 1)
    metrics.watch_connections(lambda: 1)
    metrics.request("/v1/solve", 200, 0.1)
    metrics.batch("solve", 1)
    metrics.answer("problem", {"outcome": "solved", "abstained": True, "language": "en"})
    metrics.closed("idle")
    metrics.dropped("rate")
    found: dict[str, set[str]] = {}
    for line in metrics.text().decode().splitlines():
        if not line.startswith("#"):
            name, _, labels = line.rpartition(" ")[0].partition("{")
            found.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    return found


EXPORTED = exported()


def expressions() -> Iterator[tuple[str, str]]:
    """Yield the title and expression of each alert, panel and variable."""
    yield from ((rule["alert"], rule["expr"]) for rule in RULES)
    for panel in DASHBOARD["panels"]:
        yield from ((panel["title"], target["expr"]) for target in panel["targets"])
    for variable in DASHBOARD["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["name"], variable["query"]["query"]


@pytest.mark.parametrize(("title", "expression"), list(expressions()))
def test_an_expression_names_metrics_and_labels_that_exist(title: str, expression: str) -> None:
    metrics = METRIC.findall(expression)
    assert metrics or expression.startswith('up{job="sau"}')
    labels: set[str] = set()
    for name, filters in metrics:
        assert name in EXPORTED
        assert set(re.findall(r"(\w+)=~?\"", filters)) <= EXPORTED[name] | OF_PROMETHEUS
        labels |= EXPORTED[name]
    grouped = {label for group in re.findall(r"(?:by|ignoring) \(([^)]*)\)", expression) for label in group.split(", ")}
    assert grouped <= labels | OF_PROMETHEUS


def test_statuses_and_reasons_are_those_of_the_server() -> None:
    text = (ROOT / "docs/server.md").read_text(encoding="utf-8")
    for _, expression in expressions():
        for value in re.findall(r'(?:status|reason|source|endpoint)=~?"([^"$]+)"', expression):
            assert all(part in text for part in value.split("|")), value


def test_panels_of_the_dashboard_have_their_own_places_and_known_variables() -> None:
    numbers = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(numbers)) == len(numbers)
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24  # columns
        taken |= cells
        assert panel["datasource"]["uid"] == "${datasource}"
    variables = {variable["name"] for variable in DASHBOARD["templating"]["list"]} | {"__rate_interval"}
    assert set(re.findall(r"\$\{?(\w+)", json.dumps(DASHBOARD))) <= variables


def test_every_metric_of_the_server_is_on_the_dashboard() -> None:
    shown = {name for _, expression in expressions() for name, _ in METRIC.findall(expression)}
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in EXPORTED if name.startswith("sau_")}
    families = {name for name in families if not name.endswith("_created")}
    assert {name for name in families if not any(used.startswith(name) for used in shown)} == set()


def test_the_operators_page_has_every_alert() -> None:
    page = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(Sau\w+)` \|", page, re.MULTILINE) == [rule["alert"] for rule in RULES]
    assert all(rule["labels"]["severity"] in ("critical", "warning", "info") for rule in RULES)


@pytest.mark.skipif(PROMTOOL is None, reason="there is no promtool: sh scripts/test_servers.sh promtool")
@pytest.mark.parametrize("arguments", ["check rules prometheus-rules.yaml", "test rules prometheus-rules.test.yaml"])
def test_prometheus_accepts_the_rules_and_gives_the_expected_alerts(arguments: str) -> None:
    assert PROMTOOL is not None
    done = subprocess.run([PROMTOOL, *arguments.split()], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(PROMTOOL is None, reason="there is no promtool: sh scripts/test_servers.sh promtool")
@pytest.mark.parametrize("number", [0, 1], ids=["addresses", "pods"])
def test_prometheus_accepts_the_scrape_jobs_of_the_operators_page(number: int, tmp_path: Path) -> None:
    config = yaml.safe_load(SCRAPED[number])
    error = complaint(config, tmp_path)
    if "kubernetes_sd_configs not found" in error:  # Debian builds Prometheus without Kubernetes
        (job,) = config["scrape_configs"]
        assert job.pop("kubernetes_sd_configs") == [{"role": "pod", "namespaces": {"names": ["default"]}}]
        error = complaint(config | {"scrape_configs": [job]}, tmp_path)
    assert error == ""


@pytest.mark.skipif(PROMTOOL is None, reason="there is no promtool: sh scripts/test_servers.sh promtool")
def test_a_wrong_scrape_job_would_be_found(tmp_path: Path) -> None:
    config = yaml.safe_load(SCRAPED[0])
    config["scrape_configs"][0]["relabel_configs"] = [{"action": "keep", "regex": "("}]
    assert "error parsing regexp" in complaint(config, tmp_path)


def complaint(config: dict[str, Any], folder: Path) -> str:
    """Return what promtool says against a configuration; empty if it accepts it."""
    assert PROMTOOL is not None
    (folder / "prometheus.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
    check = [PROMTOOL, "check", "config", "--syntax-only", "prometheus.yml"]  # the file of the API key does not exist
    done = subprocess.run(check, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


def scraped(template: dict[str, Any], phase: str) -> list[str]:
    """Return the label `instance` of each port of a pod that the second scrape job keeps, as Prometheus computes it."""
    (job,) = yaml.safe_load(SCRAPED[1])["scrape_configs"]
    kept = []
    ports = [port for container in template["spec"]["containers"] for port in container.get("ports", [{}])]
    for port in ports:
        labels = {"pod_name": "pod-1", "pod_phase": phase, "pod_container_port_name": port.get("name", "")}
        for name, value in template["metadata"]["labels"].items():
            labels[f"pod_label_{re.sub('[^A-Za-z0-9_]', '_', name)}"] = value
        found = {f"__meta_kubernetes_{name}": value for name, value in labels.items()}
        for step in job["relabel_configs"]:
            source = ";".join(found.get(name, "") for name in step["source_labels"])
            matches = re.fullmatch(step.get("regex", "(.*)"), source) is not None
            action = step.get("action", "replace")
            if matches is {"keep": False, "drop": True}.get(action):
                break
            if action == "replace":
                found[step["target_label"]] = source
        else:
            kept.append(found["instance"])
    return kept


def test_each_pod_of_the_server_is_scraped_under_its_own_name_and_nothing_else() -> None:
    server = yaml.safe_load((FILE.parent / "kubernetes/deployment.yaml").read_text(encoding="utf-8"))["spec"]
    ray = yaml.safe_load((FILE.parent / "kuberay/bulk-solve.yaml").read_text(encoding="utf-8"))["spec"]
    assert scraped(server["template"], "Running") == ["pod-1"]
    assert scraped(server["template"], "Failed") == []
    for group in (ray["rayClusterSpec"]["headGroupSpec"], *ray["rayClusterSpec"]["workerGroupSpecs"]):
        assert scraped(group["template"], "Running") == []
