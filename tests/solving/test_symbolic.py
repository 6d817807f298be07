"""The SymPy worker starts on demand, is killed at its deadline, stays within its memory limit, and is replaced."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from sau_solver.equations.parser import parse
from sau_solver.solving import Outcome, solve
from sau_solver.solving.symbolic import SymbolicWorker

HARD = "comb(x,y)+x^y+y^x=gcd(x,y)+2^(x*y)+sin(x^y)+3^(x+y^2)"


@pytest.fixture
def worker() -> Iterator[SymbolicWorker]:
    worker = SymbolicWorker()
    yield worker
    worker.close()


def running(worker: SymbolicWorker) -> int | None:
    return worker._process.pid if worker._process else None


def test_polynomials_need_no_process(worker: SymbolicWorker) -> None:
    assert solve(parse("x^2+y^2=25; x*y=12"), worker=worker).outcome is Outcome.SOLVED
    assert running(worker) is None


def test_one_process_serves_one_equation_after_another(worker: SymbolicWorker) -> None:
    assert solve(parse("2^x=8"), worker=worker).solutions == ({"x": Fraction(3)},)
    first = running(worker)
    assert solve(parse("3^x=9"), worker=worker).solutions == ({"x": Fraction(2)},)
    assert running(worker) == first is not None


@pytest.mark.slow
def test_the_process_is_killed_at_the_deadline_and_replaced(worker: SymbolicWorker) -> None:
    assert solve(parse("2^x=8"), worker=worker).outcome is Outcome.SOLVED
    process = worker._process
    assert process is not None
    late = solve(parse("2^x=8"), deadline=0.0, worker=worker)
    assert (late.outcome, str(late.reason)) == (Outcome.TOO_HARD, "not solved within 0 s")
    assert process.poll() is not None, "the old process must be dead, not abandoned"
    assert solve(parse("2^x=8"), worker=worker).outcome is Outcome.SOLVED


@pytest.mark.slow
def test_a_process_that_dies_is_replaced(worker: SymbolicWorker) -> None:
    solve(parse("2^x=8"), worker=worker)
    assert worker._process is not None
    worker._process.kill()
    worker._process.wait()
    assert solve(parse("2^x=8"), worker=worker).outcome is Outcome.SOLVED


def test_what_sympy_cannot_solve_is_too_hard_not_an_error(worker: SymbolicWorker) -> None:
    assert solve(parse(HARD), deadline=1.0, worker=worker).outcome is Outcome.TOO_HARD


@pytest.mark.skipif(sys.platform == "win32", reason="memory is capped with setrlimit, which Windows lacks")
def test_memory_is_capped() -> None:
    starved = SymbolicWorker(memory_megabytes=40)
    try:
        solved = solve(parse("2^x=8"), worker=starved)
    finally:
        starved.close()
    assert (solved.outcome, str(solved.reason)) == (Outcome.TOO_HARD, "the symbolic solver could not be started")


def test_importing_the_solver_imports_no_sympy() -> None:
    code = "import sys, sau_solver.solving; print('sympy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_solutions_that_cannot_be_proven_are_not_returned(worker: SymbolicWorker) -> None:
    solved = solve(parse("1.05^x=2"), worker=worker)
    assert solved.outcome is Outcome.SOLVED
    assert float(solved.solutions[0]["x"]) == pytest.approx(14.2066990829)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_no_process_is_left_behind_if_the_parent_is_killed_while_it_waits() -> None:
    code = f"""
from sau_solver.equations.parser import parse
from sau_solver.solving.symbolic import SymbolicWorker
worker = SymbolicWorker()
assert worker._ready()
print(worker._process.pid, flush=True)
worker.solve(parse({HARD!r}), ("x", "y"), 1.0)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        time.sleep(0.2)
        parent.kill()
    end = time.monotonic() + 30  # two seconds of work, on a busy machine
    while time.monotonic() < end and _runs(child):
        time.sleep(0.1)
    assert not _runs(child)


def _runs(process: int) -> bool:
    status = Path(f"/proc/{process}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
