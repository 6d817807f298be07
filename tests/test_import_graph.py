"""Each stage knows its neighbours and nothing two doors away; torch stays under models/ and training/."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import sau_solver

ROOT = Path(sau_solver.__file__).parent

# What each part may import of the package, itself included. cli/ sees everything.
ALLOWED = {
    "version": set(),
    "errors": set(),
    "problem": set(),
    "expressions": set(),
    "equation_tokens": {"errors", "expressions"},
    "equations": {"equation_tokens", "errors", "expressions"},
    "symbols": {"errors", "expressions"},
    "uet": {"errors", "expressions", "symbols"},
    "drawing": {"expressions", "symbols", "uet"},
    "normal_form": {"expressions"},
    "solving": {"errors", "expressions", "solving"},
    "wording": {"problem"},
    "answer": {"expressions", "problem", "solving", "wording"},
    "protocols": {"answer", "expressions", "problem", "solving"},
    "phrases": {"problem"},
    "explain": {"expressions", "phrases", "problem", "solving"},
    "numbers": {"errors", "numbers", "problem"},
    "data": {
        "answer", "data", "equations", "errors", "expressions", "numbers", "problem", "protocols", "solving", "symbols",
        "uet",
    },
    "solution": {"expressions", "numbers", "solving", "uet"},
    "tokens": {"errors", "numbers"},
    "models": {"errors", "expressions", "models", "numbers", "problem", "symbols", "tokens", "uet"},
    "training": {
        "errors", "expressions", "models", "numbers", "problem", "symbols", "tokens", "training", "uet",
    },
    "experiments": {
        "answer", "data", "equations", "errors", "experiments", "expressions", "models", "normal_form", "numbers",
        "problem", "protocols", "solving", "symbols", "tokens", "training", "uet", "version",
    },
}  # fmt: skip
TORCH_ALLOWED = {"models", "training"}
HEAVY = ("torch", "numpy", "transformers", "fastapi")


def part_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {
                f"{node.module}.{alias.name}" if node.module == "sau_solver" else node.module for alias in node.names
            }
    return found


MODULES = sorted(path for path in ROOT.rglob("*.py") if part_of(path) not in ("cli", "__init__"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_its_stage_may_see(path: Path) -> None:
    seen = {name.split(".")[1] for name in imports(path) if name.startswith("sau_solver.")}
    assert seen <= ALLOWED[part_of(path)]


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_torch_is_imported_under_models_and_training_alone(path: Path) -> None:
    if part_of(path) not in TORCH_ALLOWED:
        assert not {name.split(".")[0] for name in imports(path)} & set(HEAVY)


def test_the_whole_exact_core_runs_without_torch_or_numpy() -> None:
    code = (
        "import sys\n"
        f"for name in {HEAVY!r}: sys.modules[name] = None\n"
        "import sau_solver.cli\n"
        "from sau_solver.numbers import map_text\n"
        "from sau_solver.equations import parse\n"
        "from sau_solver.solving import solve\n"
        "print(solve(parse('x+1=3')).solutions[0]['x'], len(map_text('鸡有20个头').numbers))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "1"]
