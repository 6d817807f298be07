"""Every network of this package by name: the class of its options, which knows the rest.

A new network of the package is a file under models/, its options, and one line here; one of a user's own is named by
the configuration (docs/adding-a-model.md).
"""

from __future__ import annotations

from collections.abc import Mapping

from sau_solver.models.options import GtsOptions, NetworkOptions, SauOptions, Seq2SeqOptions, StackOptions

NETWORKS: Mapping[str, type[NetworkOptions]] = {
    options.model: options for options in (SauOptions, GtsOptions, StackOptions, Seq2SeqOptions)
}
