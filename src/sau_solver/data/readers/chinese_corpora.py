"""Read the Chinese corpora Math23K, Ape210K, CM17K and HMWP, which publish words, and contest-zh, which does not."""

from __future__ import annotations

import re
import sys

from sau_solver.data.answers import read_answers
from sau_solver.data.readers.published_notation import split_equations
from sau_solver.data.rows import Row
from sau_solver.problem import Problem

_MIXED = re.compile(r"^(\d+)_(\d+/\d+)$")  # "9_2/3" is 9(2/3)


def _words(segmented: str | None) -> tuple[str, ...] | None:
    # Interned words halve the memory: 23,162 problems share 40,000 words.
    return tuple(map(sys.intern, segmented.split())) if segmented else None


def read_math23k(row: Row) -> Problem:
    """Read Math23K or Ape210K: id, original_text, segmented_text, equation "x=...", ans."""
    return Problem(
        id=row.optional_text("id") or f"{row.split or 'row'}-{row.index}",
        text=row.text("original_text", "text"),
        language="zh",
        equations=split_equations(row.text("equation")),
        **read_answers(row.need("ans", "answer"))._asdict(),
        words=_words(row.optional_text("segmented_text", "segmented")),
        split=row.optional_text("split") or row.split,
        fold=row.fold,
    )


def read_cm17k(row: Row) -> Problem:
    """Read CM17K: raw_text, original_text (segmented), equation, ans (list), type."""
    return Problem(
        id=row.optional_text("id") or f"{row.split or 'row'}-{row.index}",
        text=row.text("raw_text", "text", "original_text"),
        language="zh",
        equations=split_equations(row.text("equation")),
        **read_answers(row.need("ans", "answer"))._asdict(),
        words=_words(row.optional_text("segmented", "original_text")),
        split=row.optional_text("split") or row.split,
        kind=row.optional_text("type"),
    )


def read_hmwp(row: Row) -> Problem:
    """Read HMWP: original_text (segmented, Chinese numerals replaced by digits), equation "... ; ...", ans (list).

    The id is the position in the file, because the published ids are not unique.
    """
    from sau_solver.text.numbers import restore_hmwp  # imported here: other corpora do not need its word list

    published = row.text("original_text", "text")
    index = row.whole("idx")
    return Problem(
        id=str(row.index if index is None else index),
        text=restore_hmwp(published),
        language="zh",
        equations=split_equations(row.text("equation")),
        **read_answers(row.need("ans", "answer"))._asdict(),
        words=_words(published),
    )


def read_contest(row: Row) -> Problem:
    """Read the problems of a public contest: id, text, answer ("315", "4/5", "20%", "9_2/3"); no equations."""
    answer = row.need("answer")
    return Problem(
        id=row.optional_text("id") or f"{row.split or 'row'}-{row.index}",
        text=row.text("text"),
        language="zh",
        **read_answers(
            _MIXED.sub(r"\1(\2)", answer.replace("﹪", "%")) if isinstance(answer, str) else answer
        )._asdict(),
        split=row.optional_text("split") or row.split,
    )
