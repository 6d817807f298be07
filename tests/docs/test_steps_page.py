"""docs/steps.md shows the steps of today, and they have the lines that a teacher would write, in their order."""

from __future__ import annotations

import importlib.util
import re
import sys
from types import ModuleType

import pytest

from tests.docs.pages import ROOT

# What a page of one kind must have, as codes of steps in their order; other steps may stand between them.
STRUCTURE = {
    "arithmetic": ["calculation", "answer"],
    "fractions": ["calculation", "answer"],
    "linear": ["solve", "check", "answer"],
    "rational": ["solve", "multiply_both", "check", "answer"],
    "system, substitution": ["let_all", "solve_system", "substitute", "expand", "combine", "back", "root", "check"],
    "system, addition": ["let_all", "solve_system", "put", "root", "check", "check", "answer"],
    "three unknowns": ["solve_system", "express", "substitute", "call", "call", "back", "back", "root", "check"],
    "quadratic, factors": ["solve", "one_side", "factor", "zero_product", "so", "drop_negative", "root", "check"],
    "quadratic, formula": ["solve", "formula_values", "formula", "so", "drop_negative", "root", "answer"],
    "condition": ["solve", "square_root", "drop_negative", "root", "check", "answer"],
}


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("steps_page", ROOT / "scripts/steps_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SCRIPT = script()
TAUGHT = SCRIPT.taught()


def test_the_page_shows_the_steps_of_today() -> None:
    assert SCRIPT.PAGE.read_text(encoding="utf-8") == SCRIPT.page(TAUGHT), "run python scripts/steps_page.py"


@pytest.mark.parametrize("problem", TAUGHT, ids=lambda problem: problem.id)
def test_every_line_of_the_teacher_is_in_the_steps(problem: object) -> None:
    assert problem.missing() == []  # type: ignore[attr-defined]


@pytest.mark.parametrize("problem", TAUGHT, ids=lambda problem: problem.id)
def test_no_step_repeats_another_and_none_has_program_notation(problem: object) -> None:
    texts = [step.text for step in problem.steps]  # type: ignore[attr-defined]
    assert len(set(texts)) == len(texts)
    assert not [text for text in texts if re.search(r"[*^]|sqrt|\d-\d", text)]


@pytest.mark.parametrize("problem", [one for one in TAUGHT if one.kind in STRUCTURE], ids=lambda problem: problem.id)
def test_the_steps_of_a_kind_have_its_structure(problem: object) -> None:
    codes = iter(step.phrase.code for step in problem.steps)  # type: ignore[attr-defined]
    checks = {"check_sides": "check"}
    told = iter([checks.get(code, code) for code in codes])
    wanted = STRUCTURE[problem.kind]  # type: ignore[attr-defined]
    assert all(code in told for code in wanted), wanted
