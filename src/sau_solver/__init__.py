"""SAU-Solver: math word problems in, exact answers with their equations, tree and reasons out."""

from sau_solver import version

__version__ = version.VERSION

__all__ = ["__version__"]
