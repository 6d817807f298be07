"""The Kubernetes manifests have the form that Kubernetes accepts, and fit the server and each other.

kubernetes-validate has the schemas of Kubernetes. It has none of KubeRay: of the RayJob, the pod templates are checked
with it, and the names of its own fields with a list.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from sau_solver.server.settings import Settings
from tests.deploy.dockerfiles import FILE
from tests.deploy.test_dockerfile import FINAL, options

FOLDER = FILE.parent
VERSIONS = ("1.31", "1.37")
MANIFESTS = sorted(path for path in (FOLDER / "kubernetes").glob("*.yaml") if path.name != "kustomization.yaml")

# Fields of ray.io/v1 in KubeRay 1.4.
JOB_FIELDS = {
    "activeDeadlineSeconds", "backoffLimit", "clusterSelector", "entrypoint", "entrypointNumCpus", "entrypointNumGpus",
    "entrypointResources", "jobId", "metadata", "rayClusterSpec", "runtimeEnvYAML", "shutdownAfterJobFinishes",
    "submissionMode", "submitterPodTemplate", "suspend", "ttlSecondsAfterFinished",
}  # fmt: skip
CLUSTER_FIELDS = {
    "autoscalerOptions", "enableInTreeAutoscaling", "headGroupSpec", "headServiceAnnotations", "rayVersion", "suspend",
    "workerGroupSpecs",
}  # fmt: skip
HEAD_FIELDS = {"enableIngress", "headService", "rayStartParams", "serviceType", "template"}
WORKER_FIELDS = {
    "groupName", "maxReplicas", "minReplicas", "numOfHosts", "rayStartParams", "replicas", "scaleStrategy", "template",
}  # fmt: skip


def load(path: Path) -> dict[str, Any]:
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


BY_KIND = {document["kind"]: document for document in map(load, MANIFESTS)}
JOB = load(FOLDER / "kuberay" / "bulk-solve.yaml")
CLUSTER = JOB["spec"]["rayClusterSpec"]
TEMPLATES = [group["template"] for group in (CLUSTER["headGroupSpec"], *CLUSTER["workerGroupSpecs"])]
POD = BY_KIND["Deployment"]["spec"]["template"]
SERVER = POD["spec"]["containers"][0]
ENVIRONMENT = {variable["name"]: variable["value"] for variable in SERVER["env"]}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.stem)
def test_a_manifest_follows_the_schema_of_kubernetes(path: Path, version: str) -> None:
    kubernetes_validate.validate(load(path), version, strict=True)


def test_a_wrong_manifest_would_be_found() -> None:
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(BY_KIND["Service"] | {"spec": {"prots": []}}, VERSIONS[0], strict=True)


@pytest.mark.parametrize("template", TEMPLATES, ids=["head", "worker"])
def test_the_pods_of_ray_follow_the_schema_of_kubernetes(template: dict[str, Any]) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "ray"} | template["metadata"]}
    kubernetes_validate.validate(pod | {"spec": template["spec"]}, VERSIONS[0], strict=True)


def test_the_fields_of_the_ray_job_are_known() -> None:
    assert (JOB["apiVersion"], JOB["kind"]) == ("ray.io/v1", "RayJob")
    assert set(JOB["spec"]) <= JOB_FIELDS
    assert set(CLUSTER) <= CLUSTER_FIELDS
    assert set(CLUSTER["headGroupSpec"]) <= HEAD_FIELDS
    for group in CLUSTER["workerGroupSpecs"]:
        assert set(group) <= WORKER_FIELDS
        assert group["minReplicas"] <= group["replicas"] <= group["maxReplicas"]
    assert all(isinstance(value, str) for value in CLUSTER["headGroupSpec"]["rayStartParams"].values())


def test_the_ray_job_runs_a_command_of_sau_with_its_options() -> None:
    program, command, *words = shlex.split(JOB["spec"]["entrypoint"])
    assert (program, command) == ("sau", "solve")
    given = {word for word in words if word.startswith("--")}
    assert given <= options("solve"), given
    assert words[words.index("--input") + 1].startswith("/data/")
    assert words[words.index("--output") + 1].startswith("/data/")
    for template in TEMPLATES:
        assert "/data" in [mount["mountPath"] for mount in template["spec"]["containers"][0]["volumeMounts"]]


def test_kustomization_names_every_manifest() -> None:
    named = load(FOLDER / "kubernetes" / "kustomization.yaml")["resources"]
    assert sorted(named) == [path.name for path in MANIFESTS]


def test_all_manifests_select_the_pods_of_the_deployment() -> None:
    labels = POD["metadata"]["labels"]
    assert set(BY_KIND) == {"Deployment", "Service", "HorizontalPodAutoscaler", "NetworkPolicy", "PodDisruptionBudget"}
    assert BY_KIND["Service"]["spec"]["selector"].items() <= labels.items()
    assert BY_KIND["Deployment"]["spec"]["selector"]["matchLabels"].items() <= labels.items()
    assert BY_KIND["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"].items() <= labels.items()
    assert BY_KIND["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"].items() <= labels.items()
    scaled = BY_KIND["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
    assert (scaled["kind"], scaled["name"]) == ("Deployment", BY_KIND["Deployment"]["metadata"]["name"])
    assert (
        BY_KIND["HorizontalPodAutoscaler"]["spec"]["minReplicas"]
        > BY_KIND["PodDisruptionBudget"]["spec"]["minAvailable"]
    )


def test_ports_and_probes_meet() -> None:
    (port,) = SERVER["ports"]
    assert str(port["containerPort"]) == FINAL.one("EXPOSE")
    assert BY_KIND["Service"]["spec"]["ports"][0]["targetPort"] == port["name"]
    assert BY_KIND["NetworkPolicy"]["spec"]["ingress"][0]["ports"] == [{"port": port["name"]}]
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert SERVER[probe]["httpGet"] == {"path": "/healthz", "port": port["name"]}


@pytest.mark.parametrize("template", [POD, *TEMPLATES], ids=["server", "head", "worker"])
def test_pods_run_without_rights(template: dict[str, Any]) -> None:
    pod = template["spec"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == int(FINAL.one("USER").partition(":")[0])
    assert pod["enableServiceLinks"] is False
    for container in pod["containers"]:
        own = container["securityContext"]
        assert own == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert {"cpu", "memory"} <= set(container["resources"]["limits"])


def test_a_pod_has_time_to_answer_its_requests() -> None:
    wait = int(SERVER["lifecycle"]["preStop"]["exec"]["command"][1])
    assert POD["spec"]["terminationGracePeriodSeconds"] > wait + Settings().stop_seconds


def test_a_pod_has_a_core_for_each_worker_and_knows_its_names() -> None:
    assert ENVIRONMENT["SAU_SERVER_WORKERS"] == SERVER["resources"]["limits"]["cpu"]
    assert BY_KIND["Service"]["metadata"]["name"] in ENVIRONMENT["SAU_SERVER_ALLOWED_HOST"].split()
    (mount,) = SERVER["volumeMounts"]
    assert ENVIRONMENT["SAU_SERVER_API_KEY_FILE"].startswith(f"{mount['mountPath']}/")


def test_the_service_cannot_be_mistaken_for_settings() -> None:
    """Kubernetes sets NAME_PORT and other variables for each service, which must not begin with SAU_SERVER_."""
    assert not re.sub(r"\W", "_", f"{BY_KIND['Service']['metadata']['name']}-").upper().startswith("SAU_SERVER_")
