"""Gold equations of every corpus get one form, and trees that do not give the annotated answers are recognized."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from sau_solver.data.checking import tree_agrees
from sau_solver.data.prepared.common_form import common_form
from sau_solver.data.prepared.examples import prepare
from sau_solver.equations.uet import Uet
from sau_solver.problem import Problem


def tree_of(text: str, equations: Sequence[str], unknowns: Sequence[str] = ()) -> str:
    problem = Problem("p", text, "en", tuple(equations), unknowns=tuple(unknowns))
    learned = prepare(problem, "raw", drop_unknown=True, level="ordered", form=common_form).learned
    assert learned is not None
    return str(learned)


class TestCommonForm:
    @pytest.mark.parametrize("equation", ["x=5+7", "5+7=apples", "total = 7+5"])
    def test_arithmetic_leaves_out_its_unknown(self, equation: str) -> None:
        assert tree_of("Ann has 5 apples and buys 7", [equation]) == "+ N0 N1"

    def test_other_equations_stay_unchanged(self) -> None:
        assert tree_of("4 times a number is 12", ["4*x=12"]) == "= * N0 x N1"

    @pytest.mark.parametrize(
        ("equations", "unknowns", "tree"),
        [
            (["(2*k+1)+(2*k+3)=56"], ["2*k+1", "2*k+3"], "; = + x y N0 = x + y 2"),
            (["(2*k+1)+(2*k+3)=56"], ["2*k+3"], "= - + x x 2 N0"),
            (["x+(x+1)=56"], ["x", "x+1"], "; = + x y N0 = x + y 1"),
            (["x+(x+1)=56"], ["x"], "= + + x x 1 N0"),
            (["a+b=56", "b=a+4"], ["a"], "= + x 4 - N0 x"),
            (["n=10*a+b", "a+b=56", "a=b"], ["n", "a", "b"], "; ; = + x y N0 = x y = z + x * 10 y"),
        ],
    )
    def test_unknowns_become_the_requested_quantities(
        self, equations: list[str], unknowns: list[str], tree: str
    ) -> None:
        found = tree_of("An even sum is 56", equations, unknowns)
        assert found == tree
        assert len({symbol for symbol in found.split() if symbol.isalpha()}) == len(unknowns)

    def test_a_quotient_that_is_a_step_is_a_division(self) -> None:
        assert tree_of("174 miles in 3 hours, how far in 9?", ["x=(174/3)*9"]) == "/ * N0 N2 N1"
        assert tree_of("Of 16 eggs a quarter and more are gone", ["x=16*(3/8)"]) == "* 3/8 N0"

    @pytest.mark.parametrize("equation", ["x=30*20/100", "x=30*20*0.01", "x=30*(20/100)"])
    def test_a_percentage_is_one_number_however_it_is_written(self, equation: str) -> None:
        assert tree_of("30 eggs, of which 20 % are brown", [equation]) == "* N0 N1"

    def test_the_number_of_a_percentage_is_a_hundred_times_it(self) -> None:
        assert tree_of("Of 30 % sugar 20 % are gone, how many percent?", ["x=30-20"]) == "- * 100 N0 * 100 N1"

    def test_eliminating_keeps_the_answers(self) -> None:
        problem = Problem(
            "p", "Two consecutive odd integers have a sum of 56.", "en", ("(2*k+1)+(2*k+3)=56",),
            (Fraction(27), Fraction(29)), unknowns=("2*k+1", "2*k+3"),
        )  # fmt: skip
        one = prepare(problem, "raw", drop_unknown=True, level="ordered", form=common_form)
        assert one.learned is not None
        assert one.tree is not None
        assert tree_agrees(problem, one.learned, one.numbers)
        assert not tree_agrees(problem, one.tree, one.numbers)


@pytest.mark.parametrize(
    ("tree", "answers", "right"),
    [
        ("* N0 N1", [12], True),
        ("+ N0 N1", [12], False),
        ("/ N0 N1", [Fraction("1.33")], True),  # rounded
        ("/ N0 N1", [1], False),  # too far away to be rounded
        ("= ^ x 2 N0", [-2], True),  # one root
        ("= ^ x 2 N0", [2, -2], True),  # all roots
        ("; = x N0 = y N1", [4], False),  # one unknown too many
        ("= x x", [4], False),
        ("* N0 N1", [], False),
    ],
)
def test_a_tree_agrees_if_a_solution_is_annotated(tree: str, answers: list[int], right: bool) -> None:
    problem = Problem("p", "4 by 3", "en", (), tuple(map(Fraction, answers)))
    assert tree_agrees(problem, Uet.from_text(tree), [Fraction(4), Fraction(3)]) == right
