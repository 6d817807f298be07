"""A Python file of a user's own -> the options of the model that it defines, for configurations that name such a file.

The file is imported like any module, so that processes which run folds side by side find it; its folder is put at the
end of the path for that. A configuration with a `file` therefore runs code: it belongs to whoever wrote both.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

from sau_solver.errors import InputError
from sau_solver.models.options import ModelOptions

_PACKAGE = "sau_solver"


def own_options(model: str, file: str, folder: Path) -> type[ModelOptions]:
    """The class of options in `file` whose `model` is the given name; the file lies in the configuration's folder."""
    path = (folder / file).resolve()
    if path.parent != folder.resolve() or path.suffix != ".py" or not path.stem.isidentifier():
        raise InputError(
            f"[experiment] file names a Python file beside the configuration, such as my_model.py; {file!r} came."
        )
    if not path.is_file():
        raise InputError(f"{path}: the file that defines {model} was expected, and is not there.")
    module = _import(path)
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, get_args(ModelOptions)) and value.__module__ == path.stem
    ]
    for options in found:
        if getattr(options, "model", None) == model:
            return options
    names = ", ".join(repr(getattr(options, "model", None)) for options in found) or "no options"
    raise InputError(
        f"{path}: a subclass of LearnerOptions or NetworkOptions with model = {model!r} was expected; it has {names}."
    )


def code_of(options: ModelOptions) -> str | None:
    """The SHA-256 of the file that a model of a user's own is defined in; None for those of this package."""
    kind = type(options)
    if kind.__module__.split(".")[0] == _PACKAGE:
        return None
    return hashlib.sha256(Path(inspect.getfile(kind)).read_bytes()).hexdigest()


def _import(path: Path) -> object:
    if path.stem not in sys.modules:
        spec = find_spec(path.stem)
        if spec is not None and (spec.origin is None or Path(spec.origin).resolve() != path):
            raise InputError(f"{path}: Python has a module {path.stem} already; give the file another name.")
        if str(path.parent) not in sys.path:
            sys.path.append(str(path.parent))
    try:
        module = import_module(path.stem)
    except ImportError as error:
        raise InputError(f"{path}: could not be imported ({error}); install what it needs.") from error
    if Path(inspect.getfile(module)).resolve() != path:
        raise InputError(f"{path}: another module {path.stem} is loaded already; give the file another name.")
    return module
