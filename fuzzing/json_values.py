"""JSON -> the places of its values, of which one is changed."""

from __future__ import annotations

from typing import Any


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values in a JSON object."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(inner for key, one in items for inner in leaves(one, (*path, key)))]
