"""Every option of `sau serve` reaches the server, and by default only this machine can connect."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sau_solver.cli import main
from sau_solver.server import serving
from sau_solver.server.settings import Settings

Command = Callable[..., tuple[Settings | None, str]]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs `sau serve` up to the start of the server: returns its settings and standard error."""
    monkeypatch.delenv("SAU_API_KEY", raising=False)

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
    numbers = {
        "port": "81", "workers": "3", "equation-workers": "2", "batch-size": "7", "batch-wait": "20",
        "max-text": "9000", "max-body": "300", "max-upload": "400", "max-batch": "5", "max-waiting": "6",
        "max-generated": "9", "max-sheet": "11", "request-seconds": "8", "batch-seconds": "70",
        "equation-seconds": "3", "stop-seconds": "4", "bulk-size": "3", "max-connections": "13",
        "max-client-connections": "12", "header-seconds": "1", "body-seconds": "2", "idle-seconds": "5",
        "send-seconds": "6", "max-log-lines": "14",
    }  # fmt: skip
    options = [part for name, value in numbers.items() for part in (f"--{name}", value)]
    origins = ("https://a.example", "https://b.example")
    settings, _ = served(
        *options, "--host", "0.0.0.0", "--model", "en", "--api-key-file", str(tmp_path / "key"),
        "--cors-origin", origins[0], "--cors-origin", origins[1], "--log-text",
        "--allowed-host", "a.example", "--allowed-host", "*.b.example", "--proxy", "10.0.0.1",
    )  # fmt: skip
    assert settings == Settings(
        host="0.0.0.0", port=81, model="en", workers=3, equation_workers=2, batch_size=7, batch_wait=0.02,
        max_text=9000, max_body=300, max_upload=400, max_batch=5, max_waiting=6,
        max_generated=9, max_sheet=11, request_seconds=8, batch_seconds=70, equation_seconds=3, stop_seconds=4,
        api_key="open sesame", cors_origins=origins, log_text=True, bulk_size=3, max_connections=13,
        max_client_connections=12, header_seconds=1, body_seconds=2, idle_seconds=5, send_seconds=6, max_log_lines=14,
        allowed_hosts=("a.example", "*.b.example"), proxies=("10.0.0.1",),
    )  # fmt: skip


def test_listening_to_everybody_without_a_key_gives_a_warning(served: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "anyone who can reach this machine can use the server" in served("--host", "0.0.0.0")[1]
    monkeypatch.setenv("SAU_API_KEY", "open sesame")
    settings, complaints = served("--host", "0.0.0.0")
    assert settings is not None
    assert (settings.api_key, complaints) == ("open sesame", "")


def test_an_empty_key_file_is_refused(served: Command, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(" \n")
    settings, complaints = served("--api-key-file", str(tmp_path / "key"))
    assert settings is None
    assert "is empty" in complaints
