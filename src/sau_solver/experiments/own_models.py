"""Import a user's Python file by its path, and find the options of the model that it defines.

A configuration with a `file` runs the code of that file. sys.path stays as it is; worker processes call
`import_files` before they receive work.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Iterable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import get_args

from sau_solver.errors import InputError
from sau_solver.models.options import ModelOptions

_PACKAGE = "sau_solver"


def own_options(model: str, file: str, folder: Path) -> type[ModelOptions]:
    """Return the options class in `file` whose `model` is the given name; the file is in the configuration's folder."""
    path = (folder / file).resolve()
    if path.parent != folder.resolve() or path.suffix != ".py" or not path.stem.isidentifier():
        raise InputError(
            f"[experiment] file must be a Python file beside the configuration, such as my_model.py, got {file!r}."
        )
    if not path.is_file():
        raise InputError(f"{path}, the file that defines {model}, does not exist. Check [experiment] file.")
    module = _import(path)
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, get_args(ModelOptions)) and value.__module__ == module.__name__
    ]
    for options in found:
        if getattr(options, "model", None) == model:
            return options
    names = ", ".join(repr(getattr(options, "model", None)) for options in found) or "no options"
    raise InputError(
        f"{path} must have a subclass of LearnerOptions or NetworkOptions with model = {model!r}, got {names}."
    )


def file_of(options: ModelOptions) -> Path | None:
    """Return the file that defines a user's own model; None for a model of this package."""
    kind = type(options)
    return None if kind.__module__.split(".")[0] == _PACKAGE else Path(inspect.getfile(kind))


def code_of(options: ModelOptions) -> str | None:
    """Return the SHA-256 of the file that defines a user's own model; None for a model of this package."""
    path = file_of(options)
    return hashlib.sha256(path.read_bytes()).hexdigest() if path else None


def import_files(paths: Iterable[Path]) -> None:
    """Import files of models, so that options of their classes can be unpickled in this process."""
    for path in paths:
        _import(path)


def _import(path: Path) -> ModuleType:
    """Import a file once, under a name that contains its path's hash, so that no two files clash."""
    name = f"own_model_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}_{path.stem}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look their classes up there
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, ImportError):
            raise InputError(f"{path} cannot be imported ({error}). Install what it needs.") from error
        raise
    return module
