"""Read the English corpora ALG514, DRAW-1K, Dolphin-L, MAWPS, Dolphin1878, Dolphin18K, SVAMP, MathQA and GSM8K."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sau_solver.data.answers import NoValueError, evaluate, evaluate_text, read_answers
from sau_solver.data.readers.published_notation import split_equations, split_unknowns, take_apart, with_unknown
from sau_solver.data.rows import Row
from sau_solver.equations.expressions import Expression, Number, Operation, walk
from sau_solver.equations.parser import parse_expression
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.problem import Problem

MAX_NODES = 200  # of a joined GSM8K expression; steps that use results twice grow exponentially

_ANNOTATION = re.compile(r"<<(.*?)>>")
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")


def _id(row: Row, *names: str) -> str:
    return row.optional_text(*names) or f"{row.split or 'row'}-{row.index}"


def read_kushman(row: Row) -> Problem:
    """Read ALG514, DRAW-1K, Dolphin-L or MAWPS: Kushman's iIndex, sQuestion, lEquations, lSolutions.

    The "orig" files of MWPToolkit and EPT nest these fields in a field `original`.
    """
    if isinstance(original := row.get("original"), dict):
        row = replace(row, fields=original)
    tokens = row.optional_text("tokenized")
    return Problem(
        id=_id(row, "iIndex", "id"),
        text=row.text("sQuestion", "text"),
        language="en",
        equations=tuple(map(with_unknown, row.texts("lEquations", "equations", "equation"))),
        **read_answers(row.need("lSolutions", "answer"))._asdict(),
        words=tuple(tokens.split()) if tokens else None,
        fold=row.fold if (fold := row.whole("fold")) is None else fold,
        split=row.optional_text("split") or row.split,
    )


def read_dolphin(row: Row) -> Problem:
    """Read Dolphin1878 or Dolphin18K: text, equations ("unkn: x,y", "equ: x+y=3", a list or one text), ans."""
    unknowns, equations = take_apart(row.texts("equations"))
    if row.get("unknowns") is not None:
        unknowns = split_unknowns(row.texts("unknowns"))
    return Problem(
        id=_id(row, "id"),
        text=row.text("text", "original_text"),
        language="en",
        equations=equations,
        **read_answers(row.need("ans", "answer"))._asdict(),
        unknowns=unknowns,
        split=row.optional_text("split", "split_original", "part") or row.split,
        kind=row.optional_text("label"),
    )


def read_svamp(row: Row) -> Problem:
    """Read SVAMP: ID, Body, Question, Equation "( 8.0 - 3.0 )", Answer, Type."""
    body, question = row.text("Body", "body"), row.text("Question", "question")
    return Problem(
        id=_id(row, "ID", "id"),
        text=f"{body} {question}" if body[-1] in ".?!,;:" else f"{body}, {question}",
        language="en",
        equations=(with_unknown(row.text("Equation", "equation")),),
        **read_answers(row.need("Answer", "answer"))._asdict(),
        split=row.optional_text("split") or row.split,
        kind=row.optional_text("Type", "type"),
    )


def read_mathqa(row: Row) -> Problem:
    """Read MathQA as filtered by MWP-BERT: original_text (tokenized), equation "x=...", ans; no id."""
    text = row.text("original_text", "text")
    return Problem(
        id=_id(row, "id"),
        text=text,
        language="en",
        equations=split_equations(row.text("equation")),
        **read_answers(row.need("ans", "answer"))._asdict(),
        split=row.optional_text("split") or row.split,
    )


def read_gsm8k(row: Row) -> Problem:
    """Read GSM8K: question, answer with <<48/2=24>> annotations and "#### 72"; the steps become one equation for x."""
    text = row.text("question", "text")
    solution, mark, final = row.text("solution", "answer").rpartition("####")
    if not mark:
        raise row.error("the solution must end with '#### answer'")
    answers = read_answers(final.strip())
    joined = join_steps(_ANNOTATION.findall(solution), answers.answers[0], text) if answers.answers else None
    return Problem(
        id=_id(row, "id"),
        text=text,
        language="en",
        equations=(joined,) if joined else (),
        answers=answers.answers,
        split=row.optional_text("split") or row.split,
    )


@dataclass
class _Step:
    result: Fraction
    expression: Expression
    used: bool = False


def join_steps(steps: Sequence[str], answer: Fraction, text: str) -> str | None:
    """Join annotated steps ("48/2=24", "48+24=72") to one equation for the answer ("x=48+48/2").

    Each number of a step that is the result of an earlier step is replaced by the expression of that step. A number
    that is in the text, and is also a result that has been used, stays a number. Return None unless the exact value of
    the equation is the annotated answer; a rounded step, for example, cannot be joined.
    """
    given = {Fraction(digits.replace(",", "")) for digits in _DIGITS.findall(text)}
    done: list[_Step] = []
    try:
        for step in steps:
            left, _, right = step.rpartition("=")
            expression = _substitute(parse_expression(left), done, given)
            if sum(1 for _ in walk(expression)) > MAX_NODES:
                return None
            done.append(_Step(evaluate_text(right), expression))
        final = next((step for step in reversed(done) if step.result == answer), None)
        if final is None or evaluate(final.expression) != answer:
            return None
    except (NoValueError, EquationError, TooLargeError):
        return None
    return f"x={final.expression}"


def _substitute(expression: Expression, done: Sequence[_Step], given: set[Fraction]) -> Expression:
    match expression:
        case Operation(operator, left, right):
            return Operation(operator, _substitute(left, done, given), _substitute(right, done, given))
        case Number(value):
            step = _source(value, done, given)
            if step is None:
                return expression
            step.used = True
            return step.expression
        case _:
            return expression


def _source(value: Fraction, done: Sequence[_Step], given: set[Fraction]) -> _Step | None:
    """Return the latest step with this result, preferring unused ones; ignore used ones if the text has the number."""
    matching = [step for step in reversed(done) if step.result == value]
    unused = next((step for step in matching if not step.used), None)
    if unused or value in given:
        return unused
    return matching[0] if matching else None
