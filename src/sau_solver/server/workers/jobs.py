"""A job, which is a list of items from requests -> an answer to each item, one by one.

An answer has the status of the response, values for metrics, and the body as JSON text, which is passed on unread.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

from sau_solver.answering.asked.final_unknown import AskedFirst
from sau_solver.equations.drawing import parents_of
from sau_solver.equations.expressions import MAX_DEPTH
from sau_solver.equations.uet import Uet
from sau_solver.errors import EquationError, InputError, NotATreeError, PhrasedError, SauError
from sau_solver.explaining.worked import work
from sau_solver.phrases import Phrase, hint_for, say
from sau_solver.problem import Language
from sau_solver.server.explanation import explain_solution, explain_template, explain_worked, outcome_of
from sau_solver.server.practice import practice
from sau_solver.server.refusals import Refusal, failed
from sau_solver.server.workers.process import Answer, refused
from sau_solver.solution import Solution
from sau_solver.solver import Solver
from sau_solver.text.numbers import find_numbers
from sau_solver.text.screening import screen

Item = dict[str, Any]

# In messages of other exceptions: of the system and of ONNX Runtime, of Python, of C++.
NO_MEMORY = ("allocate memory", "can't start new thread", "bad_alloc")


class Jobs(Protocol):
    """One kind of job."""

    @property
    def models(self) -> list[str]:
        """The names of the loaded models."""
        ...

    def answers(self, items: Sequence[Item]) -> Iterator[Answer]:
        """Yield an answer to each item, in order, as soon as it is known."""
        ...


class SolveJobs:
    """Jobs of word problems. A job is solved as one batch, and all its items have the same beam size."""

    def __init__(self, solver: Solver, languages: Sequence[Language]) -> None:
        self.solver = solver
        self.models = list(dict.fromkeys(solver.model(language).name for language in languages))

    def answers(self, items: Sequence[Item]) -> Iterator[Answer]:
        """Yield the solutions. If a batch fails, the remaining items are solved one by one."""
        answered = 0
        try:
            for item, result in zip(items, self._results(items), strict=True):
                yield self._answer(item, result)
                answered += 1
            return
        except Exception as error:  # noqa: BLE001  # one bad problem must not affect the others
            _check_memory(error)
            if len(items) == 1:
                yield _failure(error, items[0])
                return
        for item in items[answered:]:
            yield from self.answers([item])

    def _results(self, items: Sequence[Item]) -> Iterator[Solution | InputError]:
        typed = [(item["text"], None, item["lang"]) for item in items]
        return self.solver.solve_many(typed, batch_size=len(typed), beam=items[0]["beam"], errors="return")

    def _answer(self, item: Item, result: Solution | InputError) -> Answer:
        if isinstance(result, InputError):
            refusal = _refusal(result.translated(item["messages"]), "no_problem", item["field"])
            return refused(refusal, item)
        more = self._explained(result) if item["explain"] else {}
        if item.get("step_kinds"):
            more["step_kinds"] = [step.kind for step in result.steps]
        return _solved(result, result.as_json() | more)

    def _explained(self, solution: Solution) -> dict[str, Any]:
        weights = None
        if solution.tree is not None and solution.model:
            weights = self.solver.model(solution.text.language).attended(solution.text, solution.tree)
        return explain_solution(solution, weights)


def _check_memory(error: Exception) -> None:
    """Raise MemoryError if the process has no memory left: it must end, and the item may succeed in another one."""
    if isinstance(error, MemoryError) or any(sign in str(error) for sign in NO_MEMORY):
        raise MemoryError from error


class EquationJobs:
    """Jobs that need no model: equations, trees with other numbers, and practice."""

    models: list[str] = []  # noqa: RUF012  # never changed

    def __init__(self, seconds: float, longest: int, asked_first: Mapping[Language, AskedFirst] | None = None) -> None:
        """Set the time limit of the symbolic solver, and the maximum length of a problem in characters.

        `asked_first` is what the network of each language calls x.
        """
        self.seconds, self.longest, self.asked_first = seconds, longest, asked_first or {}

    def answers(self, items: Sequence[Item]) -> Iterator[Answer]:
        """Yield the answers, one item after the other."""
        for item in items:
            try:
                yield self._answer(item)
            except Refusal as refusal:
                yield refused(refusal, item)
            except Exception as error:  # noqa: BLE001  # one bad item must not affect the others
                _check_memory(error)
                yield _failure(error, item)

    def _answer(self, item: Item) -> Answer:
        if "practice" in item:
            return Answer(200, _text(practice(item["practice"], item)))
        return self._template(item) if "tree" in item else self._equation(item)

    def _equation(self, item: Item) -> Answer:
        language: Language = item["lang"]
        try:
            worked = work(item["equations"], language, self.seconds)
        except (PhrasedError, InputError) as error:
            raise _refusal(error, "no_equation", "equations") from None
        more = explain_worked(worked) if item["explain"] else {}
        counted = {"outcome": str(worked.solved.outcome)}
        return Answer(200, _text(worked.as_json() | more), counted)

    def _template(self, item: Item) -> Answer:
        try:
            screened = screen(item["text"], None, self.longest, item["lang"])
        except InputError as error:
            raise _refusal(error, "no_problem", "text") from None
        mapped, tree = screened.mapped, _tree(item["tree"])
        try:
            values = [_number(text, place, mapped.language) for place, text in enumerate(item["numbers"])]
            asked_first = self.asked_first.get(mapped.language, "")
            solution = Solver.solve_again(mapped, tree, values, item["lang"], asked_first)
        except NotATreeError:
            raise _wrong_tree(Phrase.of("tree_numbers", count=len(item["numbers"]))) from None
        except InputError as error:
            raise _refusal(error, "invalid", "numbers") from None
        return _solved(solution, solution.as_json() | explain_template(solution, tree))


def _tree(text: str) -> Uet:
    try:
        tree = Uet.from_text(text)
    except NotATreeError:
        raise _wrong_tree(Phrase("bad_tree")) from None
    depths: list[int] = []
    for parent in parents_of(tree):
        depths.append(1 if parent is None else depths[parent] + 1)
    if max(depths) > MAX_DEPTH:
        raise _wrong_tree(Phrase.of("deep_tree", limit=MAX_DEPTH, depth=max(depths)))
    return tree


def _wrong_tree(message: Phrase) -> Refusal:
    return Refusal(422, "invalid", message, "tree", Phrase.of("tree_field", field="tree.prefix"))


def _number(text: str, place: int, language: Language) -> Fraction:
    """Read a number as a problem in this language, or in the other one, would write it."""
    plain = text.strip().lstrip("$¥￥€£").strip()
    for spoken in (language, "en", "zh"):
        found = find_numbers(plain, spoken)
        if len(found) == 1 and found[0].text == plain:
            return found[0].value
    message, hint = say(language, "not_a_number", text=text[:40]), hint_for(language, "not_a_number")
    raise Refusal(422, "no_number", message, f"numbers.{place}", hint)


def _solved(solution: Solution, body: dict[str, Any]) -> Answer:
    outcome = outcome_of(solution)
    counted = {"language": solution.text.language, "abstained": solution.abstained, "outcome": outcome}
    return Answer(200, _text(body), counted)


def _refusal(error: InputError | PhrasedError, code: str, field: str) -> Refusal:
    """Return the refusal of bad input. The message about equations also shows the line and a mark at the column."""
    message = str(error) if isinstance(error, EquationError) else error.message
    return Refusal(422, code, message, field, error.hint)


def _failure(error: Exception, item: Item) -> Answer:
    """Return the answer to an internal error. The log gets its type and place; its message may quote the text."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    kind = "SauError" if isinstance(error, SauError) else type(error).__name__
    return refused(failed(), item, cause=f"{kind} at {Path(last.filename).name}:{last.lineno}")


def _text(body: dict[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
