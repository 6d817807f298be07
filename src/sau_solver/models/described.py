"""JSON of a checkpoint -> options, shapes and vocabularies of the right types, checked before anything is built.

A checksum shows that nobody changed a file by accident. It does not show that the file makes sense, so every value is
checked here, or by the class that it builds.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from sau_solver.errors import CheckpointError, InputError
from sau_solver.models.targets import Targets
from sau_solver.text.pieces import Pieces
from sau_solver.text.tokens import Tokens, Vocabulary

MAX_PADDING = 100_000  # unused ids of symbols

_FRACTION = re.compile(r"-?[0-9]{1,200}(/0*[1-9][0-9]{0,199})?")  # "1e999999999" would fill the memory
_PLAIN = (bool, int, float, str)

T = TypeVar("T")


def built(cls: type[T], values: object, what: str) -> T:
    """Return an instance of a dataclass; raise CheckpointError if a value is unknown, missing or wrong."""
    if not isinstance(values, dict):
        raise wrong(what, "a JSON object", values)
    hints = get_type_hints(cls)
    names = {one.name for one in dataclasses.fields(cls) if one.init}  # type: ignore[arg-type]  # it is a dataclass
    for name, value in values.items():
        if name not in names:
            raise CheckpointError(f"{what} has {name!r}, which this version of sau-solver does not know. Update it.")
        if not _fits(hints[name], value):
            raise wrong(f"{what}.{name}", _shown(hints[name]), value)
    try:
        return cls(**values)
    except TypeError as error:  # a value is missing
        raise CheckpointError(f"{what} is not complete ({error}). Use the version that wrote it.") from None
    except InputError as error:
        raise CheckpointError(f"{what}: {error} Download the checkpoint again, or train again.") from None


def described_targets(vocabulary: Mapping[str, Any]) -> Targets:
    """Return the target vocabulary that a checkpoint describes."""
    unknowns, constants = (_texts(vocabulary, name) for name in ("unknowns", "constants"))
    for constant in constants:
        if not _FRACTION.fullmatch(constant):
            raise wrong("vocabulary.constants", "fractions such as 3/4", constant)
    equations, expressions = (_taken(vocabulary, name, bool) for name in ("equations", "expressions"))
    if not equations and not expressions:
        raise CheckpointError("vocabulary.equations or vocabulary.expressions must be true. Train again.")
    padding = _taken(vocabulary, "padding", int)
    if not 0 <= padding <= MAX_PADDING:
        raise wrong("vocabulary.padding", f"between 0 and {MAX_PADDING}", padding)
    if not all(unknowns):
        raise wrong("vocabulary.unknowns", "names", "")
    return Targets(unknowns, tuple(map(Fraction, constants)), equations, expressions, padding)


def described_tokens(vocabulary: Mapping[str, Any]) -> Tokens:
    """Return the words or pieces that a checkpoint describes."""
    try:
        if "pieces" in vocabulary:
            return Pieces(_texts(vocabulary, "pieces"), _taken(vocabulary, "lowercase", bool))
        return Vocabulary(_texts(vocabulary, "words"))
    except InputError as error:
        raise CheckpointError(f"{error} Download the checkpoint again, or train again.") from None


def wrong(what: str, expected: str, value: object) -> CheckpointError:
    """Return the error of a value that is not what it must be."""
    found = repr(value)
    shown = found if len(found) <= 60 else f"{found[:60]}…"
    return CheckpointError(f"{what} must be {expected}, got {shown}. Download the checkpoint again, or train again.")


def _texts(vocabulary: Mapping[str, Any], name: str) -> tuple[str, ...]:
    values = _taken(vocabulary, name, list)
    for value in values:
        if not isinstance(value, str):
            raise wrong(f"vocabulary.{name}", "a list of texts", value)
    return tuple(values)


def _taken(vocabulary: Mapping[str, Any], name: str, kind: type[T]) -> T:
    value = vocabulary.get(name)
    if type(value) is not kind:  # not isinstance: a bool is not accepted as an int
        raise wrong(f"vocabulary.{name}", kind.__name__, value)
    return value


def _fits(hint: Any, value: object) -> bool:
    """Return whether a value has the type of its field. Types of other networks are not checked."""
    if get_origin(hint) is Literal:
        return isinstance(value, str) and value in get_args(hint)
    if hint is float:
        return type(value) in (int, float)
    return type(value) is hint if hint in _PLAIN else True


def _shown(hint: Any) -> str:
    return f"one of {', '.join(get_args(hint))}" if get_origin(hint) is Literal else hint.__name__
