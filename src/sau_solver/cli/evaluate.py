"""Stub until the experiments land."""


def evaluate() -> None:
    """Not yet."""
