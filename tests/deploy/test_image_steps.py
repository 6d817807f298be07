"""The steps of the Dockerfile make an environment that runs the server. The image itself needs a container engine.

After the steps, the server starts as the image starts it: with the variables of the image alone, and with every file
system read-only. It takes minutes: `make image-test`.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.deploy.image_steps import BUILD, FINAL, can_isolate, installed_image, megabytes, report, variables_of_image

pytestmark = [
    pytest.mark.image,
    pytest.mark.slow,
    pytest.mark.xdist_group("image"),
    pytest.mark.skipif("SAU_IMAGE" not in os.environ, reason="installs for minutes; run make image-test"),
]

MOST_MEGABYTES = 600  # the base image has about 150 more
START_SECONDS = 240

# Makes every file system read-only for the command that follows, and checks that it is.
READ_ONLY = """
while read -r _ place _ flags _; do
    case $place in /proc*|/sys*|/dev*) ;; *) mount -o remount,bind,ro "$place" || exit 97 ;; esac
done < /proc/self/mounts
for place in / "$TEMPORARY" "$PWD"; do if touch "$place/written" 2>/dev/null; then exit 98; fi; done
unset TEMPORARY
exec "$@"
"""


@pytest.fixture(scope="module")
def installed() -> Iterator[Path]:
    """The folder that is /opt/sau in the image, made by the steps of the first stage."""
    with installed_image(BUILD.variables("ARG")["EXTRAS"]) as place:
        yield place


def environment_of_image(installed: Path, port: int) -> dict[str, str]:
    """Return the variables of the image, with another port and one worker."""
    return variables_of_image(installed) | {"SAU_SERVER_PORT": str(port), "SAU_SERVER_WORKERS": "1"}


def healthy(installed: Path, port: int) -> bool:
    """Run the health check of the image."""
    program, *arguments = FINAL.command("HEALTHCHECK")
    done = subprocess.run(
        [installed / "bin" / program, *arguments], env=environment_of_image(installed, port), stderr=subprocess.DEVNULL,
        check=False,
    )  # fmt: skip
    return done.returncode == 0


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
        assert isinstance(port, int)
        return port


def test_the_environment_is_small_and_has_no_cuda(installed: Path) -> None:
    size = megabytes(installed)
    report(f"{BUILD.variables('ARG')['EXTRAS']:10} {size:6.0f} MB")
    assert size < MOST_MEGABYTES
    names = {path.name for path in installed.glob("lib/python3*/site-packages/*")}
    assert "onnxruntime" in names
    assert not {name for name in names if name.startswith(("torch", "nvidia", "triton", "setuptools", "pip"))}


@pytest.mark.skipif(not can_isolate("-rm"), reason="this user may not make read-only file systems")
def test_the_server_runs_on_read_only_file_systems_and_its_health_check_works(installed: Path) -> None:
    port = free_port()
    variables = environment_of_image(installed, port)
    program, *arguments = FINAL.command("CMD")
    assert not Path(variables["HOME"]).exists()
    assert not healthy(installed, port)
    server = subprocess.Popen(
        ["unshare", "-rm", "sh", "-c", READ_ONLY, "sh", installed / "bin" / program, *arguments],
        env=variables | {"PATH": f"{variables['PATH']}:/usr/sbin:/sbin", "TEMPORARY": tempfile.gettempdir()},
        cwd=FINAL.one("WORKDIR"), stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert server.stderr is not None
        warning, line = server.stderr.readline(), server.stderr.readline()
        assert "without an API key" in warning, warning
        assert json.loads(line)["event"] == "ready", line
        assert healthy(installed, port)
        body = {"text": "Tom has 3 apples and buys 5 more. How many apples does he have now?"}
        answer = httpx.post(f"http://127.0.0.1:{port}/v1/solve", json=body, timeout=60, trust_env=False)
        assert answer.json()["answers"] == ["8"]
        hard = {"equations": "x^5-x-1=0; y=sin(x)"}  # needs the process of the symbolic solver
        assert (
            httpx.post(f"http://127.0.0.1:{port}/v1/equation", json=hard, timeout=60, trust_env=False).status_code
            == 200
        )
        assert "sau_workers_ready" in httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False).text
        server.send_signal(getattr(signal, FINAL.one("STOPSIGNAL")))
        rest = server.stderr.read().splitlines()
        assert server.wait(START_SECONDS) == 0
        assert {json.loads(line)["event"] for line in rest} == {"request", "stopping"}, rest
        assert not healthy(installed, port)
    finally:
        server.kill()
        server.communicate()
