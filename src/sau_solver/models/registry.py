"""Every network by name: the class of its options, and the module that builds, trains and searches it.

A module is imported where a network is built and no sooner, so that a configuration reads without torch. It has a
class `SOLVER`, a `NetworkSolver`. A new network is a file under models/, its options, and one line here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sau_solver.models.options import GtsOptions, NetworkOptions, SauOptions, Seq2SeqOptions, StackOptions

if TYPE_CHECKING:
    from sau_solver.models.network_solver import NetworkSolver


@dataclass(frozen=True, slots=True)
class Listed:
    """One network."""

    options: type[NetworkOptions]
    module: str

    def solver(self) -> type[NetworkSolver[Any]]:
        """The class of its solvers; this needs torch."""
        found: type[NetworkSolver[Any]] = import_module(self.module).SOLVER
        return found


NETWORKS: Mapping[str, Listed] = {
    listed.options.model: listed
    for listed in (
        Listed(SauOptions, "sau_solver.models.solver"),
        Listed(GtsOptions, "sau_solver.models.gts"),
        Listed(StackOptions, "sau_solver.models.stack_decoder"),
        Listed(Seq2SeqOptions, "sau_solver.models.seq2seq"),
    )
}
