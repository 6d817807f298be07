"""ALG514, DRAW-1K, Dolphin-L, MAWPS, the Dolphin corpora, SVAMP, MathQA and GSM8K: English problems."""

from __future__ import annotations

import re
from dataclasses import replace

from sau_solver.data.answers import read_answers
from sau_solver.data.readers.joining import join_steps
from sau_solver.data.readers.published_notation import split_equations, split_unknowns, take_apart, with_unknown
from sau_solver.data.rows import Row
from sau_solver.problem import Problem

_ANNOTATION = re.compile(r"<<(.*?)>>")


def _id(row: Row, *names: str) -> str:
    return row.optional_text(*names) or f"{row.split or 'row'}-{row.index}"


def read_kushman(row: Row) -> Problem:
    """ALG514, DRAW-1K, Dolphin-L, MAWPS: Kushman's iIndex, sQuestion, lEquations, lSolutions.

    The "orig" files of MWPToolkit and EPT hold them inside a field `original`.
    """
    if isinstance(original := row.get("original"), dict):
        row = replace(row, fields=original)
    answers = read_answers(row.need("lSolutions", "answer"))
    tokens = row.optional_text("tokenized")
    return Problem(
        id=_id(row, "iIndex", "id"),
        text=row.text("sQuestion", "text"),
        language="en",
        equations=tuple(map(with_unknown, row.texts("lEquations", "equations", "equation"))),
        answers=answers.values,
        alternatives=answers.alternatives,
        words=tuple(tokens.split()) if tokens else None,
        fold=row.fold if (fold := row.whole("fold")) is None else fold,
        split=row.optional_text("split") or row.split,
    )


def read_dolphin(row: Row) -> Problem:
    """Dolphin1878 and Dolphin18K: text, equations ("unkn: x,y", "equ: x+y=3", a list or one text), ans."""
    unknowns, equations = take_apart(row.texts("equations"))
    if row.get("unknowns") is not None:
        unknowns = split_unknowns(row.texts("unknowns"))
    answers = read_answers(row.need("ans", "answer"))
    return Problem(
        id=_id(row, "id"),
        text=row.text("text", "original_text"),
        language="en",
        equations=equations,
        answers=answers.values,
        alternatives=answers.alternatives,
        unknowns=unknowns,
        split=row.optional_text("split", "split_original", "part") or row.split,
        kind=row.optional_text("label"),
    )


def read_svamp(row: Row) -> Problem:
    """SVAMP: ID, Body, Question, Equation "( 8.0 - 3.0 )", Answer, Type."""
    body, question = row.text("Body", "body"), row.text("Question", "question")
    answers = read_answers(row.need("Answer", "answer"))
    return Problem(
        id=_id(row, "ID", "id"),
        text=f"{body} {question}" if body[-1] in ".?!,;:" else f"{body}, {question}",
        language="en",
        equations=(with_unknown(row.text("Equation", "equation")),),
        answers=answers.values,
        alternatives=answers.alternatives,
        split=row.optional_text("split") or row.split,
        kind=row.optional_text("Type", "type"),
    )


def read_mathqa(row: Row) -> Problem:
    """MathQA as MWP-BERT filtered it: original_text (tokenised), equation "x=...", ans; no id."""
    answers = read_answers(row.need("ans", "answer"))
    text = row.text("original_text", "text")
    return Problem(
        id=_id(row, "id"),
        text=text,
        language="en",
        equations=split_equations(row.text("equation")),
        answers=answers.values,
        alternatives=answers.alternatives,
        split=row.optional_text("split") or row.split,
    )


def read_gsm8k(row: Row) -> Problem:
    """GSM8K: question, answer with <<48/2=24>> notes and "#### 72"; the steps become one equation for x."""
    text = row.text("question", "text")
    solution, mark, final = row.text("solution", "answer").rpartition("####")
    if not mark:
        raise row.error("the solution has no '#### answer' at its end")
    answers = read_answers(final.strip())
    joined = join_steps(_ANNOTATION.findall(solution), answers.values[0], text) if answers.values else None
    return Problem(
        id=_id(row, "id"),
        text=text,
        language="en",
        equations=(joined,) if joined else (),
        answers=answers.values,
        split=row.optional_text("split") or row.split,
    )
