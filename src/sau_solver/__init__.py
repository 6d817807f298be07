"""SAU-Solver: math word problems in, exact answers with their equations, tree and reasons out."""

from sau_solver.version import VERSION as __version__

__all__ = ["__version__"]
