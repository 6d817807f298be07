"""What can be said about the image without a container engine: the statements of the Dockerfile and of compose.yaml."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from jsonschema.validators import validator_for

from sau_solver.cli import app
from sau_solver.cli.command_classes import Listed
from sau_solver.cli.server_config import API_KEYS, PREFIX, variable_of
from scripts.dependencies import read_lock
from tests.deploy.dockerfiles import FILE, ROOT, read_stages

BEFORE, BUILD, FINAL = read_stages()
COMPOSE: dict[str, Any] = yaml.safe_load((FILE.parent / "compose.yaml").read_text(encoding="utf-8"))
DEPLOYED = sorted(path for path in FILE.parent.rglob("*") if path.is_file())


def options(command: str) -> set[str]:
    commands = typer.main.get_command(app)
    assert isinstance(commands, typer.core.TyperGroup)
    listed = commands.commands[command]
    assert isinstance(listed, Listed)
    return {name for parameter in listed.load().params for name in parameter.opts}


def test_the_image_does_not_run_as_root() -> None:
    user, _, group = FINAL.one("USER").partition(":")
    assert int(user) > 0
    assert int(group) > 0
    assert not FINAL.all("RUN")  # nothing is installed after the first stage


def test_the_image_runs_the_server_with_options_that_exist() -> None:
    program, command, *given = FINAL.command("CMD")
    assert (program, command) == ("sau", "serve")
    assert {word for word in given if word.startswith("-")} <= options("serve")
    assert FINAL.variables("ENV")["PATH"].startswith("/opt/sau/bin:")
    assert FINAL.one("COPY") == "--from=build /opt/sau /opt/sau"


def test_the_image_has_a_health_check_on_the_port_it_exposes() -> None:
    assert re.match(
        r"--interval=\d+s --timeout=\d+s --start-period=\d+s --retries=\d+ CMD \[", FINAL.one("HEALTHCHECK")
    )
    assert FINAL.command("HEALTHCHECK")[:2] == ["python", "-IS"]
    assert "'/healthz'" in FINAL.command("HEALTHCHECK")[-1]
    assert FINAL.variables("ENV")["SAU_SERVER_PORT"] == FINAL.one("EXPOSE")
    assert FINAL.one("STOPSIGNAL") == "SIGTERM"


def test_both_stages_have_the_same_base() -> None:
    assert BEFORE.variables("ARG")["BASE"].startswith("python:3.")
    assert BUILD.one("FROM") == "${BASE} AS build"
    assert FINAL.one("FROM") == "${BASE}"


def test_copied_files_exist_and_nothing_else_is_sent_to_the_builder() -> None:
    copied = BUILD.copied()
    assert all((ROOT / path).exists() for path in copied)
    ignored = FILE.with_name("Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    assert ignored[0] == "*"
    assert {line[1:] for line in ignored if line.startswith("!")} == set(copied)


def test_packages_have_the_tested_versions_and_torch_is_not_among_them() -> None:
    (install,) = (step for step in BUILD.all("RUN") if "pip install" in step)
    assert "-c constraints.txt" in install
    assert "torch" not in read_lock()  # the lock has what the extra `serve` installs


@pytest.mark.parametrize("path", DEPLOYED, ids=lambda path: path.name)
def test_deployed_variables_are_settings_and_no_host_is_named(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    known = {variable_of(name.strip("-").replace("-", "_")) for name in options("serve")} | set(API_KEYS)
    assert set(re.findall(rf"{PREFIX}_[A-Z_]+", text)) <= known
    assert not re.findall(r"https?://(?!localhost|127\.0\.0\.1)[\w.]+", text)


def schema_errors(compose: dict[str, Any]) -> list[str]:
    """Return what the schema of the Compose specification says about a file."""
    own = files("check_jsonschema.builtin_schemas.vendor") / "compose-spec.json"
    schema = json.loads(own.read_text(encoding="utf-8"))
    return [error.message for error in validator_for(schema)(schema).iter_errors(compose)]


def test_compose_follows_the_schema_of_its_specification() -> None:
    assert schema_errors(COMPOSE) == []
    wrong = {"services": {"sau": COMPOSE["services"]["sau"] | {"memory_limit": "3g"}}}
    assert "memory_limit" in str(schema_errors(wrong))


def test_compose_builds_this_file_and_runs_it_without_rights() -> None:
    service = COMPOSE["services"]["sau"]
    context = FILE.parent / service["build"]["context"]
    assert (context / service["build"]["dockerfile"]).resolve() == FILE
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert all(port.startswith("127.0.0.1:") and port.endswith(":8000") for port in service["ports"])
    assert not {"privileged", "network_mode", "pid", "volumes", "tmpfs"} & set(service)


def test_compose_stops_the_server_later_than_the_server_itself() -> None:
    from sau_solver.server.settings import Settings

    assert int(COMPOSE["services"]["sau"]["stop_grace_period"].rstrip("s")) > Settings().stop_seconds


def test_the_key_of_compose_is_a_secret_that_git_ignores() -> None:
    service = COMPOSE["services"]["sau"]
    assert service["environment"]["SAU_SERVER_API_KEY_FILE"] == f"/run/secrets/{service['secrets'][0]}"
    assert COMPOSE["secrets"][service["secrets"][0]]["file"] == "./api-key"
    assert "/deploy/api-key" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
