"""Answers -> what makes them implausible: nobody asks for -3 apples, 2.5 cars or five thirds of a whole.

A doubtful answer is allowed; it ranks below answers without doubt. `benchmarks/ranking_rules.py` measures the gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sau_solver.answering.roots import Chosen, count_negative, is_integer, is_negative
from sau_solver.equations.expressions import Operation
from sau_solver.solving import decimal_of
from sau_solver.text.wording import Cues

DOUBTS = ("negative", "zero", "overdrawn", "fractional", "over_whole", "irrational")


def doubt_about(chosen: Chosen, differences: Sequence[Operation], cues: Cues) -> str:
    """Return the first of DOUBTS that applies to the answers, or an empty string."""
    rounded = any(one.rounding not in ("", "nearest", "estimate") for one in chosen.asked)
    answers = chosen.answers if rounded or not chosen.values else chosen.values
    if not cues.may_be_negative:
        if any(is_negative(value) for value in answers):
            return "negative"
        if any(value == 0 for value in answers):
            return "zero"
        if any(count_negative(differences, solution) for solution in chosen.kept[:1]):
            return "overdrawn"
    if cues.counted and not all(map(is_integer, answers)):
        return "fractional"
    whole = any(one.rounding not in ("", "nearest", "estimate") for one in chosen.asked)
    if whole and any(decimal_of(value) < 1 for value in chosen.values):  # nobody rounds a part of a bus
        return "fractional"
    if cues.asks_for_part and any(decimal_of(value) > 1 for value in answers):
        return "over_whole"
    if any(not isinstance(value, Fraction) for value in answers):
        return "irrational"
    return ""
