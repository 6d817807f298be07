"""Count how often one solve moves from one package of sau_solver to another.

The script loads the shipped English model, solves one problem twice to warm up, and traces the third solve with
`sys.setprofile`. Only functions defined in files of the sau_solver package count, including those of the network.

- module: a file in which at least one traced function is defined.
- call edge: a pair (calling module, called module) of two different modules. The caller is the nearest sau_solver
  function on the stack, also when torch or `sorted` lies between the two. Each pair counts once.
- package: the first folder below sau_solver. All modules directly inside sau_solver form the package "root".
- package switch: two calls in succession, in order of time, whose functions lie in different packages. Every call
  counts, so a loop that calls a second package n times makes about 2n switches. Python reports a resumed generator as
  a call, so it counts as one. Returns do not count.
- border call: a call whose caller lies in another package than the called function.

The script measures the tree that Python imports, so PYTHONPATH selects it:

    PYTHONPATH=OTHER_TREE/src python benchmarks/package_hops.py
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import FrameType

import sau_solver

PROBLEM = "Tom has 3 apples and buys 4 more. How many apples does he have?"
ROOT = Path(sau_solver.__file__).parent


@dataclass(frozen=True, slots=True)
class Call:
    """A traced call: the called function and its nearest caller in sau_solver, each as (module, function)."""

    callee: tuple[str, str]
    caller: tuple[str, str] | None  # None for the call that starts the solve

    @property
    def package(self) -> str:
        """Return the package of the called function."""
        return package_of(self.callee[0])


def package_of(module: str) -> str:
    """Return the first folder of a module's path, or "root" for a module directly inside sau_solver."""
    return module.split("/")[0] if "/" in module else "root"


def trace(work: Callable[[], object]) -> list[Call]:
    """Run `work` and return the calls of sau_solver functions in the order of time."""
    calls: list[Call] = []
    prefix = str(ROOT) + "/"

    def function_of(frame: FrameType) -> tuple[str, str] | None:
        path = frame.f_code.co_filename
        return (path.removeprefix(prefix), frame.f_code.co_qualname) if path.startswith(prefix) else None

    def record(frame: FrameType, event: str, argument: object) -> None:
        callee = function_of(frame) if event == "call" else None
        if callee is None:
            return
        caller, above = None, frame.f_back
        while above is not None and caller is None:
            caller, above = function_of(above), above.f_back
        calls.append(Call(callee, caller))

    sys.setprofile(record)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def report(calls: list[Call], details: bool) -> None:
    """Print the counts, and with `details` every edge between packages and every switch."""
    edges = {(call.caller[0], call.callee[0]) for call in calls if call.caller and call.caller[0] != call.callee[0]}
    switches = [(before, after) for before, after in pairwise(calls) if before.package != after.package]
    border = [call for call in calls if call.caller and package_of(call.caller[0]) != call.package]
    entries = sum(call.package == "root" for call in [*calls[:1], *(after for _, after in switches)])
    print(f"tree              {ROOT}")
    print(f"calls             {len(calls)}")
    print(f"modules           {len({call.callee[0] for call in calls})}")
    print(f"call edges        {len(edges)}")
    print(f"package switches  {len(switches)} (root is entered {entries} times, including the start)")
    print(f"border calls      {len(border)}")
    if not details:
        return
    print("\nBorder calls, most frequent first:")
    pairs = Counter((_name(call.caller), _name(call.callee)) for call in border)
    for (caller, callee), count in pairs.most_common():
        print(f"{count:5}  {caller} -> {callee}")
    print("\nPackage switches in order (previous call -> next call):")
    for number, (before, after) in enumerate(switches, 1):
        print(f"{number:5}  {before.package} -> {after.package}: {_name(before.callee)} -> {_name(after.callee)}")


def _name(function: tuple[str, str] | None) -> str:
    return "" if function is None else f"{function[0].removesuffix('.py').replace('/', '.')}:{function[1]}"


def main() -> None:
    """Load the English model, trace one solve and print the counts."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", default=PROBLEM, help="the problem to solve")
    parser.add_argument("--details", action="store_true", help="also print all border calls and all switches")
    options = parser.parse_args()
    solver = sau_solver.load("en")
    for _ in range(2):
        solver.solve(options.text)
    report(trace(lambda: solver.solve(options.text)), options.details)


if __name__ == "__main__":
    main()
