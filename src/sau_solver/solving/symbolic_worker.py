"""The process behind `sau_solver.solving.symbolic`: JSON equations -> verified solutions, within limits."""

from __future__ import annotations

import json
import signal
import sys
from fractions import Fraction
from typing import Any

from sau_solver.equations.expressions import Equation, Expression, Function, Number, Operation, Unknown

CPU_SECONDS = 300  # of one process over all its requests
SPARE_SECONDS = 1.0  # between the deadline, at which the parent kills this process, and its own end


def main() -> None:
    """Serve requests until standard input ends."""
    _limit(int(sys.argv[1]))
    from sau_solver.solving import symbolic_search

    _reply({"ready": True})
    for line in sys.stdin:
        try:
            request = json.loads(line)
            _expire(request["seconds"] + SPARE_SECONDS)
            equations = tuple(Equation(_decode(left), _decode(right)) for left, right in request["equations"])
            answer = symbolic_search.search(equations, tuple(request["unknowns"]), request["seconds"])
        except NotImplementedError:
            answer = {"error": "no_method"}
        except (MemoryError, RecursionError):
            answer = {"error": "out_of_memory"}
        except (ArithmeticError, ValueError, TypeError, AttributeError, KeyError, IndexError):
            # SymPy raises these inside its heuristics; each means that it found no solution.
            answer = {"error": "gave_up"}
        _expire(0)
        _reply(answer)


def _expire(seconds: float) -> None:
    """End this process after that many seconds of work, in case its parent has gone; 0 means never."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)  # nobody handles SIGVTALRM, so it ends the process


def _reply(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _limit(megabytes: int) -> None:
    """Limit the memory, and the CPU time in case the parent process was killed."""
    if sys.platform != "win32":
        import resource

        limits = {resource.RLIMIT_AS: megabytes * 1024 * 1024, resource.RLIMIT_CPU: CPU_SECONDS}
        for kind, most in limits.items():
            _, given = resource.getrlimit(kind)  # a lower limit of the system stays
            most = most if given == resource.RLIM_INFINITY else min(most, given)
            resource.setrlimit(kind, (most, most))


def _decode(node: Any) -> Expression:
    if isinstance(node, str):
        return Number(Fraction(node))
    if isinstance(node, dict):
        return Unknown(node["unknown"])
    name, *rest = node
    arguments = tuple(map(_decode, rest))
    return Operation(name, *arguments) if name in ("+", "-", "*", "/", "^") else Function(name, arguments)


if __name__ == "__main__":
    main()
