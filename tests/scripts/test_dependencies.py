"""Servers install what the lock file names and nothing else, and no dependency has a license that is not allowed."""

from __future__ import annotations

import re
import tomllib
from email.message import Message
from pathlib import Path

import pytest

from sau_solver.errors import InputError
from scripts import licenses
from scripts.dependencies import LOCK, Package, is_allowed, normal_name, read_constraints, read_lock, stated_license

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_lock_has_everything_that_a_server_needs_in_the_tested_versions() -> None:
    locked, pinned = read_lock(), read_constraints()
    needed = {
        normal_name(re.split(r"[<>=\[]", one)[0])
        for one in (*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["serve"])
    }
    assert needed <= locked.keys()
    assert {name: one.version for name, one in locked.items() if name in pinned} == {
        name: one.version for name, one in pinned.items() if name in locked
    }
    unpinned = {name for name in locked if name not in pinned}
    assert all(locked[name].marker for name in unpinned), "only packages of other platforms may lack a tested version"


def test_every_package_of_the_lock_has_hashes_and_a_package_that_wants_it() -> None:
    locked = read_lock()
    for package in locked.values():
        assert package.hashes
        assert package.wanted_by
        assert set(package.wanted_by) <= {*locked, "sau-solver"}


def test_the_lock_names_no_machine() -> None:
    assert not re.search(r"https?:|file:|--index|--find-links| /", LOCK.read_text(encoding="utf-8"))


def test_all_licenses_are_allowed_and_the_page_lists_them() -> None:
    assert licenses.page() == (ROOT / "docs/licenses.md").read_text(encoding="utf-8"), "run make licenses"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("MIT AND (GPL-3.0-only OR Apache-2.0 WITH LLVM-exception)", True),
        ("GPL-3.0-only WITH GCC-exception-3.1", False),
    ],
)
def test_a_license_is_allowed_if_one_of_its_alternatives_is(expression: str, expected: bool) -> None:
    assert is_allowed(expression, licenses.ALLOWED) is expected


def test_an_exception_holds_for_its_package_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(licenses, "license_of", lambda package: "MIT AND LGPL-3.0-or-later")
    assert licenses.checked_licenses([Package("python-flint", "1")])
    with pytest.raises(InputError, match=r"The licenses of flint \(MIT AND LGPL-3.0-or-later\) are not allowed"):
        licenses.checked_licenses([Package("flint", "1")])


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"License-Expression": "MIT AND PSF-2.0", "License": "Apache 2.0"}, "MIT AND PSF-2.0"),
        ({"License": "Apache 2.0"}, "Apache-2.0"),
        ({"License": "Permission is hereby granted", "Classifier": "License :: OSI Approved :: MIT License"}, "MIT"),
        ({"Classifier": "License :: OSI Approved :: BSD License"}, None),
        ({"License": "do what you like"}, None),
    ],
)
def test_the_license_is_read_from_the_metadata(fields: dict[str, str], expected: str | None) -> None:
    described = Message()
    for name, value in fields.items():
        described[name] = value
    assert stated_license(described) == expected  # type: ignore[arg-type]
