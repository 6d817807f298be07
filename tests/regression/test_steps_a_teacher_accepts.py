"""Steps skipped the algebra, repeated equations, checked plain arithmetic with itself and turned 1/4 into 0.25."""

from __future__ import annotations

from sau_solver.equations.uet import Uet
from sau_solver.explaining.worked import work
from sau_solver.solver import Solver
from sau_solver.text.numbers import map_text


def equation(text: str) -> list[str]:
    return [str(step) for step in work(text).steps]


def problem(text: str, tree: str) -> list[str]:
    mapped = map_text(text)
    solution = Solver.solve_again(mapped, Uet.from_text(tree), [number.value for number in mapped.numbers])
    return [str(step) for step in solution.steps]


def test_elimination_is_not_skipped() -> None:
    steps = equation("x+y=30; 2x+4y=86")
    assert "Substitute x = 30 − y into (2): 2(30 − y) + 4y = 86." in steps
    assert "Subtract 60 from both sides: 2y = 26." in steps


def test_denominators_are_really_cleared() -> None:
    assert "Multiply both sides by 48: x = 6." in equation("x/48=1/8")


def test_no_step_repeats_the_equation() -> None:
    assert sum("x² + 5x + 6 = 0" in step for step in equation("x^2+5x+6=0")) == 1


def test_a_quadratic_that_factors_is_factored() -> None:
    assert "Factor: (x + 2)(x + 3) = 0." in equation("x^2+5x+6=0")


def test_the_root_that_a_condition_drops_is_named() -> None:
    assert "Drop x = −3: it does not meet x > 0." in equation("x^2 = 9; x > 0")


def test_plain_arithmetic_has_no_check() -> None:
    text = "Mia had $45. She bought 3 books for $7 each and a pen for $2.50. How much money does she have left?"
    steps = problem(text, "- - N0 * N1 N2 N3")
    assert steps[2:] == ["“$2.50”: 24 − 2.50 = 21.50 dollars", "Answer: $21.50."]


def test_a_fraction_of_the_text_stays_one() -> None:
    steps = problem("A tank is 2/3 full. 1/4 of the tank is used. What part is left?", "- N0 N1")
    assert steps[0] == "“2/3 full”, “1/4”: 2/3 − 1/4 = 5/12"


def test_a_number_that_stands_twice_is_named_once_as_not_needed() -> None:
    text = "He saw 7 dogs, then 7 dogs, and has 3 cats and 2 birds. How many cats and birds does he have?"
    assert problem(text, "+ N2 N3")[0] == "Not needed: the 7 in “7 dogs”."
