"""The steps of a worked solution are joined to one equation over the numbers of the text, or to none."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.data.answers import evaluate, evaluate_text
from sau_solver.data.readers.worked_solutions import MAX_NODES, join_solution, steps_of
from sau_solver.equations.expressions import walk
from sau_solver.equations.parser import parse


def join(solution: str, answer: str, text: str) -> str | None:
    return join_solution(solution, Fraction(answer), text, "en")


def marked(*steps: str) -> str:
    return "\n".join(f"So <<{step}>>." for step in steps)


@pytest.mark.parametrize(
    ("steps", "answer", "text", "joined"),
    [
        (["48/2=24", "48+24=72"], "72", "48 clips", "x=48+48/2"),
        (["60*1/2=30", "30*1/2=15", "30-15=15"], "15", "$60", "x=60*1/2-60*1/2*1/2"),
        (["5*2=10", "100-10=90"], "90", "100 coins, 10 trays of 5", "x=100-5*2"),
        (["2*3=6", "6*4=24", "24+6=30"], "30", "2 of 3, 4 of 6 boxes", "x=2*3*4+6"),
        (["20%*50=10", "50-10=40"], "40", "20% of 50", "x=50-0.2*50"),
        (["1+1=2", "3*3=9", "7-2=5"], "5", "7 days of a week", "x=7-(1+1)"),
        (["4+4=8", "8*9=72", "72/2=36"], "72", "4 and 9", "x=(4+4)*9"),
        (["1,000*2=2,000"], "2000", "1,000 times 2", "x=1000*2"),
    ],
)
def test_marked_steps_join(steps: list[str], answer: str, text: str, joined: str) -> None:
    assert join(marked(*steps), answer, text) == joined


@pytest.mark.parametrize(
    ("steps", "answer"),
    [
        ([], "5"),
        (["2+3=5"], "6"),
        (["10/3=3.33", "3.33*3=9.99"], "9.99"),
        (["2+3=6"], "6"),
        (["x+1=2"], "2"),
        (["560//10=56"], "56"),
        (["5/0=5"], "5"),
        (["nonsense"], "5"),
        (["5=5"], "5"),
    ],
)
def test_steps_that_do_not_give_the_answer_do_not_join(steps: list[str], answer: str) -> None:
    assert join(marked(*steps), answer, "2 and 3 make 5, 10 and 560") is None


@pytest.mark.parametrize(
    ("solution", "steps"),
    [
        ("In 5 years, Diane will be 14+5 = 19 years old.", ["14+5=19"]),
        ("90 seconds/ear * 2 ears = 180 seconds", ["90*2=180"]),
        ("This means it cost $5 * 6000 = $30,000", ["5*6000=30000"]),
        ("610 - 49 = 561, and then 561 - 81 = 480", ["610-49=561", "561-81=480"]),
        ("Santo = (1/2) 1956 = $978", ["(1/2)*1956=978"]),
        ("Taxes:40000(.20)=8000$", ["40000*(.20)=8000"]),
        ("She needs 4*4=16 weeks of growing", ["4*4=16"]),
        ("Peter is 1/2*60 = <<30=30>>30 years old.", ["1/2*60=30"]),
        ("8 feet / 50 feet * 100% = 16%", ["8/50*100=16"]),
        ("He has 48/2 = <<48/2=24>>24 clips, as 48/2 = 24.", ["48/2=24"]),
        ("He is 3 * 4 = 13 years old.", []),
        ("x + 2x = 3x = 60", []),
    ],
)
def test_steps_that_are_only_written_out_are_found(solution: str, steps: list[str]) -> None:
    assert list(steps_of(solution)) == steps


def test_the_result_of_a_written_step_is_no_constant() -> None:
    text = "Diane is 14. Will is 7. What is the sum of their ages in 5 years?"
    solution = "Diane will be 14+5 = 19.\nWill will be <<7+5=12>>12.\nTogether <<12+19=31>>31."
    assert join(solution, "31", text) == "x=7+5+(14+5)"
    assert join(solution.replace("14+5 = 19", "19"), "31", text) is None


def test_a_fraction_of_the_text_is_not_taken_for_a_result() -> None:
    text = "She runs 2 miles, then twice as long plus 3 miles, then 9/7 as much. How far?"
    assert join(marked("2*2+3=7", "9/7*7=9"), "9", text) == "x=(9/7)*(2*2+3)"


@pytest.mark.parametrize(
    ("solution", "answer", "text", "joined"),
    [
        ("<<2*9=18>>", "18", "Grant has 2 rooms, 1/9 as many as Heidi. How many has she?", "x=2/(1/9)"),
        ("<<60/3=20>>", "20", "A third of 60 birds fly. How many?", "x=60*(1/3)"),
        ("T + 2T = 60, so 3T = 60 and <<60/3=20>>", "20", "Twice as many cars as trucks, 60 in all.", "x=60/(1+2)"),
        (
            "100% - 10% = 90%\n<<450/90=5>>\n<<5*100=500>>",
            "500",
            "A 10% discount gives $450.",
            "x=450/((1-0.1)*100)*100",
        ),
        ("<<60*.05=3>>", "3", "A call costs 5 cents per minute. And an hour?", "x=60*(5*0.01)"),
    ],
)
def test_other_numbers_are_explained_by_the_text(solution: str, answer: str, text: str, joined: str) -> None:
    found = join(solution, answer, text)
    assert found is not None
    assert parse(found) == parse(joined)


def test_a_chinese_text_is_read_with_an_english_solution() -> None:
    text = "莉莉每周存3元，两周一共存多少元？"
    assert join_solution("<<2*3=6>>", Fraction(6), text, "zh") == "x=2*3"
    assert join_solution("<<7*2=14>>\n<<14*3=42>>", Fraction(42), text, "zh") == "x=7*2*3"
    assert join_solution("<<11*3=33>>", Fraction(33), text, "zh") is None


def test_results_used_twice_do_not_grow_without_limit() -> None:
    steps = [f"{2**n}+{2**n}={2 ** (n + 1)}" for n in range(40)]
    assert join(marked(*steps), str(2**40), "1 and 1") is None


@given(st.lists(st.tuples(st.sampled_from("+-*"), st.integers(1, 99)), min_size=1, max_size=6), st.integers(1, 99))
def test_a_chain_of_exact_steps_has_the_value_of_its_answer(chain: list[tuple[str, int]], start: int) -> None:
    value, steps = Fraction(start), []
    for operator, operand in chain:
        left = f"{value}{operator}{operand}"
        value = evaluate_text(left)
        steps.append(f"{left}={value}")
    text = " and ".join(map(str, [start, *(operand for _, operand in chain)]))
    joined = join(marked(*steps), str(value), text)
    if joined is not None:  # not joined if a step has a negative number after an operator, which cannot be parsed
        (equation,) = parse(joined)
        assert evaluate(equation.right) == value
        assert sum(1 for _ in walk(equation.right)) <= MAX_NODES
