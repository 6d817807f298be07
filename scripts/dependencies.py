"""requirements/serve.lock and constraints.txt -> the packages that SAU-Solver rests on, each with its license.

The license is an SPDX expression: the one that the installed package states, or one that we read in its license file
where the package states it in other words. Packages that are not installed on every machine have theirs in a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from license_expression import Licensing

from sau_solver.errors import InputError

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements/serve.lock"
CONSTRAINTS = ROOT / "constraints.txt"

# What packages write in `License` or as a classifier, in terms of SPDX. "BSD License" is not here: it does not say
# which one.
_WORDS = {
    "MIT License": "MIT",
    "Apache 2.0": "Apache-2.0",
    "Apache 2.0 License": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "3-Clause BSD License": "BSD-3-Clause",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "BSD-2-Clause": "BSD-2-Clause",
    "MPL-2.0 AND MIT": "MPL-2.0 AND MIT",
}

# Read in the license files of the packages, which name a family of licenses only.
_READ = dict.fromkeys(("contourpy", "cycler", "jinja2", "kiwisolver", "mpmath", "sympy"), "BSD-3-Clause")
_READ["kubernetes-validate"] = "Apache-2.0"

# Only on Windows, so not installed here. Read in the metadata of the file that the lock names.
_ELSEWHERE = {"colorama": "BSD-3-Clause"}

# Only in images with the extra `cluster`. Read in the metadata of the packages; `make image-test` compares them.
_ELSEWHERE |= dict.fromkeys(
    (
        "aiohttp-cors", "aiosignal", "frozenlist", "google-api-core", "google-auth", "googleapis-common-protos",
        "multidict", "opencensus", "opencensus-context", "opentelemetry-exporter-prometheus", "opentelemetry-proto",
        "opentelemetry-sdk", "opentelemetry-semantic-conventions", "propcache", "proto-plus", "yarl",
    ),
    "Apache-2.0",
)  # fmt: skip
_ELSEWHERE |= dict.fromkeys(("colorful", "py-spy", "python-discovery", "six", "smart-open", "virtualenv"), "MIT")
_ELSEWHERE |= dict.fromkeys(("aiohappyeyeballs", "distlib"), "PSF-2.0")
_ELSEWHERE |= dict.fromkeys(("pyasn1", "pyasn1-modules", "wrapt"), "BSD-2-Clause")
_ELSEWHERE |= {
    "aiohttp": "Apache-2.0 AND MIT",
    "cffi": "MIT-0",
    "cryptography": "Apache-2.0 OR BSD-3-Clause",
    "pycparser": "BSD-3-Clause",
}

_PIN = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^\s;]+)(?: ; (?P<marker>.+?))?(?: \\)?$")


@dataclass(frozen=True, slots=True)
class Package:
    """A package of a lock: its version, where it is needed, the SHA-256 of its files, and the packages that want it."""

    name: str
    version: str
    marker: str = ""
    hashes: tuple[str, ...] = ()
    wanted_by: tuple[str, ...] = ()


def normal_name(name: str) -> str:
    """Return the name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_lock(path: Path = LOCK) -> dict[str, Package]:
    """Return the packages of a lock file by name."""
    found: dict[str, Package] = {}
    for block in re.split(r"\n(?=\w)", path.read_text(encoding="utf-8").strip()):
        first, *others = block.splitlines()
        if not (pin := _PIN.match(first)):
            raise InputError(f"{path} must have a line NAME==VERSION for each package, got {first!r}. Run make lock.")
        via = [line.strip(" #") for line in others if line.strip().startswith("#")]
        wanted = [one.removeprefix("via").strip() for one in via]
        found[normal_name(pin["name"])] = Package(
            name=normal_name(pin["name"]),
            version=pin["version"],
            marker=pin["marker"] or "",
            hashes=tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})", block)),
            wanted_by=tuple(one.split()[0] for one in wanted if one and not one.startswith("-c ")),
        )
    return found


def read_constraints(path: Path = CONSTRAINTS) -> dict[str, Package]:
    """Return the packages of constraints.txt by name: everything that `make` may install."""
    pins = [_PIN.match(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {normal_name(pin["name"]): Package(normal_name(pin["name"]), pin["version"]) for pin in pins if pin}


def license_of(package: Package) -> str:
    """Return the SPDX expression of a package; raise InputError if nobody can tell it."""
    if known := _ELSEWHERE.get(package.name) or _READ.get(package.name):
        return known
    try:
        installed = metadata.distribution(package.name)
    except metadata.PackageNotFoundError:
        raise InputError(f"{package.name} is not installed, so its license is not known. Run make.") from None
    if installed.version.partition("+")[0] != package.version:
        raise InputError(f"{package.name} must be {package.version}, found {installed.version}. Run make.")
    if stated := stated_license(installed.metadata):
        return stated
    raise InputError(f"{package.name} states no license in terms of SPDX. Read its license file and add it to _READ.")


def stated_license(described: metadata.PackageMetadata) -> str | None:
    """Return the SPDX expression that the metadata of a package state; None if they state none."""
    if expressions := described.get_all("License-Expression"):
        return str(expressions[0])
    classifiers = [one for one in described.get_all("Classifier") or () if one.startswith("License ::")]
    for words in (*(described.get_all("License") or ()), *(one.rpartition(" :: ")[2] for one in classifiers)):
        if words in _WORDS or words in _WORDS.values():
            return str(_WORDS.get(words, words))
    return None


def is_allowed(expression: str, allowed: Iterable[str]) -> bool:
    """Return whether a license may be used: each part of an AND must be allowed, and one part of an OR."""
    tree = Licensing().parse(expression)
    known = frozenset(allowed)

    def holds(node: object) -> bool:
        parts = getattr(node, "args", ())
        if not parts:
            return str(node) in known
        every = all if type(node).__name__ == "AND" else any
        return every(map(holds, parts))

    return holds(tree)
