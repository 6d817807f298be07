"""The Kubernetes manifests have the form that Kubernetes accepts, and fit the server and each other.

kubernetes-validate has the schemas of Kubernetes, but not the definition of KubeRay. Of the RayJob, it checks the pod
templates. The names and types of the RayJob's own fields are checked only against a short schema that we wrote.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from jsonschema import Draft202012Validator

from sau_solver.server.settings import Settings
from scripts.dependencies import read_constraints
from tests.deploy.dockerfiles import FILE, ROOT
from tests.deploy.test_dockerfile import FINAL, options

FOLDER = FILE.parent
VERSIONS = ("1.31", "1.37")
MANIFESTS = sorted(path for path in (FOLDER / "kubernetes").glob("*.yaml") if path.name != "kustomization.yaml")

# The fields of ray.io/v1 that the example uses, with their types. Written by hand, not KubeRay's CRD.
TEXT, NUMBER, FLAG = {"type": "string"}, {"type": "integer", "minimum": 0}, {"type": "boolean"}


def fields(*required: str, **known: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object that has no other fields than these."""
    return {"type": "object", "properties": known, "required": list(required), "additionalProperties": False}


TEMPLATE: dict[str, Any] = {"type": "object"}  # has a test of its own
PARAMS = {"type": "object", "additionalProperties": TEXT}
HEAD = fields("rayStartParams", "template", rayStartParams=PARAMS, template=TEMPLATE)
WORKERS = fields(
    "groupName", "minReplicas", "maxReplicas", "rayStartParams", "template",
    groupName=TEXT, replicas=NUMBER, minReplicas=NUMBER, maxReplicas=NUMBER, rayStartParams=PARAMS, template=TEMPLATE,
)  # fmt: skip
RAY_JOB = fields(
    entrypoint=TEXT, submissionMode={"enum": ["K8sJobMode", "HTTPMode", "InteractiveMode"]},
    shutdownAfterJobFinishes=FLAG, ttlSecondsAfterFinished=NUMBER, backoffLimit=NUMBER,
    rayClusterSpec=fields(
        "headGroupSpec",
        rayVersion=TEXT, enableInTreeAutoscaling=FLAG, autoscalerOptions=fields(idleTimeoutSeconds=NUMBER),
        headGroupSpec=HEAD, workerGroupSpecs={"type": "array", "items": WORKERS},
    ),
)  # fmt: skip


def load(path: Path) -> dict[str, Any]:
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


BY_KIND = {document["kind"]: document for document in map(load, MANIFESTS)}
JOB = load(FOLDER / "kuberay" / "bulk-solve.yaml")
CLUSTER = JOB["spec"]["rayClusterSpec"]
(EXTRAS,) = re.findall(r"EXTRAS=([\w,]+)", (FOLDER / "kuberay" / "bulk-solve.yaml").read_text(encoding="utf-8"))
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


def test_the_fields_of_the_ray_job_have_the_types_of_kuberay() -> None:
    assert (JOB["apiVersion"], JOB["kind"]) == ("ray.io/v1", "RayJob")
    assert [error.message for error in Draft202012Validator(RAY_JOB).iter_errors(JOB["spec"])] == []
    for group in CLUSTER["workerGroupSpecs"]:
        assert group["minReplicas"] <= group["replicas"] <= group["maxReplicas"]


@pytest.mark.parametrize("wrong", [{"entryPoint": "sau"}, {"backoffLimit": "3"}, {"rayClusterSpec": {}}])
def test_a_wrong_ray_job_would_be_found(wrong: dict[str, Any]) -> None:
    assert not Draft202012Validator(RAY_JOB).is_valid(JOB["spec"] | wrong)


def test_the_ray_job_runs_a_command_of_sau_with_its_options() -> None:
    program, command, *words = shlex.split(JOB["spec"]["entrypoint"])
    assert (program, command) == ("sau", "solve")
    given = {word for word in words if word.startswith("--")}
    assert given <= options("solve"), given
    assert words[words.index("--input") + 1].startswith("/data/")
    assert words[words.index("--output") + 1].startswith("/data/")
    for template in TEMPLATES:
        assert "/data" in [mount["mountPath"] for mount in template["spec"]["containers"][0]["volumeMounts"]]


def test_the_image_of_ray_has_what_probes_and_job_submission_need() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert [one for extra in EXTRAS.split(",") for one in extras[extra] if one.startswith("ray[default]")]
    assert CLUSTER["rayVersion"] == read_constraints()["ray"].version
    for template in TEMPLATES:
        (container,) = template["spec"]["containers"]
        assert {"name": "RAY_USAGE_STATS_ENABLED", "value": "0"} in container["env"]
        for probe in ("readinessProbe", "livenessProbe"):
            assert "://localhost:52365/api/local_raylet_healthz" in container[probe]["exec"]["command"][-1]


def test_kustomization_names_every_manifest() -> None:
    named = load(FOLDER / "kubernetes" / "kustomization.yaml")["resources"]
    assert sorted(named) == [path.name for path in MANIFESTS]


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
def test_kubectl_renders_the_kustomization() -> None:
    """`kubectl kustomize` needs no cluster, and changes nothing but the tag of the image."""
    command = ["kubectl", "kustomize", str(FOLDER / "kubernetes")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rendered = {document["kind"]: document for document in yaml.safe_load_all(done.stdout)}
    (image,) = load(FOLDER / "kubernetes" / "kustomization.yaml")["images"]
    server = rendered["Deployment"]["spec"]["template"]["spec"]["containers"][0]
    assert server["image"] == f"{SERVER['image']}:{image['newTag']}"
    server["image"] = SERVER["image"]
    assert rendered == BY_KIND


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
