"""Stub until the experiments land."""


def crossval() -> None:
    """Not yet."""
