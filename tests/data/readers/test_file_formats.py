"""Every published format, and the JSON lines of the data folder, give the same problem."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from sau_solver.data.readers.file_formats import FORMATS, detect, find_format, iterate, read, sort_out
from sau_solver.errors import InputError
from sau_solver.problem import Problem
from tests.data.published_chinese import HMWP
from tests.data.published_english import DOLPHIN18K, GSM8K, MAWPS
from tests.data.published_files import ALL
from tests.data.published_form import Published, lines

CASES = [pytest.param(published, id=name) for name, published in ALL.items()]


def read_one(path: Path, content: bytes, form: str, split: str | None = None, fold: int | None = None) -> Problem:
    path.write_bytes(content)
    reading = sort_out(iterate(path, form, split, fold))
    assert reading.rejected == ()
    (problem,) = reading.problems
    return problem


@pytest.mark.parametrize("published", CASES)
def test_the_published_file_gives_the_problem(published: Published, tmp_path: Path) -> None:
    problem = read_one(tmp_path / "f", published.content, published.form, published.split, published.fold)
    assert problem == published.problem


@pytest.mark.parametrize("published", CASES)
def test_the_json_lines_give_the_same_problem(published: Published, tmp_path: Path) -> None:
    problem = read_one(tmp_path / "f.jsonl.gz", gzip.compress(published.folder_form), published.form)
    assert problem == published.problem


@pytest.mark.parametrize("published", CASES)
def test_the_format_is_detected_by_the_fields(published: Published, tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(published.content)
    assert detect(path).name == published.form


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "sau"])
def test_a_row_without_its_fields_is_rejected_with_its_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_bytes(lines({"id": "1"}) + b'{"id": \n')
    reading = read(path, name)
    assert reading.problems == ()
    assert [(error.file, error.line) for error in reading.rejected] == [(str(path), 1), (str(path), 2)]


def test_a_bad_row_does_not_affect_its_neighbors(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in MAWPS.folder_form.splitlines()]
    path = tmp_path / "f.jsonl"
    path.write_bytes(lines(rows[0], {**rows[0], "text": 5}, {**rows[0], "id": 10}))
    reading = read(path, "kushman")
    assert [problem.id for problem in reading.problems] == ["9", "10"]
    assert [error.line for error in reading.rejected] == [2]


def test_repeated_ids_get_suffixes(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    row = {"text": "How many?", "equations": [], "answers": []}
    path.write_bytes(lines(*({"id": name, **row} for name in ("a", "a", "b", "a#2", "a"))))
    assert [problem.id for problem in read(path, "sau").problems] == ["a", "a#2", "b", "a#2#2", "a#3"]


def test_ids_of_hmwp_are_positions_because_published_ids_repeat(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_text(json.dumps(json.loads(HMWP.content) * 2), encoding="utf-8")
    assert [problem.id for problem in read(path, "hmwp").problems] == ["0", "1"]


@pytest.mark.parametrize(
    ("formula", "unknowns", "equations"),
    [
        ("49/7=7", (), ("x=49/7",)),
        ("(8 + 2)/4 = 2.5", (), ("x=(8 + 2)/4",)),
        ("2^3=8", (), ("x=2^3",)),
        ("x:The jars; x+4=10", ("x",), ("x+4=10",)),
        ("a:One side; b:The other; a+b=9; a=2b", ("a", "b"), ("a+b=9", "a=2b")),
        ("47/6=7 r5", (), ("47/6=7 r5",)),
        ("3:4=18:24", (), ("3:4=18:24",)),
        ("LCM[4,6]=12", (), ("LCM[4,6]=12",)),
        ("1*60=60; 60+5=65", (), ("1*60=60; 60+5=65",)),
    ],
)
def test_asdiv_formulas(tmp_path: Path, formula: str, unknowns: tuple[str, ...], equations: tuple[str, ...]) -> None:
    row = {"ID": "1", "Body": "B.", "Question": "Q?", "Solution-Type": "T", "Answer": "1", "Formula": formula}
    problem = read_one(tmp_path / "f", lines(row), "asdiv")
    assert (problem.unknowns, problem.equations) == (unknowns, equations)


@pytest.mark.parametrize(
    ("published", "equation"), [("X=(8.0*45.0)", "X=(8.0*45.0)"), ("5*x=35", "5*x=35"), ("3 + 4", "x=3 + 4")]
)
def test_mawps_bare_expressions_become_equations(tmp_path: Path, published: str, equation: str) -> None:
    row = {"iIndex": 1, "sQuestion": "Q?", "lEquations": [published], "lSolutions": [1]}
    assert read_one(tmp_path / "f", lines(row), "kushman").equations == (equation,)


@pytest.mark.parametrize(
    ("declared", "unknowns"),
    [(["x", "y"], ("x", "y")), (["x;2x"], ("x", "2x")), (["_round(x", "1)"], ("_round(x,1)",)), ([], ())],
)
def test_dolphin_unknowns_may_be_expressions(tmp_path: Path, declared: list[str], unknowns: tuple[str, ...]) -> None:
    row = {**json.loads(DOLPHIN18K.folder_form), "unknowns": declared}
    assert read_one(tmp_path / "f", lines(row), "dolphin").unknowns == unknowns


def test_a_gsm8k_solution_without_its_mark_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_bytes(lines({**json.loads(GSM8K.content), "answer": "It is 24."}))
    assert "####" in str(read(path, "gsm8k").rejected[0])


def test_gsm8k_steps_that_do_not_join_leave_no_equation(tmp_path: Path) -> None:
    row = {"question": "Q?", "answer": "10/3=<<10/3=3.33>>3.33 then <<3.33*2=6.66>>\n#### 6.66"}
    problem = read_one(tmp_path / "f.jsonl", lines(row), "gsm8k")
    assert (problem.equations, problem.answers) == ((), (Fraction(333, 50),))


class TestOwnLines:
    def test_only_the_text_is_required(self, tmp_path: Path) -> None:
        path = tmp_path / "f.jsonl"
        path.write_bytes(lines({"text": "How many?"}, {"text": "有几只鸡？"}))
        assert read(path).problems == (Problem("row-0", "How many?", "en"), Problem("row-1", "有几只鸡？", "zh"))

    def test_every_field_is_read(self, tmp_path: Path) -> None:
        row = {
            "id": "p1",
            "text": "How many?",
            "language": "en",
            "equations": ["x+y=3", "x=1; not split"],
            "answers": ["1", "3/4"],
            "alternatives": [["2", "0.25"]],
            "words": ["How", "many", "?"],
            "unknowns": ["x", "y"],
            "fold": 2,
            "split": "dev",
            "kind": "linear",
        }
        assert read_one(tmp_path / "f.jsonl", lines(row), "sau") == Problem(
            "p1",
            "How many?",
            "en",
            ("x+y=3", "x=1; not split"),
            (Fraction(1), Fraction(3, 4)),
            ((Fraction(2), Fraction(1, 4)),),
            ("How", "many", "?"),
            ("x", "y"),
            2,
            "dev",
            "linear",
        )

    def test_short_spellings_of_a_single_answer_and_equation(self, tmp_path: Path) -> None:
        problem = read_one(tmp_path / "f.jsonl", lines({"text": "T", "equation": "x+y=3; x=1", "answer": 1.5}), "sau")
        assert (problem.equations, problem.answers) == (("x+y=3", "x=1"), (Fraction(3, 2),))

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            ({"answers": ["many"]}, "an exact number"),
            ({"alternatives": "5"}, "must be a list"),
            ({"language": "fr"}, "zh or en"),
            ({"equations": [3]}, "list of texts"),
            ({"fold": 1.5}, "must be an integer, got a decimal number"),
            ({"text": ""}, "empty"),
            ({"asked": [{"unknown": "x", "answer": None}]}, "must have one answer, got None"),
            ({"asked": [{"unknown": "x", "answer": []}]}, "must have one answer, got []"),
            ({"asked": [{"unknown": "x", "answer": [1, 2]}]}, "must have one answer, got [1, 2]"),
            ({"answers": [1, 2], "asked": [{"unknown": "x", "answer": 1}]}, "one value for each thing asked"),
        ],
    )
    def test_a_wrong_field_is_an_error(self, tmp_path: Path, change: dict[str, object], reason: str) -> None:
        path = tmp_path / "f.jsonl"
        path.write_bytes(lines({"text": "How many?", **change}))
        assert reason in str(read(path, "sau").rejected[0])


def test_an_unknown_format_suggests_the_most_similar() -> None:
    with pytest.raises(InputError, match="Did you mean math23k"):
        find_format("math23")


def test_fields_of_no_format_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_bytes(lines({"prompt": "p", "label": 1}))
    with pytest.raises(InputError, match="label, prompt"):
        read(path)


def test_a_problem_keeps_the_split_of_its_file_unless_it_has_its_own(tmp_path: Path) -> None:
    problem = read_one(tmp_path / "f", ALL["CM17K"].folder_form, "cm17k", split="test")
    assert problem == replace(ALL["CM17K"].problem, split="valid")


@pytest.mark.parametrize(
    ("published", "answer"),
    [
        ("315", "315"),
        ("4/5", "4/5"),
        ("20%", "1/5"),
        ("20﹪", "1/5"),
        ("3.5", "7/2"),
        ("9_2/3", "29/3"),
        (12, "12"),
        ("无", None),
    ],
)
def test_contest_problems_have_answers_and_no_equations(published: object, answer: str | None, tmp_path: Path) -> None:
    row = {"id": "c-1", "text": "每辆车坐24人，165人要几辆车？", "answer": published, "split": "test"}
    problem = read_one(tmp_path / "f", lines(row), "contest")
    assert (problem.id, problem.language, problem.split) == ("c-1", "zh", "test")
    assert (problem.equations, problem.answers) == ((), (Fraction(answer),) if answer else ())
