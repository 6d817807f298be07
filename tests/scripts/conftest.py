"""Stored results for the scripts that read them."""

from tests.experiments.conftest import results

__all__ = ["results"]
