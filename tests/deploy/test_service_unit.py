"""The systemd unit is one that systemd accepts, starts the server and gives it few rights."""

from __future__ import annotations

import configparser
import shutil
import subprocess
from pathlib import Path

import pytest

from sau_solver.server.settings import Settings
from tests.deploy.dockerfiles import FILE

UNIT = FILE.with_name("sau-serve.service")
MOST_EXPOSURE = 20  # of 100; `systemd-analyze security` calls a service below 40 "OK"

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", "--no-pager", *arguments], capture_output=True, text=True, check=False)


def service() -> dict[str, list[str]]:
    """Return the entries of the section [Service]; a name may occur several times."""
    parser = configparser.RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # names keep their capitals
    parser.read_string(UNIT.read_text(encoding="utf-8"))
    lines = UNIT.read_text(encoding="utf-8").partition("[Service]")[2].partition("[Install]")[0].splitlines()
    entries: dict[str, list[str]] = {name: [] for name in parser["Service"]}
    for name, _, value in (line.partition("=") for line in lines if line and not line.startswith("#")):
        entries[name].append(value)
    return entries


def test_the_unit_starts_the_server_and_waits_for_its_answers() -> None:
    found = service()
    assert found["ExecStart"] == ["/opt/sau/bin/sau serve"]
    assert float(found["TimeoutStopSec"][0]) > Settings().stop_seconds
    assert found["KillMode"] == ["mixed"]
    assert found["DynamicUser"] == ["yes"]
    assert found["ProtectSystem"] == ["strict"]


@needs_systemd
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    copy = tmp_path / UNIT.name
    program = shutil.which("true") or ""
    copy.write_text(UNIT.read_text(encoding="utf-8").replace("/opt/sau/bin/sau", program), encoding="utf-8")
    done = analyze("verify", "--man=no", str(copy))
    assert (done.returncode, done.stderr) == (0, "")
    copy.write_text(copy.read_text(encoding="utf-8").replace("DynamicUser=", "DynamicUsr="), encoding="utf-8")
    assert "DynamicUsr" in analyze("verify", "--man=no", str(copy)).stderr


@needs_systemd
def test_the_unit_leaves_little_to_an_attacker() -> None:
    done = analyze("security", "--offline=yes", f"--threshold={MOST_EXPOSURE}", str(UNIT))
    assert done.returncode == 0, done.stdout[-300:]
