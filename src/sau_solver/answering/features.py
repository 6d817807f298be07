"""A group of candidates with equal answers -> the features that preference and confidence weigh.

Preference compares the groups of one problem with each other; confidence compares the best group with those of other
problems. Both read the same facts about text, tree and answers, but some features of the same name are measured
differently, because the shipped weights were fitted that way; each name is documented where it is listed. "Answer"
means the value of any unknown here, not only of the one asked for: an odd value of another unknown is a sign of wrong
equations.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sau_solver.answering.candidates import Candidate
from sau_solver.answering.plausibility import DOUBTS
from sau_solver.answering.roots import is_integer
from sau_solver.equations.expressions import Number, Unknown
from sau_solver.equations.symbols import Slot, Symbol
from sau_solver.solving import Value, decimal_of
from sau_solver.text.numbers import MappedText

PREFERENCE_FEATURES = (
    "log_probability",  # of all candidates of the group together
    "verified",  # the verifier's best score of a candidate of the group
    "agreeing",  # number of candidates in the group
    *DOUBTS,  # 1 for the doubt about the answers, if there is one
    "unused",  # numbers written in digits that the tree does not use
    "leaves_out",  # 1 if there are any such numbers
    "reused",  # uses of a number beyond its occurrences in the text
    "used_one",  # 1 if a one written as a word (一辆, one of) is used as a number
    "undone",  # operations that undo the one below them: a + b - a, a * b / b
    "constants",  # numbers of the tree that are not in the text
    "unknowns",  # in the tree
    "log_size",  # logarithm of the tree's number of nodes
    "not_whole",  # 1 if a rational answer is not an integer
    "endless",  # 1 if an answer has no finite decimal
    "endless_of_whole",  # the same, if every number of the text is an integer
    "digits",  # of numerator and denominator together
    "denominator",  # digits of the denominator
    "from_text",  # 1 if an answer is one of the text's numbers
    "tiny",  # 1 if the largest answer is below 0.01
    "log_ratio",  # of the largest answer to the largest number of the text
    "answers",  # how many values the unknowns have
)

# How each feature may move the confidence: 1 only up, -1 only down, 0 either way. Fitting respects this, so that better
# evidence never lowers the confidence.
CONFIDENCE_FEATURES: Mapping[str, int] = {
    "log_odds": 1,  # of the group's probability according to the network
    "share_log_odds": 1,  # of the group's share of all groups, by preference
    "verified": 1,  # the verifier's best score of a candidate of the group
    "log_total": 1,  # log-probability of all candidates together
    "agreeing": 1,  # share of the candidates that are in the group
    "doubtful": -1,  # 1 if the answers are implausible
    "several_roots": -1,  # 1 if more than one solution was kept
    "unused_numbers": -1,  # numbers of the text that the tree does not use, at most 3
    "unclear": -1,  # 1 if equations and words do not say which unknown is asked for
    "skipped": -1,  # 1 if a question of the text has no answer
    "unknown_words": -1,  # share of words that the model has never seen
    "log_size": 0,  # logarithm of the tree's number of nodes
    "log_words": 0,  # logarithm of the text's number of words
    "unknowns": 0,  # in the equations
    "asked": 0,  # number of things asked for, at most 3
    "not_whole": 0,  # 1 if an answer is not an integer
    "from_text": 0,  # 1 if an answer is one of the text's numbers
}
MAX_UNUSED = 3
MAX_ASKED = 3
_INVERSE = {"-": "+", "/": "*", "+": "-", "*": "/"}
_LARGE = 30.0  # larger logarithms carry no more information
_FAR = 12.0  # the same for log-odds


@dataclass(frozen=True, slots=True)
class Evidence:
    """The beam's view of one group: probabilities and preference scores as logarithms."""

    log_probability: float  # of the group
    verified: float  # the verifier's best score of a candidate of the group
    log_share: float  # the group's share of all groups, by preference
    log_total: float  # of all candidates of the beam
    agreeing: float  # share of the candidates that are in the group
    unknown_words: float


def preference_features(text: MappedText, members: Sequence[Candidate], log_probability: float) -> dict[str, float]:
    """Return PREFERENCE_FEATURES of a group; its most probable candidate comes first."""
    best = members[0]
    tree, answers = best.tree, best.values
    in_text = Counter(number.value for number in text.numbers)
    used = Counter(text.numbers[symbol.index].value for symbol in tree.symbols if isinstance(symbol, Slot))
    in_digits = {number.value for number in text.numbers if any(map(str.isdigit, number.text))}
    unused = len(in_digits - used.keys())
    rational = [value for value in answers if isinstance(value, Fraction)]
    endless = any(not _is_decimal(value) for value in rational)
    largest = max(map(_magnitude, answers), default=0.0)
    given = max(map(_magnitude, in_text), default=1.0)
    return {
        "log_probability": max(-_LARGE, log_probability),
        "verified": best_verified(members),
        "agreeing": float(len(members)),
        **{name: float(name == best.doubt) for name in DOUBTS},
        "unused": float(unused),
        "leaves_out": float(unused > 0),
        "reused": float(sum(max(0, times - in_text[value]) for value, times in used.items())),
        "used_one": float(Fraction(1) in used and Fraction(1) not in in_digits),
        "undone": float(_undone(tree.symbols)),
        "constants": float(sum(isinstance(symbol, Number) for symbol in tree.symbols)),
        "unknowns": float(len({symbol for symbol in tree.symbols if isinstance(symbol, Unknown)})),
        "log_size": math.log(len(tree.symbols)),
        "not_whole": float(any(value.denominator != 1 for value in rational)),
        "endless": float(endless),
        "endless_of_whole": float(endless and all(value.denominator == 1 for value in in_digits)),
        "digits": max((_digits(value.numerator) + _digits(value.denominator) for value in rational), default=0.0),
        "denominator": max((_digits(value.denominator) for value in rational), default=0.0),
        "from_text": _from_text(answers, in_text),
        "tiny": float(0 < largest < 0.01),
        "log_ratio": _log_ratio(largest, given) if largest > 0 and 0 < given < math.inf else 0.0,
        "answers": float(len(answers)),
    }


def confidence_features(text: MappedText, best: Candidate, evidence: Evidence) -> dict[str, float]:
    """Return CONFIDENCE_FEATURES of the best group; `best` is its most probable candidate."""
    values = {number.value for number in text.numbers}
    used = {text.numbers[symbol.index].value for symbol in best.tree.symbols if isinstance(symbol, Slot)}
    kept, asked = (best.chosen.kept, best.chosen.asked) if best.chosen else ((), ())
    return {
        "log_odds": _log_odds(evidence.log_probability),
        "share_log_odds": _log_odds(evidence.log_share),
        "verified": evidence.verified,
        "log_total": _near(evidence.log_total),
        "agreeing": evidence.agreeing,
        "doubtful": float(bool(best.doubt)),
        "several_roots": float(len(kept) > 1),
        "unused_numbers": float(min(MAX_UNUSED, len(values - used))),
        "unclear": float(best.chosen is not None and not best.chosen.certain),
        "skipped": float(any(one.answer is None for one in asked)),
        "unknown_words": evidence.unknown_words,
        "log_size": math.log(len(best.tree.symbols)),
        "log_words": math.log(max(1, len(text.words))),
        "unknowns": float(max(map(len, kept), default=0)),
        "asked": float(min(MAX_ASKED, len(asked))),
        "not_whole": float(not all(map(is_integer, best.values))),
        "from_text": _from_text(best.values, values),
    }


def best_verified(members: Sequence[Candidate]) -> float:
    """Return the verifier's best score of a group; without a verifier it is 0."""
    return _near(max(one.verified for one in members))


def _magnitude(value: Value) -> float:
    if not isinstance(value, Fraction):
        return abs(decimal_of(value))
    try:
        return abs(float(value))
    except OverflowError:
        return math.inf


def _from_text(answers: Sequence[Value], values: Counter[Fraction] | set[Fraction]) -> float:
    return float(any(value in values for value in answers))


def _log_odds(log_probability: float) -> float:
    rest = -math.expm1(min(log_probability, -1e-12))
    return _near(log_probability - math.log(rest))


def _near(logarithm: float) -> float:
    return max(-_FAR, min(_FAR, logarithm))


def _log_ratio(one: float, other: float) -> float:
    """Return log10(one / other), finite even if the quotient is outside the range of floats."""
    return math.log10(min(max(one / other, math.ulp(0.0)), sys.float_info.max))


def _digits(whole: int) -> float:
    """Return the logarithm of an integer of any size, and 0 for 0."""
    return min(_LARGE, math.log10(abs(whole))) if whole else 0.0


def _is_decimal(value: Fraction) -> bool:
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def _undone(symbols: Sequence[Symbol]) -> int:
    """Count the operations of a tree in prefix order that undo the one below them."""
    found = 0
    parts: list[Any] = []  # leaves, and (operator, left, right)
    for symbol in reversed(symbols):
        if isinstance(symbol, str):
            left, right = parts.pop(), parts.pop()
            found += _undoes(symbol, left, right)
            parts.append((symbol, left, right))
        else:
            parts.append(symbol)
    return found


def _undoes(operator: str, left: Any, right: Any) -> bool:
    if operator in "-/" and left == right:
        return True
    if operator not in _INVERSE or not isinstance(left, tuple) or left[0] != _INVERSE[operator]:
        return False
    return right in left[1:] if operator in "-/" else right == left[2]
