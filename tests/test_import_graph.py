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
    "questions": {"problem"},
    "units": {"problem", "questions"},
    "naming": {"phrases", "problem", "questions", "units"},
    "calculation": {"expressions", "phrases", "problem", "solving"},
    "story": {
        "answer", "calculation", "explain", "expressions", "naming", "numbers", "phrases", "problem", "questions",
        "solving", "symbols", "uet", "units", "wording",
    },
    "solution": {"expressions", "numbers", "solving", "uet"},
    "plausibility": {"answer", "expressions", "numbers", "solving", "wording"},
    "preference": {"errors", "expressions", "numbers", "plausibility", "solving", "symbols", "uet"},
    "ranking": {
        "answer", "errors", "expressions", "models", "numbers", "plausibility", "preference", "solution", "solving",
    },
    "confidence": {"errors", "ranking"},
    "demands": {"problem"},
    "foreign": set(),
    "screening": {"demands", "errors", "foreign", "numbers", "problem"},
    "level_memory": set(),
    "loading": {
        "confidence", "errors", "level_memory", "models", "numbers", "preference", "problem", "training", "uet",
    },
    "concluding": {
        "confidence", "loading", "numbers", "problem", "ranking", "screening", "solution", "story",
    },
    "progress": set(),
    "pipeline": {
        "concluding", "errors", "loading", "models", "numbers", "problem", "progress", "ranking", "screening",
        "solution",
    },
    "renumbering": {
        "calculation", "concluding", "errors", "models", "numbers", "ranking", "solution", "uet",
    },
    "notation": {"expressions"},
    "step_kinds": {"phrases", "problem"},
    "worked": {"equations", "errors", "explain", "expressions", "problem", "solution", "solving"},
    "server": {
        "drawing", "errors", "expressions", "level_memory", "loading", "models", "notation", "numbers", "pipeline",
        "problem", "renumbering", "screening", "server", "solution", "step_kinds", "symbols", "uet", "version",
        "worked",
    },
    "problem_lines": {"problem"},
    "streaming": {"errors", "problem_lines", "solution"},
    "tokens": {"errors", "numbers"},
    "pieces": {"errors", "numbers", "tokens"},
    "models": {"errors", "expressions", "models", "numbers", "pieces", "problem", "symbols", "tokens", "uet"},
    "training": {
        "confidence", "errors", "expressions", "models", "numbers", "preference", "problem", "symbols", "tokens",
        "training", "uet",
    },
    "experiments": {
        "answer", "confidence", "data", "equations", "errors", "experiments", "expressions", "loading", "models",
        "normal_form", "numbers", "preference", "problem", "protocols", "ranking", "screening", "solution",
        "solving", "symbols", "tokens", "training", "uet", "version",
    },
}  # fmt: skip
TORCH_ALLOWED = {"models", "training"}
HEAVY = ("torch", "numpy", "transformers", "fastapi")
WEB = {"fastapi", "starlette", "uvicorn", "prometheus_client", "pydantic"}


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
    seen = {name.split(".")[0] for name in imports(path)}
    if part_of(path) not in TORCH_ALLOWED:
        assert not seen & (set(HEAVY) - WEB)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_serves_http_is_imported_under_server_alone(path: Path) -> None:
    if part_of(path) != "server":
        assert not {name.split(".")[0] for name in imports(path)} & WEB


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


def test_importing_the_package_and_its_public_names_imports_no_torch() -> None:
    code = (
        "import sys\n"
        f"for name in {HEAVY!r}: sys.modules[name] = None\n"
        "import sau_solver as sau\n"
        "print('sau_solver.pipeline' in sys.modules)\n"
        "solver = sau.load()\n"
        "print(type(solver).__name__, sau.Solution.__name__)\n"
        "print(solver.solve('鸡有多少只？').abstained)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "Solver", "Solution", "True"]
