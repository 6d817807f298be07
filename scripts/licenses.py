"""List the licenses of all dependencies, and fail if one of them is not allowed.

python scripts/licenses.py                           # print the page
python scripts/licenses.py --write docs/licenses.md  # make licenses
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # for scripts/

from sau_solver.errors import InputError, SauError
from sau_solver.files import write_atomically
from scripts.dependencies import Package, is_allowed, license_of, read_constraints, read_lock

# Licenses that permit any use, also commercial, and ask for no more than to keep notices. MPL-2.0 also asks to publish
# changes to its own files; we change none.
ALLOWED = frozenset(
    {
        "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0",
        "CNRI-Python", "ISC", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "PSF-2.0", "Zlib",
    }
)  # fmt: skip

# Packages that may have another license as well, and why.
EXCEPTIONS = {
    "python-flint": (
        "LGPL-3.0-or-later",
        "contains FLINT, GMP and MPFR as shared libraries, which you may replace",
    ),
}

_OPENING = """# Licenses of dependencies

`make licenses` writes this page and fails if a package has a license that is not allowed. A test does the same. The
licenses are those that the packages or their license files state, as SPDX expressions. No package is part of a release
of SAU-Solver: pip installs them from your package index.

Allowed for every package: {allowed}.

Allowed for one package only:

{exceptions}

[NOTICE](../NOTICE) has the terms of the encoders and corpora behind the trained weights. They are not software
dependencies, and some of these corpora state no license.
"""


def allowed_for(name: str) -> frozenset[str]:
    """Return the licenses that a package may have."""
    return ALLOWED | {EXCEPTIONS[name][0]} if name in EXCEPTIONS else ALLOWED


def checked_licenses(packages: Iterable[Package]) -> dict[str, str]:
    """Return the license of every package; raise InputError that names all with a license that is not allowed."""
    found = {package.name: license_of(package) for package in packages}
    refused = [f"{name} ({own})" for name, own in found.items() if not is_allowed(own, allowed_for(name))]
    if refused:
        raise InputError(f"The licenses of {', '.join(refused)} are not allowed. Use other packages.")
    return found


def page() -> str:
    """Return docs/licenses.md."""
    locked, pinned = read_lock(), read_constraints()
    others = {name: package for name, package in pinned.items() if name not in locked}
    reasons = {name: f"`{name}`: {own}; {reason}" for name, (own, reason) in EXCEPTIONS.items()}
    opening = _OPENING.format(
        allowed=", ".join(sorted(ALLOWED)), exceptions="\n".join(f"- {reason}" for reason in reasons.values())
    )
    return "\n".join(
        [
            opening,
            "## Servers",
            "",
            "What `sau solve` and `sau serve` need (`requirements/serve.lock`), on all platforms together.",
            "",
            *_table(locked),
            "",
            "## Laboratory and development",
            "",
            "What the other extras, the images of deploy/, the tests and the checks need on top (`constraints.txt`).",
            "",
            *_table(others),
            "",
        ]
    )


def _table(packages: Mapping[str, Package]) -> list[str]:
    licenses = checked_licenses(packages.values())
    rows = [f"| {name} | {packages[name].version} | {own} |" for name, own in sorted(licenses.items())]
    return ["| package | version | license |", "|---|---|---|", *rows]


def main() -> int:
    """Print or write the page; return 1 if a license is not allowed or not known."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--write", type=Path, metavar="FILE", help="write the page to this file")
    given = arguments.parse_args()
    try:
        text = page()
    except SauError as error:
        print(error, file=sys.stderr)
        return 1
    if given.write:
        write_atomically(given.write, text)
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
