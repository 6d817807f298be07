"""Every option of `sau serve` and its variable reach the server, and by default only this machine can connect."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import typer

import sau_solver.solver
from sau_solver.cli import app, main
from sau_solver.cli.command_classes import Listed
from sau_solver.cli.server_config import variable_of
from sau_solver.server import serving
from sau_solver.server.settings import Settings

Command = Callable[..., tuple[Settings | None, str]]

NUMBERS = {
    "port": "81", "workers": "3", "equation-workers": "2", "batch-size": "7", "batch-wait": "20",
    "max-text": "9000", "max-body": "300", "max-upload": "400", "max-batch": "5", "max-waiting": "6",
    "max-generated": "9", "max-sheet": "11", "request-seconds": "8", "batch-seconds": "70",
    "equation-seconds": "3", "stop-seconds": "4", "bulk-size": "3", "max-connections": "13",
    "max-client-connections": "12", "header-seconds": "1", "body-seconds": "2", "idle-seconds": "5",
    "send-seconds": "6", "max-log-lines": "14",
}  # fmt: skip
TEXTS = {"host": "0.0.0.0", "model": "en"}
SEVERAL = {
    "cors-origin": ("https://a.example", "https://b.example"),
    "allowed-host": ("a.example", "*.b.example"),
    "proxy": ("10.0.0.1", "192.168.0.0/16"),
}
FLAGS = ("log-text", "log-client")
EVERYTHING = Settings(
    host="0.0.0.0", port=81, model="en", workers=3, equation_workers=2, batch_size=7, batch_wait=0.02,
    max_text=9000, max_body=300, max_upload=400, max_batch=5, max_waiting=6,
    max_generated=9, max_sheet=11, request_seconds=8, batch_seconds=70, equation_seconds=3, stop_seconds=4,
    api_key="open sesame", cors_origins=SEVERAL["cors-origin"], log_text=True, log_client=True, bulk_size=3,
    max_connections=13, max_client_connections=12, header_seconds=1, body_seconds=2, idle_seconds=5, send_seconds=6,
    max_log_lines=14, allowed_hosts=SEVERAL["allowed-host"], proxies=SEVERAL["proxy"],
)  # fmt: skip


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs `sau serve` up to the start of the server: returns its settings and standard error."""
    forget_variables(monkeypatch)
    monkeypatch.setattr(sau_solver.solver, "load", lambda model: None)

    def run(*options: str) -> tuple[Settings | None, str]:
        started: list[Settings] = []
        monkeypatch.setattr(serving, "serve", started.append)
        monkeypatch.setattr(sys, "argv", ["sau", "serve", *options])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code in ((0, None) if started else (2,))
        return (started[0] if started else None), capfd.readouterr().err

    return run


def test_by_default_it_listens_to_this_machine_only_with_the_documented_limits(served: Command) -> None:
    settings, complaints = served()
    assert settings is not None
    assert (settings.host, settings.port, settings.api_key, settings.cors_origins) == ("127.0.0.1", 8000, "", ())
    assert (settings.max_text, settings.max_body, settings.max_batch, settings.max_waiting) == (4000, 65536, 256, 64)
    assert (settings.request_seconds, settings.stop_seconds, settings.batch_wait) == (10, 15, 0.005)
    assert (settings.max_connections, settings.max_client_connections, settings.bulk_size) == (512, 64, 1)
    assert (settings.header_seconds, settings.body_seconds, settings.idle_seconds) == (10, 10, 15)
    assert (settings.allowed_hosts, settings.proxies) == ((), ())
    assert not settings.log_text
    assert complaints == ""


def test_every_option_reaches_the_server(served: Command, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("open sesame\n")
    options = [part for name, value in (NUMBERS | TEXTS).items() for part in (f"--{name}", value)]
    options += [part for name, values in SEVERAL.items() for value in values for part in (f"--{name}", value)]
    options += [f"--{name}" for name in FLAGS]
    settings, _ = served(*options, "--api-key-file", str(tmp_path / "key"))
    assert settings == EVERYTHING


def variables(key: Path) -> dict[str, str]:
    """Return the environment of a server in which nothing has its default."""
    values = NUMBERS | TEXTS | {name: " ".join(values) for name, values in SEVERAL.items()}
    values |= dict.fromkeys(FLAGS, "true") | {"api-key-file": str(key)}
    return {variable_of(name.replace("-", "_")): value for name, value in values.items()}


def test_every_setting_can_come_from_the_environment(
    served: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "key").write_text("open sesame\n")
    for name, value in variables(tmp_path / "key").items():
        monkeypatch.setenv(name, value)
    settings, complaints = served()
    assert (settings, complaints) == (EVERYTHING, "")


def test_every_option_is_tested_here() -> None:
    tested = {f"--{name}" for name in (*NUMBERS, *TEXTS, *SEVERAL, *FLAGS, "api-key-file")}
    assert {name for name in options_of_serve() if name not in ("--print-config", "--help")} == tested


def options_of_serve() -> list[str]:
    commands = typer.main.get_command(app)
    assert isinstance(commands, typer.core.TyperGroup)
    serve = commands.commands["serve"]
    assert isinstance(serve, Listed)
    return [option.opts[0] for option in serve.load().params]


@pytest.mark.parametrize("name", NUMBERS)
def test_a_wrong_number_is_refused_with_the_name_of_its_variable(
    name: str, served: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    variable = variable_of(name.replace("-", "_"))
    monkeypatch.setenv(variable, "many")
    settings, complaints = served()
    assert settings is None
    assert complaints.startswith(f"{variable} must be ")
    assert complaints.endswith(", got 'many'.\n")


@pytest.mark.parametrize(
    ("variable", "wrong", "message"),
    [
        ("SAU_SERVER_LOG_TEXT", "maybe", "SAU_SERVER_LOG_TEXT must be true or false, got 'maybe'."),
        ("SAU_SERVER_LOG_CLIENT", "2", "SAU_SERVER_LOG_CLIENT must be true or false, got '2'."),
        ("SAU_SERVER_PROXY", "10.0.0.1 web", "SAU_SERVER_PROXY must be an IP address or a network such as 10.0.0.0/8"),
        ("SAU_SERVER_PROXY", "10.0.0.1/8", "SAU_SERVER_PROXY must be an IP address or a network such as 10.0.0.0/8"),
        ("SAU_SERVER_MAX_TEXT", "20001", "SAU_SERVER_MAX_TEXT must be between 1 and 20,000, got '20001'."),
        ("SAU_SERVER_REQUEST_SECONDS", "nan", "SAU_SERVER_REQUEST_SECONDS must be at least 0.1, got 'nan'."),
        ("SAU_SERVER_REQUEST_SECONDS", "inf", "SAU_SERVER_REQUEST_SECONDS must be a finite number, got inf."),
        ("SAU_SERVER_API_KEY_FILE", "/no/such/file", "SAU_SERVER_API_KEY_FILE: The API key file /no/such/file cannot"),
        ("SAU_SERVER_PORT", "tcp://10.0.0.1:80", "SAU_SERVER_PORT must be between 0 and 65,535, got 'tcp://10."),
    ],
)
def test_a_wrong_value_is_refused_with_the_name_of_its_variable(
    variable: str, wrong: str, message: str, served: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, wrong)
    settings, complaints = served()
    assert settings is None
    assert complaints.startswith(message)


def test_wrong_options_are_named_as_options(served: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAU_SERVER_PROXY", "10.0.0.1")
    assert served("--proxy", "web")[1].startswith("--proxy must be an IP address")
    assert served("--port", "many")[1] == "--port must be between 0 and 65,535, got many.\n"


def test_wrong_hosts_and_models_are_named_by_their_variables(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    forget_variables(monkeypatch)
    monkeypatch.setattr(sys, "argv", ["sau", "serve"])
    monkeypatch.setenv("SAU_SERVER_MODEL", "no-such-model")
    with pytest.raises(SystemExit):
        main()
    assert capfd.readouterr().err.startswith("SAU_SERVER_MODEL: ")
    monkeypatch.delenv("SAU_SERVER_MODEL")
    monkeypatch.setattr(sau_solver.solver, "load", lambda model: None)
    monkeypatch.setenv("SAU_SERVER_HOST", "256.0.0.1")
    # In another thread: the tests of the page leave an event loop running in this one.
    with ThreadPoolExecutor(1) as threads, pytest.raises(SystemExit):
        threads.submit(main).result()
    assert "SAU_SERVER_HOST must be an address of this machine, got '256.0.0.1'" in capfd.readouterr().err


def test_an_option_goes_before_the_environment_and_an_empty_variable_is_not_set(
    served: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAU_SERVER_PORT", "81")
    monkeypatch.setenv("SAU_SERVER_MAX_TEXT", "")
    settings, _ = served("--port", "82")
    assert settings is not None
    assert (settings.port, settings.max_text) == (82, 4000)


def test_a_variable_that_no_setting_has_gives_a_warning(served: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAU_SERVER_PROT", "81")
    monkeypatch.setenv("SAU_SERVER", "http://127.0.0.1:8000")  # the variable of examples/client.py
    settings, complaints = served()
    assert settings is not None
    assert complaints == (
        "SAU_SERVER_PROT is not a setting of the server and is ignored. Did you mean SAU_SERVER_PORT?\n"
    )


def printed(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *options: str) -> list[list[str]]:
    """Run `sau serve --print-config` and return the rows of its table."""
    monkeypatch.setattr(serving, "serve", lambda settings: pytest.fail("the server was started"))
    monkeypatch.setattr(sys, "argv", ["sau", "serve", "--print-config", *options])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code in (0, None)
    return [line.split(maxsplit=3) for line in capfd.readouterr().out.splitlines()]


def test_print_config_shows_every_setting_with_its_value_and_origin(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    forget_variables(monkeypatch)
    head, *defaults = printed(monkeypatch, capfd)
    assert head == ["option", "variable", "from", "value"]
    assert [row[0] for row in defaults[:-1]] == [name for name in options_of_serve() if name != "--print-config"]
    assert {row[-2] for row in defaults if row[1] != "default"} == {"default"}
    assert ["--port", "SAU_SERVER_PORT", "default", "8000"] in defaults
    assert ["--model", "SAU_SERVER_MODEL", "default", "the shipped models"] in defaults

    (tmp_path / "key").write_text("open sesame\n")
    given = variables(tmp_path / "key")
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    _, *rows = printed(monkeypatch, capfd, "--port", "82", "--log-text")
    expected = {name: ["environment", value] for name, value in given.items()}
    expected |= {"SAU_SERVER_PORT": ["option", "82"], "SAU_SERVER_LOG_TEXT": ["option", "true"]}
    assert {variable: rest for _, variable, *rest in rows[:-1]} == expected


@pytest.mark.parametrize("variable", ["SAU_SERVER_API_KEY", "SAU_API_KEY"])
def test_print_config_does_not_show_the_key(
    variable: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    forget_variables(monkeypatch)
    monkeypatch.setenv(variable, "sesame")
    *rows, last = printed(monkeypatch, capfd)
    assert last == [variable, "environment", "set"]
    assert "sesame" not in str(rows)


def forget_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("SAU_SERVER_", "SAU_API_KEY"))]:
        monkeypatch.delenv(name)


def test_listening_to_everybody_without_a_key_gives_a_warning(served: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "anyone who can reach this machine can use the server" in served("--host", "0.0.0.0")[1]
    for variable in ("SAU_API_KEY", "SAU_SERVER_API_KEY"):
        monkeypatch.setenv(variable, f"the key of {variable}")
        settings, complaints = served("--host", "0.0.0.0")
        assert settings is not None
        assert (settings.api_key, complaints) == (f"the key of {variable}", "")


def test_an_empty_key_file_is_refused(served: Command, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(" \n")
    settings, complaints = served("--api-key-file", str(tmp_path / "key"))
    assert settings is None
    assert "is empty" in complaints
