"""What is answered given the right equations, so that a test needs no model."""

from __future__ import annotations

from sau_solver.answering.asked import Asked
from sau_solver.answering.asked.final_unknown import AskedFirst
from sau_solver.answering.roots import Chosen, choose
from sau_solver.equations.parser import parse
from sau_solver.problem import Language
from sau_solver.solving import solve
from sau_solver.text.wording import cues_of


def chosen(equations: str, text: str, language: Language, asked_first: AskedFirst = "") -> Chosen:
    """Return what is chosen of the solutions of equations for the text of a problem."""
    parsed = parse(equations)
    return choose(solve(parsed), parsed, cues_of(text, language), asked_first=asked_first)


def asked(equations: str, text: str, language: Language, asked_first: AskedFirst = "") -> tuple[Asked, ...]:
    """Return what the text asks for, with its answers."""
    return chosen(equations, text, language, asked_first).asked


def unknowns(equations: str, text: str, language: Language) -> list[str]:
    """Return the unknowns or expressions that the text asks for."""
    return [one.unknown for one in asked(equations, text, language)]
