"""The origin of a result: the versions of packages and of the code, and the time of each stage."""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import time
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from sau_solver import __version__

_PACKAGES = ("python-flint", "sympy", "rjieba", "torch")
_ROOT = Path(__file__).parents[1]  # of the package
_DIGITS = 12


@cache
def versions() -> dict[str, str]:
    """Return the versions of this package, with its commit in a checkout, and of the packages that it builds on."""
    found = {"sau-solver": __version__, "source": source_digest()[:_DIGITS]}
    if commit := _commit():
        found["commit"] = commit
    found["python"] = platform.python_version()
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def source_digest() -> str:
    """Return the SHA-256 over names and contents of all Python files of the package, wherever it is installed."""
    whole = hashlib.sha256()
    for path in sorted(_ROOT.rglob("*.py"), key=lambda path: path.relative_to(_ROOT).as_posix()):
        content = path.read_bytes()
        whole.update(f"{path.relative_to(_ROOT).as_posix()} {len(content)}\n".encode())
        whole.update(content)
    return whole.hexdigest()


def _commit() -> str | None:
    """Return the commit of the package's checkout, with a + if files differ from it; None outside a checkout."""
    checkout, git = _ROOT.parents[1], shutil.which("git")
    if git is None or not (checkout / ".git").exists():
        return None

    def ask(*arguments: str) -> str:
        command = [git, "-C", str(checkout), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603

    try:
        changed = ask("status", "--porcelain", "--", str(_ROOT))
        return ask("rev-parse", f"--short={_DIGITS}", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.CalledProcessError):  # no commit yet, or a checkout of another user
        return None


class Clock:
    """Measures the seconds of consecutive stages."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def stage(self, name: str) -> None:
        """Record that a stage has just ended."""
        now = time.perf_counter()
        self.seconds[name] = now - self._last
        self._last = now
