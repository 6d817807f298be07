"""The process behind `sau_solver.solving.symbolic`: JSON equations -> verified solutions.

Expressions are built node by node, because SymPy's parser would evaluate the text that it reads.
"""

from __future__ import annotations

import json
import sys
from typing import Any

CPU_SECONDS = 300  # of one process over all its requests


def main() -> None:
    """Serve requests until standard input ends."""
    _limit(int(sys.argv[1]))
    import sympy

    _reply({"ready": True})
    for line in sys.stdin:
        try:
            answer = _solve(sympy, json.loads(line))
        except NotImplementedError:
            answer = {"error": "no_method"}
        except (MemoryError, RecursionError):
            answer = {"error": "out_of_memory"}
        except (ArithmeticError, ValueError, TypeError, AttributeError, KeyError, IndexError) as error:
            # SymPy raises these inside its heuristics; each means that it found no solution.
            answer = {"error": "gave_up", "values": {"error": type(error).__name__}}
        _reply(answer)


def _reply(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _limit(megabytes: int) -> None:
    """Limit the memory, and the CPU time in case the parent process was killed."""
    if sys.platform != "win32":
        import resource

        size = megabytes * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))


def _solve(sympy: Any, request: dict[str, Any]) -> dict[str, Any]:
    symbols = {name: sympy.Symbol(name, real=True) for name in request["unknowns"]}
    sides = [tuple(_build(sympy, symbols, side) for side in equation) for equation in request["equations"]]
    residuals = [left - right for left, right in sides]
    undefined = (sympy.nan, sympy.zoo, sympy.oo, -sympy.oo)
    if any(residual.has(*undefined) for residual in residuals):
        return {"solutions": [], "reason": "divides_by_zero"}
    if not symbols:
        true = all(residual.equals(0) for residual in residuals)
        return {"solutions": [], "infinite": True} if true else {"solutions": [], "reason": "false_statement"}
    if coefficients := _constants(sympy, residuals, list(symbols.values())):
        return _solve_rational(sympy, symbols, residuals, coefficients)
    found, complete = _candidates(sympy, residuals, list(symbols.values()))
    solutions, infinite, unproven = [], False, False
    for assignment in found:
        values: list[Any] = [assignment.get(symbol) for symbol in symbols.values()]
        if any(value is None or value.free_symbols for value in values):
            infinite = True
            continue
        if any(value.is_real is False for value in values):
            continue
        if not all(value.is_real for value in values):
            unproven = True  # SymPy cannot tell whether it is real
            continue
        proofs = [_proof(sympy, left.subs(assignment), right.subs(assignment)) for left, right in sides]
        if all(proof is True for proof in proofs):
            solutions.append({name: _shown(assignment[symbol]) for name, symbol in symbols.items()})
        elif all(proof is not False for proof in proofs):
            unproven = True
    if unproven and not solutions:
        return {"error": "unproven"}
    if not (solutions or infinite or complete):
        return {"error": "none_unproven"}
    return {"solutions": solutions, "infinite": infinite and not solutions}


def _candidates(sympy: Any, residuals: list[Any], unknowns: list[Any]) -> tuple[list[dict[Any, Any]], bool]:
    """Return possible solutions, and whether they are all: `solveset` lists all real roots, `solve` may miss some."""
    if len(residuals) == len(unknowns) == 1:
        found = sympy.solveset(residuals[0], unknowns[0], sympy.S.Reals)
        if isinstance(found, sympy.FiniteSet) or found is sympy.S.EmptySet:
            return [{unknowns[0]: root} for root in found], True
    return sympy.solve(residuals, unknowns, dict=True), False


def _constants(sympy: Any, residuals: list[Any], unknowns: list[Any]) -> dict[Any, Any]:
    """Return symbols for irrational numbers such as tan(38), if the equations are rational in everything else."""
    constants: dict[Any, Any] = {}

    def replace(node: Any) -> Any:
        if node.is_number and not node.is_Rational:
            return constants.setdefault(node, sympy.Dummy(real=True, positive=node.is_positive))
        return node.func(*map(replace, node.args)) if node.args else node

    replaced = [replace(residual) for residual in residuals]
    rational = all(residual.is_rational_function(*unknowns) for residual in replaced)
    return constants if rational else {}


def _solve_rational(sympy: Any, symbols: Any, residuals: list[Any], constants: dict[Any, Any]) -> dict[str, Any]:
    """Solve with symbols in place of irrational numbers, because SymPy spends seconds trying to simplify tan(38)."""
    replaced = [residual.subs(constants) for residual in residuals]
    values = {symbol: constant for constant, symbol in constants.items()}
    solutions = []
    for assignment in sympy.solve(replaced, list(symbols.values()), dict=True):
        if len(assignment) < len(symbols):
            return {"solutions": [], "infinite": True}
        # An identity in the symbols also holds for the numbers.
        if any(sympy.simplify(residual.subs(assignment)) != 0 for residual in replaced):
            return {"error": "unproven"}
        found = {name: assignment[symbol].subs(values) for name, symbol in symbols.items()}
        if all(abs(sympy.im(value.evalf())) == 0 for value in found.values()):
            solutions.append({name: _shown(value) for name, value in found.items()})
    if not solutions:
        return {"error": "none_unproven"}
    return {"solutions": solutions}


def _proof(sympy: Any, left: Any, right: Any) -> bool | None:
    """Return whether two numbers are equal, or None if SymPy cannot tell."""
    if left.has(sympy.nan, sympy.zoo) or right.has(sympy.nan, sympy.zoo):
        return False
    if left.is_positive and right.is_positive:  # as logarithms, powers such as (1/2)^(x/5730) stay small
        difference = sympy.expand_log(sympy.log(left), force=True) - sympy.expand_log(sympy.log(right), force=True)
        if sympy.simplify(difference) == 0:
            return True
    proof: bool | None = (left - right).equals(0)
    return proof


def _shown(value: Any) -> dict[str, Any]:
    if value.is_Rational:
        return {"exact": f"{value.p}/{value.q}", "rational": True}
    text = str(value).replace("**", "^").replace("log(", "ln(")  # SymPy's log is the natural one, ours is not
    return {"exact": text, "rational": False, "decimal": float(value)}


def _build(sympy: Any, symbols: dict[str, Any], node: Any) -> Any:
    if isinstance(node, str):
        return sympy.Rational(node)
    if isinstance(node, dict):
        return symbols[node["unknown"]]
    name, *rest = node
    arguments = [_build(sympy, symbols, child) for child in rest]
    return _operations(sympy)[name](*arguments)


def _operations(sympy: Any) -> dict[str, Any]:
    def in_degrees(function: Any) -> Any:
        # School problems write tan(60); an angle with pi in it is in radians.
        return lambda angle: function(angle if angle.has(sympy.pi) else angle * sympy.pi / 180)

    return {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / b,
        "^": lambda a, b: a**b,
        "pi": lambda: sympy.pi,
        "abs": sympy.Abs,
        "ln": sympy.log,
        "log": lambda a, base=10: sympy.log(a, base),
        "exp": sympy.exp,
        "sin": in_degrees(sympy.sin),
        "cos": in_degrees(sympy.cos),
        "tan": in_degrees(sympy.tan),
        "asin": lambda a: sympy.asin(a) * 180 / sympy.pi,
        "acos": lambda a: sympy.acos(a) * 180 / sympy.pi,
        "atan": lambda a: sympy.atan(a) * 180 / sympy.pi,
        "comb": sympy.binomial,
        "perm": lambda n, k: sympy.ff(n, k),
        "factorial": sympy.factorial,
        "gcd": lambda *numbers: sympy.igcd(*numbers),
        "lcm": lambda *numbers: sympy.ilcm(*numbers),
        "floor": sympy.floor,
        "ceiling": sympy.ceiling,
        "mod": sympy.Mod,
        "round": lambda a, places=0: sympy.floor(a * 10**places + sympy.Rational(1, 2)) / 10**places,
    }


if __name__ == "__main__":
    main()
