"""The packages stand in one order: each imports only those before it. Heavy libraries stay where they are needed."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import sau_solver

ROOT = Path(sau_solver.__file__).parent

# A package or root module imports only what stands before it in this list, and itself.
ORDER = (
    "phrases", "errors", "files", "problem", "equations", "text", "solving",
    "answering", "explaining", "sheets", "solution", "models", "data", "hub", "solver", "curriculum", "training",
    "engines", "experiments", "shipping", "server", "cli",
)  # fmt: skip

# Third-party libraries that only these packages import when they are loaded.
CONFINED = {
    "torch": {"models", "training", "shipping"},
    "numpy": {"models", "shipping"},
    "onnxruntime": {"models"},
    "transformers": set(),
    "huggingface_hub": {"models", "hub"},
    "pyarrow": {"data"},
    "fastapi": {"server"},
    "starlette": {"server"},
    "uvicorn": {"server"},
    "prometheus_client": {"server"},
    "pydantic": {"server"},
    "typer": {"cli"},
    "rich": {"cli"},
    "matplotlib": {"experiments"},
    "ray": {"engines"},
}
HEAVY = ("torch", "numpy", "onnxruntime", "transformers", "fastapi")


def package_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """Return the full names of everything that a file imports, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.fixture(scope="module")
def files() -> dict[Path, set[str]]:
    """Return what each file imports."""
    found = (path for path in sorted(ROOT.rglob("*.py")) if path.parent != ROOT or path.stem != "__init__")
    return {path: imported(path) for path in found}


def packages_in(names: set[str]) -> set[str]:
    return {name.split(".")[1] for name in names if name.startswith("sau_solver.")} - {"__version__"}


def libraries_in(names: set[str]) -> set[str]:
    return {name.split(".")[0] for name in names}


def test_the_order_names_every_package_once(files: dict[Path, set[str]]) -> None:
    assert sorted(ORDER) == sorted({package_of(path) for path in files})


def test_a_package_imports_only_packages_that_stand_before_it(files: dict[Path, set[str]]) -> None:
    wrong = {}
    for path, names in files.items():
        place = ORDER.index(package_of(path))
        if later := packages_in(names) - set(ORDER[: place + 1]):
            wrong[path] = later
    assert wrong == {}


def test_a_library_is_imported_only_by_the_packages_it_is_confined_to(files: dict[Path, set[str]]) -> None:
    wrong = {}
    for path, names in files.items():
        confined = {name for name, packages in CONFINED.items() if package_of(path) not in packages}
        if forbidden := libraries_in(names) & confined:
            wrong[path] = forbidden
    assert wrong == {}


def test_every_permission_is_used(files: dict[Path, set[str]]) -> None:
    used = {(library, package_of(path)) for path, names in files.items() for library in libraries_in(names)}
    unused = {(name, package) for name, packages in CONFINED.items() for package in packages} - used
    assert not unused


def test_a_module_name_occurs_once(files: dict[Path, set[str]]) -> None:
    names = Counter(path.stem for path in files if path.stem != "__init__")
    assert [name for name, times in names.items() if times > 1] == []


def test_only_the_process_of_sympy_sets_alarms_and_limits(files: dict[Path, set[str]]) -> None:
    """symbolic_search sets SIGALRM and symbolic_worker sets limits: both are modules of that process alone."""
    importers = {
        module: {path.stem for path, names in files.items() if f"sau_solver.solving.{module}" in names}
        for module in ("symbolic_search", "symbolic_worker")
    }
    assert importers == {"symbolic_search": {"symbolic_worker"}, "symbolic_worker": set()}


def run_without_heavy_libraries(code: str) -> list[str]:
    blocked = f"import sys\nfor name in {HEAVY!r}: sys.modules[name] = None\n"
    done = subprocess.run([sys.executable, "-c", blocked + code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_the_exact_core_and_the_command_line_load_without_torch_or_numpy() -> None:
    code = (
        "import sau_solver.cli\n"
        "from sau_solver.text.numbers import map_text\n"
        "from sau_solver.equations import parse\n"
        "from sau_solver.solving import solve\n"
        "print(solve(parse('x+1=3')).solutions[0]['x'], len(map_text('鸡有20个头').numbers))\n"
    )
    assert run_without_heavy_libraries(code) == ["2", "1"]


def test_importing_the_package_and_its_public_names_imports_no_torch() -> None:
    code = (
        "import sau_solver as sau\n"
        "print('sau_solver.solver' in sys.modules)\n"
        "solver = sau.load()\n"
        "print(type(solver).__name__, sau.Solution.__name__)\n"
        "print(solver.solve('鸡有多少只？').abstained)\n"
    )
    assert run_without_heavy_libraries(code) == ["False", "Solver", "Solution", "True"]


@pytest.mark.slow
def test_problems_are_solved_without_torch() -> None:
    code = (
        "import sys\nsys.modules['torch'] = None\n"
        "import sau_solver as sau\n"
        "solver = sau.load()\n"
        "print(*solver.solve('Tom has 3 apples and buys 5 more. How many apples does he have?').answers)\n"
        "print(*solver.solve('鸡有3只，鸭有5只，一共有多少只？').answers)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["8", "8"]
