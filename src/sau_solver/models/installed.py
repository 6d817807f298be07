"""Whether the packages that networks need are installed; no torch here, so that their absence is said in words."""

from __future__ import annotations

from importlib.util import find_spec

from sau_solver.errors import InputError

_NEEDED = ("torch", "numpy", "safetensors")


def require_torch() -> None:
    """InputError where a package that networks need is missing."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise InputError(
            f"Networks need {', '.join(_NEEDED)}, and {', '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} not installed here; run: pip install sau-solver"
        )
