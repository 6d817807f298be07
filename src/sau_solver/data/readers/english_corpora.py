"""Read the English corpora ALG514, DRAW-1K, Dolphin-L, MAWPS, Dolphin1878, Dolphin18K, SVAMP, MathQA and GSM8K.

GSM8K in Chinese is also read here, because its solutions are English.
"""

from __future__ import annotations

from dataclasses import replace

from sau_solver.data.answers import read_answers
from sau_solver.data.readers.published_notation import split_equations, split_unknowns, take_apart, with_unknown
from sau_solver.data.readers.worked_solutions import join_solution
from sau_solver.data.rows import Row
from sau_solver.problem import Language, Problem


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
    return _worked_problem(row, row.text("question", "text"), "en")


def read_gsm8k_chinese(row: Row) -> Problem:
    """Read GSM8K in Chinese: text, text_en, solution (English, as in GSM8K)."""
    return _worked_problem(row, row.text("text"), "zh")


def _worked_problem(row: Row, text: str, language: Language) -> Problem:
    solution, mark, final = row.text("solution", "answer").rpartition("####")
    if not mark:
        raise row.error("the solution must end with '#### answer'")
    answers = read_answers(final.strip())
    joined = join_solution(solution, answers.answers[0], text, language) if answers.answers else None
    return Problem(
        id=_id(row, "id"),
        text=text,
        language=language,
        equations=(joined,) if joined else (),
        answers=answers.answers,
        split=row.optional_text("split") or row.split,
    )
