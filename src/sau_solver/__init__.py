"""SAU-Solver: math word problems in, exact answers with their equations, tree and reasons out.

import sau_solver as sau
solver = sau.load()
solver.solve("鸡兔同笼，上有20个头，下有50条腿，鸡有多少只？").answers
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sau_solver.solution import Solution
    from sau_solver.solver import Solver, load

__version__ = "0.2.0"

__all__ = ["Solution", "Solver", "__version__", "load"]

_PLACES = {"Solution": "sau_solver.solution", "Solver": "sau_solver.solver", "load": "sau_solver.solver"}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import sau_solver` alone stays light."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(_PLACES[name]), name)
    globals()[name] = found
    return found
