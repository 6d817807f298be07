"""What speaks for an answer and against it -> a score; the answer with the highest score speaks for the problem.

A network's probability is one sign among others: it does not see that its equations leave a number of the text unused,
take back what they added, or end in 44/3 questions. The weights of a shipped model are fitted on validation problems
(`training.preferring`) and travel in its checkpoint; without any, implausible answers stand behind all others.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sau_solver.answering.plausibility import DOUBTS
from sau_solver.equations.expressions import Number, Unknown
from sau_solver.equations.symbols import Slot, Symbol
from sau_solver.equations.uet import Uet
from sau_solver.errors import CheckpointError
from sau_solver.solving import Value, decimal_of
from sau_solver.text.numbers import MappedText

SIGNS = (
    "log_probability",  # of all candidates with this answer
    "agreeing",  # how many these are
    *DOUBTS,  # what plausibility has against it
    "unused",  # numbers in digits that the equations do not use
    "leaves_out",  # 1 where there are any
    "reused",  # uses of a number beyond those of the text
    "used_one",  # 1 where a one in words (一辆, one of) is used as a number
    "undone",  # operations that the next one takes back: a + b - a, a * b / b
    "constants",  # numbers that are not in the text
    "unknowns",
    "log_size",  # of the tree
    "not_whole",  # 1 where the answer has a fraction
    "endless",  # 1 where no decimal is equal to it
    "endless_of_whole",  # the same where every number of the text is whole
    "digits",  # of numerator and denominator
    "denominator",  # digits of the denominator
    "from_text",  # 1 where the answer is a number of the text
    "tiny",  # 1 where it is below 0.01
    "log_ratio",  # to the largest number of the text
    "answers",
)
_INVERSE = {"-": "+", "/": "*", "+": "-", "*": "/"}
_LARGE = 30.0  # a logarithm past this says nothing more


@dataclass(frozen=True, slots=True)
class Preference:
    """The weights of the signs."""

    weights: Mapping[str, float]

    def score(self, signs: Mapping[str, float]) -> float:
        """How much speaks for an answer; a difference of two scores is the logarithm of their odds."""
        return sum(weight * signs[name] for name, weight in self.weights.items())

    def as_json(self) -> dict[str, float]:
        """What a checkpoint holds under `preference`."""
        return dict(self.weights)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Preference:
        """What `as_json` gave; CheckpointError where it is something else."""
        try:
            made = cls({str(name): float(weight) for name, weight in fields.items()})
        except (TypeError, ValueError, AttributeError) as error:
            raise CheckpointError(
                f"A preference with weights by name was expected, and this one cannot be read ({error!r}); "
                "ship the model again."
            ) from None
        if unknown := sorted(set(made.weights) - set(SIGNS)):
            raise CheckpointError(
                f"The preference weighs {', '.join(unknown)}, which this version of sau-solver does not know; "
                "use the version that wrote it, or ship the model again."
            )
        return made


PLAUSIBLE_FIRST = Preference({"log_probability": 1.0, **dict.fromkeys(DOUBTS, -1e6)})


def signs_of(
    text: MappedText, tree: Uet, answers: Sequence[Value], doubt: str, log_probability: float, agreeing: int
) -> dict[str, float]:
    """The signs of an answer, by the tree of its most probable candidate."""
    in_text = Counter(number.value for number in text.numbers)
    used = Counter(text.numbers[symbol.index].value for symbol in tree.symbols if isinstance(symbol, Slot))
    in_digits = {number.value for number in text.numbers if any(map(str.isdigit, number.text))}
    unused = len(in_digits - used.keys())
    rational = [value for value in answers if isinstance(value, Fraction)]
    endless = any(not _is_decimal(value) for value in rational)
    largest = max((abs(decimal_of(value)) for value in answers), default=0.0)
    given = max((abs(decimal_of(value)) for value in in_text), default=1.0)
    return {
        "log_probability": max(-_LARGE, log_probability),
        "agreeing": float(agreeing),
        **{name: float(name == doubt) for name in DOUBTS},
        "unused": float(unused),
        "leaves_out": float(unused > 0),
        "reused": float(sum(max(0, times - in_text[value]) for value, times in used.items())),
        "used_one": float(Fraction(1) in used and Fraction(1) not in in_digits),
        "undone": float(_undone(tree.symbols)),
        "constants": float(sum(isinstance(symbol, Number) for symbol in tree.symbols)),
        "unknowns": float(len({symbol for symbol in tree.symbols if isinstance(symbol, Unknown)})),
        "log_size": math.log(len(tree)),
        "not_whole": float(any(value.denominator != 1 for value in rational)),
        "endless": float(endless),
        "endless_of_whole": float(endless and all(value.denominator == 1 for value in in_digits)),
        "digits": max((_digits(value.numerator) + _digits(value.denominator) for value in rational), default=0.0),
        "denominator": max((_digits(value.denominator) for value in rational), default=0.0),
        "from_text": float(any(value in in_text for value in answers)),
        "tiny": float(0 < largest < 0.01),
        "log_ratio": _log_ratio(largest, given) if largest > 0 and 0 < given < math.inf else 0.0,
        "answers": float(len(answers)),
    }


def _log_ratio(one: float, other: float) -> float:
    """The logarithm of their ratio, finite also where the ratio is past the range of floats."""
    return math.log10(min(max(one / other, math.ulp(0.0)), sys.float_info.max))


def _digits(whole: int) -> float:
    """The logarithm of a whole number, of any size; 0 of 0."""
    return min(_LARGE, math.log10(abs(whole))) if whole else 0.0


def _is_decimal(value: Fraction) -> bool:
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def _undone(symbols: Sequence[Symbol]) -> int:
    """How many operations of a tree in prefix order take back what is below them."""
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
