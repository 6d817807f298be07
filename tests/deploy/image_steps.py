"""The RUN steps of the Dockerfile's first stage -> a folder like /opt/sau in the image, without a container engine."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.deploy.dockerfiles import ROOT, read_stages

_, BUILD, FINAL = read_stages()

# Prints the license fields of every installed package as JSON.
_DESCRIBE = """
import json
from importlib import metadata
fields = ("Name", "Version", "License-Expression", "License", "Classifier")
print(json.dumps([[(f, v) for f in fields for v in d.metadata.get_all(f) or ()] for d in metadata.distributions()]))
"""


@contextmanager
def installed_image(extras: str) -> Iterator[Path]:
    """Yield the folder that is /opt/sau in an image with these extras.

    The steps run in a temporary folder instead of /opt/sau and /build, with this machine's pip. The folder is not in
    /tmp, so that a test can cover /tmp with an empty file system.
    """
    with tempfile.TemporaryDirectory(prefix="sau-image-", dir="/var/tmp") as name:
        folder = Path(name)
        context, place = folder / "build", folder / "sau"
        context.mkdir()
        for path in BUILD.copied():
            copy = shutil.copytree if (ROOT / path).is_dir() else shutil.copy2
            copy(ROOT / path, context / path)
        python = folder / "bin" / "python"
        python.parent.mkdir()
        python.symlink_to(Path(sys.executable).resolve())
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment |= BUILD.variables("ENV") | BUILD.variables("ARG") | {"EXTRAS": extras}
        environment |= {"PATH": f"{python.parent}:{os.environ['PATH']}"}
        if not environment["PIP_INDEX_URL"]:
            del environment["PIP_INDEX_URL"]
        for step in BUILD.all("RUN"):
            command = step.replace("/opt/sau", str(place))
            done = subprocess.run(
                ["sh", "-c", command], cwd=context, env=environment, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        yield place


def variables_of_image(place: Path) -> dict[str, str]:
    """Return the variables of the final stage, and nothing of this machine."""
    variables = FINAL.variables("ENV")
    return variables | {"PATH": variables["PATH"].replace("/opt/sau", str(place))}


def megabytes(place: Path) -> float:
    """Return the size on disk of all files of an image's environment."""
    files = [path for path in place.rglob("*") if path.is_file() and not path.is_symlink()]
    return sum(path.stat().st_blocks * 512 for path in files) / 1e6


def report(line: str) -> None:
    """Print a line, and append it to the file that SAU_IMAGE names."""
    print(line)
    with Path(os.environ["SAU_IMAGE"]).open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def described_packages(place: Path) -> list[list[tuple[str, str]]]:
    """Return the fields of each installed package that say its name, version and license."""
    done = subprocess.run([place / "bin/python", "-I", "-c", _DESCRIBE], capture_output=True, text=True, check=True)
    return [[(name, value) for name, value in fields] for fields in json.loads(done.stdout)]


def can_isolate(*flags: str) -> bool:
    """Return whether this user may make namespaces of these kinds."""
    return shutil.which("unshare") is not None and not subprocess.call(["unshare", *flags, "true"])
