"""Operations that had no budget: linear elimination, putting values in, constants, number fields, moves and steps."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from fractions import Fraction
from random import Random

import pytest
from flint import fmpq

import sau_solver as sau
from sau_solver.equations.expressions import Equations
from sau_solver.equations.parser import parse, parse_statements
from sau_solver.explaining.derivation import explain
from sau_solver.explaining.worked import work
from sau_solver.server.workers.jobs import EquationJobs
from sau_solver.solving import Outcome, Reason, Solved, Surd, about, decimal_of, solve, solve_statements
from sau_solver.solving.arithmetic import NotEvaluatedError, evaluate
from sau_solver.solving.budget import Budget, limited, spending
from sau_solver.solving.conditions import meets, under_conditions
from sau_solver.solving.linear import by_matrix, by_substitution
from sau_solver.solving.outcomes import MAX_LENGTH, TooHardError
from sau_solver.solving.symbolic import SymbolicAnswer
from sau_solver.solving.values import is_printable
from sau_solver.solving.verification import satisfies, with_rational_constants


def long_rows(size: int, bits: int) -> list[list[fmpq]]:
    """Return the rows of a dense linear system with coefficients of so many bits."""
    random = Random(1)
    return [[fmpq(random.getrandbits(bits) + 1) for _ in range(size + 1)] for _ in range(size)]


@pytest.mark.parametrize("size", [12, 27], ids=["by substitution", "by a matrix"])
def test_linear_systems_with_long_coefficients_are_refused_by_their_size(size: int) -> None:
    budget = Budget(seconds=math.inf, work=10_000_000)  # so that it is not the clock that ends it
    with pytest.raises(TooHardError):
        by_matrix(long_rows(size, 6_000), budget) if size > 12 else by_substitution(long_rows(size, 6_000), [], budget)


def test_a_sparse_linear_system_with_long_coefficients_is_solved() -> None:
    text = "; ".join(f"7^{4_000 + k}*x{k}=7^{4_001 + k}" for k in range(20))
    solved = solve(parse(text))
    assert solved.outcome is Outcome.SOLVED
    assert set(solved.solutions[0].values()) == {7}


PRODUCT = "*".join("x" * 220)


def test_a_long_value_is_not_put_into_a_long_product() -> None:
    with pytest.raises(NotEvaluatedError):
        evaluate(parse(f"{PRODUCT}=1")[0].left, {"x": Fraction(7**4_600)})
    worked = work(f"x=7^4600; {PRODUCT}={PRODUCT}")
    assert worked.solved.outcome is Outcome.TOO_HARD
    assert worked.steps


@pytest.mark.parametrize("sign", ["+", "-", "*", "/"])
def test_a_value_within_the_limits_is_put_in(sign: str) -> None:
    side = sign.join("x" * 30)
    assert satisfies({"x": Fraction(7**500)}, parse(f"{side}={side}")[0]) is True


@pytest.mark.parametrize(
    "text",
    [
        "(x-7^4600)/(x^999+1)=0",
        "x+y=7^4000; x-y=1; 1/(x^200+y^200)=1/(x^200+y^200)",
        "x=sin(1)+lcm(7^4600,5^5000)*2",
        "x=" + "*".join(f"gcd({7**k},7^4600)^20" for k in range(200, 220)),
    ],
    ids=["a divisor", "a divisor in two unknowns", "a long constant", "many long constants"],
)
def test_long_values_are_too_hard(text: str) -> None:
    assert work(text).solved.outcome is Outcome.TOO_HARD


@pytest.mark.parametrize("explain", [False, True])
def test_the_server_answers_that_they_are_too_hard(explain: bool) -> None:
    random = Random(1)
    rows = "; ".join("+".join(f"7^{random.randrange(2_300)}*x{j}" for j in range(27)) + f"={k}" for k in range(27))
    items = [{"equations": text, "lang": "en", "explain": explain} for text in (rows, f"x=7^4600; {PRODUCT}={PRODUCT}")]
    answers = list(EquationJobs(2.0, 20_000).answers(items))
    assert [answer.status for answer in answers] == [200, 200]
    assert [json.loads(answer.body)["outcome"] for answer in answers] == ["too_hard", "too_hard"]


# Without time, every operation ends in `too_hard`, or leaves what it was given.


@pytest.mark.parametrize(
    "text",
    [
        "x+y=3; x-y=1",
        "; ".join(f"x{k}+x{(k + 1) % 13}={k}" for k in range(13)),
        "x^5-x-1=0",
        "x=1; x^2=1",
        "x^2+y^2=25; x*y=12",
        "x*y=2; x+y=3",
        "sqrt(x+1)=x",
        "x=gcd(12,18)+1/7",
        "2^x=8",
    ],
)
def test_nothing_is_solved_without_time(text: str) -> None:
    with limited(0):
        assert solve(parse(text)).outcome is Outcome.TOO_HARD


def test_nothing_is_evaluated_without_time() -> None:
    equations = parse("x=gcd(12,18)")
    with limited(0):
        assert with_rational_constants(equations) == equations
        assert meets({"x": Fraction(3)}, parse_statements("x=3; x>2").conditions[0]) is None
        assert satisfies({"x": Fraction(1)}, parse(f"{10**190}*x+{10**190}=x")[0]) is None


def test_a_condition_without_time_is_not_met() -> None:
    statements = parse_statements("x^2=4; x>0")
    with spending() as budget:
        solved = solve(statements.equations)
        budget.end = budget.start
        limited_one = solve_statements(statements)
    assert solved.outcome is Outcome.SOLVED
    assert limited_one.outcome is Outcome.TOO_HARD


def test_conditions_that_no_known_solution_meets_prove_nothing_if_there_may_be_others() -> None:
    partial = Solved(Outcome.PARTIAL, ({"x": Fraction(3)},), reason=Reason("perhaps_others"))
    met, unmet = (under_conditions(partial, parse_statements(f"x=3; x>{k}").conditions) for k in (2, 5))
    assert (met.outcome, met.solutions) == (Outcome.PARTIAL, partial.solutions)
    assert (unmet.outcome, unmet.solutions) == (Outcome.TOO_HARD, ())


def test_steps_end_without_time_and_keep_the_solutions() -> None:
    equations = parse("x^2+y^2=25; x*y=12")
    solved = solve(equations)
    with limited(0):
        steps = explain(equations, solved, "en")
    assert "x = 3, y = 4" in " ".join(map(str, steps))


def test_moves_have_a_limited_length() -> None:
    names = [f"x{k}" for k in range(6)]
    rows = ["+".join(f"7^{900 + 13 * (k * j % 7)}*{name}" for j, name in enumerate(names)) + f"={k}" for k in range(7)]
    rows += [f"{row.partition('=')[0]}*{k}={k}" for k, row in enumerate(rows * 6, start=2)]
    solved = solve(parse("; ".join(rows)))
    assert sum(len(str(value)) for move in solved.moves for _, value in move.values) <= MAX_LENGTH


def test_the_divisions_of_long_numbers_are_not_shown() -> None:
    solver = sau.load()
    assert len(solver.solve("Find the GCF of 2^4600*3+1 and 5^2000+6.").steps) < 5
    assert len(solver.solve("Find the GCF of 1071 and 462.").steps) > 3


# SymPy's process.


class Waiting:
    """A symbolic solver that counts its requests."""

    def __init__(self) -> None:
        self.requests = 0

    def solve(self, equations: Equations, names: tuple[str, ...], deadline: float) -> SymbolicAnswer:
        self.requests += 1
        return SymbolicAnswer([])


def test_the_equations_of_one_request_share_the_deadline_of_sympy() -> None:
    sympy = Waiting()
    with spending() as budget:
        solve(parse("sin(x)+x=1"), 2.0, sympy)
        budget.charge(2.0)
        assert solve(parse("sin(x)+x=1"), 2.0, sympy).outcome is Outcome.TOO_HARD
    assert sympy.requests == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_sympy_starts_where_the_system_allows_less_than_it_asks_for() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_CPU, (200, 200))\n"
        "from sau_solver.solving import solve, symbolic\n"
        "from sau_solver.equations.parser import parse\n"
        "symbolic.START_SECONDS = 60\n"
        "print(solve(parse('2^x=8'), 60).outcome)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["solved"]


# Printing.


def test_the_decimal_of_a_small_root_of_large_numbers_is_small() -> None:
    small, large = solve(parse("x^2-2*10^400*x=1")).solutions
    assert decimal_of(small["x"]) == 0
    assert decimal_of(large["x"]) == math.inf
    assert about(small["x"]) == "-5e-401"
    assert decimal_of(Surd(Fraction(10**400), Fraction(-(10**500)), 2)) == -math.inf
    assert decimal_of(Surd(Fraction(1, 2), Fraction(1, 2), 5)) == (1 + math.sqrt(5)) / 2


def test_a_surd_whose_common_denominator_is_too_long_is_not_printed() -> None:
    assert not is_printable(Surd(Fraction(1, 7**4_600), Fraction(1, 5**5_000), 2))
    assert is_printable(Surd(Fraction(1, 7), Fraction(1, 5), 2))
