"""The result of solving one problem, and the JSON object that the command line and the server return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from sau_solver.answering.asked import Asked
from sau_solver.answering.candidates import Candidate
from sau_solver.equations.drawing import draw_svg
from sau_solver.equations.expressions import Equations
from sau_solver.equations.uet import Uet
from sau_solver.explaining.formats import display, display_all, forms_of
from sau_solver.explaining.steps import Step
from sau_solver.explaining.story import Story
from sau_solver.problem import Language
from sau_solver.sheets.one_solution import notebook_html, notebook_latex, plain_text, short_text
from sau_solver.sheets.sheet import SheetItem, item_of
from sau_solver.solving import Assignment, Outcome, Value, decimals
from sau_solver.text.numbers import MappedText


@dataclass(frozen=True, slots=True, repr=False)
class Solution:
    """The solution of one problem.

    If `abstained` is true, the answers are at best a guess, and `reason` says why in the reader's language. If no
    candidate has an answer, `answers`, `equations` and `roots` are empty and `tree` is None. `print(solution)` shows
    equations, steps and answer; a notebook shows them typeset, with the tree.

    `kind` is "problem", or what a mathematical text asks for: "equation", "expression", "gcd" and so on. Mathematics is
    solved exactly, without a model and with confidence 1; if it has no solution, `answers` is empty and `reason` says
    so, but `abstained` is false. Stories that rules understand (times of day, common divisors and multiples,
    digits, calendars) are problems, and `model` is empty.
    """

    text: MappedText
    equations: Equations = ()
    tree: Uet | None = None
    roots: tuple[Assignment, ...] = ()  # every solution of the equations, including discarded ones
    answers: tuple[Value, ...] = ()  # one exact value for each thing asked
    asked: tuple[Asked, ...] = ()  # the things asked, in the order of the questions
    unit: str = ""  # of the answers, if the question names it
    confidence: float = 0.0  # calibrated probability that the answers are right
    abstained: bool = True
    reason: str = ""
    steps: tuple[Step, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    model: str = ""  # empty if no model was asked
    kind: str = "problem"
    outcome: Outcome | None = None  # of mathematics
    shown: str = ""  # the answers of mathematics as one text
    reader: Language | None = None  # language of the steps and the reason; None means that of the problem

    @classmethod
    def of(cls, text: MappedText, best: Candidate, story: Story) -> Self:
        """Return the answers of a solved candidate with their steps; the confidence is left to the caller."""
        assert best.solved is not None
        assert best.chosen is not None
        return cls(
            text=text,
            equations=best.equations,
            tree=best.tree,
            roots=best.solved.solutions,
            answers=best.chosen.answers,
            asked=best.chosen.asked,
            unit=story.unit,
            abstained=False,
            steps=story.steps,
            reader=story.reader,
        )

    @property
    def problem(self) -> str:
        """The text of the problem."""
        return self.text.text

    @property
    def read_in(self) -> Language:
        """The language of the reader: of the steps, the reason and the labels."""
        return self.reader or self.text.language

    @property
    def display(self) -> str:
        """The answers as a reader wants to see them: `goats: 13`, `长 8 厘米，宽 5 厘米`, `$21.50`."""
        return self.shown or display_all(self.asked, self.read_in, forms_of(self.text.text))

    def __repr__(self) -> str:
        return short_text(self._item())

    def __str__(self) -> str:
        return plain_text(self._item(), self.read_in)

    def _repr_html_(self) -> str:
        numbers = [number.value for number in self.text.numbers]
        return notebook_html(self._item(), self.read_in, draw_svg(self.tree, numbers) if self.tree else "")

    def _repr_latex_(self) -> str | None:
        return notebook_latex(self._item())

    def _item(self) -> SheetItem:
        return item_of(self.as_json() | {"step_kinds": [step.kind for step in self.steps]})

    def as_json(self) -> dict[str, Any]:
        """Return the object that `sau solve --json` and the server print."""
        return {
            "problem": self.text.text,
            "kind": self.kind,
            "language": self.text.language,
            "numbers": [
                {"text": number.text, "value": str(number.value), "start": number.start, "end": number.end}
                for number in self.text.numbers
            ],
            "equations": [str(equation) for equation in self.equations],
            "answers": [str(answer) for answer in self.answers],
            "decimal": decimals(self.answers),
            "unit": self.unit,
            "asked": [
                {
                    "question": one.question,
                    "quantity": one.quantity,
                    "unknown": one.unknown,
                    "answer": None if one.answer is None else str(one.answer),
                    "unit": one.unit,
                    "rounding": one.rounding,
                    "certain": one.certain,
                    "display": display(one, self.read_in, forms_of(self.text.text)),
                }
                for one in self.asked
            ],
            "display": self.display,
            "roots": [{name: str(value) for name, value in root.items()} for root in self.roots],
            "confidence": round(self.confidence, 4),
            "abstained": self.abstained,
            "reason": self.reason,
            "steps": [str(step) for step in self.steps],
            "candidates": [
                {
                    "equations": [str(equation) for equation in candidate.equations],
                    "outcome": candidate.outcome,
                    "answers": [str(answer) for answer in candidate.answers],
                    "log_probability": round(candidate.log_probability, 4),
                }
                for candidate in self.candidates
            ],
            "model": self.model,
        }
